package serving

import (
	"net"
	"net/http"
	goruntime "runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// left is what a process holds after so many listens.
type left struct {
	heap     uint64
	routines int
}

// thirds opens n streams and closes them, a third at a time, by several clients at
// once, of both eras: listens, and the GETs of one session. It returns what is held
// after each.
func thirds(b testing.TB, n int) (after [3]left) {
	b.Helper()
	_, at := many(b)
	session := sessionOf(b, at)
	request := func(i int) []byte {
		if i%2 == 0 {
			return listen(at, i)
		}
		r, err := http.NewRequest(http.MethodGet, at, nil)
		if err != nil {
			panic(err) // an address of ours
		}
		r.Header.Set("Accept", "text/event-stream")
		r.Header.Set("Mcp-Session-Id", session)
		return wire(r, 0)
	}
	one := func(i int) {
		conn := stream(b, at, i, request(i))
		// No port waits for what may still come, of which there are not so many.
		_ = conn.(*net.TCPConn).SetLinger(0)
		_ = conn.Close()
	}
	one(0)
	one(1)
	for third := range after {
		var all sync.WaitGroup
		var next atomic.Int64
		for range 16 {
			all.Go(func() {
				for i := next.Add(1); i <= int64(n/3) && !b.Failed(); i = next.Add(1) {
					one(int(i))
				}
			})
		}
		all.Wait()
		after[third] = settled()
	}
	return after
}

// sessionOf opens a legacy session.
func sessionOf(b testing.TB, at string) string {
	b.Helper()
	body := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`
	r := post(at, body)
	r.Header.Set("Authorization", "Bearer "+token(0))
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		b.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.Header.Get("Mcp-Session-Id") == "" {
		b.Fatal(resp.Status)
	}
	return resp.Header.Get("Mcp-Session-Id")
}

// settled is what is held when everything that ends has ended: when two looks in a row
// find as many goroutines.
func settled() (l left) {
	for before := -1; before != l.routines || l.routines == 0; {
		before = l.routines
		time.Sleep(100 * time.Millisecond)
		goruntime.GC()
		l.routines = goruntime.NumGoroutine()
	}
	var m goruntime.MemStats
	goruntime.GC()
	goruntime.ReadMemStats(&m)
	l.heap = m.HeapAlloc
	return l
}

// flat fails unless what is held after the second and the third is what was held after
// the first: within 5 %, and what a runtime's own tables vary by.
func flat(b testing.TB, after [3]left) {
	b.Helper()
	const slack = 128 << 10
	for third, l := range after[1:] {
		if most := after[0].heap + after[0].heap/20 + slack; l.heap > most {
			b.Errorf("third %d: %d KiB are held, and %d KiB were after the first", third+2, l.heap>>10, after[0].heap>>10)
		}
		if l.routines > after[0].routines+2 {
			b.Errorf("third %d: %d goroutines, and %d were after the first", third+2, l.routines, after[0].routines)
		}
	}
}

// T38, T46: streams that were opened and closed leave nothing behind.
func TestListensLeaveNothing(t *testing.T) { flat(t, thirds(t, 1200)) }

// BenchmarkListens is the same thirty thousand times.
func BenchmarkListens(b *testing.B) {
	for range b.N {
		after := thirds(b, 30_000)
		flat(b, after)
		for i, unit := range []string{"heap-10k", "heap-20k", "heap-30k"} {
			b.ReportMetric(float64(after[i].heap), unit)
		}
		b.ReportMetric(float64(after[2].routines-after[0].routines), "goroutines-more")
		b.ReportMetric(0, "ns/op")
	}
}
