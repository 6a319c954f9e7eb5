package runtime

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
	"toolpress/discover/wp"
	"toolpress/generate/schema"
	"toolpress/runtime/media"
)

// identified is a [Site] that tells for whom it answers: where two have one
// identity, they give the same answers. Of any other nothing is kept.
type identified interface{ Identity() string }

// Forget drops every answer that is kept: something says that the site has
// changed. Answers that are on their way are given to who waits for them, and not
// kept.
func (s *Server) Forget() {
	s.cache.mu.Lock()
	defer s.cache.mu.Unlock()
	s.cache.forget(func(string) bool { return true })
}

// reply is the result of a call that may go on: of an answer that is kept, where
// the curation lets it, or of the site's own.
func (s *Server) reply(ctx context.Context, a admission, request wp.Request) (*mcp.CallToolResult, error) {
	if k, ok := keyOf(a, request); ok {
		return s.recall(ctx, a, request, k)
	}
	resp, err := s.exchange(ctx, a, request)
	if !a.tool.Annotations.ReadOnly {
		s.wrote(a.tool, err)
	}
	if err != nil {
		return failed(a, request, err)
	}
	return s.result(ctx, a, request, resp)
}

// failed is the result of an exchange that failed; a fault of ours stays an error.
// A page past the end is a page with nothing on it, whatever a site calls it.
func failed(a admission, request wp.Request, err error) (*mcp.CallToolResult, error) {
	var ours *jsonrpc.Error
	if errors.As(err, &ours) {
		return nil, err
	}
	if pastEnd(request, err) {
		empty, err := schema.Encode(page{Items: []json.RawMessage{}, PastEnd: true})
		if err != nil {
			return nil, err
		}
		a.entry.Outcome, a.entry.Error = outcomeOK, ""
		return structured(empty), nil
	}
	return problem(unanswered(a, request, err)), nil
}

// pastEnd reports that a site refused a page because it is past the end:
// rest_post_invalid_page_number, and the same of what is searched and of revisions.
func pastEnd(r wp.Request, err error) bool {
	var e *wp.Error
	return errors.As(err, &e) && e.Kind == wp.Refused && e.Status == http.StatusBadRequest && reads(r.Method) &&
		strings.HasPrefix(e.Code, "rest_") && strings.HasSuffix(e.Code, "_invalid_page_number")
}

// wrote forgets what a write may have changed, unless nothing was sent.
func (s *Server) wrote(t *curate.Tool, err error) {
	var e *wp.Error
	var open *openError
	var unsent *wp.RequestError
	var file *media.Error
	if errors.As(err, &e) && !e.Sent || errors.As(err, &open) || errors.As(err, &unsent) || errors.As(err, &file) {
		return
	}
	s.cache.written(t.Resource(), err != nil && (e == nil || unknown(e)))
}

// keyOf is what an answer to a call is kept by: who asks what of the site, to
// the byte, and how the answer is shaped. ok is false where none is kept.
func keyOf(a admission, r wp.Request) (k cacheKey, ok bool) {
	site, ok := a.site.(identified)
	if !ok || a.tool.Cache == 0 || !onlyReads(a.tool, r) || r.Body != nil {
		return k, false
	}
	query, err := r.Query.Encode()
	if err != nil {
		return k, false // it cannot be sent either
	}
	shape, err := json.Marshal(a.tool.Result)
	if err != nil {
		return k, false
	}
	return sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %q %s %d", site.Identity(), a.tool.Operation, r.Method, r.Segments, query, shape, a.part)), true
}

// recall gives an answer of what is kept, or asks the site once for all who ask
// the same now.
func (s *Server) recall(ctx context.Context, a admission, request wp.Request, k cacheKey) (*mcp.CallToolResult, error) {
	a.progress.step(stepStart)
	got := s.cache.get(ctx, reading{
		key: k, resource: a.tool.Resource(), hold: a.tool.Cache,
		ask: func(ctx context.Context, since wp.Validators) outcome {
			request.Since = since
			return s.fetch(ctx, a, request)
		},
	})
	from := "asked"
	if got.unchanged {
		from = "revalidated"
	} else if got.kept != nil {
		from = "kept"
	}
	s.metrics.kept.WithLabelValues(from).Inc()
	switch {
	case got.err != nil:
		a.entry.failed(ctx, request, got.err)
		return failed(a, request, got.err)
	case got.kept != nil:
		a.progress.step(stepDone)
		a.entry.Outcome = outcomeOK
		age := time.Since(got.kept.at)
		s.opts.Log.Info("call", "tool", a.tool.Name, "operation", a.tool.Operation, "kept", age)
		return aged(got.kept.value, age, a.tool.Cache), nil
	}
	a.progress.step(stepSent)
	a.progress.step(stepReceived)
	if got.file != nil { // each client gets it as its revision has it
		a.entry.Status = got.file.Status
		return s.result(ctx, a, request, got.file)
	}
	a.progress.step(stepDone)
	a.entry.Outcome, a.entry.Status = got.entry.Outcome, got.entry.Status
	return own(got.result), nil
}

// fetch asks the site for all who wait. It is nobody's call: a panic ends it here.
func (s *Server) fetch(ctx context.Context, a admission, request wp.Request) (got outcome) {
	a.entry, a.progress = begin(a), nil // those of the call that began it are its own
	defer func() {
		if p := recover(); p != nil {
			got = outcome{err: s.panicked(p, "tool", a.tool.Name)}
		}
	}()
	resp, err := s.exchange(ctx, a, request)
	if err != nil {
		return outcome{err: err}
	}
	got.since = resp.Validators()
	if resp.Status == http.StatusNotModified && request.Since != (wp.Validators{}) {
		got.unchanged = true
		return got
	}
	if resp.File != nil {
		got.file = resp
		return got
	}
	got.result, got.err = s.result(ctx, a, request, resp)
	got.entry = a.entry
	return got
}

// own is a result that nobody else has.
func own(res *mcp.CallToolResult) *mcp.CallToolResult {
	if value, ok := res.StructuredContent.(json.RawMessage); ok {
		return structured(slices.Clone(value))
	}
	its := *res
	its.Content = slices.Clone(res.Content)
	return &its
}

// ageKey is where a result says how old its answer is, in seconds. Only one that
// was kept does.
const ageKey = "toolpress/age"

// tellAge is the age from which a model is told: what is younger is as good as
// new.
const tellAge = 10 * time.Second

// aged is the result of an answer that was kept. The answer itself is as it was.
func aged(value json.RawMessage, age, hold time.Duration) *mcp.CallToolResult {
	res := structured(slices.Clone(value))
	res.Meta = mcp.Meta{ageKey: int(age.Seconds())}
	if age >= tellAge {
		res.Content = append(res.Content, &mcp.TextContent{Text: fmt.Sprintf(
			"This answer is %s old: it is kept for %s, or until something is changed here through these tools.", lasting(age), lasting(hold))})
	}
	return res
}

// lasting is a time as a person says it: 42 seconds, 3 minutes, 2 hours. It is
// never less than the time, and at least a second.
func lasting(d time.Duration) string {
	unit, name := time.Second, "second"
	switch {
	case d >= 2*time.Hour:
		unit, name = time.Hour, "hour"
	case d >= 2*time.Minute:
		unit, name = time.Minute, "minute"
	}
	n := max((d+unit-1)/unit, 1)
	if n > 1 {
		name += "s"
	}
	return fmt.Sprintf("%d %s", n, name)
}
