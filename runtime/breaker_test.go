package runtime

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"toolpress/discover/wp"
)

// always is the site whatever it was asked before.
func (f siteFunc) always(ctx context.Context, r wp.Request, _ int) (*wp.Response, error) {
	return f(ctx, r)
}

// A site that does not answer five times in a row is asked once a second, whatever
// became of the last request, until it answers; what is not sent says so and when
// to come back (T15: within a second of its recovery it is used again).
func TestBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var back atomic.Bool
		var log logs
		site := &upstream{do: func(ctx context.Context, r wp.Request, n int) (*wp.Response, error) {
			if !back.Load() {
				return nil, &wp.Error{Kind: wp.Broken, Sent: true, Method: r.Method}
			}
			return counting(ctx, r, n)
		}}
		s := onShelf(t, site, "")
		s.breaker.log = log.logger()
		for range 4 {
			called(t, s, "add", "")
		}
		if _, text := called(t, s, "list", ""); !strings.Contains(text, "broke before it answered") || site.count() != 5 {
			t.Fatalf("%d requests: a repeat goes through an open breaker: %s", site.count(), text)
		}
		for _, tool := range []string{"list", "add", "others"} {
			res, text := called(t, s, tool, "")
			if want := "Nothing was sent: the site did not answer 5 times in a row, and is left alone. It is asked again in 1 second.\nNext: wait that long,"; !res.IsError || !strings.HasPrefix(text, want) {
				t.Errorf("%s: %s", tool, text)
			}
		}
		if site.count() != 5 || time.Since(site.start) > 0 {
			t.Errorf("%d requests in %v", site.count(), time.Since(site.start))
		}
		time.Sleep(breakPause) // of the bubble's clock
		_, text := called(t, s, "add", "")
		if _, next := called(t, s, "add", ""); site.count() != 6 || !strings.Contains(text, "outcome is unknown") || !strings.Contains(next, "6 times in a row") {
			t.Errorf("%d requests: one goes through in a pause\n%s\n%s", site.count(), text, next)
		}
		back.Store(true)
		time.Sleep(breakPause)
		for range 3 {
			if res, text := called(t, s, "add", ""); res.IsError {
				t.Error(text)
			}
		}
		if got := log.String(); strings.Count(got, "does not answer") != 1 || strings.Count(got, "answers again") != 1 {
			t.Error(got)
		}
	})
}

// A request that hangs holds up no other: the next one goes through after a pause,
// and its answer ends it all.
func TestBreakerHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &upstream{do: func(ctx context.Context, r wp.Request, n int) (*wp.Response, error) {
			switch {
			case n <= 5:
				return nil, &wp.Error{Kind: wp.NotJSON, Status: 502, Sent: true, Method: r.Method}
			case n == 6:
				<-ctx.Done()
				return nil, &wp.Error{Kind: wp.TimedOut, Sent: true, Method: r.Method, Err: ctx.Err()}
			}
			return counting(ctx, r, n)
		}}
		s := onShelf(t, site, "")
		for range 5 {
			called(t, s, "add", "")
		}
		time.Sleep(breakPause)
		hung := make(chan struct{})
		go func() { defer close(hung); called(t, s, "add", "") }()
		synctest.Wait()
		if res, text := called(t, s, "add", ""); !res.IsError || !strings.HasPrefix(text, "Nothing was sent") {
			t.Error(text)
		}
		time.Sleep(breakPause)
		for range 2 {
			if res, text := called(t, s, "add", ""); res.IsError {
				t.Error(text)
			}
		}
		<-hung
		if s.breaker.open() {
			t.Error("a request from before closed it again")
		}
	})
}

// What does not say that the site is away does not count: an answer ends the row,
// whatever it is, and a long time does too.
func TestBreakerCounts(t *testing.T) {
	away := &wp.Error{Kind: wp.Unreachable}
	for name, c := range map[string]struct {
		err     error
		apart   time.Duration
		between error // once, after the third
		open    bool
	}{
		"no connection":            {err: away, open: true},
		"connecting took too long": {err: &wp.Error{Kind: wp.TimedOut}, open: true},
		"cut":                      {err: &wp.Error{Kind: wp.Broken, Sent: true}, open: true},
		"503 of a gateway":         {err: &wp.Error{Kind: wp.NotJSON, Status: 503, Sent: true}, open: true},
		"504 of a gateway":         {err: &wp.Error{Kind: wp.Refused, Status: 504, Sent: true}, open: true},
		"every minute":             {err: away, apart: time.Minute, open: true},
		"503 of WordPress":         {err: &wp.Error{Kind: wp.Refused, Status: 503, Code: "wp_die", Sent: true}},
		"500":                      {err: &wp.Error{Kind: wp.NotJSON, Status: 500, Sent: true}},
		"429":                      {err: &wp.Error{Kind: wp.Refused, Status: 429, Sent: true}},
		"404":                      {err: &wp.Error{Kind: wp.Refused, Status: 404, Sent: true}},
		"no answer in time":        {err: &wp.Error{Kind: wp.TimedOut, Sent: true}},
		"no turn":                  {err: &wp.Error{Kind: wp.Crowded}},
		"its certificate":          {err: &wp.Error{Kind: wp.BadTLS}},
		"given up":                 {err: &wp.Error{Kind: wp.Broken, Sent: true, Err: context.Canceled}},
		"seldom":                   {err: away, apart: time.Minute + 1},
		"an answer between":        {err: away, between: &wp.Error{Kind: wp.Refused, Status: 404, Sent: true}},
		"no answer between":        {err: away, between: &wp.Error{Kind: wp.TimedOut, Sent: true}, open: true},
	} {
		synctest.Test(t, func(t *testing.T) {
			var b breaker
			b.log = (&logs{}).logger()
			for n := range breakAfter {
				if b.open() {
					t.Errorf("%s: open after %d", name, n)
				}
				_, _ = b.do(t.Context(), fails(c.err), wp.Request{})
				if n == 2 && c.between != nil {
					_, _ = b.do(t.Context(), fails(c.between), wp.Request{})
				}
				time.Sleep(c.apart)
			}
			if b.open() != c.open {
				t.Errorf("%s: open is %v", name, b.open())
			}
		})
	}
}
