//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
	"toolpress/test/running"
)

// brokenFiles are curations that cannot be read, or not used: how to make one
// under a name, and what is said of it.
var brokenFiles = []struct {
	name string
	make func(name string) error
	said string
}{
	{"a pipe", func(name string) error { return syscall.Mkfifo(name, 0o600) }, "it is not a regular file"},
	{"a directory", func(name string) error { return os.Symlink(filepath.Dir(name), name) }, "it is not a regular file"},
	{"a device without end", func(name string) error { return os.Symlink("/dev/zero", name) }, "it is not a regular file"},
	{"a link to itself", func(name string) error { return os.Symlink(filepath.Join(filepath.Dir(name), "my.yaml"), name) }, "too many levels of symbolic links"},
	{"a link to nothing", func(name string) error { return os.Symlink("gone", name) }, "no such file or directory"},
	{"a file nobody may read", func(name string) error { return os.WriteFile(name, []byte("version: 1\n"), 0) }, "permission denied"},
	{"2 MiB", written("version: 1\n" + strings.Repeat("# x\n", 1<<19)), "the file is larger than 1048576 bytes"},
	{"nothing", written(""), "the file is empty"},
	{"half a file", written("version: 1\ntools: { find_posts: { from: \"GET /wp"), "what begins here does not end"},
	{"UTF-16", written("\xff\xfev\x00e\x00"), "the text is UTF-16"},
	{"NUL bytes", written("version: 1\n\x00\x00"), "my.yaml:2:1: this is not YAML: the character U+0000 is not allowed"},
	{"two documents", written("version: 1\n---\nversion: 1\n"), "my.yaml:2:1: a second YAML document"},
	{"aliases without end", written("version: 1\nexclude: [&a { vendor: x }" + strings.Repeat(", *a", 101) + "]\n"), "more than 100 aliases"},
	{"itself", written("version: 1\nextends: ./my.yaml\n"), "my.yaml extends itself"},
	{"a pipe below it", func(name string) error {
		if err := syscall.Mkfifo(filepath.Join(filepath.Dir(name), "pipe"), 0o600); err != nil {
			return err
		}
		return written("version: 1\nextends: pipe\n")(name)
	}, "my.yaml:2:10: reading "},
	{"links to its own directory", func(name string) error {
		for _, link := range []string{"a", "b"} {
			if err := os.Symlink(".", filepath.Join(filepath.Dir(name), link)); err != nil {
				return err
			}
		}
		return written("version: 1\nextends: [a/my.yaml, b/my.yaml]\n")(name)
	}, "a curation is made of more than 64 files"},
}

func written(text string) func(name string) error {
	return func(name string) error { return os.WriteFile(name, []byte(text), 0o600) }
}

// readable reports that the rights of files bind nobody here, as for root.
func readable(name string) bool {
	f, err := os.Open(name)
	if err == nil {
		_ = f.Close()
	}
	return err == nil
}

// What is no curation is said at once, with its place, and nothing waits for it.
func TestCurationFiles(t *testing.T) {
	for _, c := range brokenFiles {
		t.Run(c.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "my.yaml")
			if err := c.make(name); err != nil {
				t.Fatal(err)
			}
			if c.said == "permission denied" && readable(name) {
				t.Skip("this user may read every file")
			}
			var out bytes.Buffer
			code := run(t.Context(), []string{"check", "--from", "../../curate/testdata/shop.json", "--curation", name}, func(string) string { return "" }, nil, &out, &out)
			if code != exitFindings || !strings.Contains(out.String(), c.said) {
				t.Errorf("exit code %d: %s", code, &out)
			}
		})
	}
}

// R15: while it serves, such a file is said and not used: the old tools stay,
// and the next good one is taken.
func TestReloadOfBrokenFiles(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "my.yaml")
	replace := func(make func(name string) error) {
		t.Helper()
		next := filepath.Join(dir, "next.yaml")
		if err := make(next); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(next, name); err != nil {
			t.Fatal(err)
		}
	}
	replace(written("version: 1\nextends: [preset:wordpress@1]\n"))
	log := start(t, nil, io.Discard, "demo", "--listen", "127.0.0.1:0", "--curation", name)
	log.Await(t, "Inspector", patience)
	_, rest, _ := strings.Cut(log.String(), "serving MCP at ")
	session, _ := connect(t, &mcp.StreamableClientTransport{Endpoint: strings.Fields(rest)[0]}, eras[0])
	tools := func() string {
		list, err := session.ListTools(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, tool := range list.Tools {
			names = append(names, tool.Name)
		}
		return strings.Join(names, " ")
	}
	await := func(after int, text string) {
		t.Helper()
		running.Await(t, patience, func() bool { return strings.Contains(log.String()[after:], text) }, func() string { return fmt.Sprintf("%q was never said:\n%s", text, log.String()[after:]) })
	}
	before := tools()
	for i, c := range brokenFiles {
		if c.said == "permission denied" && os.Geteuid() == 0 {
			continue
		}
		from := len(log.String())
		replace(c.make)
		await(from, "my.yaml is not used: the tools stay as they were")
		if !strings.Contains(log.String()[from:], c.said) {
			t.Errorf("%s: %q is not said:\n%s", c.name, c.said, log.String()[from:])
		}
		if got := tools(); got != before {
			t.Fatalf("%s: %s", c.name, got)
		}
		from = len(log.String())
		replace(written(fmt.Sprintf("version: 1\nextends: [preset:wordpress@1]\n# %d\n", i)))
		await(from, "the list of tools did not")
	}
}

// T41: a curation or a lock that everybody may write is told; one of a group's is not.
func TestOpenFiles(t *testing.T) {
	dir := t.TempDir()
	s := &source{files: map[string][]byte{}}
	for name, mode := range map[string]os.FileMode{"c.yaml": 0o664, "c.lock.json": 0o646, "gone.yaml": 0} {
		at := filepath.Join(dir, name)
		if s.files[at] = nil; mode == 0 {
			continue
		}
		if err := errors.Join(os.WriteFile(at, nil, 0o600), os.Chmod(at, mode)); err != nil {
			t.Fatal(err)
		}
	}
	var err error
	if s.curation, err = curate.BuiltIn(); err != nil {
		t.Fatal(err)
	}
	found := s.cautions(&curate.Catalog{})
	if len(found) != 1 || found[0].ID != "open-file" || found[0].Pos.File != filepath.Join(dir, "c.lock.json") || !strings.Contains(found[0].Message, "(mode 0646)") {
		t.Errorf("%v", found)
	}
}
