package running

import (
	"errors"
	"fmt"
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
	s, stop, err := begin(t.TempDir()+"/shop", flags...)
	t.Cleanup(stop)
	return s, err
}

// OnOwnSite is [OnSite] for tests that change the site so that others could not go
// on with it: they get one of the same version for themselves. Where none can be
// made, they have the test site.
func OnOwnSite(m *testing.M, what string, binary *string) int {
	if os.Getenv("TOOLPRESS_TEST_SITE") == "" {
		return OnSite(m, what, binary)
	}
	var flags []string
	if parts := strings.Split(os.Getenv("TOOLPRESS_TEST_VERSION"), "."); len(parts) > 1 {
		flags = []string{"--version", parts[0] + "." + parts[1]}
	}
	dir, err := os.MkdirTemp("", "toolpress-site-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	s, stop, err := begin(dir+"/shop", flags...)
	defer stop()
	if err == nil {
		for name, value := range s.Env {
			_ = os.Setenv(name, value) // a name of a variable
		}
	}
	return OnSite(m, what, binary)
}

// begin starts a WordPress in dir, until stop or an interruption.
func begin(dir string, flags ...string) (s *Site, stop func(), err error) {
	s = &Site{Dir: dir, Env: map[string]string{}}
	end := sync.OnceFunc(func() { _ = exec.Command(script, "stop", s.Dir).Run() })
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	var waiting sync.WaitGroup
	waiting.Go(func() {
		select {
		case <-interrupted:
			end()
			os.Exit(1)
		case <-done:
		}
	})
	stop = func() {
		signal.Stop(interrupted)
		close(done)
		waiting.Wait()
		end()
	}
	out, err := exec.Command(script, append([]string{"start", s.Dir}, flags...)...).Output()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		return nil, stop, errors.New(strings.TrimSpace(string(failed.Stderr)))
	}
	if err != nil {
		return nil, stop, err
	}
	for line := range strings.Lines(string(out)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		s.Env[name] = strings.Trim(value, "'")
	}
	return s, stop, nil
}

// Do has the script do something with the site: "again", "php".
func (s *Site) Do(t testing.TB, action string, args ...string) {
	t.Helper()
	if out, err := exec.Command(script, append([]string{action, s.Dir}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("site %s %v: %v\n%s", action, args, err, out)
	}
}
