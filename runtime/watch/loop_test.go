package watch

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// run runs a loop in the bubble until the function it returns is called.
func run(l *Loop) (end func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); l.Run(ctx) }()
	return func() { cancel(); <-done }
}

// The site is asked after about the interval, never before a tenth less, and not
// always after the same; Soon asks at once and then with Apart in between, however
// often it is asked for (T39); Again asks at once whatever was before.
func TestWhenTheSiteIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		soon, again := make(chan struct{}, 1), make(chan struct{}, 1)
		poke := func(c chan struct{}) {
			select {
			case c <- struct{}{}:
			default:
			}
		}
		var at []time.Time
		reread := 0
		end := run(&Loop{
			deaf: true, Poll: 10 * time.Minute, Soon: soon, Apart: 5 * time.Second,
			Again: again, Reread: func(context.Context) { reread++ },
			Ask: func(context.Context) func() { at = append(at, time.Now()); time.Sleep(time.Second); return nil },
		})
		// since are the times between, without those that the answers took.
		since := func() (gaps []time.Duration) {
			synctest.Wait()
			for i := 1; i < len(at); i++ {
				gaps = append(gaps, at[i].Sub(at[i-1]))
			}
			at = nil
			return gaps
		}
		time.Sleep(100 * 11 * time.Minute)
		polls := since()
		for _, gap := range polls {
			if gap < 9*time.Minute || gap > 11*time.Minute+time.Second {
				t.Errorf("polled after %v", gap)
			}
		}
		if slices.Sort(polls); len(polls) < 98 || polls[len(polls)-1]-polls[0] < time.Minute {
			t.Errorf("%d polls, the least after %v, the last after %v", len(polls), polls[0], polls[len(polls)-1])
		}

		start := time.Now()
		for range 1000 {
			poke(soon)
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(at) != 2 || at[0].Sub(start) > time.Millisecond || at[1].Sub(at[0]) != 5*time.Second {
			t.Errorf("1000 hints in a second: asked at %v after %v", at, start)
		}
		at = nil

		for range 100 { // the first begins; the others are one more, after its answer
			poke(again)
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Minute)
		if gaps := since(); !slices.Equal(gaps, []time.Duration{time.Second}) || reread != 100 {
			t.Errorf("100 times everything: the files %d times, the site again after %v", reread, gaps)
		}
		end()
	})
}

// Who wants the site asked soon does not put off a poll that is due sooner; the poll
// is for it too.
func TestSoonPutsNothingOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		soon, asked := make(chan struct{}, 1), 0
		end := run(&Loop{deaf: true, Poll: time.Second, Soon: soon, Apart: 5 * time.Second, Ask: func(context.Context) func() {
			asked++
			return func() { // as the reloader does where there are new operations
				select {
				case soon <- struct{}{}:
				default:
				}
			}
		}})
		time.Sleep(time.Minute)
		end()
		if asked < 54 {
			t.Errorf("asked %d times in a minute, every second", asked)
		}
	})
}

// What comes due while the loop is busy for hours is dealt with once: the files are
// compared, and the site is asked, once each. An answer that takes hours holds up no
// edit and is followed by no other.
func TestWhatIsLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const night = 6 * time.Hour
		file := filepath.Join(t.TempDir(), "c.yaml")
		writeFile(t, file, "a")
		read, start := []byte("a"), time.Now()
		soon := make(chan struct{}, 1)
		var mu sync.Mutex // guards when
		when := map[string][]time.Duration{}
		note := func(what string) {
			mu.Lock()
			defer mu.Unlock()
			when[what] = append(when[what], time.Since(start))
		}
		noted := func() (changed, asked []time.Duration) {
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			return slices.Clone(when["changed"]), slices.Clone(when["asked"])
		}
		var long atomic.Int64 // how long an answer takes
		end := run(&Loop{
			deaf: true, Poll: 10 * time.Minute, Soon: soon, Read: func() map[string][]byte { return map[string][]byte{file: read} },
			Changed: func(_ context.Context, now map[string][]byte) {
				note("changed")
				if read = now[file]; string(read) == "b" {
					time.Sleep(night) // the machine is asleep
				}
			},
			Ask: func(context.Context) func() {
				note("asked")
				time.Sleep(time.Duration(long.Load()))
				return nil
			},
		})
		writeFile(t, file, "b")
		time.Sleep(night + 2*time.Second)
		changed, asked := noted()
		if len(changed) != 1 || len(asked) != 1 || asked[0] < night {
			t.Errorf("after a night: changed at %v, asked at %v", changed, asked)
		}
		long.Store(int64(night))
		time.Sleep(11*time.Minute + time.Second)
		writeFile(t, file, "c")
		soon <- struct{}{}
		time.Sleep(night / 2)
		changed, asked = noted()
		if len(changed) != 2 || changed[1] > night+11*time.Minute+5*time.Second || len(asked) != 2 {
			t.Errorf("while an answer takes a night: changed at %v, asked at %v", changed, asked)
		}
		long.Store(0)
		time.Sleep(night/2 + 2*time.Second)
		_, asked = noted()
		if len(asked) != 3 || asked[2] < asked[1]+night || asked[2] > asked[1]+night+time.Second {
			t.Errorf("after it: asked at %v", asked)
		}
		end()
	})
}

// Without a poll the site is asked when somebody says so, and not again by itself.
func TestNoPoll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		soon, asked := make(chan struct{}, 1), 0
		end := run(&Loop{deaf: true, Soon: soon, Ask: func(context.Context) func() { asked++; return nil }})
		time.Sleep(24 * time.Hour)
		soon <- struct{}{}
		time.Sleep(24 * time.Hour)
		end()
		if asked != 1 {
			t.Errorf("asked %d times", asked)
		}
	})
}

// R04: a file that is a mount point is told from one in a mounted directory.
func TestCase_R04(t *testing.T) {
	const table = `22 1 254:1 / / rw,relatime - ext4 /dev/vda1 rw
97 22 254:1 /srv/curation /etc/toolpress ro,relatime - ext4 /dev/vda1 rw
98 22 254:1 /home/ana/my\040shop.yaml /etc/my\040shop\134.yaml ro - ext4 /dev/vda1 rw
`
	for at, want := range map[string]bool{
		`/etc/my shop\.yaml`: true, "/etc/toolpress": true,
		"/etc/toolpress/curation.yaml": false, "/etc/my": false, "/srv/curation": false, `/etc/my\040shop\134.yaml`: false,
	} {
		if got := mounted(strings.NewReader(table), at); got != want {
			t.Errorf("%s: %t", at, got)
		}
	}
	name := filepath.Join(t.TempDir(), "c.yaml")
	writeFile(t, name, "a")
	if Pinned(name) || Pinned(name+"x") {
		t.Error("an ordinary file is pinned")
	}
}
