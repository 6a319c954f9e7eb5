package chaos

import (
	"cmp"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// crowd is who looks while a curation is rewritten.
type crowd struct {
	listeners int
	// lists is how many of 100 notices a listener lists after, during the storm.
	lists int
	// stalls and leaves are every which listener never reads, and closes its stream
	// now and then; 0 is none.
	stalls, leaves int
	users          int // clients that list and call
	// muffle is the listener who hears no notice after the storm; 0 is nobody.
	muffle int
	// storm is how long it is rewritten. Zero: as long as a scenario lasts.
	storm time.Duration
	// patience bounds the waiting for everybody to know. Zero: [patience].
	patience time.Duration
	http     *http.Client
}

// T43, T44, R01 to R03, R07, R08, R15, G54: a curation is rewritten 50 times a second
// in five styles, some of it broken, while clients list, call and listen.
func TestRewriting(t *testing.T) {
	w := newWorld(t)
	s, o := newSite(t, w, nil), newWriter(w)
	o.start(s)
	got := w.rewrite(o, crowd{listeners: 8, lists: 100, users: 4, http: connections(w)})
	w.tell("a curation rewritten", got, o.facts())
}

// T36, R13, R16: the same before a thousand listeners of both eras, a tenth of which
// never reads, and a tenth of which comes and goes.
func TestListeners(t *testing.T) {
	n := afford(t, *many)
	w := newWorld(t)
	s, o := newSite(t, w, nil), newWriter(w)
	o.start(s)
	got := w.rewrite(o, crowd{listeners: n, lists: 2, stalls: 10, leaves: 10, users: 2, http: connections(w)})
	w.tell("the same, many listeners", got, o.facts())
}

// afford is how many listeners there may be: each holds a connection here and one in
// the process that is tested, which has the same limit.
func afford(t *testing.T, n int) int {
	t.Helper()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	const others = 256 // users, pools, the site, files
	if most := int(min(limit.Cur, 1<<20)) - others; most < n {
		t.Logf("%d listeners and not %d: this process may open %d files (ulimit -n)", most, n, limit.Cur)
		n = most
	}
	if n < 20 {
		t.Skipf("%d files may be open: too few for listeners (ulimit -n)", limit.Cur)
	}
	return n
}

// start writes the first version and serves it.
func (o *writer) start(s *site) {
	o.write("renamed", true)
	o.w.serve(s, o.name)
}

// seen is what a crowd did, as far as the history does not say it.
type seen struct {
	reading []string // the listeners who read to the end
	stalled int
	opened  atomic.Int64
}

// rewrite has a crowd look while o writes, and in the end waits until everybody
// knows of the last version, or ought to.
func (w *world) rewrite(o *writer, c crowd) *seen {
	w.t.Helper()
	got, stop, all := &seen{}, make(chan struct{}), &atomic.Bool{}
	var listening, using sync.WaitGroup
	w.gather(c, got, stop, all, &listening)
	end := time.Now().Add(cmp.Or(c.storm, *lasts))
	for i := range c.users {
		w.user(c.http, i, end.Add(2*time.Second), "search", &using)
	}
	o.storm(end)
	all.Store(true)
	o.last()
	w.settle(got.reading, cmp.Or(c.patience, patience))
	using.Wait()
	close(stop)
	listening.Wait()
	return got
}

// user lists and calls until the end.
func (w *world) user(h *http.Client, i int, end time.Time, argument string, using *sync.WaitGroup) {
	w.t.Helper()
	u, err := w.connect(h, []string{modern, legacy}[i%2], fmt.Sprint("user-", i), i)
	if err != nil {
		w.t.Fatal(err)
	}
	using.Go(func() {
		if err := u.use(draw("user", i), end, argument); err != nil {
			w.t.Errorf("%s: %v", u.name, err)
		}
	})
}

// gather opens the listeners' streams, several at a time, and waits until all are
// open.
func (w *world) gather(c crowd, got *seen, stop <-chan struct{}, all *atomic.Bool, listening *sync.WaitGroup) {
	w.t.Helper()
	slots := make(chan struct{}, 16)
	var opening sync.WaitGroup
	for i := range c.listeners {
		l := &listener{rnd: draw("listener", i), lists: c.lists, all: all}
		l.leaves = c.leaves > 0 && i%c.leaves == 1
		stalls := c.stalls > 0 && i%c.stalls == 0
		if c.muffle > 0 && i == c.muffle {
			l.muffle = all
		}
		name := fmt.Sprint("listener-", i)
		if stalls {
			got.stalled++
		} else {
			got.reading = append(got.reading, name)
		}
		slots <- struct{}{}
		opening.Add(1)
		open := sync.OnceFunc(func() { <-slots; opening.Done() })
		listening.Go(func() {
			defer open()
			var err error
			if l.client, err = w.connect(c.http, []string{modern, legacy}[i/10%2], name, i); err == nil {
				if stalls {
					err = l.stall(stop)
					if i%4 == 0 && err == nil {
						err = l.drown()
					}
				} else {
					err = l.listen(stop, open)
				}
				got.opened.Add(int64(l.opened))
			}
			if err != nil {
				w.t.Errorf("%s: %v", name, err)
			}
		})
	}
	opening.Wait()
}

// settle waits until all listeners know of the last version. That somebody does not
// is for the verdict to say.
func (w *world) settle(listeners []string, patience time.Duration) {
	for deadline := time.Now().Add(patience); len(w.History(listeners).Untold()) > 0 && time.Now().Before(deadline); {
		time.Sleep(100 * time.Millisecond)
	}
}
