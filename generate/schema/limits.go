package schema

// What a site's schemas and words can cost. Every bound of this package is here.
const (
	// One operation's schemas: the deepest of the recorded sites is 9 levels deep,
	// the widest has some 1,500 nodes. Beyond them the operation is withheld.
	maxDepth = 64
	maxNodes = 5_000
	// A schema of so many keywords, values of an enum and names in required, or of
	// so many bytes of texts and names, costs as much as two.
	maxParts = 8
	maxBytes = 2 << 10
	// maxVariants bounds an anyOf, oneOf or allOf (T14), maxForms the schemas of one
	// value where variants have variants: of the recorded sites 4 at most.
	maxVariants = 100
	maxForms    = 128
	// maxRepairs bounds the repairs kept of one operation's schemas: 24 at most on
	// the recorded sites.
	maxRepairs = 200
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
	// maxBrief is how much of a value is written to show its beginning.
	maxBrief = 1024
	// maxMarkup is how many times longer than what is shown of it a text is read,
	// and maxUnread how much of it is read anyway, in bytes: some have more markup
	// than words.
	maxMarkup = 8
	maxUnread = 4 << 10
	// maxEscapes is how often a text may be escaped over: what is deeper is no text.
	maxEscapes = 8
)

// What an argument can cost. PHP holds no number beyond 10^308 and decodes 512
// levels of JSON; the exact arithmetic of a check costs more than a number's
// length, and what a schema says of 1e-999999 is not worth a second.
const (
	maxDigits = 400 // of a number as written, and of its exponent's value
	maxLevels = 256
	// maxValues bounds the values of an argument, each member and item counted.
	maxValues = 5_000
	// maxSteps bounds how often a value of a call is held against a schema, each
	// some microseconds: 5,000 values take 5,000, and more for each form they have.
	maxSteps = 100_000
)
