package curate

import (
	"maps"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"toolpress/discover"
	"toolpress/discover/wp"
	"toolpress/discover/wptest"
	"toolpress/generate"
)

// pages are the ones whose YAML is a curation.
var pages = []string{"../README.md", "../docs/curation.md", "../docs/recipes.md"}

// docExample is one YAML block of a page.
type docExample struct {
	file string // the name that its first line says, as "# house-style.yaml"; may be empty
	text string
}

var namedFile = regexp.MustCompile(`^# ([\w-]+\.yaml)\b`)

// examples are a page's YAML blocks, completed as docs/curation.md tells a reader
// to: a block that begins indented stands below tools, and one without a version
// has version 1. A finding names the page's own line.
func examples(t *testing.T, page string) []docExample {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var list []docExample
	before := 0 // lines of the page before the block
	for i, part := range strings.Split(string(text), "```yaml\n") {
		if i > 0 {
			block, _, _ := strings.Cut(part, "```")
			head := ""
			if strings.HasPrefix(block, " ") {
				head = "tools:\n"
			}
			if !strings.HasPrefix(block, "version:") && !strings.Contains(block, "\nversion:") {
				head = "version: 1\n" + head
			}
			e := docExample{text: strings.Repeat("\n", before-strings.Count(head, "\n")) + head + block}
			if m := namedFile.FindStringSubmatch(block); m != nil {
				e.file = m[1]
			}
			list = append(list, e)
		}
		before += strings.Count(part, "\n") + 1
	}
	if len(list) == 0 {
		t.Fatalf("%s has no YAML", page)
	}
	return list
}

// exampleSurface is the site of the examples: the bookshop and, beside it, the
// routes of a few plugins.
func exampleSurface(t *testing.T) *generate.Surface {
	t.Helper()
	server := httptest.NewServer(wptest.New())
	defer server.Close()
	u, _ := url.Parse(server.URL)
	editor := wptest.New().Users()[1]
	root, err := discover.Find(t.Context(), u, wp.Options{Credential: wp.Credential{User: editor.Login, Password: wp.NewSecret(editor.Password)}})
	if err != nil {
		t.Fatal(err)
	}
	defer root.Client().Close()
	site, err := root.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	plugins := decodedSite(t, "testdata/store.json").Routes
	for _, r := range site.Routes {
		if !slices.ContainsFunc(plugins, func(p discover.Route) bool { return p.Path == r.Path }) {
			plugins = append(plugins, r)
		}
	}
	site.Routes = plugins
	return generate.FromSite(site)
}

// Every YAML block of the README and of the pages about the language can be read
// and fits a site: what a reader copies works.
func TestDocumentedExamples(t *testing.T) {
	surface := exampleSurface(t)
	for _, page := range pages {
		list := examples(t, page)
		open := func(name string) ([]byte, error) {
			for _, e := range list {
				if e.file != "" && e.file == path.Base(name) {
					return []byte(e.text), nil
				}
			}
			return nil, os.ErrNotExist
		}
		for _, e := range list {
			c, err := Parse(page, []byte(e.text), open)
			if err != nil {
				t.Error(err)
				continue
			}
			if _, findings := c.Apply(surface, nil); len(findings.Errors()) > 0 {
				t.Error(findings.Errors())
			}
		}
	}
}

// sameKeys are the places that take the keys of another one: an example there is
// one here.
var sameKeys = []struct {
	re   *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`\[\]`), ""},
	{regexp.MustCompile(`^\.rules\.set\.|^\.profiles\.x\.tools\.x\.`), ".tools.x."},
	{regexp.MustCompile(`^\.defaults\.(confirm|result)\.`), ".tools.x.$1."},
	{regexp.MustCompile(`^\.(?:expose|exclude|rules\.match|private\.match)\.(ability|category|namespace|vendor|route|method)$`), ".expose.$1"},
	{regexp.MustCompile(`^\.profiles\.x\.auth\.`), ".site.auth."},
	{regexp.MustCompile(`\.\*`), ".x"},
}

// documentedAs is the key at a place of the schema, by the name the reference has it
// under; empty where the place is no key.
func documentedAs(place string) string {
	for _, s := range sameKeys {
		place = s.re.ReplaceAllString(place, s.with)
	}
	if strings.HasSuffix(place, ".x") {
		return ""
	}
	return strings.TrimPrefix(strings.ReplaceAll(place, ".x", ".NAME"), ".")
}

// holds reports that a curation says something at a place of the schema.
func holds(v any, place []string) bool {
	if len(place) == 0 {
		return true
	}
	switch v := v.(type) {
	case map[string]any:
		for name, below := range v {
			if (place[0] == name || place[0] == "x" || place[0] == "*") && holds(below, place[1:]) {
				return true
			}
		}
	case []any:
		return place[0] == "[]" && slices.ContainsFunc(v, func(item any) bool { return holds(item, place[1:]) })
	}
	return false
}

// Every key of the language, as its schema lists them, is in an example of
// docs/curation.md, which [TestDocumentedExamples] tries.
func TestEveryKeyHasAnExample(t *testing.T) {
	const page = "../docs/curation.md"
	var curations []any
	for _, e := range examples(t, page) {
		var v any
		if err := yaml.Unmarshal([]byte(e.text), &v); err != nil {
			t.Fatalf("%s: %v", page, err)
		}
		curations = append(curations, v)
	}
	shown := map[string]bool{}
	for _, s := range spots(t) {
		key := documentedAs(s.path)
		if key == "" || shown[key] {
			continue
		}
		place := strings.Split(strings.ReplaceAll(s.path, "[]", ".[]"), ".")[1:]
		shown[key] = slices.ContainsFunc(curations, func(v any) bool { return holds(v, place) })
	}
	for _, key := range slices.Sorted(maps.Keys(shown)) {
		if !shown[key] {
			t.Errorf("docs/curation.md has no example of %s: write one into a yaml block there", key)
		}
	}
	if len(shown) < 90 {
		t.Errorf("only %d keys", len(shown))
	}
}

var (
	heading  = regexp.MustCompile(`(?m)^#{1,6} (.+)$`)
	fenced   = regexp.MustCompile("(?ms)^```.*?^```$")
	pageLink = regexp.MustCompile(`\]\(([^)\s:#]*)(?:#([^)\s]+))?\)`)
	noAnchor = regexp.MustCompile("[^a-z0-9 _-]")
)

// anchors are those a code host gives to a page's headings.
func anchors(t *testing.T, page string) []string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, m := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(string(text), ""), -1) {
		list = append(list, strings.ReplaceAll(noAnchor.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-"))
	}
	return list
}

// Every link between the pages leads to a file, and to a heading of it.
func TestDocumentedLinks(t *testing.T) {
	more, err := os.ReadDir("../docs")
	if err != nil {
		t.Fatal(err)
	}
	all, links := []string{"../README.md", "../CHANGELOG.md", "../CONTRIBUTING.md"}, 0
	for _, f := range more {
		if strings.HasSuffix(f.Name(), ".md") {
			all = append(all, "../docs/"+f.Name())
		}
	}
	for _, page := range all {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range pageLink.FindAllStringSubmatch(fenced.ReplaceAllString(string(text), ""), -1) {
			target := page
			if m[1] != "" {
				target = path.Join(path.Dir(page), m[1])
			}
			links++
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s, which is not there", page, m[1])
			} else if m[2] != "" && !slices.Contains(anchors(t, target), m[2]) {
				t.Errorf("%s links to #%s: %s has no such heading", page, m[2], target)
			}
		}
	}
	if links < 20 {
		t.Errorf("only %d links", links)
	}
}
