//go:build unix

package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"toolpress/discover/wptest/recorded"
	"toolpress/test/running"
)

// BenchmarkCheck is a whole command on the largest recording, 652 routes: start,
// discovery over loopback, the operations, the curation and the table. It
// reports the process's own CPU time and its peak memory.
func BenchmarkCheck(b *testing.B) {
	site := httptest.NewServer(recorded.Handler(b, recorded.Dir(b, "woocommerce-10.5")))
	defer site.Close()
	binary, err := running.Build(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	var cpu, peak float64
	for b.Loop() {
		cmd := exec.Command(binary, "check", "--site", site.URL)
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		cpu += float64((cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Milliseconds())
		if usage, is := cmd.ProcessState.SysUsage().(*syscall.Rusage); is {
			peak = max(peak, float64(usage.Maxrss)/1024) // KiB on Linux
		}
	}
	b.ReportMetric(cpu/float64(b.N), "cpu-ms/op")
	b.ReportMetric(peak, "peak-MiB")
}

// BenchmarkPoll is a poll of the largest recording, of which nothing has changed,
// beside a client that fetches the same and does nothing with it. The site is in
// this process: its part is in both.
func BenchmarkPoll(b *testing.B) {
	var mu sync.Mutex
	var asked []string
	recording := recorded.Handler(b, recorded.Dir(b, "woocommerce-10.5"))
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.Method+" "+r.URL.String())
		mu.Unlock()
		recording.ServeHTTP(w, r)
	}))
	defer site.Close()
	r := reloaderAt(b, site.URL, nil, "")
	if n := len(r.source.site.Routes); n != 652 {
		b.Fatalf("%d routes", n)
	}
	poll := func() { r.ask(b.Context())() }
	asked = nil
	poll()
	once := slices.Clone(asked)
	catalog := r.catalog
	b.Run("toolpress", func(b *testing.B) { costs(b, poll) })
	if r.catalog != catalog || r.report.Failed != nil {
		b.Errorf("it is no poll of the same: %v", r.report.Failed)
	}
	b.Run("plain", func(b *testing.B) {
		costs(b, func() {
			for _, one := range once {
				method, path, _ := strings.Cut(one, " ")
				req, _ := http.NewRequestWithContext(b.Context(), method, site.URL+path, nil)
				resp, err := http.DefaultClient.Do(req)
				if err != nil {
					b.Fatal(err)
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
			}
		})
		b.ReportMetric(float64(len(once)), "requests")
	})
}

// costs measures the processor's time too, of the whole process.
func costs(b *testing.B, do func()) {
	b.Helper()
	b.ReportAllocs()
	before := processor(b)
	for b.Loop() {
		do()
	}
	b.ReportMetric(float64((processor(b)-before).Microseconds())/1000/float64(b.N), "cpu-ms/op")
}

// processor is how long this process has used one.
func processor(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
