// Package clients runs the toolpress binary against the MCP clients that exist:
// the Go SDK, the TypeScript SDK 1.x and 2.x and the MCP Inspector, over HTTP
// and stdio, in both eras. It needs no network and no WordPress but for npm,
// which fetches package.json's versions once.
// [toolpress/test/npm] says what happens without it.
package clients

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"toolpress/test/running"
)

// binary is the toolpress that is tested.
var binary string

const (
	modern = "2026-07-28"
	legacy = "2025-11-25"
)

var eras = []string{modern, legacy}

// patience is how long anything may take before it is called broken; less than
// the minute for which toolpress lets a list be cached (TestInspectorListChanged).
const patience = 40 * time.Second

func TestMain(m *testing.M) {
	if era := os.Getenv(parentEra); era != "" {
		os.Exit(parent(era, os.Args[1:]))
	}
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "toolpress-clients-")
	if err == nil {
		defer os.RemoveAll(dir)
		binary, err = running.Build(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// await polls until something is so.
func await(t *testing.T, so func() bool, otherwise func() string) {
	t.Helper()
	running.Await(t, patience, so, otherwise)
}

// process is one that a test started, in a group of its own.
type process struct {
	cmd    *exec.Cmd
	stderr *running.Log
	ended  chan struct{} // closed when it has ended
}

// start starts a process. The test's end kills what is left of its group.
func start(t *testing.T, cmd *exec.Cmd) *process {
	t.Helper()
	p := &process{cmd: cmd, stderr: &running.Log{}, ended: make(chan struct{})}
	if cmd.Env == nil {
		cmd.Env = running.Environment()
	}
	cmd.Stderr = p.stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { defer close(p.ended); _ = cmd.Wait() }() // the state tells
	t.Cleanup(func() {
		if !p.hasEnded() { // else its number may be another's by now
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			<-p.ended
		}
	})
	return p
}

func (p *process) hasEnded() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// end waits until a process has ended and expects its exit code.
func (p *process) end(t *testing.T, code int) {
	t.Helper()
	select {
	case <-p.ended:
	case <-time.After(patience):
		t.Fatalf("%v does not end:\n%s", p.cmd, p.stderr)
	}
	if got := p.cmd.ProcessState; got.ExitCode() != code {
		t.Errorf("%v: %v, expected %d:\n%s", p.cmd, got, code, p.stderr)
	}
}

// output runs a command to its end and returns what it wrote.
func output(t *testing.T, cmd *exec.Cmd, code int) string {
	t.Helper()
	out := &running.Log{}
	cmd.Stdout = out
	p := start(t, cmd)
	p.end(t, code)
	t.Logf("%s\n→ %.300s", strings.Join(cmd.Args, " "), out)
	return out.String()
}

// serve runs toolpress demo over HTTP until the test ends and returns its
// address.
func serve(t *testing.T, curation string, env ...string) (string, *process) {
	t.Helper()
	return reach(t, []string{"demo", "--curation", curation, "--listen", "127.0.0.1:0"}, env...)
}

// reach runs a command of toolpress that serves over HTTP.
func reach(t *testing.T, args []string, env ...string) (string, *process) {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Env = running.Environment(env...)
	p := start(t, cmd)
	t.Cleanup(func() {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Error(err)
		}
		p.end(t, 0)
	})
	p.stderr.Await(t, "tools/list", patience) // the last line
	_, rest, _ := strings.Cut(p.stderr.String(), "serving MCP at ")
	return strings.Fields(rest)[0], p
}

// overStdio are the arguments of a toolpress that the client starts itself.
func overStdio(curation string) []string {
	return []string{binary, "demo", "--stdio", "--curation", curation}
}

// curation writes the demo's own curation to a file, with a tool that asks first.
func curation(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "my.yaml")
	out, err := exec.Command(binary, "demo", "--print").Output()
	asking := bytes.Replace(out, []byte("\n  leave_note:\n"), []byte("\n  leave_note:\n    confirm: { when: always, ask: \""+question+"\", fields: { who: { required: true } } }\n"), 1)
	if err == nil && bytes.Equal(out, asking) {
		err = errors.New("there is no leave_note")
	}
	if err == nil {
		err = os.WriteFile(name, asking, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// question is what leave_note asks first.
const question = "Leave a note?"

// edit renames a tool in a curation, the way an editor saves.
func edit(t *testing.T, curation string) {
	t.Helper()
	text, err := os.ReadFile(curation)
	if err != nil {
		t.Fatal(err)
	}
	edited := bytes.Replace(text, []byte("\n  leave_note:"), []byte("\n  drop_note:"), 1)
	if bytes.Equal(text, edited) {
		t.Fatalf("no leave_note in:\n%s", text)
	}
	if err := os.WriteFile(curation+"~", edited, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(curation+"~", curation); err != nil {
		t.Fatal(err)
	}
}

// tools are what the demo lists, bytewise by name; edited, after edit.
var (
	tools = []string{
		"book_price", "bookshop_list_genres", "bookshop_search_books", "bookshop_shop_hours", "draft_post", "find_authors", "find_categories",
		"find_comments", "find_media", "find_pages", "find_posts", "find_tags", "find_unpublished_posts", "leave_note", "publish_post", "read_page",
		"read_post", "read_post_source", "restore_post", "schedule_post", "search_site", "set_book_price", "trash_post", "update_post",
	}
	edited = func() []string {
		names := slices.Clone(tools)
		names[slices.Index(names, "leave_note")] = "drop_note"
		slices.Sort(names)
		return names
	}()
)
