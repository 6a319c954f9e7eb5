//go:build unix

package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"toolpress/test/running"
)

// SIGHUP reads everything again: an edit is used at once, and what became of it is
// said.
func TestHangup(t *testing.T) {
	name := filepath.Join(t.TempDir(), "my.yaml")
	if err := os.WriteFile(name, []byte("version: 1\nextends: [preset:wordpress@1]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	log := start(t, nil, io.Discard, "demo", "--listen", "127.0.0.1:0", "--curation", name)
	log.Await(t, "Inspector", patience)
	hangup := func() {
		t.Helper()
		if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
	}
	hangup()
	log.Await(t, "SIGHUP: all was read, and the lists of tools are as they were", patience)
	// In place: without the signal it would be read a moment later.
	if err := os.WriteFile(name, []byte("version: 1\nexpos: []\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	hangup()
	log.Await(t, "SIGHUP: not used: 1 error", patience)
	if !strings.Contains(log.String(), `my.yaml:2:1: a curation has no key "expos"`) {
		t.Errorf("%s", log)
	}
}

// T46: a storm of SIGHUPs, before, while and after it is told to end, does not keep
// it from ending, nor end it any other way.
func TestCase_T46(t *testing.T) {
	binary, err := running.Build(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "demo", "--listen", "127.0.0.1:0")
	cmd.Env = running.Environment()
	said := &running.Log{}
	cmd.Stderr = said
	// Without the terminal that this test may have.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	said.Await(t, "Inspector", patience)
	stop := make(chan struct{})
	storm := make(chan struct{})
	go func() {
		defer close(storm)
		for {
			select {
			case <-stop:
				return
			default:
				_ = cmd.Process.Signal(syscall.SIGHUP)
			}
		}
	}()
	said.Await(t, "SIGHUP: all was read", patience)
	_ = cmd.Process.Signal(syscall.SIGTERM)
	select {
	case err := <-ended:
		if err != nil || !strings.HasSuffix(said.String(), "stopped\n") {
			t.Errorf("%v:\n%s", err, said)
		}
	case <-time.After(patience):
		_ = cmd.Process.Kill()
		t.Errorf("it does not end:\n%s", said)
	}
	close(stop)
	<-storm
}
