// Package release tests what is published: the image's Dockerfile, the files
// of docs/deploy, the releases' script and workflow. It builds from a copy of
// the checkout with a tag of its own and runs what it built; no container
// engine and no cluster is needed. -short skips all of it.
package release

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"toolpress/test/running"
)

// root is the checkout.
const root = "../.."

// token is long enough to be taken for one.
const token = "a token of these tests"

// tag is the version of the copies that are built. The module's major version
// allows v0 and v1.
const tag = "v1.2.3"

// scratch is the folder of everything that tests share; TestMain removes it.
var scratch string

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "toolpress-release-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(scratch)
	os.Exit(code)
}

// environment is what a stranger's machine has: nothing of how Go is set up
// here but where modules come from and go to.
func environment(more ...string) []string {
	env := slices.DeleteFunc(os.Environ(), func(s string) bool {
		name, _, _ := strings.Cut(s, "=")
		return strings.HasPrefix(name, "TOOLPRESS_") || slices.Contains([]string{"GOFLAGS", "CGO_ENABLED", "GOOS", "GOARCH", "GITHUB_REPOSITORY", "SOURCE_DATE_EPOCH"}, name)
	})
	// Not empty: that would let a setting of go env -w through.
	return append(append(env, "GOFLAGS=-buildvcs=auto"), more...)
}

// output runs a program to its end and returns what it printed; the test
// fails when it fails.
func output(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, env
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, &out, &errs)
	}
	return out.String()
}

// exitCode runs a program that may fail, and ends one that would go on.
func exitCode(t *testing.T, env []string, name string, args ...string) (code int, said string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = t.TempDir(), env
	said = func() string { b, _ := cmd.CombinedOutput(); return string(b) }()
	if cmd.ProcessState == nil {
		t.Fatalf("%s does not start", name)
	}
	return cmd.ProcessState.ExitCode(), said
}

// needs skips the test where a program is not installed.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("%s is not installed", p)
		}
	}
}

// checkout is a copy of the checkout as it is now, committed and tagged.
func checkout(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: this builds the release")
	}
	needs(t, "git", "bash")
	copied.Do(func() { copyCheckout(t, filepath.Join(scratch, "checkout")) })
	if t.Failed() || !exists(filepath.Join(scratch, "checkout", ".git", "refs", "tags", tag)) {
		t.Fatal("there is no copy of the checkout")
	}
	return filepath.Join(scratch, "checkout")
}

var copied sync.Once

func copyCheckout(t *testing.T, to string) {
	t.Helper()
	for name := range strings.SplitSeq(output(t, root, os.Environ(), "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"), "\x00") {
		from := filepath.Join(root, name)
		info, err := os.Lstat(from)
		if name == "" || err != nil || !info.Mode().IsRegular() {
			continue // deleted, and not committed yet
		}
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(to, name), string(data), info.Mode().Perm())
	}
	git := func(args ...string) {
		output(t, to, environment("GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z"),
			"git", append([]string{"-c", "user.name=release", "-c", "user.email=release@toolpress.invalid"}, args...)...)
	}
	git("init", "--quiet")
	git("add", "--all")
	git("commit", "--quiet", "--message", "a release")
	git("tag", tag)
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

func write(t *testing.T, name, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// lacks reports the texts that got does not hold.
func lacks(t *testing.T, got string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(got, text) {
			t.Errorf("%q is not in\n%s", text, got)
		}
	}
}

// wordpress is a site small enough to read: posts, and one user whose password
// is "abcd EFGH". It refuses any other credential.
func wordpress(t *testing.T) string {
	t.Helper()
	const index = `{"name":"Maple Street Books","namespaces":["wp/v2"],"routes":{
		"/wp/v2/posts":{"namespace":"wp/v2","methods":["GET","POST"],"endpoints":[
			{"methods":["GET"],"args":{"search":{"type":"string"},"after":{"type":"string"},"before":{"type":"string"},"context":{"type":"string","enum":["view","embed","edit"]},
				"page":{"type":"integer","minimum":1},"per_page":{"type":"integer","minimum":1,"maximum":100}}},
			{"methods":["POST"],"args":{"title":{"type":"string"},"content":{"type":"string"},"status":{"type":"string","enum":["publish","draft"]}}}]},
		"/wp/v2/users/me":{"namespace":"wp/v2","methods":["GET"],"endpoints":[{"methods":["GET"],"args":{}}]}}}`
	answer := func(w http.ResponseWriter, status int, body string) {
		w.Header().Set("Content-Type", "application/json; charset=UTF-8")
		w.Header().Set("Link", `<https://shop.example/wp-json/>; rel="https://api.w.org/"`)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, password, ok := r.BasicAuth(); ok && (user != "ana" || password != "abcd EFGH") {
			answer(w, http.StatusUnauthorized, `{"code":"rest_not_logged_in","message":"no","data":{"status":401}}`)
			return
		}
		switch r.URL.Path {
		case "/", "/index.php", "/wp-json/":
			answer(w, http.StatusOK, index)
		case "/wp-json/wp/v2/users/me":
			answer(w, http.StatusOK, `{"id":1,"slug":"ana","username":"ana","roles":["editor"],"capabilities":{"edit_posts":true}}`)
		default:
			answer(w, http.StatusNotFound, `{"code":"rest_no_route","message":"no","data":{"status":404}}`)
		}
	}))
	t.Cleanup(site.Close)
	return site.URL
}

// log is what a process says, and whether it can say more.
type log struct {
	running.Log
	over atomic.Bool // the process has ended
}

// await polls until ok, or until the process can no longer make it so.
func await(t *testing.T, said *log, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		over := said.over.Load()
		if ok() {
			return
		}
		if over {
			break
		}
	}
	t.Fatalf("%s: it never came; the log:\n%s", what, said)
}

// start runs a program until the test ends or stop is called, which both wait
// for it and expect exit code 0.
func start(t *testing.T, dir string, env []string, name string, args ...string) (said *log, stop func()) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, env
	said = &log{}
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		err := cmd.Wait()
		said.over.Store(true)
		ended <- err
	}()
	stop = sync.OnceFunc(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended by itself
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("%s %s: %v\n%s", name, strings.Join(args, " "), err, said)
			}
		case <-time.After(30 * time.Second):
			_ = cmd.Process.Kill()
			t.Errorf("%s does not end:\n%s", name, said)
		}
	})
	t.Cleanup(stop)
	return said, stop
}

// serve starts toolpress with a command line as a file gives it, on a free
// port of loopback instead of its own, and returns the port's address.
func serve(t *testing.T, args, env []string) (address string, said *log, stop func()) {
	t.Helper()
	args = slices.Clone(args)
	moved := false
	for i, arg := range args {
		if name, _, ok := strings.Cut(arg, "="); ok && name == "--listen" {
			args[i], moved = "--listen=127.0.0.1:0", true
		} else if i > 0 && args[i-1] == "--listen" {
			args[i], moved = "127.0.0.1:0", true
		}
	}
	if !moved {
		args = append(args, "--listen=127.0.0.1:0")
	}
	said, stop = start(t, t.TempDir(), environment(env...), binary(t), args...)
	const mark = "serving MCP at http://"
	await(t, said, mark, func() bool { return strings.Contains(said.String(), "Inspector") })
	_, rest, _ := strings.Cut(said.String(), mark)
	address, _, _ = strings.Cut(rest, "/mcp")
	return address, said, stop
}
