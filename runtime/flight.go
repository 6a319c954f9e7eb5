package runtime

import (
	"context"
	"encoding/json"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/discover/wp"
)

// reading is one read that may be answered from the cache.
type reading struct {
	key      cacheKey
	resource string
	hold     time.Duration // how long an answer is given again
	// ask asks the site; since are the validators of what is known already.
	ask func(ctx context.Context, since wp.Validators) outcome
}

// outcome is what became of a reading. Several calls may have one: they change
// nothing in it.
type outcome struct {
	// kept is what was kept before, or was found to still hold.
	kept *kept
	// result is a new one, since its validators.
	result *mcp.CallToolResult
	since  wp.Validators
	entry  *entry // what became of it
	// file is an answer that is one: it is not kept.
	file *wp.Response
	// unchanged says that what is known still holds.
	unchanged bool
	err       error
}

// flight is a request that calls wait for.
type flight struct {
	resource string
	began    time.Time
	cancel   context.CancelFunc
	done     chan struct{} // closed when outcome is there
	outcome  outcome

	// Guarded by the cache's mutex:
	waiting int
	stale   bool // something was written meanwhile
}

// get answers a reading from what is kept, from a request that is on its way, or
// by a new one. The request goes on as long as one call waits for it.
func (c *cache) get(ctx context.Context, r reading) outcome {
	c.mu.Lock()
	known := c.find(r.key)
	if known != nil && time.Since(known.at) < r.hold {
		c.mu.Unlock()
		return outcome{kept: known}
	}
	f := c.flights[r.key]
	if f == nil {
		f = c.start(ctx, r, known)
	}
	f.waiting++
	c.mu.Unlock()
	select {
	case <-f.done:
		return f.outcome
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if f.waiting--; f.waiting == 0 {
		f.cancel()
		c.land(r.key, f) // nobody joins what was given up
	}
	return outcome{err: ctx.Err()}
}

// start sends a request for as many as come to wait for it. It has the time of
// the call that began it, and does not end with that one. The caller holds the
// mutex.
func (c *cache) start(ctx context.Context, r reading, known *kept) *flight {
	f := &flight{resource: r.resource, began: time.Now(), done: make(chan struct{})}
	own := context.WithoutCancel(ctx)
	if end, ok := ctx.Deadline(); ok {
		own, f.cancel = context.WithDeadline(own, end)
	} else {
		own, f.cancel = context.WithCancel(own)
	}
	c.flights[r.key] = f
	go func() {
		defer f.cancel()
		var since wp.Validators
		if known != nil {
			since = known.since
		}
		got := r.ask(own, since)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.land(r.key, f)
		f.outcome = c.keep(f, r, known, got)
		close(f.done)
	}()
	return f
}

// land takes a request from those that calls may join. The caller holds the mutex.
func (c *cache) land(k cacheKey, f *flight) {
	if c.flights[k] == f {
		delete(c.flights, k)
	}
}

// keep keeps what a request brought, where it can be kept: an answer in JSON, and
// nothing was written since. The caller holds the mutex.
func (c *cache) keep(f *flight, r reading, known *kept, got outcome) outcome {
	k := &kept{key: r.key, resource: r.resource, at: f.began, gone: f.began.Add(r.hold)}
	switch {
	case got.err != nil || got.file != nil:
		return got
	case got.unchanged && known != nil:
		k.value, k.since = known.value, got.since.Or(known.since)
		got.kept = k
	default:
		value, ok := got.result.StructuredContent.(json.RawMessage)
		if !ok || got.result.IsError {
			return got
		}
		k.value, k.since = value, got.since
	}
	if k.since != (wp.Validators{}) {
		k.gone = k.gone.Add(revalidated)
	}
	if !f.stale && c.settled(r.resource) {
		c.put(k)
	}
	return got
}
