package runtime

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"toolpress/curate"
)

// bodyTimeout bounds the reading of a request's body, also of one that is not
// wanted: net/http reads some of what a handler left.
const bodyTimeout = 30 * time.Second

// web is a server for a handler of ours. It has no WriteTimeout: streams stay
// open, and each write has its own.
func (s *Server) web(h http.Handler) *http.Server {
	return &http.Server{
		Handler:           s.unquoted(h),
		ReadHeaderTimeout: 5 * time.Second,
		IdleTimeout:       60 * time.Second,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(s.opts.Log.Handler(), slog.LevelWarn),
	}
}

// unquoted serves with h, and logs a panic of it without what was thrown, which
// net/http would print: it may hold anything.
func (s *Server) unquoted(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if p != any(http.ErrAbortHandler) {
				_ = s.panicked(p, "method", r.Method) // it is logged
			}
			panic(http.ErrAbortHandler) // cuts the connection, and net/http says nothing
		}()
		h.ServeHTTP(w, r)
	})
}

// Handler serves MCP, the default profile at /mcp and any other at /mcp/NAME,
// says at /healthz that it does, takes the site's webhooks at /webhook, and answers
// everything else with an error that names the address to use.
func (s *Server) Handler() http.Handler {
	return http.HandlerFunc(func(under http.ResponseWriter, r *http.Request) {
		w := &writer{under: under, patience: s.opts.WriteTimeout}
		if r.ContentLength != 0 {
			// net/http lifts it where the body ends: a stream goes on.
			_ = http.NewResponseController(under).SetReadDeadline(time.Now().Add(bodyTimeout))
		}
		if r.URL.Path == "/healthz" {
			s.health(w, r)
			return
		}
		if r.URL.Path == webhookPath {
			s.webhook.ServeHTTP(w, r)
			return
		}
		if s.cors(w, r) {
			return
		}
		// Loaded once: what is guarded is what is served.
		now := s.current.Load()
		p := now.profiles[profileName(r.URL.Path)]
		if status, why := s.guard(r, now, p); status != 0 {
			if status == http.StatusUnauthorized {
				w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
			}
			refuse(w, nil, &refusal{status: status, code: jsonrpc.CodeInvalidRequest, text: why})
			return
		}
		if p != nil && p.tokens == nil {
			r.Header.Del("Authorization") // nobody checked it: it makes nobody a principal
		}
		switch {
		case p == nil:
			nothing(w, r, now)
		case r.Method == http.MethodPost:
			s.post(w, r, p)
		case (r.Method == http.MethodGet || r.Method == http.MethodDelete) && inSession(r):
			s.session(w, r, p.endpoint)
		default:
			w.Header().Set("Allow", http.MethodPost)
			refuse(w, nil, &refusal{status: http.StatusMethodNotAllowed, code: jsonrpc.CodeInvalidRequest, text: "this is Streamable HTTP: send a POST to " + r.URL.Path + ", or a GET with the Mcp-Session-Id of a session. The HTTP+SSE transport of 2024-11-05 is not served"})
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

// nothing answers where no profile is served: what the HTTP+SSE transport of
// 2024-11-05 asks for (GET /sse, and the POST its endpoint event names, which is
// /messages or /message in the SDKs of its time) with the address to use instead.
func nothing(w http.ResponseWriter, r *http.Request, now *snapshot) {
	at, none := "/mcp", "there is nothing here"
	if now.profiles[curate.DefaultProfile] == nil {
		at, none = "/mcp/ and the name of a profile", "there is no default profile"
	}
	bad := &refusal{status: http.StatusNotFound, code: jsonrpc.CodeInvalidRequest, text: none + ": MCP is served at " + at}
	switch strings.TrimSuffix(r.URL.Path, "/") {
	case "/sse", "/messages", "/message":
		bad.status = http.StatusGone
		bad.text = "the HTTP+SSE transport of 2024-11-05 is not served: use Streamable HTTP at " + at
	}
	refuse(w, nil, bad)
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

func (s *Server) post(w *writer, r *http.Request, p *profile) {
	e := p.endpoint
	body, done, bad := s.read(w, r)
	defer done()
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
	if env.unheard() {
		w.WriteHeader(http.StatusAccepted)
		return
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
	case modern && env.method == methodListen:
		s.listen(w, inner, e, env.id)
	case modern:
		e.modern.ServeHTTP(w, inner)
	default:
		s.legacyPost(w, inner, e, env)
	}
}

// Bodies of more than largeBody bytes are served maxLarge at a time: the SDK
// decodes one eight times over, and takes some 25 times its size.
const (
	largeBody = 1 << 20
	maxLarge  = 4
)

// read returns the body of a POST within its bounds. done is called when the body
// is no longer needed.
func (s *Server) read(w *writer, r *http.Request) (body []byte, done func(), bad *refusal) {
	done = func() {}
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return nil, done, &refusal{status: http.StatusUnsupportedMediaType, code: jsonrpc.CodeInvalidRequest, text: "Content-Type must be application/json"}
	}
	from := http.MaxBytesReader(w.under, r.Body, s.opts.MaxBody)
	body, err := io.ReadAll(io.LimitReader(from, largeBody+1))
	if err == nil && len(body) > largeBody {
		if done = s.large(); done == nil {
			w.Header().Set("Retry-After", "5")
			return nil, func() {}, &refusal{status: http.StatusServiceUnavailable, code: jsonrpc.CodeInternalError, text: "too many large requests are served"}
		}
		var rest []byte
		rest, err = io.ReadAll(from)
		body = append(body, rest...)
	}
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return nil, done, &refusal{status: http.StatusRequestEntityTooLarge, code: jsonrpc.CodeInvalidRequest, text: fmt.Sprintf("the body is larger than %d bytes: the operator allows more with --max-body", s.opts.MaxBody)}
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, done, &refusal{status: http.StatusRequestTimeout, code: jsonrpc.CodeInvalidRequest, text: fmt.Sprintf("the body did not arrive within %v", bodyTimeout)}
	case err != nil:
		return nil, done, invalid("the body could not be read")
	}
	return body, done, nil
}

// large admits one more large body until done is called; nil when there are enough.
func (s *Server) large() (done func()) {
	if s.larges.Add(1) > maxLarge {
		s.larges.Add(-1)
		return nil
	}
	return func() { s.larges.Add(-1) }
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
