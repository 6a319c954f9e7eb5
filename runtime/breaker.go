package runtime

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"toolpress/discover/wp"
)

// When a site is left alone. The pause is short and stays so: one request a second
// harms no site, and one that is back is used within that second.
const (
	breakAfter  = 5           // failures in a row
	breakWithin = time.Minute // a failure later than this after another begins a new row
	breakPause  = time.Second
)

// breaker leaves a site alone that does not answer: after some failures in a row
// one request in each pause goes through, whatever became of the last, and the
// first answer ends it. There is one for the site, whoever asks.
type breaker struct {
	log *slog.Logger
	// asked is told of each request that was sent; nil: nobody is.
	asked func(took time.Duration, err error)

	mu       sync.Mutex
	failures int       // in a row
	last     time.Time // when the last of them was
	next     time.Time // when a request may go through; zero: any time
}

// openError is a request that was not sent because the site is left alone.
type openError struct {
	failures int
	again    time.Duration // until a request may go through
}

// Error says how many failures there were and when a request goes through.
func (e *openError) Error() string {
	return fmt.Sprintf("nothing was sent: the site did not answer %d times in a row, and is asked again in %s", e.failures, e.again)
}

// do asks the site, unless it is left alone: then the error is an [*openError].
func (b *breaker) do(ctx context.Context, site Site, r wp.Request) (*wp.Response, error) {
	if err := b.enter(); err != nil {
		return nil, err
	}
	began := time.Now()
	resp, err := site.Do(ctx, r)
	b.learn(err)
	if b.asked != nil {
		b.asked(time.Since(began), err)
	}
	return resp, err
}

// open reports that the site is left alone.
func (b *breaker) open() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.next.IsZero()
}

func (b *breaker) enter() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.next.IsZero() {
		return nil
	}
	now := time.Now()
	if wait := b.next.Sub(now); wait > 0 {
		return &openError{b.failures, wait}
	}
	b.next = now.Add(breakPause)
	return nil
}

// learn takes what became of a request.
func (b *breaker) learn(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	switch {
	case present(err):
		if !b.next.IsZero() {
			b.log.Info("the site answers again")
		}
		b.failures, b.next = 0, time.Time{}
	case absent(err):
		if now.Sub(b.last) > breakWithin && b.next.IsZero() {
			b.failures = 0
		}
		b.last = now
		if b.failures++; b.failures >= breakAfter && b.next.IsZero() {
			b.next = now.Add(breakPause)
			b.log.Warn("the site does not answer: it is asked once a second until it does", "failures", b.failures)
		}
	}
}

// absent reports a failure that says that no WordPress is there: no connection, a
// connection that broke, or a gateway that says so. What WordPress itself says, by
// an error code, is an answer, and so is every other status: a 500 is the fault of
// one route. An answer that did not come in time is neither: it may be one slow
// route.
func absent(err error) bool {
	var e *wp.Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Kind {
	case wp.Unreachable, wp.Broken:
		return !errors.Is(err, context.Canceled)
	case wp.TimedOut:
		return !e.Sent
	}
	return gateway(e.Status) && e.Code == ""
}

// present reports that the site gave an answer, any at all.
func present(err error) bool {
	var e *wp.Error
	return err == nil || errors.As(err, &e) && e.Status != 0 && !absent(err)
}

// gateway reports the statuses of what stands before a site that is not there.
func gateway(status int) bool {
	return status == http.StatusBadGateway || status == http.StatusServiceUnavailable || status == http.StatusGatewayTimeout
}
