package release

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"gopkg.in/yaml.v3"
)

const version = "1.2.3"

var snapped sync.Once

// snapshot is the folder that the script wrote for linux/amd64.
func snapshot(t *testing.T) string {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the snapshot that is tried is linux/amd64's")
	}
	dir, out := checkout(t), filepath.Join(scratch, "dist")
	snapped.Do(func() { script(t, dir, out) })
	if !exists(filepath.Join(out, "SHA256SUMS")) {
		t.Fatal("there is no snapshot")
	}
	return out
}

func script(t *testing.T, dir, out string) {
	t.Helper()
	output(t, dir, environment(), "bash", ".github/release/snapshot", "--out", out, "linux/amd64")
}

// The binary of a release, and that its checksums and its list of parts are of it.
func TestSnapshot(t *testing.T) {
	dist := snapshot(t)
	binary := filepath.Join(dist, "bin", "linux_amd64", "toolpress")
	lacks(t, output(t, dist, nil, binary, "version"), "toolpress "+version+" (go")
	shop, err := filepath.Abs(filepath.Join(root, "curate", "testdata", "shop.json"))
	if err != nil {
		t.Fatal(err)
	}
	lacks(t, output(t, t.TempDir(), nil, binary, "generate", "--from", shop), `"format": "toolpress/catalog/1"`, `"find_posts"`)
	needs(t, "sha256sum")
	sums := output(t, dist, environment(), "sha256sum", "--check", "SHA256SUMS")
	archive := "toolpress_" + version + "_linux_amd64.tar.gz"
	lacks(t, sums, archive+": OK", "toolpress_"+version+"_linux_amd64.cdx.json: OK", "toolpress_"+version+".mcpb: OK")

	files := untar(t, filepath.Join(dist, archive))
	folder := "toolpress_" + version + "_linux_amd64/"
	if !bytes.Equal(files[folder+"toolpress"], []byte(read(t, binary))) || files[folder+"LICENSE"] == nil || files[folder+"README.md"] == nil {
		t.Error("the archive does not hold the binary, the LICENSE and the README")
	}
	var bom struct {
		Format   string `json:"bomFormat"`
		Metadata struct {
			Component struct{ Name, Version string }
		}
		Components []struct{ Name, Version, Purl string }
	}
	decode(t, []byte(read(t, filepath.Join(dist, "toolpress_"+version+"_linux_amd64.cdx.json"))), &bom)
	if bom.Format != "CycloneDX" || bom.Metadata.Component.Name != "toolpress" || bom.Metadata.Component.Version != tag {
		t.Errorf("its list of parts is of %+v", bom.Metadata)
	}
	parts := map[string]string{}
	for _, c := range bom.Components {
		parts[c.Name] = c.Version
	}
	for line := range strings.Lines(output(t, dist, environment(), "go", "version", "-m", binary)) {
		if f := strings.Fields(line); len(f) > 2 && f[0] == "dep" && parts[f[1]] != f[2] {
			t.Errorf("its list of parts lacks %s %s", f[1], f[2])
		}
	}
	if parts["std"] == "" {
		t.Error("its list of parts lacks Go")
	}
}

// The same commit gives the same bytes, wherever the checkout lies.
func TestSnapshotAgain(t *testing.T) {
	dist := snapshot(t)
	elsewhere, again := filepath.Join(t.TempDir(), "another name"), filepath.Join(t.TempDir(), "dist")
	output(t, scratch, environment(), "git", "clone", "--quiet", checkout(t), elsewhere)
	script(t, elsewhere, again)
	if d := cmp.Diff(contents(t, dist), contents(t, again)); d != "" {
		t.Error(d)
	}
}

// A folder that is not a snapshot is left alone.
func TestSnapshotKeepsOthersFiles(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "precious"), "", 0o644)
	code, said := exitCode(t, environment(), "bash", filepath.Join(checkout(t), ".github/release/snapshot"), "--out", dir, "linux/amd64")
	if code != 1 || !exists(filepath.Join(dir, "precious")) {
		t.Errorf("exit code %d\n%s", code, said)
	}
}

// A desktop application unpacks the bundle, fills in what its user said, and
// talks to the server it starts.
func TestBundle(t *testing.T) {
	bundle, dir := filepath.Join(snapshot(t), "toolpress_"+version+".mcpb"), t.TempDir()
	unzip(t, bundle, dir)
	var manifest struct {
		ManifestVersion string `json:"manifest_version"`
		Name, Version   string
		Server          struct {
			Type       string
			EntryPoint string `json:"entry_point"`
			Config     struct {
				Command   string
				Args      []string
				Env       map[string]string
				Overrides map[string]struct{ Command string } `json:"platform_overrides"`
			} `json:"mcp_config"`
		}
		UserConfig map[string]struct {
			Type                string
			Sensitive, Required bool
			Default             *string
		} `json:"user_config"`
	}
	decode(t, []byte(read(t, filepath.Join(dir, "manifest.json"))), &manifest)
	config := manifest.Server.Config
	if manifest.ManifestVersion != "0.3" || manifest.Name != "toolpress" || manifest.Version != version || manifest.Server.Type != "binary" {
		t.Errorf("%+v", manifest)
	}
	if config.Command != "${__dirname}/"+manifest.Server.EntryPoint || config.Overrides["win32"].Command != config.Command+".exe" {
		t.Errorf("entry point %s, command %s", manifest.Server.EntryPoint, config.Command)
	}
	password := manifest.UserConfig["password"]
	if !password.Sensitive || !manifest.UserConfig["site"].Required {
		t.Errorf("what it asks of its user: %+v", manifest.UserConfig)
	}

	said := map[string]string{"site": wordpress(t), "user": "ana", "password": "abcd EFGH"}
	fill := func(text string) string {
		text = strings.ReplaceAll(text, "${__dirname}", dir)
		for name, setting := range manifest.UserConfig {
			value, given := said[name]
			if !given && setting.Default == nil {
				// Applications leave the placeholder of an unset setting as it is.
				t.Errorf("%s is optional and has no default", name)
			} else if !given {
				value = *setting.Default
			}
			text = strings.ReplaceAll(text, "${user_config."+name+"}", value)
		}
		return text
	}
	cmd := exec.Command(fill(config.Command))
	for _, arg := range config.Args {
		if strings.HasPrefix(arg, "${user_config.") {
			t.Errorf("%s: applications do not fill in an empty value where it is the whole argument", arg)
		}
		cmd.Args = append(cmd.Args, fill(arg))
	}
	cmd.Env, cmd.Dir = environment(), t.TempDir()
	for name, value := range config.Env {
		cmd.Env = append(cmd.Env, name+"="+fill(value))
	}
	log := &log{}
	cmd.Stderr = log
	session, err := mcp.NewClient(&mcp.Implementation{Name: "release", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, log)
	}
	defer session.Close()
	if !listed(t, session, "find_posts") {
		t.Errorf("find_posts is not listed\n%s", log)
	}
	lacks(t, log.String(), "read as     ana")
}

// npm installs the two packages, without a script and without the network, and
// npx runs the binary.
func TestNPM(t *testing.T) {
	needs(t, "npm", "npx", "node")
	dist, dir := snapshot(t), t.TempDir()
	env := environment("npm_config_cache="+filepath.Join(dir, "cache"), "npm_config_userconfig="+filepath.Join(dir, "none"), "npm_config_update_notifier=false", "npm_config_offline=true")
	for _, name := range []string{"toolpress-" + version + ".tgz", "toolpress-linux-x64-" + version + ".tgz"} {
		var p struct{ Scripts map[string]string }
		decode(t, untar(t, filepath.Join(dist, "npm", name))["package/package.json"], &p)
		if len(p.Scripts) > 0 {
			t.Errorf("%s runs %v", name, p.Scripts)
		}
		// npm's own reading of it: what it would publish.
		output(t, dir, env, "npm", "pack", "--silent", "--pack-destination", dir, filepath.Join(dist, "npm", name))
	}
	write(t, filepath.Join(dir, "package.json"), "{}", 0o644)
	output(t, dir, env, "npm", "install", "--no-audit", "--no-fund", "./toolpress-"+version+".tgz", "./toolpress-linux-x64-"+version+".tgz")
	lacks(t, output(t, dir, env, "npx", "--no-install", "toolpress", "version"), "toolpress "+version+" (go")

	// It is the binary's exit code and signal that a client sees.
	code, _ := exitCode(t, env, filepath.Join(dir, "node_modules", ".bin", "toolpress"), "no-such-command")
	if code != 2 {
		t.Errorf("exit code %d", code)
	}
	said, stop := start(t, dir, append(env, "TOOLPRESS_SITE="+wordpress(t)), filepath.Join(dir, "node_modules", ".bin", "toolpress"), "serve", "--listen", "127.0.0.1:0")
	await(t, said, "serve", func() bool { return strings.Contains(said.String(), "Inspector") })
	stop()
	lacks(t, said.String(), "stopped")

	if err := os.RemoveAll(filepath.Join(dir, "node_modules", "toolpress-linux-x64")); err != nil {
		t.Fatal(err)
	}
	code, missing := exitCode(t, env, filepath.Join(dir, "node_modules", ".bin", "toolpress"), "version")
	if code != 1 {
		t.Errorf("without the binary: exit code %d", code)
	}
	lacks(t, missing, "toolpress-linux-x64 is not installed", "hint:")
}

func TestGoInstall(t *testing.T) {
	bin := t.TempDir()
	output(t, checkout(t), environment("GOBIN="+bin), "go", "install", "./cmd/toolpress")
	lacks(t, output(t, bin, nil, filepath.Join(bin, "toolpress"), "version"), "toolpress "+version+" (go", ", commit ")
}

// The workflow runs the script, and no job may do more than it needs.
func TestWorkflow(t *testing.T) {
	type job struct {
		Needs       yaml.Node
		Permissions map[string]string
		Steps       []struct {
			Uses, Run string
		}
	}
	file := documents[struct {
		On struct {
			Push struct{ Tags []string }
		} `yaml:"on"`
		Permissions map[string]string
		Jobs        map[string]job
	}](t, filepath.Join(root, ".github", "workflows", "release.yml"))[0]
	if d := cmp.Diff([]string{"v*"}, file.On.Push.Tags); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]string{"contents": "read"}, file.Permissions); d != "" {
		t.Error(d)
	}
	runs, uses := "", ""
	for name, j := range file.Jobs {
		if name != "build" && j.Needs.IsZero() {
			t.Errorf("%s waits for nothing", name)
		}
		for _, s := range j.Steps {
			runs, uses = runs+s.Run+"\n", uses+s.Uses+"\n"
			if _, at, ok := strings.Cut(s.Uses, "@"); s.Uses != "" && (!ok || !strings.HasPrefix(at, "v")) {
				t.Errorf("%s: uses %s", name, s.Uses)
			}
			if strings.Contains(s.Run, "${{") {
				t.Errorf("%s: an expression inside a script: %s", name, s.Run)
			}
		}
	}
	lacks(t, runs, ".github/release/snapshot\n", "gh release create", "npm publish --provenance")
	lacks(t, uses, "actions/attest-build-provenance@", "docker/build-push-action@")
	for name, mode := range file.Jobs["build"].Permissions {
		t.Errorf("build may %s: %s", name, mode)
	}
}

func decode(t *testing.T, data []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%v\n%.300s", err, data)
	}
}

// contents is every file below a folder, its mode and its bytes' digest.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		info, err := d.Info()
		all[name] = info.Mode().String() + " " + digest(read(t, path))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func digest(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

func untar(t *testing.T, name string) map[string][]byte {
	t.Helper()
	z, err := gzip.NewReader(strings.NewReader(read(t, name)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if files[h.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
}

func unzip(t *testing.T, name, dir string) {
	t.Helper()
	z, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = r.Close()
		write(t, filepath.Join(dir, f.Name), string(data), f.Mode())
	}
}
