package clients

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"toolpress/test/npm"
	"toolpress/test/running"
)

// The TypeScript SDKs: 1.x speaks the legacy era only; 2.x what it is told, and
// by itself the newest that the server speaks.
func TestTypeScriptSDK(t *testing.T) {
	node := npm.Install(t)
	for _, c := range []struct {
		name, revision string
		program        []string
	}{
		{"1.x", legacy, []string{"sdk1.mjs"}},
		{"2.x legacy", legacy, []string{"sdk2.mjs", "legacy"}},
		{"2.x modern", modern, []string{"sdk2.mjs", modern}},
		{"2.x auto", modern, []string{"sdk2.mjs", "auto"}},
	} {
		t.Run(c.name+" http", func(t *testing.T) {
			t.Parallel()
			file := curation(t)
			url, _ := serve(t, file)
			compare(t, runScript(t, node, file, append(c.program, url)...), c.revision)
		})
		t.Run(c.name+" stdio", func(t *testing.T) {
			t.Parallel()
			file := curation(t)
			compare(t, runScript(t, node, file, slices.Concat(c.program, overStdio(file))...), c.revision)
		})
	}
}

// runScript runs one of our programs and edits the curation when it listens.
func runScript(t *testing.T, node *npm.Packages, file string, args ...string) (got []step) {
	t.Helper()
	cmd := node.Node(t, args...)
	cmd.Dir = node.Programs(t, "*.mjs")
	out := &running.Log{}
	cmd.Stdout = out
	p := start(t, cmd)
	await(t, func() bool { return p.hasEnded() || strings.Contains(out.String(), `"listening"`) }, out.String)
	edit(t, file)
	p.end(t, 0)
	t.Logf("%s", out)
	for line := range strings.Lines(out.String()) {
		var s step
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		got = append(got, s)
	}
	return got
}
