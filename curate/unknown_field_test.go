package curate

import (
	"slices"
	"testing"

	"toolpress/generate"
)

// Misspelt fields of a real WordPress get the name that was meant, and what its
// schema names, or plugins add, is told nothing.
func TestUnknownFieldsOfASite(t *testing.T) {
	c, err := Parse("curation.yaml", []byte(`version: 1
private: [{ match: { route: /wp/v2/users }, fields: [emial, email] }]
tools:
  find:
    from: GET /wp/v2/posts
    result: { pick: [idd, id, title.rendred, title.rendered, excerpt.rendered, class_list, acf.x, meta.footnotes, _embedded.author.name] }
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, findings := c.Apply(generate.FromSite(recordedSite(t, "wordpress-7.1")), nil)
	var got []string
	for _, f := range findings {
		if f.ID == "unknown-field" {
			got = append(got, f.Hint)
		}
	}
	if want := []string{`did you mean "email"?`, `did you mean "id"?`, `did you mean "title.rendered"?`}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// What a preset or a rule says is not told: they speak of many sites, and of many
// operations.
func TestUnknownFieldsOfOthers(t *testing.T) {
	s := generate.FromSite(decodedSite(t, "testdata/err/unknown-field.json"))
	for _, preset := range []bool{false, true} {
		c, err := Parse("curation.yaml", []byte(`version: 1
rules: [{ match: { namespace: "**" }, set: { result: { drop: [sulg] } } }]
private: [{ match: { route: /wp/v2/posts }, fields: [authr] }]
tools: { find: { from: GET /wp/v2/posts, result: { pick: [idd] } } }
`), nil)
		if err != nil {
			t.Fatal(err)
		}
		c.layers[0].preset = preset
		_, findings := c.Apply(s, nil)
		told := 0
		for _, f := range findings {
			if f.ID == "unknown-field" {
				told++
			}
		}
		if want := map[bool]int{false: 2, true: 0}[preset]; told != want {
			t.Errorf("preset: %t: %v", preset, findings)
		}
	}
}
