package presets

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"toolpress/curate"
	"toolpress/discover"
	"toolpress/discover/wp"
	"toolpress/generate"
	"toolpress/runtime"
)

// TakesNothing calls the tools of a curation that read, once as they are and once
// without what they ask the site to leave out (_fields), and fails where a model
// gets another result. arguments are those of the tools that need some; one that is
// not there is skipped. It returns how many asked for less, and the bytes of the
// site's answers with and without.
func TakesNothing(t *testing.T, root *discover.Root, site *discover.Site, curation string, arguments map[string]string) (asked, less, whole int) {
	t.Helper()
	c, err := curate.Parse("curation.yaml", []byte(curation), nil)
	if err != nil {
		t.Fatal(err)
	}
	catalog, findings := c.Apply(generate.FromSite(site), nil)
	for _, f := range findings {
		if f.Severity == curate.SeverityError {
			t.Fatal(f)
		}
	}
	trimmed, all := &counted{Site: root.Client()}, &counted{Site: unasked{root.Client()}}
	with, without := runtime.NewServer(catalog, runtime.Options{Site: trimmed}), runtime.NewServer(catalog, runtime.Options{Site: all})
	for _, profile := range slices.Sorted(maps.Keys(catalog.Profiles)) {
		for _, tool := range catalog.Profiles[profile].Tools {
			given, needs := arguments[tool.Name]
			if !tool.Annotations.ReadOnly || strings.HasPrefix(tool.Operation, "ability:") || !needs && strings.Contains(string(tool.InputSchema), `"required"`) {
				continue
			}
			r, err := tool.Request([]byte(given))
			if err != nil {
				t.Fatalf("%s: %v", tool.Name, err)
			}
			if slices.ContainsFunc(r.Query, func(p wp.Param) bool { return p.Name == "_fields" }) {
				asked++
			}
			got, want := result(t, with, profile, tool.Name, given), result(t, without, profile, tool.Name, given)
			if got != want {
				query, _ := r.Query.Encode()
				t.Errorf("%s: %s %s\nasked %s\n got %.2000s\nwant %.2000s", tool.Name, tool.Operation, given, query, got, want)
			}
		}
	}
	return asked, trimmed.bytes, all.bytes
}

// result is all that a model gets.
func result(t *testing.T, s *runtime.Server, profile, tool, arguments string) string {
	t.Helper()
	res, err := s.Call(t.Context(), profile, tool, json.RawMessage(arguments))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(res.Content)
	if err != nil {
		t.Fatal(err)
	}
	structure, _ := res.StructuredContent.(json.RawMessage)
	return fmt.Sprintf("error %t %s %s", res.IsError, structure, text)
}

// counted is a site, and how much it answers.
type counted struct {
	runtime.Site
	bytes int
}

// Do implements [runtime.Site].
func (c *counted) Do(ctx context.Context, r wp.Request) (*wp.Response, error) {
	resp, err := c.Site.Do(ctx, r)
	if resp != nil {
		c.bytes += len(resp.JSON)
	}
	return resp, err
}

// unasked is a site that is asked for everything.
type unasked struct{ runtime.Site }

// Do implements [runtime.Site].
func (u unasked) Do(ctx context.Context, r wp.Request) (*wp.Response, error) {
	r.Query = slices.DeleteFunc(slices.Clone(r.Query), func(p wp.Param) bool { return p.Name == "_fields" })
	return u.Site.Do(ctx, r)
}

// samples are values of placeholders: what the bookshop has under them.
var samples = map[string]string{
	"/wp/v2/posts": "6", "/wp/v2/pages": "16", "/wp/v2/media": "19", "/wp/v2/comments": "2", "/wp/v2/users": "3", "/wp/v2/categories": "2", "/wp/v2/tags": "4",
	"/wp/v2/types": "post", "/wp/v2/taxonomies": "category", "/wp/v2/statuses": "publish", "/wp/v2/themes": "twentytwentyfive",
}

var pickable = regexp.MustCompile(`^[\w-]+$`)

// Drawn is a curation with tools for every route of a site that can be read, each
// with some of what its schema has picked at random, in each context; and their
// arguments.
func Drawn(site *discover.Site, seed uint64) (curation string, arguments map[string]string) {
	draw := rand.New(rand.NewPCG(seed, seed))
	var b strings.Builder
	b.WriteString("version: 1\ntools:\n")
	arguments = map[string]string{}
	for _, r := range site.Routes {
		described, _ := r.Schema.(map[string]any)
		properties, _ := described["properties"].(map[string]any)
		at := slices.IndexFunc(r.Endpoints, func(e discover.Endpoint) bool { return slices.Contains(e.Methods, "GET") })
		value := samples[strings.TrimSuffix(strings.SplitN(r.Path, "/{", 2)[0], "/")]
		if len(properties) == 0 || at < 0 || len(r.Params) > 1 || len(r.Params) == 1 && value == "" || strings.Contains(r.Path, "-directory/") || needs(r.Endpoints[at], r.Params) { // a directory asks wordpress.org
			continue
		}
		for _, context := range append([]any{""}, contexts(r.Endpoints[at])...) {
			name := fmt.Sprintf("t%d", len(arguments))
			args := ""
			if context != "" {
				args = fmt.Sprintf("args: { context: { fix: %v } }, ", context)
			}
			arguments[name] = "{}"
			if len(r.Params) == 1 {
				quoted, _ := json.Marshal(value)
				arguments[name] = fmt.Sprintf("{%q:%s}", r.Params[0].Name, quoted)
			} else if r.Path == "/wp/v2/search" {
				arguments[name] = `{"search":"book"}`
			}
			fmt.Fprintf(&b, "  %s: { from: %q, %sresult: { max_bytes: 8MiB, pick: [%s] } }\n", name, "GET "+r.Path, args, strings.Join(paths(draw, properties), ", "))
		}
	}
	return b.String(), arguments
}

// needs reports arguments that the site requires and nothing here knows.
func needs(e discover.Endpoint, known []discover.PathParam) bool {
	for name, arg := range e.Args {
		described, _ := arg.(map[string]any)
		if described["required"] == true && name != "search" && !slices.ContainsFunc(known, func(p discover.PathParam) bool { return p.Name == name }) {
			return true
		}
	}
	return false
}

func contexts(e discover.Endpoint) []any {
	described, _ := e.Args["context"].(map[string]any)
	list, _ := described["enum"].([]any)
	return list
}

// paths draws some paths of an object.
func paths(draw *rand.Rand, properties map[string]any) []string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if !pickable.MatchString(name) {
			continue
		}
		all = append(all, name)
		property, _ := properties[name].(map[string]any)
		below, _ := property["properties"].(map[string]any)
		for _, part := range slices.Sorted(maps.Keys(below)) {
			if pickable.MatchString(part) {
				all = append(all, name+"."+part)
			}
		}
	}
	all = append(all, "_links", "_embedded.author.name", `"_embedded.wp:term.name"`)
	draw.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:1+draw.IntN(min(len(all), 6))]
}

// Reading serves what preset:wordpress@1 reads, drafts too, and what its posts
// have embedded.
const Reading = `version: 1
extends: [preset:wordpress@1]
tools:
  authored: { from: "GET /wp/v2/posts", groups: [read], result: { pick: [id, title.raw, "_embedded.author.name", "_embedded.wp:term.name", "_embedded.wp:featuredmedia.source_url"] } }
  authored_post: { from: "GET /wp/v2/posts/{id}", groups: [read], result: { pick: ["_embedded.author", "_embedded.replies.content.rendered"], html: text } }
profiles: { default: { groups: [read, write] } }
`

// ReadingArguments are what its tools need, on the bookshop.
var ReadingArguments = map[string]string{
	"read_post": `{"id":6}`, "read_page": `{"id":16}`, "read_post_source": `{"id":15}`, "read_page_source": `{"id":16}`, "search_site": `{"query":"book"}`,
	"authored_post": `{"id":6}`,
}
