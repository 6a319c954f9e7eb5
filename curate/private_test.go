package curate

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is private adds up over the layers, whatever a later one says; a deletion
// answers what was deleted under another name.
func TestPrivateAddsUp(t *testing.T) {
	catalog, findings := layersOf(t, `
version: 1
extends: base.yaml
defaults: { confirm: { when: never } }
private:
  - { match: { method: [GET, DELETE], namespace: "wp/**" }, fields: [link, "**.email"] }
tools:
  list: { from: GET /wp/v2/posts, result: { pick: [id] } }
  read: { from: "GET /wp/v2/posts/{id}", result: { raw: true } }
  trash: { from: "DELETE /wp/v2/posts/{id}" }
  add: { from: POST /wp/v2/posts }
  hours: { from: "ability:shop/hours" }
`, map[string]string{"base.yaml": `
version: 1
private:
  - { match: { route: /wp/v2/posts }, fields: ["meta.**", link] }
  - { match: { ability: "shop/**" }, fields: [owner] }
`})
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	got := map[string]Fields{}
	for _, tool := range catalog.Profiles[DefaultProfile].Tools {
		got[tool.Name] = tool.Result.Private
	}
	want := map[string]Fields{
		"list":  {{"meta", "**"}, {"link"}, {"**", "email"}},
		"read":  {{"link"}, {"**", "email"}},
		"trash": {{"link"}, {"previous", "link"}, {"**", "email"}, {"previous", "**", "email"}},
		"add":   {{"meta", "**"}, {"link"}},
		"hours": {{"owner"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Result settings of a later layer win, field by field: lists replace or are
// added to, renames merge, and raw lasts until a layer trims again.
func TestResultLayers(t *testing.T) {
	base := "version: 1\ntools: { t: { from: GET /wp/v2/posts, result: { pick: [a, b], drop: [b.x], rename: { a: z, b: y }, html: text, max_text: 9 } } }"
	for outer, want := range map[string]ResultShape{
		"{ pick: { add: [c] }, drop: { add: [b.y] } }": {Pick: []string{"a", "b", "c"}, Drop: Fields{{"b", "x"}, {"b", "y"}}, Rename: []Renamed{{"a", "z"}, {"b", "y"}}, HTML: TextHTML, MaxText: 9},
		"{ rename: { a: x }, html: markdown }":         {Pick: []string{"a", "b"}, Drop: Fields{{"b", "x"}}, Rename: []Renamed{{"b", "y"}, {"a", "x"}}, HTML: Markdown, MaxText: 9},
		"{ raw: true }":                                {Raw: true},
	} {
		catalog, findings := layersOf(t, "version: 1\nextends: base.yaml\ntools: { t: { result: "+outer+" } }", map[string]string{"base.yaml": base})
		if len(findings) > 0 {
			t.Fatal(findings)
		}
		want.MaxBytes = defaultMaxBytes
		if diff := cmp.Diff(want, catalog.Profiles[DefaultProfile].Tools[0].Result); diff != "" {
			t.Errorf("%s: %s", outer, diff)
		}
	}
	catalog, _ := layersOf(t, "version: 1\nextends: base.yaml\nrules: [{ match: { namespace: wp/v2 }, set: { result: { raw: true } } }]", map[string]string{"base.yaml": base})
	if r := catalog.Profiles[DefaultProfile].Tools[0].Result; r.Raw || len(r.Pick) != 2 {
		t.Errorf("a tool that picks is raw by a rule: %+v", r)
	}
}

// Which places a pattern chooses, as the language has it: ** is any number of
// names, none too; * is one.
func TestFields(t *testing.T) {
	for _, c := range []struct{ pattern, in, not string }{
		{"id", "id id.x", "ids x.id"},
		{"a.b", "a.b a.b.c", "a b a.c.b"},
		{"billing.**", "billing billing.email billing.a.b", "bill x.billing"},
		{"**.meta_data", "meta_data a.meta_data a.b.meta_data.c", "meta a.meta"},
		{"a.*.c", "a.x.c", "a.c a.x.y.c"},
		{"a.**.c", "a.c a.x.c a.x.y.c", "a c a.x"},
		{"**.**.c", "c a.c a.b.c", "a a.b"},
		{"**", "a a.b", ""},
	} {
		f := fieldsOf([]string{c.pattern, "none"})
		for path := range strings.FieldsSeq(c.in) {
			if !f.covers(path) {
				t.Errorf("%s does not choose %s", c.pattern, path)
			}
		}
		for path := range strings.FieldsSeq(c.not) {
			if f.covers(path) {
				t.Errorf("%s chooses %s", c.pattern, path)
			}
		}
	}
}

// What is private is not in the output schema either.
func TestPrivateIsNotDescribed(t *testing.T) {
	catalog, findings := apply(t, `
version: 1
private: [{ match: { namespace: wp/v2 }, fields: [author, "**.raw"] }]
tools:
  read: { from: "GET /wp/v2/posts/{id}", result: { pick: [id, author.name, title.raw, title.rendered] } }
  none: { from: "GET /wp/v2/posts/{id}", result: { pick: [author] } }
`)
	if len(findings) != 3 || findings[0].ID != "private" {
		t.Error(findings)
	}
	p := catalog.Profiles[DefaultProfile]
	if got, want := string(p.Tool("read").OutputSchema), `{"type":"object","properties":{"id":{},"title":{"properties":{"rendered":{}}}}}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := p.Tool("none").OutputSchema; got != nil {
		t.Errorf("%s", got)
	}
}
