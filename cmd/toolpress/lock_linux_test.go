package main

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// A directory that cannot be written: an error that says so, the old lock whole, and
// nothing left beside it. Root may write everywhere, and is somebody else for that
// long.
func TestLockInReadOnlyDirectory(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "curation.lock.json")
	if err := writeLock(file, nil, []byte("old")); err != nil {
		t.Fatal(err)
	}
	for at := dir; at != filepath.Dir(at) && strings.HasPrefix(at, os.TempDir()+"/"); at = filepath.Dir(at) {
		if err := os.Chmod(at, 0o555); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = os.Chmod(at, 0o755) }()
	}
	if os.Geteuid() == 0 {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := syscall.Setfsuid(65534); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = syscall.Setfsuid(0) }()
	}
	err := writeLock(file, []byte("old"), []byte("new"))
	if err == nil || !strings.Contains(err.Error(), "curation.lock.json: permission denied") {
		t.Error(err)
	}
	if text, err := os.ReadFile(file); string(text) != "old" {
		t.Errorf("%q, %v", text, err)
	}
	if left := entries(t, dir); !slices.Equal(left, []string{"curation.lock.json"}) {
		t.Errorf("%v", left)
	}
}
