// Package versions runs the toolpress binary against every WordPress there is
// a way to make: old and new, below a directory, beside its home, with another
// prefix, without rewriting, a network. Each test starts its own site with
// test/wordpress/site and is skipped, with the reason, where that cannot.
package versions

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"toolpress/discover"
	"toolpress/test/running"
)

const script = "../wordpress/site"

// unavailable is the script's exit code where no WordPress can be had.
const unavailable = 77

// binary is the toolpress that is tested; curation is this folder's.
var binary, curation string

func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		fmt.Println("SKIP versions: each of these tests starts a WordPress of its own, and this is -short")
		os.Exit(0)
	}
	dir, err := os.MkdirTemp("", "toolpress-versions-")
	if err == nil {
		binary, err = running.Build(dir)
	}
	if err == nil {
		curation, err = filepath.Abs("curation.yaml")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	interrupted, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	sites.interrupted = interrupted
	go func() {
		<-interrupted.Done()
		sites.stop()
		_ = os.RemoveAll(dir)
		os.Exit(1)
	}()
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// started are the sites that run; an interrupted test leaves none behind.
type started struct {
	interrupted context.Context
	// starting is held for reading while a site starts.
	starting sync.RWMutex
	mu       sync.Mutex
	dirs     map[string]bool
}

var sites = started{dirs: map[string]bool{}}

// run starts a site; when it is interrupted the script ends what it began.
func (s *started) run(dir string, flags []string) (out, said string, code int) {
	s.starting.RLock()
	defer s.starting.RUnlock()
	s.mu.Lock()
	s.dirs[dir] = true
	s.mu.Unlock()
	cmd := exec.CommandContext(s.interrupted, script, append([]string{"start", dir}, flags...)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		return "", err.Error(), -1
	}
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}

func (s *started) end(dir string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.dirs[dir] {
		return nil
	}
	delete(s.dirs, dir)
	return exec.Command(script, "stop", dir).Run()
}

func (s *started) stop() {
	s.starting.Lock() // for good
	s.mu.Lock()
	defer s.mu.Unlock()
	for dir := range s.dirs {
		_ = exec.Command(script, "stop", dir).Run()
		_ = os.RemoveAll(dir)
	}
}

// site is a WordPress that runs.
type site struct {
	dir string
	// env is what the script printed, without TOOLPRESS_TEST_.
	env map[string]string
	// home is the front address.
	home string
	// work is an empty directory, home and config directory of the commands.
	work string
}

// start starts a WordPress for one test.
func start(t *testing.T, flags ...string) *site {
	t.Helper()
	s := &site{dir: filepath.Join(t.TempDir(), "site"), env: map[string]string{}, work: t.TempDir()}
	t.Cleanup(func() { s.stop(t) })
	out, said, code := sites.run(s.dir, flags)
	switch code {
	case 0:
	case unavailable:
		t.Skipf("SKIP real WordPress %v: %s", flags, strings.TrimSpace(said))
	default:
		t.Fatalf("site start %v: exit %d\n%s", flags, code, said)
	}
	for line := range strings.Lines(out) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		s.env[strings.TrimPrefix(name, "TOOLPRESS_TEST_")] = strings.Trim(value, "'")
	}
	s.home = s.env["SITE"]
	return s
}

func (s *site) stop(t *testing.T) {
	t.Helper()
	if err := sites.end(s.dir); err != nil {
		t.Errorf("site stop: %v", err)
	}
}

// toolpress is one run of the binary.
type toolpress struct {
	site     *site
	at       string // TOOLPRESS_SITE; empty for none
	user     string
	password string
}

// as is toolpress at the site's home, as one of its users.
func (s *site) as(role string) toolpress {
	return toolpress{s, s.home, s.env[role+"_USER"], s.env[role+"_PASSWORD"]}
}

// on is the same user at another address.
func (p toolpress) on(address string) toolpress {
	p.at = address
	return p
}

// with is the same login with another password.
func (p toolpress) with(password string) toolpress {
	p.password = password
	return p
}

// run runs toolpress to its end, with nothing of this process's own settings.
func (p toolpress) run(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Dir = p.site.work
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.site.work, "XDG_CONFIG_HOME=" + p.site.work}
	for name, value := range map[string]string{"TOOLPRESS_SITE": p.at, "TOOLPRESS_USER": p.user, "TOOLPRESS_PASSWORD": p.password} {
		if value != "" {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run()
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// must runs toolpress and fails the test when it fails.
func (p toolpress) must(t *testing.T, args ...string) (stdout, stderr string) {
	t.Helper()
	out, said, code := p.run(t, args...)
	if code != 0 {
		t.Fatalf("toolpress %q at %s: exit %d\n%s%s", args, p.at, code, out, said)
	}
	return out, said
}

// discover records the site at an address; said is what a person reads.
func (p toolpress) discover(t *testing.T, address string) (recording []byte, site *discover.Site, said string) {
	t.Helper()
	out, said := p.on("").must(t, "discover", address)
	site, err := discover.Decode([]byte(out))
	if err != nil {
		t.Fatalf("the recording of %s: %v", address, err)
	}
	return []byte(out), site, said
}

// call calls a tool and returns its result.
func (p toolpress) call(t *testing.T, args ...string) map[string]any {
	t.Helper()
	out, _ := p.must(t, append([]string{"call"}, args...)...)
	var result map[string]any
	unmarshal(t, out, &result)
	return result
}

// checked are the names of the tools that check lists.
func (p toolpress) checked(t *testing.T, args ...string) []string {
	t.Helper()
	out, _ := p.must(t, append([]string{"check", "--json"}, args...)...)
	var checked struct {
		Findings []struct{ Message, Allowed string }
		Profiles map[string]struct{ Tools []struct{ Name string } }
	}
	unmarshal(t, out, &checked)
	for _, f := range checked.Findings {
		if f.Allowed == "" {
			t.Errorf("check %v finds %s", args, f.Message)
		}
	}
	var names []string
	for _, tool := range checked.Profiles["default"].Tools {
		names = append(names, tool.Name)
	}
	return names
}

// ask asks WordPress itself, past toolpress: the answer that is the measure.
func (p toolpress) ask(t *testing.T, home, route, query string) (status int, answer []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, home+"/?rest_route="+route+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.SetBasicAuth(p.user, p.password)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err = io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, answer
}

func unmarshal(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v:\n%.400s", err, text)
	}
}

// equal compares two values as JSON.
func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if one, two := canonical(t, got), canonical(t, want); one != two {
		t.Errorf("%s:\n got %s\nwant %s", what, one, two)
	}
}

func canonical(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var plain any
	unmarshal(t, string(text), &plain)
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(plain); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

// hold fails unless got holds every text.
func hold(t *testing.T, got string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(got, text) {
			t.Errorf("%s\nlacks %s", got, text)
		}
	}
}
