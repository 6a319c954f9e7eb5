package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// auditLines reads a file of lines: the tool and the outcome of each.
func auditLines(t *testing.T, text string) (lines []string) {
	t.Helper()
	for line := range strings.Lines(text) {
		var e struct {
			Tool, Outcome string
			Values        map[string]any
		}
		if json.Unmarshal([]byte(line), &e) == nil && e.Outcome != "" {
			text, _ := json.Marshal(e.Values)
			lines = append(lines, e.Tool+" "+e.Outcome+" "+string(text))
		}
	}
	return lines
}

// --audit FILE is made for its owner alone and added to; a file that rotation moved
// away is followed by a new one, without a signal; --audit - is standard error.
func TestAudit(t *testing.T) {
	name := filepath.Join(t.TempDir(), "audit.jsonl")
	for i, flags := range [][]string{{"--audit", name}, {"--audit", name, "--audit-values"}, {"--audit", "-"}} {
		log := start(t, nil, io.Discard, append([]string{"demo", "--listen", "127.0.0.1:0"}, flags...)...)
		log.Await(t, "Inspector", patience)
		_, rest, _ := strings.Cut(log.String(), "serving MCP at ")
		session, _ := connect(t, &mcp.StreamableClientTransport{Endpoint: strings.Fields(rest)[0]}, eras[0])
		find := func() { call(t, session, "find_posts", map[string]any{"query": "sale"}) }
		find()
		if flags[1] == "-" {
			if got := auditLines(t, log.String()); len(got) != 1 || got[0] != "find_posts ok null" {
				t.Errorf("on standard error: %q", got)
			}
			continue
		}
		if err := os.Rename(name, name+".1"); err != nil {
			t.Fatal(err)
		}
		find()
		values := "null"
		if i == 1 {
			values = `{"query":"sale"}`
		}
		// The first run's second line is there when the second begins.
		for file, n := range map[string]int{name + ".1": 1 + i, name: 1} {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := auditLines(t, string(text))
			// G69: as whom the site was asked.
			if len(got) != n || got[n-1] != "find_posts ok "+values || strings.Count(string(text), `"account":"editor"`) != n {
				t.Errorf("%s: %q\n%s", file, got, text)
			}
			if info, _ := os.Stat(file); goruntime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
				t.Errorf("%s is %v", file, info.Mode())
			}
		}
	}
}

// Where a new file cannot be made, the lines go to the one that was moved away.
func TestAuditFileThatCannotBeOpenedAgain(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "logs", "audit.jsonl")
	if err := os.Mkdir(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	f := &auditFile{path: name}
	if err := f.open(); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Dir(name), filepath.Join(dir, "old")); err != nil {
		t.Fatal(err)
	}
	n, err := f.Write([]byte("line\n"))
	if n != 5 || err == nil || !strings.Contains(err.Error(), "opening "+name+" again: no such file") {
		t.Errorf("%d %v", n, err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "old", "audit.jsonl")); string(text) != "line\n" {
		t.Errorf("%q %v", text, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// What cannot be an audit is told at the start, by its name (T41).
func TestNoAudit(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--audit", dir}, "--audit " + dir + ": it is no regular file"},
		{[]string{"--audit", os.DevNull}, "--audit " + os.DevNull + ": it is no regular file"},
		{[]string{"--audit", filepath.Join(dir, "none", "a")}, "none/a: no such file or directory"},
		{[]string{"--audit-values"}, "say --audit FILE too"},
	} {
		var out bytes.Buffer
		if code := run(t.Context(), append([]string{"demo", "--listen", "127.0.0.1:0"}, c.args...), os.Getenv, nil, io.Discard, &out); code != exitUsage || !strings.Contains(out.String(), c.want) {
			t.Errorf("%v: %d %s", c.args, code, &out)
		}
	}
}
