package runtime

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
)

// BenchmarkStreams prints what one open stream costs the server, its connection
// included.
func BenchmarkStreams(b *testing.B) {
	const streams = 1000
	for name, request := range map[string]func(*Server) string{
		"listen": func(*Server) string { return rawListen() },
		"session": func(s *Server) string {
			w := httptest.NewRecorder()
			r := httptest.NewRequest(http.MethodPost, "http://localhost/mcp", strings.NewReader(hello))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept", "application/json, text/event-stream")
			s.Handler().ServeHTTP(w, r)
			return rawGet("Mcp-Session-Id: " + w.Header().Get("Mcp-Session-Id"))
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				s := NewServer(catalog("one", "a"), Options{MaxStreamsEach: streams})
				net := newPipes()
				ctx, stop := context.WithCancel(b.Context())
				ended := make(chan error, 1)
				go func() { ended <- s.Serve(ctx, net) }()
				before := memory()
				dial := net.client().Transport.(*http.Transport).DialContext
				buffer := make([]byte, 4096)
				var conns []io.Closer
				for range streams {
					conn, err := dial(ctx, "", "")
					if err != nil {
						b.Fatal(err)
					}
					conns = append(conns, conn)
					if _, err := io.WriteString(conn, request(s)); err != nil {
						b.Fatal(err)
					}
					for heard := ""; !strings.Contains(heard, "data: ") && !strings.Contains(heard, ": alive"); {
						n, err := conn.Read(buffer)
						if err != nil {
							b.Fatal(heard, err)
						}
						heard += string(buffer[:n])
					}
				}
				b.ReportMetric(float64(memory()-before)/streams, "bytes/stream")
				for _, c := range conns {
					_ = c.Close()
				}
				stop()
				<-ended
			}
		})
	}
}

// memory is what the heap and the stacks hold.
func memory() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc + m.StackInuse
}
