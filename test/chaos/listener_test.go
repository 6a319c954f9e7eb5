package chaos

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"toolpress/test/chaos/history"
)

// listener is a client that listens, and lists when it is told to.
type listener struct {
	*client
	rnd *rand.Rand
	// leaves has it close its stream now and then, and open it again.
	leaves bool
	// lists is how many of 100 notices it lists after, until all says: after each.
	lists int
	all   *atomic.Bool
	// muffle has it hear no notice once it is set; nil is never.
	muffle *atomic.Bool

	opened int
	conn   net.Conn
}

// stream opens its stream, on a connection of its own, and reads up to the first
// words. One that is full is tried again, as its answer says.
func (l *listener) stream(stop <-chan struct{}) (lines *bufio.Reader, err error) {
	for {
		if lines, err = l.open(); err == nil || !strings.Contains(err.Error(), "503") {
			return lines, err
		}
		select {
		case <-stop:
			return nil, err
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (l *listener) open() (*bufio.Reader, error) {
	r := l.request(http.MethodGet, "", "")
	if l.session == "" {
		r = l.request(http.MethodPost, "subscriptions/listen", l.rpc("subscriptions/listen", `"notifications":{"toolsListChanged":true}`))
	}
	at, err := url.Parse(l.w.url)
	if err != nil {
		return nil, err
	}
	if l.conn, err = net.Dial("tcp", at.Host); err != nil {
		return nil, err
	}
	if err := r.Write(l.conn); err != nil {
		return nil, err
	}
	resp, err := http.ReadResponse(bufio.NewReader(l.conn), r)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		_ = l.conn.Close()
		return nil, fmt.Errorf("a stream: %s", resp.Status)
	}
	lines := bufio.NewReader(resp.Body)
	if l.muffle != nil {
		lines = bufio.NewReader(muffled{resp.Body, l.muffle})
	}
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return nil, err
		}
		if strings.Contains(line, "acknowledged") || strings.HasPrefix(line, ":") {
			l.opened++
			return lines, nil
		}
	}
}

// note adds what happens to its stream now.
func (l *listener) note(kind history.Kind) {
	now := l.w.now()
	l.w.Add(history.Event{Client: l.name, Kind: kind, Begin: now, End: now})
}

// listen opens its stream, says that it is open, and reads it until stop.
func (l *listener) listen(stop <-chan struct{}, open func()) error {
	for first := true; ; first = false {
		lines, err := l.stream(stop)
		if err != nil {
			return err
		}
		l.note(history.Opened)
		if first {
			open()
		}
		if _, err := l.list(); err != nil {
			return err
		}
		left, err := l.follow(lines, stop)
		if !left || err != nil {
			return err
		}
	}
}

// follow reads a stream until it ends: left says that it was the listener who left.
func (l *listener) follow(lines *bufio.Reader, stop <-chan struct{}) (left bool, err error) {
	var leaving, stopping atomic.Bool
	var leave <-chan time.Time
	if l.leaves && !l.all.Load() {
		leave = time.After(time.Duration(200+l.rnd.IntN(1500)) * time.Millisecond)
	}
	conn, over := l.conn, make(chan struct{})
	defer close(over)
	go func() {
		select {
		case <-over:
		case <-leave:
			leaving.Store(true)
		case <-stop:
			stopping.Store(true)
		}
		_ = conn.Close()
	}()
	for {
		line, err := lines.ReadString('\n')
		switch {
		case stopping.Load():
			return false, nil
		case leaving.Load():
			return true, nil
		case err != nil:
			l.note(history.Cut)
			return false, err
		}
		if !strings.Contains(line, "list_changed") {
			continue
		}
		l.note(history.Notice)
		if l.all.Load() || l.rnd.IntN(100) < l.lists {
			if _, err := l.list(); err != nil {
				return false, err
			}
		}
	}
}

// stall opens its stream and never reads from it again.
func (l *listener) stall(stop <-chan struct{}) error {
	if _, err := l.stream(stop); err != nil {
		return err
	}
	conn := l.conn
	l.w.t.Cleanup(func() { _ = conn.Close() })
	return nil
}

// drown asks for lists, more than fit into any buffer, and reads none of them: the
// server's writing has to wait for a client that never will.
func (l *listener) drown() error {
	at, err := url.Parse(l.w.url)
	if err != nil {
		return err
	}
	conn, err := net.Dial("tcp", at.Host)
	if err != nil {
		return err
	}
	l.w.t.Cleanup(func() { _ = conn.Close() })
	go func() {
		for range 2000 {
			if l.request(http.MethodPost, "tools/list", l.rpc("tools/list", "")).Write(conn) != nil {
				return // the server has had enough
			}
		}
	}()
	return nil
}
