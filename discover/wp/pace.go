package wp

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/time/rate"
)

// Pace bounds how a [Client], and all that are made from it, ask a site. Zero
// fields bound nothing.
type Pace struct {
	// Requests are sent in a time of Per at most, spread evenly; of them Burst may
	// go at once. A zero Burst is 1.
	Requests int
	Per      time.Duration
	Burst    int
	// Concurrency is how many exchanges there are at the same time.
	Concurrency int
}

// String says the bounds in words.
func (p Pace) String() string {
	text := "the requests to the site are bound"
	if p.Requests > 0 {
		text += fmt.Sprintf(" to %d in %s", p.Requests, p.Per)
	}
	if p.Requests > 0 && p.Concurrency > 0 {
		text += ","
	}
	if p.Concurrency > 0 {
		text += fmt.Sprintf(" to %d at the same time", p.Concurrency)
	}
	return text
}

// gate is where requests wait for their turn.
type gate struct {
	pace    Pace
	slots   chan struct{} // nil: no bound
	limiter *rate.Limiter
}

func newGate(p Pace) *gate {
	g := &gate{pace: p, limiter: rate.NewLimiter(rate.Inf, 0)}
	if p.Requests > 0 {
		g.limiter = rate.NewLimiter(rate.Limit(float64(p.Requests)/p.Per.Seconds()), max(p.Burst, 1))
	}
	if p.Concurrency > 0 {
		g.slots = make(chan struct{}, p.Concurrency)
	}
	return g
}

// enter waits for a request's turn, and returns what ends it. It fails when the
// context ends first, and at once when it is sure to. The slot goes before the
// rate: so the rate is that of what is sent, not of what waits.
func (g *gate) enter(ctx context.Context) (leave func(), err error) {
	leave = func() {}
	if g.slots != nil {
		select {
		case g.slots <- struct{}{}:
			leave = func() { <-g.slots }
		case <-ctx.Done():
			return nil, g.crowded(ctx)
		}
	}
	if err := g.limiter.Wait(ctx); err != nil {
		leave()
		return nil, g.crowded(ctx)
	}
	return leave, nil
}

// crowded says why nothing was sent: whoever asked gave up, or the bounds left no
// room in time.
func (g *gate) crowded(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	return fmt.Errorf("nothing was sent: %s, and others wait", g.pace)
}
