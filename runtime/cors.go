package runtime

import (
	"net/http"
	"slices"
	"strings"
)

// sendable are the request headers a client in a browser may send, in lower case;
// Mcp-Param- and any name besides.
var sendable = []string{
	"accept", "authorization", "content-type", "last-event-id",
	"mcp-method", "mcp-name", "mcp-protocol-version", "mcp-session-id",
}

// cors lets a page of an allowed origin read the answer, and answers a preflight;
// it reports that it did (Fetch, "CORS protocol"). A preflight carries no token:
// it is answered before one is asked for. Cookies are never taken, so that no page
// is let in by what a browser sends of itself. Whoever is not allowed gets the
// guard's refusal without any of these headers.
func (s *Server) cors(w http.ResponseWriter, r *http.Request) bool {
	origins := r.Header.Values("Origin")
	if len(origins) != 1 || !s.hostAllowed(r.Host) || !s.originAllowed(origins[0]) {
		return false
	}
	h := w.Header()
	h.Add("Vary", "Origin")
	h.Set("Access-Control-Allow-Origin", origins[0])
	h.Set("Access-Control-Expose-Headers", "Mcp-Session-Id, Retry-After, WWW-Authenticate")
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	h.Add("Vary", "Access-Control-Request-Headers")
	h.Set("Access-Control-Allow-Methods", "POST, GET, DELETE")
	h.Set("Access-Control-Allow-Headers", strings.Join(permitted(r.Header.Get("Access-Control-Request-Headers")), ", "))
	h.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
	return true
}

// permitted are the headers of a preflight that may be sent: every argument's is
// named by itself, since no wildcard covers a part of a name.
func permitted(list string) (allowed []string) {
	for name := range strings.SplitSeq(list, ",") {
		name = strings.ToLower(strings.TrimSpace(name))
		if slices.Contains(sendable, name) || strings.HasPrefix(name, strings.ToLower(paramHeader)) {
			allowed = append(allowed, name)
		}
	}
	return allowed
}
