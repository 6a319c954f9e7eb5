package runtime

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"toolpress/curate"
)

// bodyTimeout bounds the reading of a request's body.
const bodyTimeout = 30 * time.Second

// Handler serves MCP, the default profile at /mcp and any other at /mcp/NAME,
// says at /healthz that it does, and answers everything else with an error that
// names the address to use.
func (s *Server) Handler() http.Handler {
	return http.HandlerFunc(func(under http.ResponseWriter, r *http.Request) {
		w := &writer{under: under, patience: s.opts.WriteTimeout}
		if r.URL.Path == "/healthz" {
			s.health(w, r)
			return
		}
		if s.cors(w, r) {
			return
		}
		// Looked up once: what is guarded is what is served.
		p := s.current.Load().profiles[profileName(r.URL.Path)]
		if status, why := s.guard(r, p); status != 0 {
			if status == http.StatusUnauthorized {
				w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
			}
			refuse(w, nil, &refusal{status: status, code: jsonrpc.CodeInvalidRequest, text: why})
			return
		}
		switch {
		case p == nil:
			nothing(w, r)
		case r.Method == http.MethodPost:
			s.post(w, r, p)
		case (r.Method == http.MethodGet || r.Method == http.MethodDelete) && inSession(r):
			s.session(w, r, p.endpoint)
		default:
			w.Header().Set("Allow", http.MethodPost)
			refuse(w, nil, &refusal{status: http.StatusMethodNotAllowed, code: jsonrpc.CodeInvalidRequest, text: "send a POST, or a GET with the Mcp-Session-Id of a session"})
		}
	})
}

// health says that the server serves, to whoever reaches this machine: no
// token is asked, and nothing of the catalog is told.
func (s *Server) health(w http.ResponseWriter, r *http.Request) {
	if !s.hostAllowed(r.Host) || len(r.Header.Values("Origin")) > 0 {
		http.Error(w, "forbidden", http.StatusForbidden)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if s.ending.Err() != nil {
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte("{\"status\":\"shutting down\"}\n")) // the client may be gone
		return
	}
	_, _ = w.Write([]byte("{\"status\":\"ok\"}\n"))
}

// nothing answers where no profile is served.
func nothing(w http.ResponseWriter, r *http.Request) {
	switch {
	case profileName(r.URL.Path) == curate.DefaultProfile:
		refuse(w, nil, &refusal{status: http.StatusNotFound, code: jsonrpc.CodeInvalidRequest, text: "there is no default profile: each is served at /mcp/ and its name"})
	case r.URL.Path == "/sse":
		// HTTP+SSE of 2024-11-05 begins with this GET.
		refuse(w, nil, &refusal{
			status: http.StatusGone, code: jsonrpc.CodeInvalidRequest,
			text: "the HTTP+SSE transport of 2024-11-05 is not served: use Streamable HTTP at /mcp",
		})
	default:
		refuse(w, nil, &refusal{status: http.StatusNotFound, code: jsonrpc.CodeInvalidRequest, text: "there is nothing here: MCP is served at /mcp"})
	}
}

// profileName is the profile that a path asks for; empty for any other path.
func profileName(path string) string {
	if path == "/mcp" {
		return curate.DefaultProfile
	}
	name, _ := strings.CutPrefix(path, "/mcp/")
	if name == path {
		return ""
	}
	return name
}

// inSession reports whether a GET or DELETE belongs to a legacy session: the
// modern era has neither.
func inSession(r *http.Request) bool {
	return r.Header.Get("Mcp-Session-Id") != "" && r.Header.Get("Mcp-Protocol-Version") < modernVersion
}

// session serves a legacy session's stream, or ends the session.
func (s *Server) session(w *writer, r *http.Request, e *endpoint) {
	if s.ending.Err() != nil {
		busy(w, nil, "the server is shutting down")
		return
	}
	defer w.keepAlive()()
	e.legacy.ServeHTTP(w, stripped(r, nil))
}

func (s *Server) post(w *writer, r *http.Request, p *profile) {
	e := p.endpoint
	body, bad := s.read(w, r)
	if bad != nil {
		refuse(w, nil, bad)
		return
	}
	env, bad := openEnvelope(body)
	if bad != nil {
		refuse(w, env.id, bad)
		return
	}
	inner := stripped(r, body)
	modern := env.version != "" || r.Header.Get("Mcp-Protocol-Version") >= modernVersion
	if bad := env.refused(modern, r.Header.Get("Mcp-Protocol-Version")); bad != nil {
		refuse(w, env.id, bad)
		return
	}
	if modern {
		if bad := agree(inner.Header, env, p.byName[env.name]); bad != nil {
			refuse(w, env.id, bad)
			return
		}
		plainName(inner.Header, env)
	}
	if !s.requests.begin() {
		busy(w, env.id, "the server is shutting down")
		return
	}
	defer s.requests.end()
	if env.method == "tools/list" {
		defer s.pages.expect(w, inner)()
	}
	switch {
	case modern && env.method == "subscriptions/listen":
		s.listen(w, inner, e, env.id)
	case modern:
		e.modern.ServeHTTP(w, inner)
	default:
		s.legacyPost(w, inner, e, env)
	}
}

// listen holds a stream open, as long as there are not too many.
func (s *Server) listen(w *writer, r *http.Request, e *endpoint, id json.RawMessage) {
	defer s.streams.Add(-1)
	if s.streams.Add(1) > int64(s.opts.MaxStreams) {
		busy(w, id, "too many streams are open")
		return
	}
	defer w.keepAlive()()
	e.modern.ServeHTTP(w, r)
}

// legacyPost lets only initialize open a session, and only so many.
func (s *Server) legacyPost(w *writer, r *http.Request, e *endpoint, env envelope) {
	known := r.Header.Get("Mcp-Session-Id") != ""
	switch {
	case env.method != "initialize" && !known:
		refuse(w, env.id, invalid("no session: send initialize first, and then its Mcp-Session-Id"))
	case env.method == "initialize" && known:
		refuse(w, env.id, invalid("the session is initialized already"))
	case known:
		e.legacy.ServeHTTP(w, r)
	case !e.begin(s.opts.MaxSessions):
		busy(w, env.id, "too many sessions are open")
	default:
		defer e.began()
		e.legacy.ServeHTTP(w, r)
	}
}

// read returns the body of a POST within its bounds.
func (s *Server) read(w *writer, r *http.Request) ([]byte, *refusal) {
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return nil, &refusal{status: http.StatusUnsupportedMediaType, code: jsonrpc.CodeInvalidRequest, text: "Content-Type must be application/json"}
	}
	// Lifted afterwards: the same deadline would end a stream.
	rc := http.NewResponseController(w.under)
	_ = rc.SetReadDeadline(time.Now().Add(bodyTimeout))
	body, err := io.ReadAll(http.MaxBytesReader(w.under, r.Body, s.opts.MaxBody))
	_ = rc.SetReadDeadline(time.Time{})
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return nil, &refusal{status: http.StatusRequestEntityTooLarge, code: jsonrpc.CodeInvalidRequest, text: fmt.Sprintf("the body is larger than %d bytes", s.opts.MaxBody)}
	case err != nil:
		return nil, invalid("the body could not be read")
	}
	return body, nil
}

// stripped is the request as the SDK sees it: without what is the client's
// own secret, and with a body that was read.
func stripped(r *http.Request, body []byte) *http.Request {
	inner := r.WithContext(r.Context())
	inner.Header = r.Header.Clone()
	inner.Header.Set(principalHeader, principal(r.Header.Get("Authorization")))
	inner.Header.Del("Authorization")
	inner.Header.Del("Cookie")
	inner.Header.Del(pageHeader)
	if body != nil {
		inner.Body = io.NopCloser(bytes.NewReader(body))
		inner.ContentLength = int64(len(body))
	}
	return inner
}
