package wp

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// Request is one call of the REST API, below the root and free of any host.
type Request struct {
	// Method is GET, POST, PUT, PATCH, DELETE or OPTIONS.
	Method string
	// Segments are the parts of the path below the REST root, not escaped:
	// {"wp", "v2", "posts", "12"}. None may hold a separator; a value that
	// legitimately spans a slash is several segments.
	Segments []string
	// Query is sent in this order.
	Query Query
	// Body is sent as JSON; nil sends none.
	Body any
}

// RequestError is a request that cannot be sent as it is; nothing was.
type RequestError struct {
	// Param is the parameter at fault, or the member of one that is an object;
	// empty when it is none in particular.
	Param string
	Err   error
}

// Error says what cannot be sent.
func (e *RequestError) Error() string {
	if e.Param == "" {
		return e.Err.Error()
	}
	return e.Param + " " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *RequestError) Unwrap() error { return e.Err }

// Route returns the path below the REST root, for messages.
func (r Request) Route() string { return "/" + strings.Join(r.Segments, "/") }

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

// url builds the request's address below root. A root that carries rest_route
// in its query (plain permalinks) keeps its path and gets the route there.
func (r Request) url(root *url.URL) (*url.URL, error) {
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
			escaped[i] = url.PathEscape(s)
		}
		base := strings.TrimSuffix(root.Path, "/") + "/"
		rawBase := strings.TrimSuffix(root.EscapedPath(), "/") + "/"
		u.Path = base + strings.Join(r.Segments, "/")
		u.RawPath = rawBase + strings.Join(escaped, "/")
		u.RawQuery = query
	}
	if n := len(u.String()); n > maxURL {
		param, what := r.largest(), "is too large for a query"
		if param == "" {
			what = "the path is too long"
		}
		return nil, &RequestError{param, fmt.Errorf("%s: the URL would have %d bytes, and servers refuse more than %d", what, n, maxURL)}
	}
	return &u, nil
}

// largest names the query parameter that takes the most room, or the member of
// it where it is an object.
func (r Request) largest() string {
	name, most := "", 0
	weigh := func(p Param) {
		if s, err := (Query{p}).Encode(); err == nil && len(s) > most {
			name, most = p.Name, len(s)
		}
	}
	for _, p := range r.Query {
		named, isObject := p.Value.(map[string]any)
		if !isObject {
			weigh(p)
		}
		for _, key := range slices.Sorted(maps.Keys(named)) {
			weigh(Param{key, named[key]})
		}
	}
	return name
}
