package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
)

// Protocol revisions. Compared as strings, they order by date.
const (
	modernVersion = "2026-07-28"
	legacyVersion = "2025-11-25" // newest with an initialize handshake
	batchVersion  = "2025-03-26" // the only one with batches
)

// callTool is the one tool the SDK knows. Every call goes through it, so that
// the SDK still marks results and, with legacy clients, asks the user. Its dot
// keeps it apart from every curated name; it is never listed.
const callTool = "toolpress.call"

// endpoint is one profile's MCP server and its two HTTP handlers. It outlives
// the snapshots.
type endpoint struct {
	name           string
	mcp            *mcp.Server
	modern, legacy http.Handler
	call           mcp.ToolHandler

	notices notices

	admission sync.Mutex // guards starting
	starting  int        // legacy sessions admitted and not yet counted
}

// admitted is the context key of the [admission] of a call.
type admitted struct{}

// admission is the tool a call was admitted with, who makes it and who takes it.
type admission struct {
	tool    *curate.Tool
	profile string
	// principal is a label of who calls, see principalOf.
	principal string
	site      Site
	about     string // the site's address
	served    *profile
	asking    asking
}

func (s *Server) newEndpoint(name string) *endpoint {
	e := &endpoint{name: name}
	log := slog.New(quiet{s.opts.Log.Handler()})
	e.mcp = mcp.NewServer(s.implementation(), &mcp.ServerOptions{
		Logger: log,
		// Explicit: nil would advertise logging.
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{ListChanged: true}},
		SetCacheable: func(_ context.Context, _ mcp.Request, c *mcp.Cacheable) {
			c.TTLMs, c.CacheScope = int(s.opts.TTL.Milliseconds()), cacheScope
		},
	})
	e.call = func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		a, ok := ctx.Value(admitted{}).(admission)
		if !ok {
			return nil, unknownTool(req.Params.Name, "")
		}
		put := a.asking.put
		a.asking = askingOf(req)
		a.asking.put = put
		return s.call(ctx, a, req.Params.Arguments)
	}
	e.register()
	e.notices.send = e.register
	e.mcp.AddReceivingMiddleware(s.contain, s.answer(name))
	server := func(*http.Request) *mcp.Server { return e.mcp }
	// The guard in front is stricter than the SDK's localhost check, which
	// would refuse a proxy on this machine that keeps the public Host.
	e.modern = mcp.NewStreamableHTTPHandler(server, &mcp.StreamableHTTPOptions{
		Stateless: true, PropagateRequestCancellation: true,
		Logger: log, DisableLocalhostProtection: true, MaxRequestBodyBytes: s.opts.MaxBody,
	})
	e.legacy = mcp.NewStreamableHTTPHandler(server, &mcp.StreamableHTTPOptions{
		SessionTimeout: s.opts.SessionTimeout,
		Logger:         log, DisableLocalhostProtection: true, MaxRequestBodyBytes: s.opts.MaxBody,
	})
	return e
}

// register adds the one tool. Adding it again is how list_changed is sent: the
// SDK has no call for it, takes every addition for a change, and sends one
// notice 10 ms after the last.
func (e *endpoint) register() {
	e.mcp.AddTool(&mcp.Tool{Name: callTool, InputSchema: json.RawMessage(`{"type":"object"}`)}, e.call)
}

func (s *Server) implementation() *mcp.Implementation {
	return &mcp.Implementation{Name: s.opts.Name, Title: s.opts.Title, Version: s.opts.Version}
}

// contain is the outermost middleware. A panic ends one request and not the
// process, an error that is no protocol error leaves without its text, and a
// shutdown ends listen streams with their final result.
func (s *Server) contain(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
		defer func() {
			if p := recover(); p != nil {
				res, err = nil, s.internal("panic", "method", method, "panic", p, "stack", string(debug.Stack()))
			}
		}()
		if method == "subscriptions/listen" {
			var cancel context.CancelFunc
			ctx, cancel = context.WithCancel(ctx)
			defer cancel()
			defer context.AfterFunc(s.ending, cancel)()
		}
		res, err = next(ctx, method, req)
		var coded *jsonrpc.Error
		if err != nil && !errors.As(err, &coded) {
			return nil, s.internal("request failed", "method", method, "error", err)
		}
		return res, err
	}
}

// internal logs the cause and returns what a client may see of it.
func (s *Server) internal(message string, cause ...any) error {
	s.opts.Log.Error(message, cause...)
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "internal error"}
}

// answer serves the profile from the snapshot that is current when a request
// arrives.
func (s *Server) answer(name string) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			p := s.current.Load().profiles[name]
			if p == nil {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "this profile is no longer served"}
			}
			switch req := req.(type) {
			case *mcp.ListToolsRequest:
				return p.list(req)
			case *mcp.CallToolRequest:
				return p.admit(ctx, method, req, next)
			case *mcp.ServerRequest[*mcp.InitializeParams]:
				// The SDK notifies no session that asked for a revision the
				// handshake cannot give it.
				if req.Params.ProtocolVersion >= modernVersion {
					req.Params.ProtocolVersion = legacyVersion
				}
			}
			res, err := next(ctx, method, req)
			if err != nil {
				return nil, err
			}
			switch res := res.(type) {
			case *mcp.InitializeResult:
				res.Instructions = p.instructions
			case *mcp.DiscoverResult:
				res.Instructions = p.instructions
			}
			return res, nil
		}
	}
}

func (p *profile) list(req *mcp.ListToolsRequest) (mcp.Result, error) {
	var params mcp.ListToolsParams
	if req.Params != nil {
		params = *req.Params
	}
	at, err := p.page(params.Cursor)
	if err != nil {
		return nil, err
	}
	if version, _ := params.Meta[mcp.MetaKeyProtocolVersion].(string); version >= modernVersion {
		return &listResult{encoded: at.modern}, nil
	}
	return &listResult{encoded: at.legacy}, nil
}

// admit looks the tool up and sends the call on through the one the SDK knows.
func (p *profile) admit(ctx context.Context, method string, req *mcp.CallToolRequest, next mcp.MethodHandler) (mcp.Result, error) {
	t, err := p.tool(req.Params.Name)
	if err != nil {
		return nil, err
	}
	params, through := *req.Params, *req
	params.Name = callTool
	through.Params = &params
	a := p.admission(t)
	a.principal = principalOf(req.GetExtra())
	if !t.Asks() {
		return next(context.WithValue(ctx, admitted{}, a), method, &through)
	}
	// In a session the SDK waits for the person within this call.
	ctx, cancel := context.WithTimeout(ctx, confirmWindow)
	defer cancel()
	put := false
	a.asking.put = &put
	res, err := next(context.WithValue(ctx, admitted{}, a), method, &through)
	if err != nil && put {
		// Nothing was answered: what the SDK says is the client's failure.
		return problem(t.Name + " was not run: the client did not ask the person. Nothing was changed. Tell the user."), nil
	}
	if r, ok := res.(*mcp.CallToolResult); ok && err == nil && r.NeedsInput() {
		return inputRequired{r}, nil
	}
	return res, err
}

func (p *profile) admission(t *curate.Tool) admission {
	return admission{tool: t, profile: p.endpoint.name, site: p.site, about: p.about, served: p}
}

// sessions counts the legacy sessions: only they have an id.
func (e *endpoint) sessions() (n int) {
	for ss := range e.mcp.Sessions() {
		if ss.ID() != "" {
			n++
		}
	}
	return n
}

// begin admits a new legacy session while fewer than most are open. One that
// is being opened may count twice, never zero times.
func (e *endpoint) begin(most int) bool {
	e.admission.Lock()
	defer e.admission.Unlock()
	if e.sessions()+e.starting >= most {
		return false
	}
	e.starting++
	return true
}

// began ends what begin admitted: the session is counted by itself now.
func (e *endpoint) began() {
	e.admission.Lock()
	e.starting--
	e.admission.Unlock()
}

// quiet logs what the SDK says at Debug: every connection is an Info to it,
// and a client without a stream a Warn at every change.
type quiet struct{ slog.Handler }

// Enabled implements [slog.Handler].
func (h quiet) Enabled(ctx context.Context, _ slog.Level) bool {
	return h.Handler.Enabled(ctx, slog.LevelDebug)
}

// Handle implements [slog.Handler].
func (h quiet) Handle(ctx context.Context, r slog.Record) error {
	r.Level = slog.LevelDebug
	return h.Handler.Handle(ctx, r)
}
