package chaos

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"toolpress/test/chaos/history"
	"toolpress/test/running"
)

// T46, G67, R14: a storm of SIGHUPs before, while and after it is told to end, with
// streams of both eras open and calls under way: each call that arrived is answered,
// each stream is ended and not cut, and the exit code is 0. Again and again.
func TestEnding(t *testing.T) {
	var all endings
	rnd := draw("ending", 0)
	for end := time.Now().Add(*lasts); time.Now().Before(end) && !t.Failed(); {
		all.round(t, rnd)
	}
	t.Logf("seed %d: ended %d times, %d calls under way were answered, %d streams ended", seed, all.rounds, all.calls, all.streams)
	if all.calls == 0 {
		t.Error("no call was under way: this shows nothing")
	}
	report.ending = all
}

// endings count what was under way when it ended, and came to its end.
type endings struct{ rounds, calls, streams int }

func (all *endings) round(t *testing.T, rnd *rand.Rand) {
	t.Helper()
	w := newWorld(t)
	slow := draw("answers", all.rounds)
	var mu sync.Mutex
	s := newSite(t, w, func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasPrefix(r.URL.Query().Get("search"), "call-") {
			mu.Lock()
			wait := time.Duration(slow.IntN(1000)) * time.Millisecond
			mu.Unlock()
			time.Sleep(wait)
		}
		return false
	})
	o := newWriter(w)
	o.write("renamed", true)
	ended := w.begin(s, o.name)

	var streams, calls sync.WaitGroup
	var closed atomic.Int64
	var stopped atomic.Bool
	h := connections(w)
	const each = 20
	for i := range 2 * each {
		c, err := w.connect(h, []string{modern, legacy}[i%2], fmt.Sprint("listener-", i), i)
		if err != nil {
			t.Fatal(err)
		}
		l := &listener{client: c}
		lines, err := l.open()
		if err != nil {
			t.Fatal(err)
		}
		streams.Go(func() {
			if err := l.end(lines); err != nil {
				t.Errorf("%s: %v", l.name, err)
				return
			}
			closed.Add(1)
		})
	}
	for i := range 8 {
		c, err := w.connect(h, []string{modern, legacy}[i%2], fmt.Sprint("user-", i), i)
		if err != nil {
			t.Fatal(err)
		}
		calls.Go(func() {
			for !stopped.Load() {
				_ = c.call("always", "search") // what became of it is in the history
			}
		})
	}
	over := make(chan struct{})
	var storm sync.WaitGroup
	storm.Go(func() { w.hangUp(over) })
	time.Sleep(time.Duration(200+rnd.IntN(600)) * time.Millisecond)
	stopped.Store(true)
	told := w.now()
	_ = w.cmd.Process.Signal(syscall.SIGTERM)
	w.end(ended)
	close(over)
	storm.Wait()
	streams.Wait()
	calls.Wait()
	all.rounds++
	all.streams += int(closed.Load())
	all.calls += w.answered(told)
}

// begin starts a toolpress that a SIGHUP does not end, and says when it has ended.
func (w *world) begin(s *site, curation string) <-chan error {
	w.t.Helper()
	w.cmd, w.said = w.command(s, curation, "--poll", "50ms"), &running.Log{}
	w.cmd.Stderr = w.said
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // without the terminal that this test may have
	if err := w.cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- w.cmd.Wait() }()
	w.said.Await(w.t, "Inspector", patience)
	_, rest, _ := strings.Cut(w.said.String(), "serving MCP at ")
	w.url = strings.Fields(rest)[0]
	return ended
}

// hangUp sends SIGHUP all the time.
func (w *world) hangUp(over <-chan struct{}) {
	for {
		select {
		case <-over:
			return
		case <-time.After(time.Millisecond):
			_ = w.cmd.Process.Signal(syscall.SIGHUP)
		}
	}
}

// end waits until it has ended, as it should.
func (w *world) end(ended <-chan error) {
	w.t.Helper()
	select {
	case err := <-ended:
		if err != nil || !strings.HasSuffix(w.said.String(), "stopped\n") {
			w.t.Errorf("seed %d: it ended with %v:\n%s", seed, err, tail(w.said.String()))
		}
	case <-time.After(patience):
		_ = w.cmd.Process.Kill()
		<-ended
		w.t.Errorf("seed %d: it does not end:\n%s", seed, tail(w.said.String()))
	}
}

// answered counts the calls that had arrived at the site when it was told to end,
// and were under way; each has to be answered.
func (w *world) answered(told time.Duration) (n int) {
	w.t.Helper()
	h := w.History(nil)
	for _, ran := range h.Events {
		if ran.Kind != history.Ran || ran.End > told {
			continue
		}
		at := slices.IndexFunc(h.Events, func(e history.Event) bool { return e.Kind == history.Call && e.ID == ran.ID })
		if at < 0 || h.Events[at].Outcome != history.Answered {
			w.t.Errorf("seed %d: the call %s arrived before the end, and was not answered", seed, ran.ID)
		} else if h.Events[at].End > told {
			n++
		}
	}
	return n
}

// end reads a stream to its end. It has to be one, and one of 2026-07-28 says so
// before.
func (l *listener) end(lines *bufio.Reader) error {
	defer l.conn.Close()
	text, err := io.ReadAll(lines)
	if err != nil {
		return fmt.Errorf("its stream was cut: %w", err)
	}
	if l.session == "" && !strings.Contains(string(text), `"resultType":"complete"`) {
		return fmt.Errorf("its stream ended without a result: %q", text)
	}
	return nil
}
