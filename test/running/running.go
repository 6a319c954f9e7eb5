// Package running has what the tests of the built binary share: the binary, its
// environment, and what a process says, readable while it runs. Nothing of the product is here.
package running

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Build builds toolpress into dir and returns the binary's name.
func Build(dir string) (string, error) {
	binary := filepath.Join(dir, "toolpress")
	if out, err := exec.Command("go", "build", "-o", binary, "toolpress/cmd/toolpress").CombinedOutput(); err != nil {
		return "", fmt.Errorf("building toolpress: %w\n%s", err, out)
	}
	return binary, nil
}

// OnSite runs the tests of a package that need the test site, with the binary
// that they test, and returns the exit code; without a site they are skipped,
// and what they are is said. For TestMain.
func OnSite(m *testing.M, what string, binary *string) int {
	if os.Getenv("TOOLPRESS_TEST_SITE") == "" {
		fmt.Printf("SKIP %s: no TOOLPRESS_TEST_SITE; run it below test/wordpress/site run -- go test\n", what)
		return 0
	}
	dir, err := os.MkdirTemp("", "toolpress-test-")
	if err == nil {
		defer os.RemoveAll(dir)
		*binary, err = Build(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// Serve starts a toolpress that serves over HTTP and returns its MCP address and
// what it says. At the test's end it is sent SIGTERM, and its exit code must be 0;
// patience bounds either.
func Serve(t testing.TB, cmd *exec.Cmd, patience time.Duration) (address string, said *Log) {
	t.Helper()
	said = &Log{}
	cmd.Stderr = said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("toolpress ended with %v:\n%s", err, said)
			}
		case <-time.After(patience):
			_ = cmd.Process.Kill()
			t.Errorf("toolpress does not end:\n%s", said)
		}
	})
	const mark = "serving MCP at "
	said.Await(t, mark, patience)
	_, rest, _ := strings.Cut(said.String(), mark)
	said.Await(t, "Inspector", patience) // the last line
	return strings.Fields(rest)[0], said
}

// Environment is this process's without what toolpress, an MCP client or npm
// would read of it.
func Environment(extra ...string) []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "TOOLPRESS_") || strings.HasPrefix(v, "MCP_") || strings.HasPrefix(strings.ToLower(v), "npm_")
	})
	return append(env, extra...)
}

// Log is what a process says. The zero value is ready.
type Log struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write implements [io.Writer].
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

// String is everything said so far.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// Await polls until a text was said; the test fails when that takes longer than
// patience.
func (l *Log) Await(t testing.TB, text string, patience time.Duration) {
	t.Helper()
	Await(t, patience, func() bool { return strings.Contains(l.String(), text) }, func() string { return fmt.Sprintf("%q was never said:\n%s", text, l) })
}

// Await polls until something is so; the test fails with what otherwise says
// when that takes longer than patience.
func Await(t testing.TB, patience time.Duration, so func() bool, otherwise func() string) {
	t.Helper()
	for deadline := time.Now().Add(patience); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal(otherwise())
		}
	}
}
