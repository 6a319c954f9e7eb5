package wp

import "time"

// What a site can cost in one exchange. Every bound of this package is here.
const (
	// defaultTimeout and defaultMaxBytes bound an answer, its body decompressed,
	// where [Options] does not.
	defaultTimeout  = 20 * time.Second
	defaultMaxBytes = 4 << 20
	// connectTimeout bounds reaching the site, and again its TLS handshake.
	connectTimeout = 5 * time.Second
	// minIdle is how many connections are kept open at least.
	minIdle = 8
	// beginning is how much of a body is read first, and kept of one that is cut:
	// enough to say what it is. largestPart is what is read at a time later.
	beginning   = 8 << 10
	largestPart = 512 << 10
	// maxPage is how much of a page is read: its head.
	maxPage = 256 << 10
	// MaxTarget bounds a request's path and query below the REST root, in bytes as
	// sent ([Request.Size]). Apache refuses a request line beyond 8190 bytes
	// (LimitRequestLine), nginx one beyond a buffer of 8 KiB
	// (large_client_header_buffers), both with a 414 that says nothing. The rest is
	// for the method, the protocol and the path of the root itself.
	MaxTarget = 8000
	// maxNesting is PHP's max_input_nesting_level: it drops what is deeper.
	maxNesting = 64
	// maxValidator bounds a validator that is remembered, in bytes; maxRetryAfter
	// what a site may ask to be left alone for.
	maxValidator  = 256
	maxRetryAfter = 24 * time.Hour
	// maxPlace bounds a place in an error.
	maxPlace = 200
	// maxFilePath bounds the path of a file that is sent, in bytes.
	maxFilePath = 1000
	// askFirst is the size of a file, in bytes, from which the site is asked whether
	// it takes it before it is sent: a web server that refuses it by its size, or a
	// credential that is not accepted, costs nothing then, and its answer is not lost
	// in a connection that it closes.
	askFirst = 1 << 20
)

// What is read as JSON. MaxDepth is well beyond any schema WordPress sends and
// well below what hurts; maxStarts bounds the search for JSON inside noise.
const (
	MaxDepth  = 256
	maxStarts = 256
	// A body beyond large is only tried at fewStarts places: each may cost a
	// walk through the rest of it.
	large     = 1 << 20
	fewStarts = 16
)
