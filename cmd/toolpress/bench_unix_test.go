//go:build unix

package main

import (
	"net/http/httptest"
	"os/exec"
	"syscall"
	"testing"

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
