package serving

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	goruntime "runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"toolpress/curate"
	"toolpress/discover/wp"
	"toolpress/runtime"
)

// streams are how many listen at once: what a server holds where nothing else is
// said. What one client may hold is less, so they are several.
const (
	streams    = 1000
	principals = 8
)

// pause is longer than the time between two notices of one list.
const pause = 1100 * time.Millisecond

func token(i int) string {
	return fmt.Sprintf("a-token-of-the-benchmark-%02d-%s", i%principals, strings.Repeat("x", 32))
}

// many is a server that lets all principals in.
func many(b testing.TB) (s *runtime.Server, at string) {
	b.Helper()
	opts := runtime.Options{Access: func(*curate.Profile) (a runtime.Access) {
		for i := range principals {
			a.Tokens = append(a.Tokens, wp.NewSecret(token(i)))
		}
		return a
	}}
	return serve(b, named(catalogOf(50, "before")), opts)
}

// named is a catalog whose profile has tokens of its own.
func named(c *curate.Catalog) *curate.Catalog {
	c.Profiles[curate.DefaultProfile].TokenEnv = []curate.Text{{Value: "TOKENS"}}
	return c
}

// wire is a request as it goes over a connection.
func wire(r *http.Request, i int) []byte {
	r.Header.Set("Authorization", "Bearer "+token(i))
	var text bytes.Buffer
	if err := r.Write(&text); err != nil {
		panic(err) // into memory
	}
	return text.Bytes()
}

func listen(at string, i int) []byte {
	return wire(rpc(at, "subscriptions/listen", "", `,"notifications":{"toolsListChanged":true}`), i)
}

// plainStream is a handler that keeps a stream open and writes one event into it
// each time that go is called.
func plainStream() (handler http.HandlerFunc, tell func()) {
	var mu sync.Mutex
	next := make(chan struct{})
	return func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "text/event-stream")
			rc := http.NewResponseController(w)
			for text := "data: {}\n\n"; ; text = "data: {\"method\":\"notifications/tools/list_changed\"}\n\n" {
				mu.Lock()
				wait := next
				mu.Unlock()
				if _, err := io.WriteString(w, text); err != nil || rc.Flush() != nil {
					return
				}
				select {
				case <-wait:
				case <-r.Context().Done():
					return
				}
			}
		}, func() {
			mu.Lock()
			defer mu.Unlock()
			close(next)
			next = make(chan struct{})
		}
}

// open opens so many streams and reads what each begins with.
func open(b *testing.B, at string, n int, request func(i int) []byte) []net.Conn {
	b.Helper()
	var conns []net.Conn
	b.Cleanup(func() {
		for _, c := range conns {
			_ = c.Close()
		}
	})
	for i := range n {
		conns = append(conns, stream(b, at, i, request(i)))
	}
	return conns
}

// stream opens one: what it begins with is an event, or a comment.
func stream(b testing.TB, at string, i int, request []byte) net.Conn {
	b.Helper()
	u, _ := url.Parse(at)
	conn, err := net.Dial("tcp", u.Host)
	if err == nil {
		_, err = conn.Write(request)
	}
	if err != nil {
		b.Fatal(err)
	}
	buffer := make([]byte, 4096)
	for said := ""; !strings.Contains(said, "data: ") && !strings.Contains(said, "\n: "); {
		n, err := conn.Read(buffer)
		if said += string(buffer[:n]); err != nil || strings.Contains(said, `"error"`) {
			b.Fatalf("stream %d: %s %v", i, said, err)
		}
	}
	return conn
}

// hear reports each notice of every stream.
func hear(conns []net.Conn) <-chan struct{} {
	heard := make(chan struct{}, len(conns))
	for _, c := range conns {
		go func() {
			buffer, tail := make([]byte, 1024), ""
			for {
				n, err := c.Read(buffer)
				if err != nil {
					return
				}
				tail += string(buffer[:n])
				for at := strings.Index(tail, "list_changed"); at >= 0; at = strings.Index(tail, "list_changed") {
					heard <- struct{}{}
					tail = tail[at+len("list_changed"):]
				}
				tail = tail[max(0, len(tail)-len("list_changed")):]
			}
		}()
	}
	return heard
}

// told measures from a change until the last stream heard of it.
func told(b *testing.B, n int, heard <-chan struct{}, change func(i int)) {
	b.Helper()
	b.ResetTimer()
	for i := range b.N {
		b.StopTimer()
		time.Sleep(pause)
		b.StartTimer()
		change(i)
		for range n {
			select {
			case <-heard:
			case <-time.After(30 * time.Second):
				b.Fatal("not everybody heard of it")
			}
		}
	}
}

// BenchmarkListChanged is from a catalog's publication until the last of its
// listeners knows, beside a handler that writes as much to as many.
func BenchmarkListChanged(b *testing.B) {
	catalogs := []*curate.Catalog{named(catalogOf(50, "after")), named(catalogOf(50, "before"))}
	for _, n := range []int{1, streams} {
		b.Run(fmt.Sprintf("listeners=%d/toolpress", n), func(b *testing.B) {
			s, at := many(b)
			heard := hear(open(b, at, n, func(i int) []byte { return listen(at, i) }))
			round := 0
			told(b, n, heard, func(int) { s.Swap(catalogs[round%2]); round++ })
		})
		b.Run(fmt.Sprintf("listeners=%d/plain", n), func(b *testing.B) {
			handler, tell := plainStream()
			at := address(b, handler)
			heard := hear(open(b, at, n, func(i int) []byte { return listen(at, i) }))
			told(b, n, heard, func(int) { tell() })
		})
	}
}

// BenchmarkStream is what a stream that is open and silent holds, with the
// client's end of its connection: heap and stacks.
func BenchmarkStream(b *testing.B) {
	hold := func(b *testing.B, at string, request func(i int) []byte) {
		b.Helper()
		for range b.N {
			open(b, at, 1, request)[0].Close() // what is made once is there
			bytes, routines := held()
			conns := open(b, at, streams, request)
			more, working := held()
			b.ReportMetric(float64(more-bytes)/streams, "B/stream")
			b.ReportMetric(float64(working-routines)/streams, "goroutines/stream")
			b.ReportMetric(0, "ns/op")
			for _, c := range conns {
				_ = c.Close()
			}
		}
	}
	b.Run("listen", func(b *testing.B) {
		_, at := many(b)
		hold(b, at, func(i int) []byte { return listen(at, i) })
	})
	b.Run("plain", func(b *testing.B) {
		handler, _ := plainStream()
		at := address(b, handler)
		hold(b, at, func(i int) []byte { return listen(at, i) })
	})
}

// held is what the heap and the stacks hold, and how many goroutines there are.
func held() (bytes int64, routines int) {
	var m goruntime.MemStats
	for range 3 {
		time.Sleep(50 * time.Millisecond) // what ends has ended
		goruntime.GC()
	}
	goruntime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse), goruntime.NumGoroutine()
}
