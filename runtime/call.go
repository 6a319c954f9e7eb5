package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
	"toolpress/discover/wp"
)

// Call calls a tool as a client would, without a client. arguments is a JSON
// object or empty. The error is a [*jsonrpc.Error]: an unknown profile or tool,
// or a fault of ours; everything else is a result with IsError.
func (s *Server) Call(ctx context.Context, profile, tool string, arguments json.RawMessage) (*mcp.CallToolResult, error) {
	p := s.current.Load().profiles[profile]
	if p == nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("unknown profile %q", profile)}
	}
	t, err := p.tool(tool)
	if err != nil {
		return nil, err
	}
	return s.call(ctx, p.admission(t), arguments)
}

// afterSite is what a call has left when the site took all of a tool's own
// timeout: the site's failure says more than ours.
const afterSite = 5 * time.Second

// call runs one admitted call. What a model can mend or has to know is a
// result; an error is a fault of ours.
func (s *Server) call(ctx context.Context, a admission, arguments json.RawMessage) (res *mcp.CallToolResult, err error) {
	t := a.tool
	log := s.opts.Log.With("tool", t.Name, "operation", t.Operation)
	defer func() {
		if p := recover(); p != nil {
			res, err = nil, s.internal("panic in a call", "tool", t.Name, "panic", p, "stack", string(debug.Stack()))
		}
	}()
	limit := s.opts.CallTimeout
	if t.Timeout > 0 {
		limit = t.Timeout + afterSite
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	defer context.AfterFunc(s.aborted, cancel)()

	if kind(arguments) == 'n' { // null: no arguments
		arguments = nil
	}
	request, err := t.Request(arguments)
	if err != nil {
		log.Info("call refused", "error", err)
		return problem(unbuilt(t.Name, err)), nil
	}
	request.Timeout = t.Timeout
	if res, err := s.repeated(ctx, a, request, arguments); res != nil || err != nil {
		return res, err
	}
	if res, err := s.confirm(ctx, a, request, arguments); res != nil || err != nil {
		return res, err
	}
	if t.Idempotency != nil {
		return s.once(ctx, a, request, arguments)
	}
	return s.send(ctx, a, request)
}

// send asks the site and shapes its answer.
func (s *Server) send(ctx context.Context, a admission, request wp.Request) (*mcp.CallToolResult, error) {
	t := a.tool
	log := s.opts.Log.With("tool", t.Name, "operation", t.Operation)
	start := time.Now()
	resp, err := a.site.Do(ctx, request)
	if err == nil && resp == nil {
		return nil, s.internal("the site gave neither an answer nor an error", "tool", t.Name)
	}
	if err != nil {
		log.Warn("call failed", "took", time.Since(start), "error", loggable(t, err))
		return problem(unanswered(a, request, err)), nil
	}
	log.Info("call", "status", resp.Status, "took", time.Since(start))
	if resp.Noise != (wp.Noise{}) {
		log.Warn("the site printed around its JSON", "before", resp.Noise.Before, "after", resp.Noise.After)
	}
	value, err := shape(request, resp, t.Result)
	if errors.Is(err, errTooLarge) {
		return problem(tooMuch(request.Method, t.Result.MaxBytes)), nil
	}
	if err != nil {
		return nil, s.internal("shaping a result", "tool", t.Name, "error", err)
	}
	return structured(value), nil
}

// structured is the result of a shaped answer.
func structured(value json.RawMessage) *mcp.CallToolResult {
	return &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: string(value)}},
		StructuredContent: value,
	}
}

// loggable is an error as the log may have it: where a tool has private fields,
// the start of a body that could not be read may hold one.
func loggable(t *curate.Tool, err error) error {
	var e *wp.Error
	if len(t.Result.Private) == 0 || !errors.As(err, &e) || e.Excerpt == "" {
		return err
	}
	quiet := *e
	quiet.Excerpt = ""
	return &quiet
}

// problem is a result that tells a model what went wrong and what to do next.
func problem(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: true}
}
