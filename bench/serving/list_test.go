package serving

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"toolpress/runtime"
)

// BenchmarkList reads the first page of a list, over loopback and without a
// network, beside a handler that writes the same bytes and does nothing else.
func BenchmarkList(b *testing.B) {
	for _, tools := range []int{50, 500, 5000} {
		s, at := serve(b, catalogOf(tools, ""), runtime.Options{})
		c, r := client(b), rpc(at, "tools/list", "", "")
		bytes := check(b, c, r, `"tools":[{"name":`)
		plain := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(bytes)
		})
		run := func(who string, handler http.Handler, r *http.Request) {
			b.Run(fmt.Sprintf("tools=%d/%s", tools, who), func(b *testing.B) {
				exchanges(b, c, r, 1)
				b.ReportMetric(float64(len(bytes)), "bytes")
			})
			b.Run(fmt.Sprintf("tools=%d/%s-handler", tools, who), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					again := r.Clone(b.Context())
					again.Body, _ = r.GetBody()
					again.Host = "localhost"
					handler.ServeHTTP(&nowhere{header: http.Header{}}, again)
				}
			})
		}
		run("toolpress", s.Handler(), r)
		other := httptest.NewServer(plain)
		b.Cleanup(other.Close)
		run("plain", plain, rpc(other.URL, "tools/list", "", ""))
	}
}

// nowhere is an answer that nobody reads.
type nowhere struct{ header http.Header }

func (w *nowhere) Header() http.Header         { return w.header }
func (w *nowhere) WriteHeader(int)             {}
func (w *nowhere) Write(p []byte) (int, error) { return len(p), nil }
