//go:build unix

package watch

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe is refused at once, also one that took the place of a file after that
// was looked at: opening it would wait for a writer for ever.
func TestPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "c.yaml")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	_, whole := ReadFile(name)
	_, late := openRegular(name)
	for _, err := range []error{whole, late} {
		if err == nil || !strings.Contains(err.Error(), "it is not a regular file") {
			t.Error(err)
		}
	}
}
