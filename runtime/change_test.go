package runtime

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
)

// settle is longer than anything in the SDK waits before it sends a notice;
// inside a bubble it takes no time.
const settle = time.Minute

func TestListChangedOnce(t *testing.T) {
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := NewServer(catalog("one", "a"), Options{Site: answers(`{}`)})
				net := newPipes()
				ctx, stop := context.WithCancel(t.Context())
				ended := make(chan error)
				go func() { ended <- s.Serve(ctx, net) }()

				var notices atomic.Int64
				client := net.client()
				cs := connect(t, "http://localhost/mcp", era, client, &mcp.ClientOptions{
					ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { notices.Add(1) },
				})
				time.Sleep(settle)

				expect := func(what string, c []string, want int64) {
					t.Helper()
					time.Sleep(settle)
					if n := notices.Load(); n != want {
						t.Errorf("%s: %d notices, want %d", what, n, want)
					}
					if (want > 0) != slices.Equal(c, []string{curate.DefaultProfile}) {
						t.Errorf("%s: changed %v", what, c)
					}
					notices.Store(0)
				}
				expect("equal bytes", s.Swap(catalog("one", "a")), 0)
				expect("another description", s.Swap(catalog("two", "a")), 1)
				expect("another tool", s.Swap(catalog("two", "a", "b")), 1)
				expect("the same again", s.Swap(catalog("two", "b", "a")), 0)
				if list, err := cs.ListTools(t.Context(), nil); err != nil || len(list.Tools) != 2 {
					t.Errorf("the list after: %v %v", list, err)
				}

				stop()
				if err := <-ended; err != nil {
					t.Error(err)
				}
				_ = cs.Close()
				client.CloseIdleConnections()
			})
		})
	}
}

// A client of the handshake that asks for a revision it cannot get there is
// notified like any other.
func TestListChangedToAnOverreachingClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewServer(catalog("one", "a"), Options{})
		net := newPipes()
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- s.Serve(ctx, net) }()
		client := net.client()

		got := send(t, client, "http://localhost/mcp", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2026-07-28","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, "Mcp-Protocol-Version: ")
		if !strings.Contains(got.message, `"protocolVersion":"2025-11-25"`) {
			t.Errorf("initialize: %s", got.message)
		}
		stream := make(chan string)
		go func() {
			r, _ := http.NewRequest(http.MethodGet, "http://localhost/mcp", nil)
			stream <- do(t, client, r, "Accept: text/event-stream", "Mcp-Session-Id: "+got.header.Get("Mcp-Session-Id")).message
		}()
		time.Sleep(settle)
		s.Swap(catalog("two", "a"))
		time.Sleep(settle)
		stop()
		if got := <-stream; !strings.Contains(got, "notifications/tools/list_changed") {
			t.Errorf("the stream: %q", got)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
		client.CloseIdleConnections()
	})
}

// An idle stream gets a comment before a proxy cuts it.
func TestStreamsAreKeptAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewServer(catalog("one", "a"), Options{})
		rec := &recorder{ResponseRecorder: httptest.NewRecorder()}
		r := httptest.NewRequest(http.MethodPost, "http://localhost/mcp",
			strings.NewReader(modernCall("subscriptions/listen", `"notifications":{"toolsListChanged":true}`)))
		for name, value := range map[string]string{
			"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
			"Mcp-Protocol-Version": modernVersion, "Mcp-Method": "subscriptions/listen",
		} {
			r.Header.Set(name, value)
		}
		ended := make(chan struct{})
		go func() { s.Handler().ServeHTTP(rec, r); close(ended) }()
		time.Sleep(4*heartbeat + time.Second)
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		<-ended
		body := rec.Body.String()
		if n := strings.Count(body, ": alive\n\n"); n != 4 {
			t.Errorf("%d comments in a minute:\n%s", n, body)
		}
		if events := strings.Count(body, "data: "); events != 2 || !strings.Contains(body, `"resultType":"complete"`) {
			t.Errorf("no acknowledgement and final result:\n%s", body)
		}
		if rec.Header().Get("X-Accel-Buffering") != "no" {
			t.Errorf("headers: %v", rec.Header())
		}
	})
}

// recorder flushes the way a response controller asks for.
type recorder struct{ *httptest.ResponseRecorder }

func (r *recorder) FlushError() error { r.Flush(); return nil }

func TestStreamsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewServer(catalog("one", "a"), Options{MaxStreams: 1})
		net := newPipes()
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- s.Serve(ctx, net) }()
		client := net.client()
		listen := modernCall("subscriptions/listen", `"notifications":{"toolsListChanged":true}`)
		first := make(chan reply)
		go func() { first <- send(t, client, "http://localhost/mcp", listen) }()
		time.Sleep(time.Second)
		if got := send(t, client, "http://localhost/mcp", listen); got.status != 503 || got.header.Get("Retry-After") == "" {
			t.Errorf("the second: %d %v", got.status, got.header)
		}
		stop()
		if got := <-first; got.status != 200 || !strings.Contains(got.message, `"result"`) {
			t.Errorf("the first: %d %s", got.status, got.message)
		}
		<-ended
		client.CloseIdleConnections()
	})
}

// Clients that stop reading are let go after the write timeout; the others
// get this notice late, because the SDK sends one after the other, and the
// next at once (T36).
func TestStalledListeners(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const stalled = 3
		s := NewServer(catalog("one", "a"), Options{WriteTimeout: 5 * time.Second})
		network := newPipes()
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- s.Serve(ctx, network) }()
		body := modernCall("subscriptions/listen", `"notifications":{"toolsListChanged":true}`)
		for range stalled {
			conn, err := network.client().Transport.(*http.Transport).DialContext(ctx, "", "")
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"+
				"Mcp-Protocol-Version: %s\r\nMcp-Method: subscriptions/listen\r\nContent-Length: %d\r\n\r\n%s", modernVersion, len(body), body)
			// The acknowledgement is read, and nothing after it.
			for read := bufio.NewReader(conn); ; {
				if line, err := read.ReadString('\n'); err != nil || strings.HasPrefix(line, "data: ") {
					break
				}
			}
		}
		client := network.client()
		notices := make(chan time.Time, 10)
		cs := connect(t, "http://localhost/mcp", modernVersion, client, &mcp.ClientOptions{
			ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { notices <- time.Now() },
		})
		for i, within := range []time.Duration{stalled*5*time.Second + time.Second, time.Second} {
			start := time.Now()
			s.Swap(catalog(fmt.Sprint(i), "a"))
			time.Sleep(settle)
			if n := len(notices); n != 1 {
				t.Fatalf("%d notices", n)
			}
			if took := (<-notices).Sub(start); took > within {
				t.Errorf("change %d: after %v", i, took)
			}
			if n := s.streams.open(); n != 1 {
				t.Errorf("change %d: %d streams are open", i, n)
			}
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		_ = cs.Close()
		client.CloseIdleConnections()
	})
}

// A storm of changes is at most one notice a second, and the last change is
// announced; a storm of equal catalogs is none (T37).
func TestStormOfChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewServer(catalog("0", "a"), Options{})
		var sent, at atomic.Int64
		s.current.Load().profiles[curate.DefaultProfile].endpoint.notices.send = func() { sent.Add(1); at.Store(time.Now().UnixNano()) }
		for range 1000 {
			s.Swap(catalog("0", "a"))
		}
		if n := sent.Load(); n != 0 {
			t.Errorf("%d notices of nothing", n)
		}
		var last time.Time
		for i := range 500 {
			last = time.Now()
			s.Swap(catalog(fmt.Sprint(i+1), "a"))
			if n := sent.Load(); i == 0 && n != 1 {
				t.Errorf("the first change waits: %d", n)
			}
			time.Sleep(20 * time.Millisecond)
		}
		time.Sleep(settle)
		if n := sent.Load(); n > 11 || at.Load() < last.UnixNano() {
			t.Errorf("%d notices, the last %v after the last change", n, time.Duration(at.Load()-last.UnixNano()))
		}
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// Every list that is read while catalogs are swapped is one that was
// published, whole (T44).
func TestListsAreNeverTorn(t *testing.T) {
	const readers, swaps = 64, 1000
	names := make([]string, 12)
	for i := range names {
		names[i] = fmt.Sprintf("tool-%02d", i)
	}
	s, web := serve(t, catalog("0", names...), Options{})
	published := sync.Map{} // digest of the tools
	publish := func(tools json.RawMessage) { published.Store(sha256.Sum256([]byte(decoded(t, string(tools)))), true) }
	publish(s.Tools(curate.DefaultProfile))
	catalogs := make([]string, swaps)
	for i := range catalogs {
		catalogs[i] = fmt.Sprint(i + 1)
		publish(NewServer(catalog(catalogs[i], names[:1+i%len(names)]...), Options{}).Tools(curate.DefaultProfile))
	}

	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: readers}}
	defer client.CloseIdleConnections()
	id := session(t, web.URL)
	swapping, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	var lists atomic.Int64
	for i := range readers {
		wg.Go(func() {
			for n := 0; swapping.Err() == nil || n == 0; n++ {
				var got reply
				if i%2 == 0 {
					got = send(t, client, web.URL+"/mcp", modernCall("tools/list", ""))
				} else {
					got = send(t, client, web.URL+"/mcp", fmt.Sprintf(`{"jsonrpc":"2.0","id":"%d-%d","method":"tools/list"}`, i, n), "Mcp-Protocol-Version: ", "Mcp-Session-Id: "+id)
				}
				var message struct {
					Result struct{ Tools json.RawMessage }
				}
				if err := json.Unmarshal([]byte(got.message), &message); err != nil || len(message.Result.Tools) == 0 {
					t.Errorf("%d %s", got.status, got.message)
					return
				}
				if _, ok := published.Load(sha256.Sum256([]byte(decoded(t, string(message.Result.Tools))))); !ok {
					t.Errorf("a list that was never published: %.300s", got.message)
					return
				}
				lists.Add(1)
			}
		})
	}
	for i, mark := range catalogs {
		s.Swap(catalog(mark, names[:1+i%len(names)]...))
		// A call is admitted by the catalog it meets.
		if _, err := s.Call(t.Context(), curate.DefaultProfile, names[0], nil); err != nil {
			t.Error(err)
		}
	}
	stop()
	wg.Wait()
	t.Logf("%d lists", lists.Load())
}
