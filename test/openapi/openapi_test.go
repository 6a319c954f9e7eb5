// Package openapi makes TypeScript clients from toolpress's OpenAPI documents,
// with @hey-api/openapi-ts, and lets them talk to a real WordPress. It needs
// TOOLPRESS_TEST_SITE and the credentials that test/wordpress/site prints, and
// npm ([toolpress/test/npm]):
//
//	test/wordpress/site run -- go test ./test/openapi
package openapi

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolpress/test/npm"
	"toolpress/test/running"
)

// binary is the toolpress that is tested; empty where there is no site.
var binary string

func TestMain(m *testing.M) { os.Exit(running.OnSite(m, "clients made from OpenAPI", &binary)) }

// document is an OpenAPI document that toolpress makes of the test site: of the
// whole with the flag openapi, of the tools with openapi-curated.
func document(t *testing.T, flag string) string {
	t.Helper()
	dir := t.TempDir()
	name := filepath.Join(dir, "openapi.json")
	cmd := exec.Command(binary, "generate", "--curation", "curation.yaml", "-o", filepath.Join(dir, "catalog.json"), "--"+flag, name)
	cmd.Env = running.Environment("TOOLPRESS_SITE="+os.Getenv("TOOLPRESS_TEST_SITE"),
		"TOOLPRESS_USER="+os.Getenv("TOOLPRESS_TEST_ADMIN_USER"), "TOOLPRESS_PASSWORD="+os.Getenv("TOOLPRESS_TEST_ADMIN_PASSWORD"))
	if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "warning") {
		t.Fatalf("%v\n%s", err, out)
	}
	return name
}

// run makes a client from a document, compiles it together with a program of
// this folder, which is how its types are checked, and returns what the program
// printed.
func run(t *testing.T, flag, program string) map[string]any {
	t.Helper()
	if strings.HasPrefix(os.Getenv("TOOLPRESS_TEST_VERSION"), "6.") {
		t.Skip("SKIP clients made from OpenAPI: their programs run abilities, and this WordPress is too old")
	}
	node := npm.Install(t)
	dir := node.Programs(t, "*.ts")
	command := func(args ...string) string {
		t.Helper()
		cmd := node.Node(t, args...)
		cmd.Dir = dir
		cmd.Env = append(cmd.Env, "SITE_USER="+os.Getenv("TOOLPRESS_TEST_ADMIN_USER"), "SITE_PASSWORD="+os.Getenv("TOOLPRESS_TEST_ADMIN_PASSWORD"))
		var errs running.Log
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v\n%s%s", strings.Join(args, " "), err, out, &errs)
		}
		return string(out)
	}
	made := command(node.Modules("@hey-api", "openapi-ts", "bin", "run.js"), "-i", document(t, flag), "-o", filepath.Join(dir, "client"), "-c", "@hey-api/client-fetch", "--no-log-file")
	if strings.Contains(made, "unhandled") || strings.Contains(made, "warn") {
		t.Errorf("making the client:\n%s", made)
	}
	command(node.Modules("typescript", "bin", "tsc"), "--strict", "--target", "es2023", "--lib", "es2023,dom,dom.iterable", "--module", "commonjs", "--moduleResolution", "node10", "--outDir", "js", program+".ts")
	out := command(filepath.Join(dir, "js", program+".js"))
	t.Log(out)
	var got map[string]any
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	return got
}

// compare holds what a program printed against JSON.
func compare(t *testing.T, want string, got map[string]any) {
	t.Helper()
	var expected map[string]any
	if err := json.Unmarshal([]byte(want), &expected); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(expected, got); diff != "" {
		t.Errorf("what the client got (+) is not what it should (-):\n%s", diff)
	}
}

// A client made from the document of the whole site reads, writes and runs
// abilities on it (W15, W17), and uploads a file (W81).
func TestWholeDocument(t *testing.T) {
	const kinds = `"s": "false", "words": ["a,b", "c d", "é&=?#+%20"]`
	compare(t, `{
		"list": [4, 5, 7], "total": "3", "inCategory": [6, 8, 9, 10, 13, 14], "byTerms": [6, 8, 9, 10, 13, 14], "get": "A New Year on Maple Street",
		"draft": "draft", "updated": [true, "Updated", "draft"], "trashed": "trash", "deleted": true, "gone": ["rest_post_invalid_id", 404],
		"slash": true, "icon": "core/audio",
		"search": [["Collected Haiku", "Atlas of Quiet Places"], {"query": "o", "in_stock": false, "limit": 2}],
		"deep": {"query": "", "tags": ["poetry", "travel"]}, "deepRefused": [true, true],
		"hours": "Tuesday to Sunday, 9:00 to 18:00", "genres": 6, "count": 2, "noSuchBook": ["bookshop_no_such_book", 404],
		"echo": {"flag": false, "deep": {"list": [1, [true]]}},
		"typed": {"b": false, "list": [3, 1], "n": 7, "x": 9.5, "obj": {"name": "n", "count": 2}, `+kinds+`},
		"untyped": {"b": "0", "list": ["3", "1"], "n": "7", "x": "9.5", "obj": {"name": "n", "count": "2"}, `+kinds+`},
		"upload": ["Notes of a client", "Notes", "text/plain"],
		"typedDelete": {"b": false, "obj": {"inner": {"flag": false}}}
	}`, run(t, "openapi", "full"))
}

// A client made from the document of the tools has the tools, and can do what
// they can.
func TestCuratedDocument(t *testing.T) {
	compare(t, `{
		"operations": ["draftPost", "drafts", "findAuthors", "findCategories", "findComments", "findMedia", "findPages", "findPosts", "findTags", "inStock",
			"readPage", "readPost", "searchSite", "siteInfo", "trashPost"],
		"find": [13], "read": "A New Year on Maple Street",
		"draft": "draft", "drafts": [[true, "From a curated client"]], "trashed": "trash",
		"inStock": ["The Summer Book", "The Book of Bread"]
	}`, run(t, "openapi-curated", "curated"))
}
