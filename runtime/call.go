package runtime

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
	"toolpress/discover/wp"
	"toolpress/runtime/media"
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

// call runs one admitted call, within its time and with its line in the audit.
// What a model can mend or has to know is a result; an error is a fault of ours.
func (s *Server) call(ctx context.Context, a admission, arguments json.RawMessage) (res *mcp.CallToolResult, err error) {
	a.entry = begin(a)
	defer func() {
		if p := recover(); p != nil {
			res, err = nil, s.panicked(p, "tool", a.tool.Name)
			a.entry.Outcome = outcomeInternal
		}
		s.ended(a, arguments, res)
		a.sign(res)
	}()
	ctx, cancel := context.WithTimeout(ctx, s.limit(a.tool))
	defer cancel()
	defer context.AfterFunc(s.aborted, cancel)()
	if kind(arguments) == 'n' { // null: no arguments
		arguments = nil
	}
	request, err := a.tool.Request(arguments)
	if err != nil {
		a.entry.Outcome = outcomeInvalid
		// The model reads what is wrong; it may quote a value.
		s.opts.Log.Info("call refused: its arguments are not right", "tool", a.tool.Name, "operation", a.tool.Operation)
		return problem(unbuilt(a.tool.Name, err)), nil
	}
	if name, mark := marked(a.tool, request); name != "" {
		return s.prevented(a, cutText(a, name, mark)), nil
	}
	a.readAt = a.tool.ReadAt(arguments)
	a.part = a.tool.Part(arguments)
	leave := s.slots.enter(ctx, a.principal)
	if leave == nil {
		return crowded(a), nil
	}
	defer leave()
	if res, err := s.repeated(ctx, a, request, arguments); res != nil || err != nil {
		return res, err
	}
	if res, err := s.confirm(ctx, a, request, arguments); res != nil || err != nil {
		return res, err
	}
	a.entry.Outcome = outcomeInternal // until the site has answered
	if a.tool.Idempotency != nil {
		return s.once(ctx, a, request, arguments)
	}
	var refused *mcp.CallToolResult
	if a.told, refused = s.look(ctx, a, request); refused != nil {
		return refused, nil
	}
	return s.reply(ctx, a, request)
}

// limit is how long a call may take, a look at what it changes included.
func (s *Server) limit(t *curate.Tool) time.Duration {
	limit := s.opts.CallTimeout
	if t.Timeout > 0 {
		limit = t.Timeout + afterSite
	}
	if t.EditsBlocks() || t.Unmodified != nil {
		limit += lookTimeout
	}
	return limit
}

// accounted is a [Site] that tells whose credential a request carries, by a name.
type accounted interface{ AccountOf(r wp.Request) string }

// exchange asks the site for one call, and logs what became of it. The error is
// one of the site, or nothing came and nothing failed.
func (s *Server) exchange(ctx context.Context, a admission, request wp.Request) (*wp.Response, error) {
	t := a.tool
	log := s.opts.Log.With("tool", t.Name, "operation", t.Operation)
	request.Timeout, request.Trace, request.Files, request.Once = t.Timeout, a.trace, true, !onlyReads(t, request)
	a.progress.step(stepStart)
	if site, names := a.site.(accounted); names {
		a.entry.Account = site.AccountOf(request)
	}
	start := time.Now()
	resp, err := s.send(ctx, a, request)
	if err == nil && resp == nil {
		return nil, s.internal("the site gave neither an answer nor an error", "tool", t.Name)
	}
	if err != nil {
		a.entry.failed(ctx, request, err)
		log.Warn("call failed", "took", time.Since(start), "error", loggable(t, err))
		return nil, err
	}
	a.progress.step(stepSent) // an answer may be here before its request is known to be sent
	a.progress.step(stepReceived)
	a.entry.Status = resp.Status
	log.Info("call", "status", resp.Status, "took", time.Since(start))
	if resp.Noise != (wp.Noise{}) {
		logNoise(log, t, resp.Noise)
	}
	return resp, nil
}

// send opens the file that a request may have, and sends it.
func (s *Server) send(ctx context.Context, a admission, request wp.Request) (*wp.Response, error) {
	if f, is := request.Body.(wp.File); is && f.From != nil {
		opened, file, err := s.files.Open(ctx, f)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		request.Body = opened
	}
	return s.attempt(a.progress.watch(ctx), a, request)
}

// result makes a model's result of an answer.
func (s *Server) result(ctx context.Context, a admission, request wp.Request, resp *wp.Response) (*mcp.CallToolResult, error) {
	t := a.tool
	if resp.File != nil {
		return a.file(ctx, request, resp.File), nil
	}
	told := slices.Concat(a.told, compare(t, request, resp.JSON))
	value, err := shape(request, resp, t.Result, wanted{part: a.part, offers: t.Offers, perPage: t.PerPage(), told: told})
	if missing := (*noPart)(nil); errors.As(err, &missing) {
		a.entry.Outcome = outcomeInvalid
		return problem(fmt.Sprintf("There is no part %d: the answer has %d. Next: leave out %s for the first.", a.part, missing.parts, t.Result.Parts)), nil
	}
	if errors.Is(err, errTooLarge) {
		a.entry.Outcome = outcomeTooLarge
		return problem(tooMuch(request.Method, t.Result.MaxBytes) + spoken(told)), nil
	}
	if err != nil {
		return nil, s.internal("shaping a result", "tool", t.Name, "error", err)
	}
	a.progress.step(stepDone)
	a.entry.Outcome = outcomeOK
	return structured(value), nil
}

// sourceKey is where a result says which site it is data of.
const sourceKey = "toolpress/source"

// sign says of a result whose data it is. The server's instructions say once what
// that means (T20).
func (a admission) sign(res *mcp.CallToolResult) {
	if res == nil || res.IsError || res.NeedsInput() || a.about == "" {
		return
	}
	signed := mcp.Meta{sourceKey: a.about}
	maps.Copy(signed, res.Meta)
	res.Meta = signed // not into a map that another call may have
}

// structured is the result of a shaped answer.
func structured(value json.RawMessage) *mcp.CallToolResult {
	return &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: string(value)}},
		StructuredContent: value,
	}
}

// loggable is why an exchange failed, as the log may have it: without the values
// that are in a path, without what PHP code threw, and where a tool has private
// fields without anything the site said, which may be one.
func loggable(t *curate.Tool, err error) string {
	var e *wp.Error
	var unsent *wp.RequestError
	var file *media.Error
	switch {
	case errors.As(err, &e):
	case errors.As(err, &unsent):
		return "the request cannot be sent"
	case errors.As(err, &file):
		return file.Error()
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "it took too long, or the client cancelled it"
	default:
		return fmt.Sprintf("%T", err)
	}
	quiet := *e
	_, quiet.URL, _ = strings.Cut(t.Operation, " ")
	quiet.URL = cmp.Or(quiet.URL, t.Operation)
	quiet.Code = code(e)
	if slices.Contains(thrown, e.Code) {
		quiet.Message = withheld
	}
	if len(t.Result.Private) > 0 {
		quiet.Message, quiet.Excerpt, quiet.Location = withheld, "", withheld
	}
	return quiet.Error()
}

// logNoise tells the operator what a site printed around its JSON.
func logNoise(log *slog.Logger, t *curate.Tool, n wp.Noise) {
	if len(t.Result.Private) > 0 {
		n = wp.Noise{Before: withheld}
	}
	log.Warn("the site printed around its JSON", "before", n.Before, "after", n.After)
}

// problem is a result that tells a model what went wrong and what to do next.
func problem(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: true}
}
