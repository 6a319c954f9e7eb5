package wp

import (
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode"
)

// Request is one call of the REST API, below the root and free of any host.
type Request struct {
	// Method is GET, POST, PUT, PATCH, DELETE, OPTIONS, or HEAD, whose answer has
	// no JSON.
	Method string
	// Segments are the parts of the path below the REST root, not escaped:
	// {"wp", "v2", "posts", "12"}. None may hold a separator; a value that
	// legitimately spans a slash is several segments.
	Segments []string
	// Query is sent in this order.
	Query Query
	// Body is sent as JSON, a [File] as its bytes; nil sends none.
	Body any
	// Timeout bounds this exchange; zero: the client's own.
	Timeout time.Duration
	// Trace is the trace the request is a part of; zero: none.
	Trace Trace
	// Files takes an answer that is a file, [Response.File], which is an error
	// else.
	Files bool
	// Once is for what may change something though its method says that it only
	// reads: it is never sent a second time. Other methods never are.
	Once bool
	// Anonymous sends no credential.
	Anonymous bool
	// Since are the validators of an answer that is known: where it still holds,
	// the site may say so, with status 304 and nothing else. Zero: none is.
	Since Validators
}

// Trace is a trace context (W3C Trace Context, W3C Baggage), checked by whoever
// makes one. It is sent as the headers traceparent, tracestate and baggage; what is
// empty is not.
type Trace struct{ Parent, State, Baggage string }

// RequestError is a request that cannot be sent as it is; nothing was.
type RequestError struct{ Err error }

// Error says what cannot be sent.
func (e *RequestError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *RequestError) Unwrap() error { return e.Err }

// Route returns the path below the REST root, for messages.
func (r Request) Route() string { return "/" + strings.Join(r.Segments, "/") }

// Size is how many bytes the path and the query have as sent, the root's own
// not counted; see [MaxTarget].
func (r Request) Size() (int, error) {
	query, err := r.Query.Encode()
	if err != nil {
		return 0, err
	}
	n := len(query)
	if n > 0 {
		n += len("?")
	}
	for _, s := range r.Segments {
		n += len("/") + len(escapeSegment(s))
	}
	return n, nil
}

// escapeSegment escapes what may not stand in a path (RFC 3986, pchar), and no
// more: WordPress matches a route, and hands on its arguments, as they are on
// the wire (WP::parse_request), so 1%2C2 is no [\d,]+. A quote stays escaped: it
// would get a backslash on the way.
func escapeSegment(s string) string { return pathCharacters.Replace(url.PathEscape(s)) }

var pathCharacters = strings.NewReplacer("%21", "!", "%28", "(", "%29", ")", "%2A", "*", "%2C", ",", "%3B", ";")

// CheckSegment refuses what could make a path segment reach another route
// than the one it stands in: separators, dot segments, escapes of either, and
// control characters. It is the one guard between an argument and the path.
func CheckSegment(s string) error {
	lower := strings.ToLower(s)
	switch {
	case s == "":
		return fmt.Errorf("must not be empty")
	case s == "." || s == "..":
		return fmt.Errorf("must not be %q", s)
	case strings.ContainsAny(s, `/\`):
		return fmt.Errorf("must not hold a slash")
	case strings.Contains(lower, "%2f") || strings.Contains(lower, "%5c") || strings.Contains(lower, "%2e"):
		return fmt.Errorf("must not hold an escaped slash or dot")
	case strings.ContainsFunc(s, unicode.IsControl):
		return fmt.Errorf("must not hold control characters")
	}
	return nil
}

// URL is the request's address below root. A root that carries rest_route
// in its query (plain permalinks) keeps its path and gets the route there.
func (r Request) URL(root *url.URL) (*url.URL, error) {
	for _, s := range r.Segments {
		if err := CheckSegment(s); err != nil {
			return nil, fmt.Errorf("path segment %q %w", s, err)
		}
	}
	query, err := r.Query.Encode()
	if err != nil {
		return nil, err
	}
	u := *root
	if root.Query().Has("rest_route") {
		u.RawQuery = "rest_route=" + url.QueryEscape(r.Route())
		if query != "" {
			u.RawQuery += "&" + query
		}
	} else {
		escaped := make([]string, len(r.Segments))
		for i, s := range r.Segments {
			escaped[i] = escapeSegment(s)
		}
		base := strings.TrimSuffix(root.Path, "/") + "/"
		rawBase := strings.TrimSuffix(root.EscapedPath(), "/") + "/"
		u.Path = base + strings.Join(r.Segments, "/")
		u.RawPath = rawBase + strings.Join(escaped, "/")
		u.RawQuery = query
	}
	return &u, nil
}
