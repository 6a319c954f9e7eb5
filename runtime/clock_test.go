package runtime

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"toolpress/curate"
	"toolpress/discover/wp"
)

// night is how long a machine is asleep, or nobody calls.
const night = 6 * time.Hour

// After hours in which nothing happens streams of both eras are open and have never
// been silent; a change is told in the moment it is made, one that waits for its turn
// at its time and once. A session without a stream is over, one with a stream is not;
// how long a list may be kept is as it was.
func TestStreamsAfterANight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := inRoom(t, catalog("0", "a"), Options{})
		idle, used := r.session(), r.session()
		ears := []*ear{r.listen("1"), r.get(used)}
		for _, e := range ears {
			e.took()
		}
		for round := range 3 {
			time.Sleep(night)
			synctest.Wait()
			for i, e := range ears {
				if n := len(e.said); n != int(night/heartbeat) || e.over() {
					t.Errorf("round %d, stream %d: %d comments in %v, over %t", round, i, n, night, e.over())
				}
				if told := e.texts(); len(told) > 0 {
					t.Errorf("round %d, stream %d: %q", round, i, told)
				}
			}
			now := time.Now()
			r.s.Swap(catalog(fmt.Sprint(2*round+1), "a"))
			time.Sleep(100 * time.Millisecond)
			r.s.Swap(catalog(fmt.Sprint(2*round+2), "a"))
			time.Sleep(night)
			for i, e := range ears {
				told := e.took()
				if len(told) != 2 || told[0].at != now || told[1].at != now.Add(noticeEvery) {
					t.Errorf("round %d, stream %d: told at %v, changed at %v", round, i, told, now)
				}
			}
		}
		if got := r.post(idle); got.status != 404 {
			t.Errorf("a session that nobody used for a night: %d", got.status)
		}
		if got := r.post(used); got.status != 200 || !strings.Contains(got.message, `Does \u003cb\u003e things. 6`) && !strings.Contains(got.message, "things. 6") {
			t.Errorf("a session with a stream: %d %s", got.status, got.message)
		}
		if got := r.send(modernCall("tools/list", "")); !strings.Contains(got.message, `"ttlMs":60000`) {
			t.Errorf("%s", got.message)
		}
		r.close()
	})
}

// A notice whose timer fires hours late is one, whatever came meanwhile; the next keeps
// its distance from when it was sent.
func TestNoticeThatIsLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var sent []time.Duration
		n := &notices{send: func() { sent = append(sent, time.Since(start)) }}
		n.post()
		n.post()
		n.pending.Stop() // it does not fire in time
		for range 100 {
			time.Sleep(night / 100)
			n.post()
		}
		n.due() // but now
		n.post()
		n.post()
		time.Sleep(night)
		synctest.Wait()
		if want := []time.Duration{0, night, night + noticeEvery}; !slices.Equal(sent, want) {
			t.Errorf("sent after %v, want %v", sent, want)
		}
	})
}

// A site that was left alone hours ago is asked by one of those who come at once, and
// by one more in each pause until it answers.
func TestBreakerAfterANight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := breaker{log: (&logs{}).logger()}
		away := fails(&wp.Error{Kind: wp.Unreachable})
		for range breakAfter {
			_, _ = b.do(t.Context(), away, wp.Request{})
		}
		time.Sleep(night)
		var mu sync.Mutex
		asked := 0
		site := siteFunc(func(ctx context.Context, _ wp.Request) (*wp.Response, error) {
			mu.Lock()
			asked++
			mu.Unlock()
			<-time.After(500 * time.Millisecond)
			return nil, &wp.Error{Kind: wp.Unreachable}
		})
		for round := range 3 {
			var all sync.WaitGroup
			for range 50 {
				all.Go(func() { _, _ = b.do(t.Context(), site, wp.Request{}) })
			}
			all.Wait()
			if asked != round+1 || !b.open() {
				t.Errorf("round %d: asked %d times, open %t", round, asked, b.open())
			}
			time.Sleep(breakPause / 2)
		}
		time.Sleep(night)
		if _, err := b.do(t.Context(), answers(`{}`), wp.Request{}); err != nil || b.open() {
			t.Errorf("an answer: %v, open %t", err, b.open())
		}
	})
}

// After hours a tool may be called as often at once as its rate says, and not as often
// as the hours would have had it. What was kept is not given, and what was confirmed is
// not confirmed any more.
func TestCallsAfterANight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRates(maxBuckets)
		who, most := pair{"default", "ana", "a"}, curate.Rate{Calls: 3, Per: time.Minute}
		for range 3 {
			r.take(who, most)
		}
		for round := range 2 {
			time.Sleep(night)
			var waits []time.Duration
			for range 5 {
				waits = append(waits, r.take(who, most).Round(time.Millisecond))
			}
			if want := []time.Duration{0, 0, 0, 20 * time.Second, 20 * time.Second}; !slices.Equal(waits, want) {
				t.Errorf("night %d: %v", round, waits)
			}
		}

		site := &upstream{do: counting}
		s := onShelf(t, site, "")
		seal := s.seals.seal([]byte("this"), time.Hour)
		for i, want := range []string{`{"n":1}`, `{"n":1}`, `{"n":2}`} {
			if i == 2 {
				time.Sleep(night)
			}
			if _, got := called(t, s, "list", ""); got != want {
				t.Errorf("call %d: %s", i, got)
			}
		}
		if err := s.seals.open(seal, []byte("this")); err != errExpired {
			t.Errorf("what was confirmed for an hour: %v", err)
		}
	})
}
