package schema

// What a site's schemas and words can cost. Every bound of this package is here.
const (
	// One operation's schemas: the deepest of the recorded sites is 9 levels deep,
	// the widest has some 1,500 nodes. Beyond them the operation is withheld.
	maxDepth = 64
	maxNodes = 5_000
	// maxVariants bounds an anyOf, oneOf or allOf (T14).
	maxVariants = 100
	// maxInstructions bounds a compiled pattern of the site: a counted repetition
	// of a few bytes can ask for megabytes (T13).
	maxInstructions = 1000
	maxPattern      = 500 // bytes
	// maxEnum bounds the values a model is given to choose from, maxChoice what
	// they may take of its context, in bytes.
	maxEnum   = 1000
	maxChoice = 16 << 10
	// MaxName is the longest name of an argument or property every client takes.
	MaxName = 64
	// MaxText is what a text about an argument, its title or its description, may
	// take of a model's context, in bytes; maxValue what a default or a value of an
	// enum may, and maxRemark one remark of the common dialect.
	MaxText   = 240
	maxValue  = 1024
	maxRemark = 200
	// maxEscapes is how often a text may be escaped over: what is deeper is no text.
	maxEscapes = 8
)

// What an argument can cost. PHP holds no number beyond 10^308 and decodes 512
// levels of JSON; the exact arithmetic of a check costs more than a number's
// length, and what a schema says of 1e-999999 is not worth a second.
const (
	maxDigits = 400 // of a number as written, and of its exponent's value
	maxLevels = 256
)
