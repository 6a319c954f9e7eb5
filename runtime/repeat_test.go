package runtime

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"toolpress/discover/wp"
)

const ms = time.Millisecond

// Reads are sent again, at most twice, after times that double, where nobody
// worked on them; writes only where nothing was sent (W78, G70, T34).
func TestRepeats(t *testing.T) {
	thrice, once := []time.Duration{0, 500 * ms, 1500 * ms}, []time.Duration{0}
	unsent, broken := wp.Error{Kind: wp.Unreachable}, wp.Error{Kind: wp.Broken, Sent: true}
	status := func(n int) wp.Error { return wp.Error{Kind: wp.NotJSON, Sent: true, Status: n} }
	for name, c := range map[string]struct {
		tool string
		err  wp.Error
		at   []time.Duration
		says string
	}{
		"a read, no connection":            {"list", unsent, thrice, "cannot be reached"},
		"a read, connecting took too long": {"list", wp.Error{Kind: wp.TimedOut}, thrice, "did not answer in time"},
		"a read, cut":                      {"list", broken, thrice, "broke before it answered"},
		"an ability that reads, cut":       {"look", broken, thrice, ""},
		"a read, 429":                      {"list", wp.Error{Kind: wp.Refused, Sent: true, Status: 429}, thrice, "Wait a minute"},
		"a read, 502":                      {"list", status(502), thrice, "not there for the moment"},
		"a read, 503":                      {"list", status(503), thrice, "not there for the moment"},
		"a read, 504":                      {"list", status(504), once, "Try once more"},
		"a read, 500":                      {"list", status(500), once, ""},
		"a read, 403":                      {"list", wp.Error{Kind: wp.Refused, Sent: true, Status: 403}, once, ""},
		"a read, no answer in time":        {"list", wp.Error{Kind: wp.TimedOut, Sent: true}, once, ""},
		"a read, no turn":                  {"list", wp.Error{Kind: wp.Crowded}, once, ""},
		"a read, its certificate":          {"list", wp.Error{Kind: wp.BadTLS}, once, ""},
		"a read, given up":                 {"list", wp.Error{Kind: wp.Broken, Err: context.Canceled}, once, ""},
		"a write, no connection":           {"add", unsent, thrice, "cannot be reached"},
		"a write, connecting took long":    {"add", wp.Error{Kind: wp.TimedOut}, thrice, ""},
		"a write, cut":                     {"add", broken, once, "outcome is unknown"},
		"a write, 503":                     {"add", status(503), once, "outcome is unknown"},
		"a write, 429":                     {"add", wp.Error{Kind: wp.Refused, Sent: true, Status: 429}, once, "Wait a minute"},
		"an ability that writes, cut":      {"change", broken, once, "outcome is unknown"},
		"a GET that is said to write, cut": {"poke", broken, once, ""},
		"a POST that is said to read, cut": {"count", broken, once, "outcome is unknown"},
	} {
		synctest.Test(t, func(t *testing.T) {
			site := &upstream{do: func(_ context.Context, r wp.Request, _ int) (*wp.Response, error) {
				e := c.err
				e.Method = r.Method
				return nil, &e
			}}
			res, text := called(t, onShelf(t, site, ""), c.tool, "")
			if diff := cmp.Diff(c.at, site.at); diff != "" || !res.IsError || !strings.Contains(text, c.says) {
				t.Errorf("%s: %s%s", name, diff, text)
			}
		})
	}
}

// What comes in the end is the result, and a repeat is the same request.
func TestRepeatSucceeds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &upstream{do: func(ctx context.Context, r wp.Request, n int) (*wp.Response, error) {
			if n < 3 {
				return nil, &wp.Error{Kind: wp.Broken, Sent: true, Method: r.Method}
			}
			return counting(ctx, r, n)
		}}
		res, text := called(t, onShelf(t, site, ""), "list", `{"kind":"a"}`)
		if res.IsError || text != `{"n":3}` || cmp.Diff(site.asked[0], site.asked[2]) != "" {
			t.Errorf("%s after %v", text, site.asked)
		}
	})
}

// What a site asks for with Retry-After is waited for where the deadline has room;
// else the model reads when to come back, and nothing is waited for.
func TestRetryAfter(t *testing.T) {
	for name, c := range map[string]struct {
		more  string
		err   wp.Error
		at    []time.Duration
		ended time.Duration
		says  string
	}{
		"it fits":                    {"", wp.Error{Kind: wp.Refused, Status: 429, RetryAfter: 3 * time.Second}, []time.Duration{0, 3500 * ms, 7500 * ms}, 7500 * ms, "wait 3 seconds before the next call"},
		"it fits once":               {"", wp.Error{Kind: wp.NotJSON, Status: 503, RetryAfter: 20 * time.Second}, []time.Duration{0, 20500 * ms}, 20500 * ms, "wait 20 seconds"},
		"it does not fit":            {"", wp.Error{Kind: wp.NotJSON, Status: 503, RetryAfter: 10 * time.Minute}, []time.Duration{0}, 0, "not there for the moment: status 503, and no answer of WordPress.\nNext: wait 10 minutes before the next call: the site asks for that."},
		"the tool's timeout is less": {"rules: [{ match: { method: GET }, set: { timeout: 2s } }]", wp.Error{Kind: wp.Refused, Status: 429, RetryAfter: time.Second}, []time.Duration{0, 1500 * ms}, 1500 * ms, "wait 1 second before"},
	} {
		synctest.Test(t, func(t *testing.T) {
			site := &upstream{do: func(_ context.Context, r wp.Request, _ int) (*wp.Response, error) {
				e := c.err
				e.Method, e.Sent = r.Method, true
				return nil, &e
			}}
			s := onShelf(t, site, c.more)
			start := time.Now()
			_, text := called(t, s, "list", "")
			if diff := cmp.Diff(c.at, site.at); diff != "" || time.Since(start) != c.ended || !strings.Contains(text, c.says) {
				t.Errorf("%s: %safter %v: %s", name, diff, time.Since(start), text)
			}
		})
	}
}

// A tool's own timeout bounds all attempts together, and a site that hangs is not
// waited for beyond it.
func TestTimeoutOfRepeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &upstream{do: func(ctx context.Context, r wp.Request, n int) (*wp.Response, error) {
			if n == 1 {
				<-time.After(time.Second)
				return nil, &wp.Error{Kind: wp.Broken, Sent: true, Method: r.Method}
			}
			ctx, cancel := context.WithTimeout(ctx, r.Timeout)
			defer cancel()
			<-ctx.Done()
			return nil, &wp.Error{Kind: wp.TimedOut, Sent: true, Method: r.Method, Err: ctx.Err()}
		}}
		s := onShelf(t, site, "rules: [{ match: { method: GET }, set: { timeout: 5s } }]")
		start := time.Now()
		_, text := called(t, s, "list", "")
		if took := time.Since(start); took != 5*time.Second || site.count() != 2 || site.asked[0].Timeout != 5*time.Second || site.asked[1].Timeout != 3500*ms {
			t.Errorf("after %v and %d requests: %s", took, site.count(), text)
		}
	})
}

// A call that is given up while it waits asks no more.
func TestRepeatGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &upstream{do: fails(&wp.Error{Kind: wp.Unreachable, Method: "POST"}).always}
		s := onShelf(t, site, "")
		ctx, cancel := context.WithTimeout(t.Context(), 700*ms)
		defer cancel()
		res, err := s.Call(ctx, "default", "add", nil)
		if err != nil || !res.IsError || time.Since(site.start) != 500*ms || site.count() != 2 {
			t.Errorf("%+v %v after %v, asked at %v", res, err, time.Since(site.start), site.at)
		}
	})
}

// The waits are random parts of the longest: none is as long, and they differ.
func TestJitter(t *testing.T) {
	s := NewServer(catalog("one", "a"), Options{})
	low, high := time.Hour, time.Duration(0)
	for range 1000 {
		d := s.jitter(repeatAfter)
		low, high = min(low, d), max(high, d)
	}
	if low < 0 || high >= repeatAfter || low > repeatAfter/4 || high < repeatAfter*3/4 {
		t.Errorf("from %v to %v", low, high)
	}
}
