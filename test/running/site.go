package running

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// script makes a WordPress. Tests run in their package's folder.
const script = "../wordpress/site"

// Site is a WordPress of one test's own.
type Site struct {
	// Dir is its directory.
	Dir string
	// Env is what the script says of it: TOOLPRESS_TEST_SITE and so on.
	Env map[string]string
}

// OwnSite starts a WordPress for one test, and ends it even when the test is
// interrupted. The error says why there is none.
func OwnSite(t testing.TB, flags ...string) (*Site, error) {
	t.Helper()
	s := &Site{Dir: t.TempDir() + "/shop", Env: map[string]string{}}
	stop := sync.OnceFunc(func() { _ = exec.Command(script, "stop", s.Dir).Run() })
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	var waiting sync.WaitGroup
	waiting.Go(func() {
		select {
		case <-interrupted:
			stop()
			os.Exit(1)
		case <-done:
		}
	})
	t.Cleanup(func() {
		signal.Stop(interrupted)
		close(done)
		waiting.Wait()
		stop()
	})
	out, err := exec.Command(script, append([]string{"start", s.Dir}, flags...)...).Output()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		return nil, errors.New(strings.TrimSpace(string(failed.Stderr)))
	}
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(out)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		s.Env[name] = strings.Trim(value, "'")
	}
	return s, nil
}

// Do has the script do something with the site: "again", "php".
func (s *Site) Do(t testing.TB, action string, args ...string) {
	t.Helper()
	if out, err := exec.Command(script, append([]string{action, s.Dir}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("site %s %v: %v\n%s", action, args, err, out)
	}
}
