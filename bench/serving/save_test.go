package serving

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"toolpress/test/running"
)

// BenchmarkSaveToNotice is from the moment an editor has saved a curation until the
// last of its listeners knows that the list of toolpress demo has changed.
func BenchmarkSaveToNotice(b *testing.B) {
	binary, err := running.Build(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	text, err := exec.Command(binary, "demo", "--print").Output()
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{1, streams} {
		b.Run(fmt.Sprintf("listeners=%d", n), func(b *testing.B) {
			curation := filepath.Join(b.TempDir(), "curation.yaml")
			write(b, curation, text, 0)
			save(b, curation)
			at := demo(b, binary, curation)
			heard := hear(open(b, at, n, func(i int) []byte { return listen(at, i) }))
			round := 1
			write(b, curation, text, round)
			told(b, n, heard, func(int) {
				save(b, curation)
				round++
				write(b, curation, text, round)
			})
			round--
			list := rpc(at, "tools/list", "", "")
			list.Header.Set("Authorization", "Bearer "+token(0))
			check(b, client(b), list, fmt.Sprintf("for the %dth time", round))
		})
	}
}

// write writes the curation of a round beside the one that is read; save puts it in
// place. So editors do, and wait for the disk in between.
func write(b *testing.B, name string, text []byte, round int) {
	b.Helper()
	tool := fmt.Sprintf("\ntools:\n  list_types: { from: GET /wp/v2/types, groups: [read], description: List the types of content for the %dth time. }\n", round)
	changed := bytes.Replace(text, []byte("\ntools:\n"), []byte(tool), 1)
	if err := os.WriteFile(name+".new", changed, 0o600); err != nil {
		b.Fatal(err)
	}
}

func save(b *testing.B, name string) {
	b.Helper()
	if err := os.Rename(name+".new", name); err != nil {
		b.Fatal(err)
	}
}

// demo serves the demo to all principals until the benchmark ends, and returns its MCP
// address.
func demo(b *testing.B, binary, curation string) (at string) {
	b.Helper()
	tokens := filepath.Join(b.TempDir(), "tokens")
	var list strings.Builder
	for i := range principals {
		fmt.Fprintln(&list, token(i))
	}
	if err := os.WriteFile(tokens, []byte(list.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(binary, "demo", "--curation", curation, "--listen", "127.0.0.1:0")
	cmd.Env = running.Environment("TOOLPRESS_TOKEN_FILE=" + tokens)
	at, _ = running.Serve(b, cmd, time.Minute)
	return at
}
