package generate

// What a site's schemas and words can cost. Every bound of this package is here.
const (
	// One operation's schemas: the deepest of the recorded sites is 9 levels deep,
	// the widest has some 1,500 nodes. Beyond them the operation is withheld.
	maxSchemaDepth = 64
	maxSchemaNodes = 20_000
	// maxInstructions bounds a compiled pattern of the site: a counted repetition
	// of a few bytes can ask for megabytes (T13).
	maxInstructions = 1000
	maxPattern      = 500 // bytes
	// maxPathValue bounds what patterns of the site run over, in bytes. No slug,
	// template or file that a site names in a path is that long.
	maxPathValue = 2000
	// How routes are told apart. Of the recorded sites 5 routes at most are near
	// one call; a call that more than maxRivals are near is refused.
	maxRivals  = 32
	maxSamples = 128 // ordinary paths of a route
	maxWords   = 16  // texts of a pattern
	// maxEnum bounds the values a model is given to choose from.
	maxEnum = 1000
	// maxName is the longest name of an argument or property every client takes.
	maxName = 64
	// maxToolName is the longest name proposed for a tool: clients put the
	// server's name before it, and take 59 characters of both (package clients).
	maxToolName = 48
	// Upstream text, in bytes: what a tool and an argument may take of a model's
	// context.
	maxToolText = 1024
	maxArgText  = 240
)

// What an argument can cost. PHP holds no number beyond 10^308 and decodes 512
// levels of JSON; the exact arithmetic of a check costs more than a number's
// length, and what a schema says of 1e-999999 is not worth a second.
const (
	maxDigits = 400 // of a number as written, and of its exponent's value
	maxLevels = 256
)
