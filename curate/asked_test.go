package curate

import (
	"encoding/json"
	"strings"
	"testing"

	"toolpress/discover/wp"
	"toolpress/discover/wptest"
	"toolpress/generate"
)

// What a tool picks is what the site is asked for: without what is private or
// dropped, whatever it is renamed to, and not with raw or without a pick. The
// address stays as long as web servers take.
func TestRequestAsksForWhatIsPicked(t *testing.T) {
	surface := generate.FromSite(readSite(t, wptest.New()))
	for result, want := range map[string]string{
		`{ pick: [id, title.rendered, content], rename: { title.rendered: title, content.rendered: text }, html: markdown }`: "_fields=content%2Cid%2Ctitle.rendered",
		`{ pick: [id, slug, author, meta], drop: [meta.**] }`:                                                                "_fields=author%2Cid", // the slug is private
		`{ raw: true }`:           "",
		`{ html: text }`:          "",
		`{ pick: [id, no_such] }`: "",
		`{ pick: [slug] }`:        "",
		`{ pick: ["_embedded.wp:featuredmedia.source_url"] }`: "_fields=_links.wp%3Afeaturedmedia%2Cid&_embed=wp%3Afeaturedmedia",
	} {
		c, err := Parse("curation.yaml", []byte("version: 1\nprivate: [{ match: { route: \"/wp/v2/posts\" }, fields: [slug] }]\ntools:\n  t: { from: GET /wp/v2/posts, result: "+result+" }\n"), nil)
		if err != nil {
			t.Fatal(err)
		}
		catalog, _ := c.Apply(surface, nil)
		tool := catalog.Profiles[DefaultProfile].Tool("t")
		r, err := tool.Request(json.RawMessage(`{"search":"x"}`))
		if err != nil {
			t.Fatal(err)
		}
		text, err := r.Query.Encode()
		if whole := strings.TrimSuffix("search=x&"+want, "&"); err != nil || text != whole {
			t.Errorf("%s: %q %v, want %q", result, text, err, whole)
		}
		long, _ := json.Marshal(map[string]string{"search": strings.Repeat("x", wp.MaxTarget-len("/wp/v2/posts?search=")-20)})
		if r, err = tool.Request(long); err != nil {
			t.Fatal(err)
		}
		if size, err := r.Size(); err != nil || size > wp.MaxTarget || len(r.Query) > 1 && len(want) > 25 {
			t.Errorf("%s: %d bytes, %v: %d parameters", result, size, err, len(r.Query))
		}
	}
}

// A tool's parts are its own argument, which is never sent, and say what part is
// meant.
func TestPart(t *testing.T) {
	c, err := Parse("curation.yaml", []byte(`version: 1
defaults: { result: { parts: true } }
tools:
  read: { from: "GET /wp/v2/posts/{id}", result: { parts: { argument: piece, describe: Which piece. } } }
  plain: { from: "GET /wp/v2/pages/{id}" }
  off: { from: "GET /wp/v2/media/{id}", result: { parts: false } }
  list: { from: GET /wp/v2/posts }
  save: { from: "POST /wp/v2/posts/{id}" }
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	catalog, findings := c.Apply(generate.FromSite(readSite(t, wptest.New())), nil)
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	for name, want := range map[string]string{"read": "piece", "plain": "part", "off": "", "list": "", "save": ""} {
		tool := catalog.Profiles[DefaultProfile].Tool(name)
		if tool.Result.Parts != want || (tool.ArgumentSchema("part") != nil) != (want == "part") {
			t.Errorf("%s: parts by %q", name, tool.Result.Parts)
		}
	}
	read := catalog.Profiles[DefaultProfile].Tool("read")
	if got := read.ArgumentSchema("piece").Description; got != "Which piece." {
		t.Errorf("%q", got)
	}
	for arguments, want := range map[string]int{`{"id":4}`: 1, `{"id":4,"piece":3}`: 3, `{"id":4,"piece":2.0}`: 2, `{"id":4,"piece":"2"}`: 2, `{"id":4,"piece":99999999999999999999}`: 1<<31 - 1} {
		r, err := read.Request([]byte(arguments))
		if got := shown(r, err); got != "GET /wp/v2/posts/4" {
			t.Errorf("%s: %s", arguments, got)
		}
		if got := read.Part([]byte(arguments)); got != want {
			t.Errorf("%s is part %d, want %d", arguments, got, want)
		}
	}
	if _, err := read.Request([]byte(`{"id":4,"piece":0}`)); err == nil {
		t.Error("there is a part 0")
	}
}
