package runtime

import (
	"context"
	"errors"
	"net/http"
	"time"

	"toolpress/curate"
	"toolpress/discover/wp"
)

// How often a request is sent again, and after what: a random part of a time that
// doubles, so that calls that failed together do not come back together.
const (
	maxRepeats  = 2
	repeatAfter = 500 * time.Millisecond
)

// attempt sends a call's request, and again where that is safe and may help, before
// the context or the request's own timeout ends. The error is the last failure of
// an exchange, or an [*openError].
func (s *Server) attempt(ctx context.Context, a admission, r wp.Request) (*wp.Response, error) {
	end, _ := ctx.Deadline()
	if own := time.Now().Add(r.Timeout); r.Timeout > 0 && (end.IsZero() || own.Before(end)) {
		end = own
	}
	var failed error // the last time
	for n := 0; ; n++ {
		resp, err := s.breaker.do(ctx, a.site, r)
		if open := (*openError)(nil); failed != nil && errors.As(err, &open) {
			return nil, failed // it says more
		}
		if failed = err; err == nil || n == maxRepeats || !again(a.tool, r, err) || s.breaker.open() {
			return resp, err
		}
		wait := retryAfter(err) + s.jitter(repeatAfter<<n)
		if !end.IsZero() && time.Until(end) <= wait {
			return nil, err
		}
		s.opts.Log.Info("asking again", "tool", a.tool.Name, "operation", a.tool.Operation, "in", wait, "error", loggable(a.tool, err))
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, err
		}
		if r.Timeout > 0 {
			r.Timeout = max(time.Until(end), time.Nanosecond)
		}
	}
}

// retryAfter is how long the site asked to be left alone; 0 where it did not.
func retryAfter(err error) time.Duration {
	var e *wp.Error
	if errors.As(err, &e) {
		return e.RetryAfter
	}
	return 0
}

// again reports whether a request that failed may be sent once more.
//
//	what happened                                   a read   a write
//	no connection, nothing was sent                 yes      yes
//	the connection broke                            yes      no
//	429, and 502 or 503: nobody worked on it        yes      no
//	504, no answer in time: the site may be at it   no       no
//	500 and any other answer: it would be the same  no       no
//
// A read is what only reads by its annotations and its method: a GET that is said
// to write is none, nor is a POST that is said to read.
func again(t *curate.Tool, r wp.Request, err error) bool {
	var e *wp.Error
	if !errors.As(err, &e) || errors.Is(err, context.Canceled) {
		return false
	}
	if !e.Sent && (e.Kind == wp.Unreachable || e.Kind == wp.TimedOut) {
		return true
	}
	if !onlyReads(t, r) {
		return false
	}
	return e.Kind == wp.Broken || e.Status == http.StatusTooManyRequests || e.Status == http.StatusBadGateway || e.Status == http.StatusServiceUnavailable
}

// onlyReads reports that a request changes nothing, by what is said of the tool
// and by its method.
func onlyReads(t *curate.Tool, r wp.Request) bool { return t.Annotations.ReadOnly && reads(r.Method) }
