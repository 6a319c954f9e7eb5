// Package lint runs toolpress lint on a real WordPress with a plugin that has one
// fault of every kind, faults.php, and with the same plugin after each remedy was
// applied, mended.php. It needs what test/wordpress/site prints, of a site with the
// Abilities API:
//
//	test/wordpress/site run -- go test ./test/lint
package lint

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"toolpress/generate/lint"
	"toolpress/test/running"
)

// binary is the toolpress that is tested; empty where there is no site.
var binary string

func TestMain(m *testing.M) { os.Exit(running.OnSite(m, "lint", &binary)) }

// ours choose what the plugins register.
var ours = []string{"--ability", "acme/*", "--ability", "acme-name/*", "--ability", "*/tool-name", "--route", "/acme/v1/**"}

// elsewhere are the faults that are not on an ability named like the rule.
var elsewhere = map[string][]string{
	"required-on-property": {"POST /acme/v1/required-on-property"},
	"internal-keyword":     {"POST /acme/v1/internal-keyword"},
	"tool-name":            {"ability:2fa/tool-name"},
	"long-name":            {"ability:acme/long-name-of-a-thing-that-is-on-no-shelf"},
	"name-collision":       {"ability:acme-name/collision", "ability:acme/name-collision"},
	"same-description":     {"ability:acme/same-description", "ability:acme/same-description-too"},
	"annotation-name":      {"ability:acme/delete-annotation-name"},
}

// W86, W01–W14, W19, W26, W33, W34, G07–G31, G72, G76: each rule finds its fault,
// and nothing else, as core gives it out; and each remedy ends it.
func TestEveryFault(t *testing.T) {
	install(t, "faults.php")
	before := findings(t, 3)
	want := map[string][]string{}
	for _, r := range lint.Rules() {
		if want[r.ID] = elsewhere[r.ID]; want[r.ID] == nil {
			want[r.ID] = []string{"ability:acme/" + r.ID}
		}
	}
	got := map[string][]string{}
	for _, f := range before.Findings {
		if !slices.Contains(got[f.ID], f.Operation) {
			got[f.ID] = append(got[f.ID], f.Operation)
		}
		if f.Remedy == "" || strings.Contains(f.Remedy, "{") && !strings.Contains(f.Remedy, "{}") || !strings.Contains(f.Call, "wp_register_ability( '") && !strings.Contains(f.Call, "register_rest_route( 'acme/v1', '/") {
			t.Errorf("%+v", f)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}

	install(t, "mended.php")
	after := findings(t, 0)
	for _, f := range after.Findings {
		t.Errorf("still there: %+v", f)
	}
	if after.Abilities != before.Abilities || after.Abilities < 50 {
		t.Errorf("%d abilities, %d before", after.Abilities, before.Abilities)
	}
}

// A file with what the site answers, and one that docs/lint.md has wp-cli write,
// say the same as the site.
func TestFromAFile(t *testing.T) {
	install(t, "faults.php")
	want := ofAbilities(findings(t, 3))
	dir := t.TempDir()
	answered, written := filepath.Join(dir, "answered.json"), filepath.Join(dir, "written.json")
	keep(t, answered, answer(t, "/wp-json/wp-abilities/v1/abilities?per_page=100"))
	keep(t, written, php(t, "wp_set_current_user( 1 ); "+documented(t)))
	for _, name := range []string{answered, written} {
		if diff := cmp.Diff(want, ofAbilities(findings(t, 3, "--from", name))); diff != "" {
			t.Errorf("%s: -site +file:\n%s", name, diff)
		}
	}
}

// Who may not list the abilities is told so, and who has none that there are none.
func TestNotPermitted(t *testing.T) {
	_, said, code := toolpress(t, nil, "lint")
	if !abilities() {
		if code != 0 || !strings.Contains(said, "this WordPress has no Abilities API") {
			t.Errorf("%d: %s", code, said)
		}
		return
	}
	if code != 4 || !strings.Contains(said, "does not let this user list its abilities") {
		t.Errorf("%d: %s", code, said)
	}
}

// While it watches, an edit of the plugin is told.
func TestWatch(t *testing.T) {
	install(t, "mended.php")
	cmd := exec.Command(binary, append([]string{"lint", "--watch", "--every", "100ms"}, ours...)...)
	cmd.Env = environment()
	said := &running.Log{}
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	defer func() { _ = cmd.Process.Kill() }()
	const patience = 20 * time.Second
	said.Await(t, "watching, every 100ms", patience)
	install(t, "faults.php")
	said.Await(t, "+ ability:acme/no-items: error: no-items: input_schema.thing: no items\n    give `items` to `thing` in `input_schema`", patience)
	install(t, "mended.php")
	said.Await(t, "- ability:acme/no-items: error: no-items: input_schema.thing\n", patience)
	_ = cmd.Process.Signal(syscall.SIGINT)
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("%v: %s", err, said)
		}
	case <-time.After(patience):
		t.Errorf("it does not end: %s", said)
	}
}

// What the remedy of properties-list warns of: with (object) array() core takes
// nothing, and stops when something is sent.
func TestEmptyObjectStopsCore(t *testing.T) {
	if os.Getenv("TOOLPRESS_TEST_DIR") == "" {
		t.Skip("SKIP lint: no TOOLPRESS_TEST_DIR, the directory of the site")
	}
	out := php(t, `
foreach ( array( array(), array( 'x' => 1 ) ) as $value ) {
	try {
		var_export( rest_validate_value_from_schema( $value, array( 'type' => 'object', 'properties' => (object) array() ), 'input' ) );
	} catch ( Error $e ) {
		echo $e->getMessage();
	}
	echo "\n";
}`)
	if got := string(out); got != "true\nCannot use object of type stdClass as array\n" {
		t.Errorf("%q", got)
	}
}

// abilities are in WordPress since 6.9.
func abilities() bool {
	version := os.Getenv("TOOLPRESS_TEST_VERSION")
	return !strings.HasPrefix(version, "6.") || strings.HasPrefix(version, "6.9")
}

// linted is what lint --json prints.
type linted struct {
	Findings  []lint.Finding
	Abilities int
}

func findings(t *testing.T, want int, args ...string) linted {
	t.Helper()
	out, said, code := toolpress(t, environment(), append(append([]string{"lint", "--json"}, ours...), args...)...)
	if strings.Contains(said, "no ability of the site matches") { // each plugin has its own name for one
		code, _ = want, want
	}
	var all linted
	if err := json.Unmarshal([]byte(out), &all); err != nil || code != want {
		t.Fatalf("%d, want %d: %v: %s%s", code, want, err, out, said)
	}
	return all
}

// ofAbilities are the findings without those of routes.
func ofAbilities(all linted) []lint.Finding {
	return slices.DeleteFunc(all.Findings, func(f lint.Finding) bool { return !strings.HasPrefix(f.Operation, "ability:") })
}

func toolpress(t *testing.T, env []string, args ...string) (out, said string, code int) {
	t.Helper()
	cmd := exec.Command(binary, args...)
	if cmd.Env = env; env == nil {
		cmd.Env = running.Environment("TOOLPRESS_SITE=" + os.Getenv("TOOLPRESS_TEST_SITE"))
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.Dir = &stdout, &stderr, t.TempDir()
	_ = cmd.Run()
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}

func environment() []string {
	return running.Environment(
		"TOOLPRESS_SITE="+os.Getenv("TOOLPRESS_TEST_SITE"),
		"TOOLPRESS_USER="+os.Getenv("TOOLPRESS_TEST_ADMIN_USER"), "TOOLPRESS_PASSWORD="+os.Getenv("TOOLPRESS_TEST_ADMIN_PASSWORD"))
}

// install makes a file of this folder the site's plugin until the test ends.
func install(t *testing.T, name string) {
	t.Helper()
	dir := os.Getenv("TOOLPRESS_TEST_DIR")
	if dir == "" {
		t.Skip("SKIP lint: no TOOLPRESS_TEST_DIR, the directory of the site")
	}
	if !abilities() {
		t.Skip("SKIP lint: WordPress " + os.Getenv("TOOLPRESS_TEST_VERSION") + " has no Abilities API")
	}
	code, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(dir, "wordpress", "wp-content", "mu-plugins")
	remove := func() {
		for _, other := range []string{"faults.php", "mended.php"} {
			_ = os.Remove(filepath.Join(at, "acme-"+other))
		}
	}
	t.Cleanup(remove)
	// WordPress lists the directory at each request: there is never half a file
	// in it that it would read, and never both.
	whole := filepath.Join(at, "acme.new")
	keep(t, whole, code)
	remove()
	if err := os.Rename(whole, filepath.Join(at, "acme-"+name)); err != nil {
		t.Fatal(err)
	}
}

func keep(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// answer is what the site answers to its administrator.
func answer(t *testing.T, path string) []byte {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, os.Getenv("TOOLPRESS_TEST_SITE")+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.SetBasicAuth(os.Getenv("TOOLPRESS_TEST_ADMIN_USER"), os.Getenv("TOOLPRESS_TEST_ADMIN_PASSWORD"))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %v %s", resp.Status, err, data)
	}
	return data
}

// php is what a script prints that runs inside of the site, as wp eval runs it.
func php(t *testing.T, script string) []byte {
	t.Helper()
	cmd := exec.Command("php", "-r", "require $argv[1]; "+script, filepath.Join(os.Getenv("TOOLPRESS_TEST_DIR"), "wordpress", "wp-load.php"))
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return out
}

// documented is the PHP that docs/lint.md gives to wp eval.
func documented(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/lint.md")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?s)wp eval '([^']+)'`).FindAllSubmatch(text, -1) {
		found[string(m[1])] = true
	}
	if len(found) != 1 {
		t.Fatalf("docs/lint.md has %d scripts for wp eval", len(found))
	}
	return slices.Collect(maps.Keys(found))[0]
}
