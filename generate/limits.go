package generate

// What a site's routes and words can cost. Every bound of this package is here;
// those of schemas are in package schema.
const (
	// maxPathValue bounds what patterns of the site run over, in bytes. No slug,
	// template or file that a site names in a path is that long.
	maxPathValue = 2000
	// maxUpload bounds a file that is sent, in bytes. maxFilename bounds its name:
	// file systems take 255 bytes, and WordPress puts the sizes of a picture behind it.
	maxUpload   = 8 << 20
	maxFilename = 200
	// How routes are told apart. Of the recorded sites 5 routes at most are near
	// one call; a call that more than maxRivals are near is refused.
	maxRivals  = 32
	maxSamples = 128 // ordinary paths of a route
	maxWords   = 16  // texts of a pattern
	// maxToolName is the longest name proposed for a tool: clients put the
	// server's name before it, and take 59 characters of both (package clients).
	maxToolName = 48
	// maxToolText is what a tool's description may take of a model's context, in
	// bytes.
	maxToolText = 1024
)
