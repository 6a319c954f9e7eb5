package faults

import (
	"context"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// network is what lies between toolpress and the site. The zero one is good.
type network struct {
	reset   bool          // each connection is reset with its first byte
	latency time.Duration // before the first byte of an answer
	rate    int           // bytes in a second of an answer; 0: any
	linger  time.Duration // before the connection is closed behind an answer
}

// front hands on connections as a network does.
type front struct {
	url    string
	behind string // host:port

	mu    sync.Mutex
	is    network
	until context.Context // ended when the network becomes another one
	turn  context.CancelFunc
}

// newFront is a front of a site, which listens until the test ends.
func newFront(t *testing.T, site string) *front {
	t.Helper()
	f := &front{behind: strings.TrimPrefix(site, "http://")}
	f.become(network{})
	f.url = listen(t, func(conn net.Conn) { f.pass(conn) })
	t.Cleanup(func() { f.become(network{}) }) // before it waits for its connections
	return f
}

// listen serves connections on loopback, each until serve returns, and waits for
// them at the test's end.
func listen(t *testing.T, serve func(net.Conn)) (url string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var conns sync.WaitGroup
	conns.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			conns.Go(func() {
				defer conn.Close()
				serve(conn)
			})
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		conns.Wait()
	})
	return "http://" + listener.Addr().String()
}

// become makes the network another one, also for connections that are there.
func (f *front) become(n network) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.turn != nil {
		f.turn()
	}
	f.is = n
	f.until, f.turn = context.WithCancel(context.Background())
}

func (f *front) now() (network, context.Context) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.is, f.until
}

// pass hands one connection on until either side ends it.
func (f *front) pass(client net.Conn) {
	is, until := f.now()
	if is.reset {
		_, _ = client.Read(make([]byte, 1))
		reset(client)
		return
	}
	site, err := net.Dial("tcp", f.behind)
	if err != nil {
		reset(client)
		return
	}
	defer site.Close()
	var asking sync.WaitGroup
	defer asking.Wait()
	asking.Go(func() {
		_, _ = io.Copy(site, client)
		_ = site.Close() // a client that is gone reads no answer
	})
	part := make([]byte, 16<<10)
	if is.rate > 0 {
		part = part[:is.rate/10]
	}
	wait := func(d time.Duration) {
		select {
		case <-time.After(d):
		case <-until.Done():
		}
	}
	for first := true; ; first = false {
		n, err := site.Read(part)
		if first && n > 0 {
			wait(is.latency)
		}
		if is.rate > 0 {
			wait(time.Second / 10)
		}
		if _, broken := client.Write(part[:n]); broken != nil || err != nil {
			break
		}
	}
	wait(is.linger)
	_ = client.Close()
}

// reset closes a connection so that the other side sees it reset.
func reset(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}
