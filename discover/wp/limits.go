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
	// maxPage is how much of a page is read: its head.
	maxPage = 256 << 10
	// maxURL bounds a request's URL. Apache and nginx refuse request lines beyond
	// 8 KiB with a 414 that says nothing.
	maxURL = 8000
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
