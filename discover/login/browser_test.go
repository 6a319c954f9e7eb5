package login

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"toolpress/test/running"
)

// The desktop's own opener gets the address, and is not waited for; without a
// desktop nothing is started.
func TestOpenBrowser(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("xdg-open is of other systems")
	}
	dir := t.TempDir()
	opened := filepath.Join(dir, "opened")
	script := "#!/bin/sh\nprintf '%s' \"$#:$1\" > " + opened + ".new && mv " + opened + ".new " + opened + "\n"
	if err := os.WriteFile(filepath.Join(dir, "xdg-open"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	nothing := func(string) string { return "" }
	desktop := func(name string) string { return map[string]string{"DISPLAY": ":0"}[name] }
	address := "https://shop.example/a?b=c&d=$(id)"
	if err := OpenBrowser(address, nothing); err == nil {
		t.Error("opened without a desktop")
	}
	if err := OpenBrowser(address, desktop); err != nil {
		t.Fatal(err)
	}
	said := ""
	running.Await(t, patience, func() bool {
		text, err := os.ReadFile(opened)
		said = string(text)
		return err == nil
	}, func() string { return "xdg-open was not started" })
	if said != "1:"+address {
		t.Errorf("opened %q", said)
	}
	t.Setenv("PATH", t.TempDir())
	if err := OpenBrowser(address, desktop); err == nil {
		t.Error("opened without xdg-open")
	}
}
