package curate

import (
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
