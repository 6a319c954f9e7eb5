package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
	"toolpress/discover/wp"
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

	notices  notices
	audience *audience
	sessions *legacySessions
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
	// readAt is the time of the last change that the model read; may be empty.
	readAt string
	// part is which part of its answer a call wants, from 1.
	part int
	// told is what the model is to know of the call besides.
	told     []warning
	trace    wp.Trace
	progress *progress
	entry    *entry
	// revision is the one the client speaks.
	revision string
}

func (s *Server) newEndpoint(name string) *endpoint {
	e := &endpoint{name: name, audience: newAudience()}
	e.sessions = &legacySessions{audience: e.audience, timeout: s.opts.SessionTimeout, byID: map[string]*legacySession{}}
	e.notices.send = func() {
		s.metrics.announced.WithLabelValues(name).Inc()
		e.audience.tell()
	}
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
		a.revision = revisionOf(req)
		if a.tool.Asks() {
			put := a.asking.put
			a.asking = askingOf(req)
			a.asking.put = put
		}
		a.trace, a.progress = traceOf(req.Params.Meta), progressOf(ctx, req)
		defer a.progress.end()
		return s.call(ctx, a, req.Params.Arguments)
	}
	// Added before there is anybody to notify, and never again: what is announced
	// is announced by us.
	e.mcp.AddTool(&mcp.Tool{Name: callTool, InputSchema: json.RawMessage(`{"type":"object"}`)}, e.call)
	e.mcp.AddReceivingMiddleware(s.contain, s.answer(name))
	server := func(*http.Request) *mcp.Server { return e.mcp }
	// The guard in front is stricter than the SDK's localhost check, which
	// would refuse a proxy on this machine that keeps the public Host.
	e.modern = mcp.NewStreamableHTTPHandler(server, &mcp.StreamableHTTPOptions{
		Stateless: true, PropagateRequestCancellation: true,
		Logger: log, DisableLocalhostProtection: true, MaxRequestBodyBytes: s.opts.MaxBody,
	})
	// Without a SessionTimeout: the SDK's ends a session whose stream is open.
	e.legacy = mcp.NewStreamableHTTPHandler(server, &mcp.StreamableHTTPOptions{
		Logger: log, DisableLocalhostProtection: true, MaxRequestBodyBytes: s.opts.MaxBody,
	})
	return e
}

func (s *Server) implementation() *mcp.Implementation {
	return &mcp.Implementation{Name: s.opts.Name, Title: s.opts.Title, Version: s.opts.Version}
}

// contain is the outermost middleware. A panic ends one request and not the
// process, an error that is no protocol error leaves without its text, and what
// outlives the grace of a shutdown is cancelled: a person may be asked.
func (s *Server) contain(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
		defer func() {
			if p := recover(); p != nil {
				res, err = nil, s.panicked(p, "method", method)
			}
		}()
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(s.aborted, cancel)()
		res, err = next(ctx, method, req)
		var coded *jsonrpc.Error
		if err != nil && !errors.As(err, &coded) {
			return nil, s.internal("request failed", "method", method, "error", err)
		}
		return res, err
	}
}

// panicked logs where a panic was. What was thrown may hold anything; the
// runtime's own errors speak of types and numbers.
func (s *Server) panicked(p any, at ...any) error {
	what := fmt.Sprintf("%T", p)
	if e, ok := p.(runtime.Error); ok {
		what = e.Error()
	}
	return s.internal("panic", append(at, "panic", what, "stack", string(debug.Stack()))...)
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
				return s.list(p, req)
			case *mcp.CallToolRequest:
				return s.admit(ctx, p, method, req, next)
			case *mcp.SubscriptionsListenRequest:
				return wants(ctx, req)
			case *mcp.ServerRequest[*mcp.InitializeParams]:
				// The SDK asks no person in a session that asked for a revision
				// the handshake cannot give it.
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
				if sdk, ok := req.GetSession().(*mcp.ServerSession); ok && sdk.ID() != "" {
					p.endpoint.sessions.begun(sdk, principalOf(req.GetExtra()))
				}
			case *mcp.DiscoverResult:
				res.Instructions = p.instructions
			}
			return res, nil
		}
	}
}

func (s *Server) list(p *profile, req *mcp.ListToolsRequest) (mcp.Result, error) {
	var params mcp.ListToolsParams
	if req.Params != nil {
		params = *req.Params
	}
	at, err := p.page(params.Cursor)
	if err != nil {
		return nil, err
	}
	page := at.legacy
	if version, _ := params.Meta[mcp.MetaKeyProtocolVersion].(string); version >= modernVersion {
		page = at.modern
	}
	if extra := req.GetExtra(); extra != nil {
		return s.pages.put(extra.Header, page), nil
	}
	return &listResult{encoded: page}, nil
}

// admit looks the tool up and sends the call on through the one the SDK knows.
func (s *Server) admit(ctx context.Context, p *profile, method string, req *mcp.CallToolRequest, next mcp.MethodHandler) (mcp.Result, error) {
	principal := principalOf(req.GetExtra())
	t, err := p.tool(req.Params.Name)
	if err != nil {
		s.metrics.calls.WithLabelValues(p.endpoint.name, "", outcomeUnlisted).Inc()
		s.audit.unlisted(p.endpoint.name, principal, req.Params.Name)
		return nil, err
	}
	params, through := *req.Params, *req
	params.Name = callTool
	through.Params = &params
	a := p.admission(t)
	a.principal = principal
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
		a.entry = begin(a)
		a.entry.Outcome, a.entry.Confirmation = outcomeUnconfirmed, confirmUnanswered
		s.ended(a, req.Params.Arguments, nil)
		return problem(t.Name + " was not run: the client did not ask the person. Nothing was changed. Tell the user."), nil
	}
	if r, ok := res.(*mcp.CallToolResult); ok && err == nil && r.NeedsInput() {
		return inputRequired{r}, nil
	}
	return res, err
}

func (p *profile) admission(t *curate.Tool) admission {
	return admission{tool: t, profile: p.endpoint.name, site: p.site, about: p.about, revision: modernVersion, served: p}
}
