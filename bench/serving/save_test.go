package serving

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"toolpress/test/running"
)

// BenchmarkSaveToNotice is from the moment an editor has saved a curation until a
// client of toolpress demo knows that its list has changed.
func BenchmarkSaveToNotice(b *testing.B) {
	binary, err := running.Build(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	text, err := exec.Command(binary, "demo", "--print").Output()
	if err != nil {
		b.Fatal(err)
	}
	curation := filepath.Join(b.TempDir(), "curation.yaml")
	save := func(round int) {
		// As editors do: whole and at once.
		tool := fmt.Sprintf("\ntools:\n  list_types: { from: GET /wp/v2/types, groups: [read], description: List the types of content for the %dth time. }\n", round)
		changed := bytes.Replace(text, []byte("\ntools:\n"), []byte(tool), 1)
		if err := os.WriteFile(curation+".new", changed, 0o600); err != nil {
			b.Fatal(err)
		}
		if err := os.Rename(curation+".new", curation); err != nil {
			b.Fatal(err)
		}
	}
	save(0)
	cmd := exec.Command(binary, "demo", "--curation", curation, "--listen", "127.0.0.1:0")
	cmd.Env = running.Environment()
	said := &running.Log{}
	cmd.Stderr = said
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
		if b.Failed() {
			b.Log(said)
		}
	})
	const mark = "serving MCP at "
	said.Await(b, mark, time.Minute)
	_, rest, _ := strings.Cut(said.String(), mark)
	at := strings.Fields(rest)[0]
	heard := hear(open(b, at, 1, func(i int) []byte { return listen(at, i) }))
	round := 0
	told(b, 1, heard, func(int) { round++; save(round) })
	check(b, client(b), rpc(at, "tools/list", "", ""), fmt.Sprintf("for the %dth time", round))
}
