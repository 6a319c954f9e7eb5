//go:build unix

package media

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// T41: a pipe that nobody writes to and a device are refused at once, and so is what
// may not be read.
func TestPipesAndDevices(t *testing.T) {
	root := write(t, map[string]string{"closed.png": png})
	if err := syscall.Mkfifo(filepath.Join(root, "pipe.png"), 0o600); err != nil {
		t.Skip(err)
	}
	if _, _, err := take(t, "pipe.png", root); err == nil || !strings.Contains(err.Message, "a directory or something else") {
		t.Errorf("%v", err)
	}
	if _, _, err := take(t, "null", "/dev"); err == nil || !strings.Contains(err.Message, "a directory or something else") {
		t.Errorf("%v", err)
	}
	if os.Getuid() == 0 {
		return // root reads everything
	}
	if err := os.Chmod(filepath.Join(root, "closed.png"), 0); err != nil {
		t.Fatal(err)
	}
	if _, _, err := take(t, "closed.png", root); err == nil || !strings.Contains(err.Message, "may not be read") {
		t.Errorf("%v", err)
	}
}
