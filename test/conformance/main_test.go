// Package conformance runs the official conformance suite
// (@modelcontextprotocol/conformance, package.json has the version) against the
// toolpress binary, which serves the embedded WordPress with a curation whose
// tools are named as the suite asks:
//
//	go test ./test/conformance
//
// What does not pass is in baseline.yaml, each check with the reason; the test
// fails when another one does not pass, and when one of these does. -update
// writes what was found into docs/conformance.md. It needs no network and no
// WordPress but for npm, which fetches the suite once; [toolpress/test/npm] says
// what happens without it.
package conformance

import (
	"bytes"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"toolpress/discover/wptest"
	"toolpress/test/running"
)

// binary is the toolpress that is tested.
var binary string

var update = flag.Bool("update", false, "rewrite docs/conformance.md")

// revisions are the requirement sets; each is run on the wire of its revision.
var revisions = []string{"2026-07-28", "2025-11-25"}

// patience is how long toolpress may take to start or end.
const patience = 30 * time.Second

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "toolpress-conformance-")
	if err == nil {
		defer os.RemoveAll(dir)
		binary, err = running.Build(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// serve runs toolpress for a bookshop of the test's own and returns its address.
func serve(t *testing.T) string {
	t.Helper()
	curation := copied(t)
	shop := wptest.New(wptest.Files())
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		shop.ServeHTTP(w, r)
		if strings.HasSuffix(r.URL.Path, "/bookshop/v1/echo/change") {
			curation.save(t)
		}
	}))
	t.Cleanup(site.Close)
	cmd := exec.Command(binary, "serve", "--curation", curation.name, "--listen", "127.0.0.1:0")
	admin := shop.Users()[0]
	cmd.Env = running.Environment("TOOLPRESS_SITE="+site.URL, "TOOLPRESS_USER="+admin.Login, "TOOLPRESS_PASSWORD="+admin.Password)
	address, _ := running.Serve(t, cmd, patience)
	return address
}

// file is the curation that is served.
type file struct {
	name string
	text []byte

	mu sync.Mutex // held while the file is saved; guards n
	n  int
}

// copied is a copy of this folder's curation.
func copied(t *testing.T) *file {
	t.Helper()
	text, err := os.ReadFile("curation.yaml")
	if err != nil {
		t.Fatal(err)
	}
	f := &file{name: filepath.Join(t.TempDir(), "curation.yaml"), text: text}
	f.save(t)
	return f
}

// save writes the file with a description that it never had, and so with a list
// of tools that never was, the way an editor saves.
func (f *file) save(t *testing.T) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n++
	text := bytes.Replace(f.text, []byte("Have the list of tools change"), fmt.Appendf(nil, "Have the list of tools change, for the %dth time", f.n), 1)
	err := os.WriteFile(f.name+"~", text, 0o600)
	if err == nil {
		err = os.Rename(f.name+"~", f.name)
	}
	if err != nil || bytes.Equal(text, f.text) {
		t.Errorf("saving %s: %v", f.name, err)
	}
}
