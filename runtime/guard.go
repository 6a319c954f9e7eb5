package runtime

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"toolpress/discover/wp"
)

// guard checks who asks, on every path and before anything else; p is the
// profile of the path, if it is one's. It returns the status to refuse with and
// why, or 0.
//
// A page in a browser can be made to talk to this machine (DNS rebinding).
// What then gives it away is Host or Origin:
//
//	Host                                  Origin                           answer
//	localhost, 127.0.0.0/8, [::1], :port  none                             served
//	the same                              http(s)://<loopback name>[:port] served
//	the same                              one of AllowedOrigins            served
//	any of the above                      "null", any other, two of them   403
//	one of AllowedHosts                   as above                         as above
//	any other, none                       any                              403
//
// Where the server listens makes no difference: on another address than
// loopback, behind a proxy or in a container, the operator names the hosts.
// A missing or wrong bearer token is 401: the profile's, where it has tokens of
// its own, else the server's. A path without a profile takes the server's alone:
// whoever has one profile's learns of no other.
func (s *Server) guard(r *http.Request, now *snapshot, p *profile) (int, string) {
	if !s.hostAllowed(r.Host) {
		return http.StatusForbidden, "this Host is not served: the operator allows it with --allowed-host"
	}
	origins := r.Header.Values("Origin")
	if len(origins) > 1 || len(origins) == 1 && !s.originAllowed(origins[0]) {
		return http.StatusForbidden, "this Origin is not served: the operator allows it with --allowed-origin"
	}
	tokens := now.tokens
	if p != nil {
		tokens = p.tokens
	}
	if tokens != nil && !tokenRight(r.Header.Values("Authorization"), tokens) {
		return http.StatusUnauthorized, "a bearer token is needed"
	}
	return 0, ""
}

func (s *Server) hostAllowed(host string) bool {
	name := hostname(host)
	if wp.IsLoopback(name) {
		return true
	}
	return slices.ContainsFunc(s.opts.AllowedHosts, func(allowed string) bool {
		return name != "" && (strings.EqualFold(allowed, host) || strings.EqualFold(strings.Trim(allowed, "[]"), name))
	})
}

// hostname is a Host without its port and brackets, in lower case.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.Trim(host, "[]"))
}

func (s *Server) originAllowed(origin string) bool {
	if slices.ContainsFunc(s.opts.AllowedOrigins, func(allowed string) bool { return strings.EqualFold(allowed, origin) }) {
		return true
	}
	u, err := url.Parse(origin)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") {
		return false
	}
	// An origin is scheme, host and port; whoever sends more is no browser.
	bare := url.URL{Scheme: u.Scheme, Host: u.Host}
	return bare.String() == strings.ToLower(origin) && wp.IsLoopback(u.Hostname())
}

// tokenRight compares digests: neither the time nor the length tells anything.
func tokenRight(headers []string, tokens [][sha256.Size]byte) bool {
	if len(headers) != 1 {
		return false
	}
	scheme, token, _ := strings.Cut(headers[0], " ")
	digest := sha256.Sum256([]byte(strings.TrimSpace(token)))
	right := 0
	for _, t := range tokens {
		right |= subtle.ConstantTimeCompare(digest[:], t[:])
	}
	return strings.EqualFold(scheme, "Bearer") && right == 1
}
