package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/discover/wptest"
	"toolpress/test/running"
)

// recipe is one of docs/recipes.md on a site that a test made.
type recipe struct {
	t   *testing.T
	dir string
	env map[string]string
}

var recipeFile = regexp.MustCompile(`^# ([\w-]+\.yaml)\b`)

// recipeOf writes the files of a recipe, found by its heading: each YAML block under
// the name of its first line, or as curation.yaml. replace are pairs of texts, of
// what a reader would write there.
func recipeOf(t *testing.T, heading string, env map[string]string, replace ...string) *recipe {
	t.Helper()
	text, err := os.ReadFile("../../docs/recipes.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "\n## "+heading+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	blocks := strings.Split(section, "```yaml\n")[1:]
	if !found || len(blocks) == 0 {
		t.Fatalf("docs/recipes.md has no recipe %q", heading)
	}
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(section, replace[i]) {
			t.Fatalf("the recipe has no %q", replace[i])
		}
	}
	r := &recipe{t, t.TempDir(), env}
	for _, block := range blocks {
		block, _, _ = strings.Cut(block, "```")
		name := "curation.yaml"
		if m := recipeFile.FindStringSubmatch(block); m != nil {
			name = m[1]
		}
		if err := os.WriteFile(filepath.Join(r.dir, name), []byte(strings.NewReplacer(replace...).Replace(block)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// as is an environment that names a site and a user of the bookshop.
func as(site string, user wptest.User, more ...string) map[string]string {
	env := map[string]string{"TOOLPRESS_SITE": site, "TOOLPRESS_USER": user.Login, "TOOLPRESS_PASSWORD": user.Password}
	for i := 0; i < len(more); i += 2 {
		env[more[i]] = more[i+1]
	}
	return env
}

// toolpress runs a command to its end, with a file of the recipe as the curation.
func (r *recipe) toolpress(file string, args ...string) (int, string) {
	r.t.Helper()
	var out bytes.Buffer
	args = append(args, "--curation", filepath.Join(r.dir, file))
	code := run(r.t.Context(), args, func(name string) string { return r.env[name] }, nil, &out, &out)
	return code, out.String()
}

// checks wants check to find nothing in a file.
func (r *recipe) checks(file string) {
	r.t.Helper()
	if code, out := r.toolpress(file, "check", "--fail-on", "warning"); code != exitOK {
		r.t.Errorf("check exits %d\n%s", code, out)
	}
}

// served is a recipe's file while it is served.
type served struct {
	t    *testing.T
	base string // the address before /mcp
	log  *running.Log
}

func (r *recipe) serve(file string) served {
	r.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	out, ended := &running.Log{}, make(chan int, 1)
	args := []string{"serve", "--curation", filepath.Join(r.dir, file), "--listen", "127.0.0.1:0"}
	go func() { ended <- run(ctx, args, func(name string) string { return r.env[name] }, nil, io.Discard, out) }()
	r.t.Cleanup(func() {
		cancel()
		if code := <-ended; code != exitOK {
			r.t.Errorf("serve ended with %d:\n%s", code, out)
		}
	})
	out.Await(r.t, "serving MCP at http://127.0.0.1:", patience)
	_, address, _ := strings.Cut(out.String(), "serving MCP at ")
	base, _, _ := strings.Cut(strings.Fields(address)[0], "/mcp")
	return served{r.t, base, out}
}

// bearer sends a token with every request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// session connects to one endpoint, with its token.
func (s served) session(path, token string) *mcp.ClientSession {
	s.t.Helper()
	session, _ := connect(s.t, &mcp.StreamableClientTransport{Endpoint: s.base + path, HTTPClient: &http.Client{Transport: bearer(token)}}, eras[0])
	return session
}

// status is what an endpoint says to a token.
func (s served) status(path, token string) int {
	s.t.Helper()
	answer, err := (&http.Client{Transport: bearer(token)}).Post(s.base+path, "application/json", strings.NewReader("{}"))
	if err != nil {
		s.t.Fatal(err)
	}
	_ = answer.Body.Close()
	return answer.StatusCode
}

// toolsOf are the names of an endpoint's tools.
func toolsOf(t *testing.T, session *mcp.ClientSession) string {
	t.Helper()
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return strings.Join(names, " ")
}

// said is what a client gets of a call, as text: the result, or why there is none.
func said(t *testing.T, session *mcp.ClientSession, tool, arguments string) string {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		return "error: " + err.Error()
	}
	var text strings.Builder
	if result.IsError {
		text.WriteString("error: ")
	}
	for _, c := range result.Content {
		text.WriteString(c.(*mcp.TextContent).Text)
	}
	return text.String()
}

// wants compares what a call got, whole, or as a part where it begins with "…".
func wants(t *testing.T, got, want string) {
	t.Helper()
	if part, partly := strings.CutPrefix(want, "…"); got != want && !(partly && strings.Contains(got, part)) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Every recipe is served by a test, which names its heading.
func TestEveryRecipeIsTested(t *testing.T) {
	text, err := os.ReadFile("../../docs/recipes.md")
	if err != nil {
		t.Fatal(err)
	}
	var tests strings.Builder
	for _, name := range []string{"recipes_shop_test.go", "recipes_site_test.go"} {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		tests.Write(source)
	}
	headings := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^## (.+)$`).FindAllStringSubmatch(string(text), -1) {
		headings[m[1]] = strings.Contains(tests.String(), `"`+m[1]+`"`)
	}
	for _, heading := range slices.Sorted(maps.Keys(headings)) {
		if !headings[heading] {
			t.Errorf("no test serves the recipe %q", heading)
		}
	}
}
