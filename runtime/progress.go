package runtime

import (
	"context"
	"math"
	"net/http/httptrace"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The steps of a call that a client is told of, in this order.
var steps = []string{"start", "sent", "received", "done"}

const (
	stepStart = iota + 1
	stepSent
	stepReceived
	stepDone
)

// progress tells a client that asked for it how far its call is
// (notifications/progress). A nil one tells nobody. It begins when nothing but an
// internal error can follow: the SDK writes other errors unframed into a stream.
type progress struct {
	ctx   context.Context // of the request: it leads to its stream
	tell  func(context.Context, *mcp.ProgressNotificationParams) error
	token any

	mu   sync.Mutex // guards told, and is held while one is sent
	told int        // the last step; beyond the last one when it is over
}

// progressOf is nil where no progress was asked for. A token is text or a whole
// number that JSON gives back unchanged.
func progressOf(ctx context.Context, req *mcp.CallToolRequest) *progress {
	switch token := req.Params.GetProgressToken().(type) {
	case string:
		if len(token) > maxID {
			return nil
		}
	case float64:
		if token != math.Trunc(token) || math.Abs(token) > 1<<53 {
			return nil
		}
	default:
		return nil
	}
	return &progress{ctx: ctx, tell: req.Session.NotifyProgress, token: req.Params.GetProgressToken()}
}

// step tells of a step that comes after all that were told.
func (p *progress) step(n int) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if n <= p.told || p.ctx.Err() != nil {
		return
	}
	p.told = n
	// Whoever does not read it does not want it.
	_ = p.tell(p.ctx, &mcp.ProgressNotificationParams{
		ProgressToken: p.token, Progress: float64(n), Total: float64(len(steps)), Message: steps[n-1],
	})
}

// end comes before the result: nothing is told after it. It waits for what is
// being told.
func (p *progress) end() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.told = len(steps)
}

// watch tells when a request with this context is on the wire.
func (p *progress) watch(ctx context.Context) context.Context {
	if p == nil {
		return ctx
	}
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(w httptrace.WroteRequestInfo) {
		defer func() { _ = recover() }() // on a goroutine of net/http it would end the process
		if w.Err == nil {
			p.step(stepSent)
		}
	}})
}
