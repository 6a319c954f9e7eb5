// Package chaos has everything happen to a toolpress at once, and holds what its
// clients saw against what may be (package history):
//
//	make chaos                      # a minute each
//	make chaos SEED=7 FOR=10s       # the same writes, faults and clients again
//	go test ./test/chaos            # some seconds each, as make check does
//
// The binary is the real one; the site is the embedded WordPress of discover/wptest,
// in the test's process, so that a call is seen where it arrives. A seed decides what
// is written, broken and asked, and in which order; the scheduler decides the rest.
package chaos

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"toolpress/test/chaos/history"
	"toolpress/test/running"
)

var (
	seedFlag = flag.Uint64("seed", 0, "what decides what happens; 0 takes one of its own, and says it")
	lasts    = flag.Duration("for", 4*time.Second, "how long each scenario lasts")
	many     = flag.Int("listeners", 1000, "how many listen in the scenario of many")
	update   = flag.Bool("update", false, "rewrite docs/chaos.md from this run")
)

// patience is how long anything may take before it is called broken: ten times what
// the slowest of it may, the ten seconds of a shutdown.
const patience = 100 * time.Second

var (
	seed   uint64
	binary string // the toolpress that is tested
)

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	if seed = *seedFlag; seed == 0 {
		seed = rand.Uint64N(1_000_000) + 1
	}
	fmt.Printf("seed %d, %v each; again with: make chaos SEED=%d FOR=%v\n", seed, *lasts, seed, *lasts)
	dir, err := os.MkdirTemp("", "toolpress-chaos-")
	if err == nil {
		defer os.RemoveAll(dir)
		binary, err = running.Build(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := m.Run()
	if *update && code == 0 {
		if err := write(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	return code
}

// draw is the randomness of one part of a scenario: parts that run beside each other
// do not share one, so that a seed means the same each time.
func draw(part string, n int) *rand.Rand {
	sum := uint64(n)
	for _, b := range []byte(part) {
		sum = sum*31 + uint64(b)
	}
	return rand.New(rand.NewPCG(seed, sum))
}

// principals are how many tokens there are: what one client may hold open is less
// than all listeners need.
const principals = 12

func token(i int) string {
	return fmt.Sprintf("a-token-of-chaos-%02d-%s", i%principals, strings.Repeat("x", 16))
}

// world is one toolpress, its site, and what is seen of them.
type world struct {
	*history.Record
	t     *testing.T
	began time.Time
	dir   string
	cmd   *exec.Cmd
	url   string
	said  *running.Log
}

func newWorld(t *testing.T) *world {
	return &world{Record: &history.Record{}, t: t, began: time.Now(), dir: t.TempDir()}
}

// now is the moment on the clock of the history.
func (w *world) now() time.Duration { return time.Since(w.began) }

// command is a toolpress that serves a site by a curation, and lets all principals
// in.
func (w *world) command(s *site, curation string, flags ...string) *exec.Cmd {
	w.t.Helper()
	var tokens strings.Builder
	for i := range principals {
		fmt.Fprintln(&tokens, token(i))
	}
	file := filepath.Join(w.t.TempDir(), "tokens")
	if err := os.WriteFile(file, []byte(tokens.String()), 0o600); err != nil {
		w.t.Fatal(err)
	}
	editor := s.shop.Users()[1]
	cmd := exec.Command(binary, append([]string{"serve", "--curation", curation, "--listen", "127.0.0.1:0", "--state-dir", w.t.TempDir()}, flags...)...)
	cmd.Env = running.Environment("TOOLPRESS_SITE="+s.URL, "TOOLPRESS_USER="+editor.Login, "TOOLPRESS_PASSWORD="+editor.Password, "TOOLPRESS_TOKEN_FILE="+file)
	return cmd
}

// serve starts it.
func (w *world) serve(s *site, curation string, flags ...string) {
	w.t.Helper()
	w.cmd = w.command(s, curation, flags...)
	w.url, w.said = running.Serve(w.t, w.cmd, patience)
}

// verdict fails the test for each rule that the history breaks.
func (w *world) verdict(listeners []string) history.History {
	w.t.Helper()
	h := w.History(listeners)
	if bad := h.Check(); len(bad) > 0 {
		w.t.Errorf("seed %d: %d violations:\n%s\n%s", seed, len(bad), history.Summary(bad), tail(w.said.String()))
	}
	if strings.Contains(w.said.String(), "panic") {
		w.t.Errorf("it panicked:\n%s", tail(w.said.String()))
	}
	return h
}

// tail is the end of what was said, without the calls.
func tail(text string) string {
	var rest strings.Builder
	for line := range strings.Lines(text) {
		if !strings.Contains(line, " msg=call ") {
			rest.WriteString(line)
		}
	}
	return rest.String()[max(0, rest.Len()-4000):]
}
