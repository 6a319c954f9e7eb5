package curate

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolpress/generate"
)

// On each recorded site: the document of a curation has its tools, with the
// arguments that are left, and is the same bytes whatever the order of routes.
func TestRecordedDocuments(t *testing.T) {
	const curation = `
version: 1
extends: [preset:wordpress@1]
defaults: { confirm: { when: never } }
tools:
  drafts:
    from: GET /wp/v2/posts
    args: { "*": hidden, status: { fix: [draft] }, categories: {}, include: { max_items: 3 }, sticky: {} }
  save:
    from: PUT /wp/v2/posts/{id}
    args: { "*": hidden, id: {}, title: { required: true }, status: { fix: draft } }
  trash:
    from: DELETE /wp/v2/posts/{id}
    args: { "*": hidden, id: {}, force: { fix: false } }
  template: { from: "GET /wp/v2/templates/{id}", args: { "*": hidden, id: {} } }
`
	want := map[string][]string{
		"drafts":     {"query status[]!", "query categories[]", "query categories", "query include[]", "query sticky"},
		"find_pages": {"query context!", "query page", "query parent[]", "query per_page", "query search"},
		"find_posts": {"query context!", "query after", "query author[]", "query before", "query categories[]", "query page", "query per_page", "query search", "query tags[]"},
		"read_page":  {"path id!", "query context!"},
		"read_post":  {"path id!", "query context!"},
		"save":       {"path id!"},
		"template":   {"path id!"},
		"trash":      {"path id!", "query force!"},
	}
	for _, name := range recordings {
		t.Run(name, func(t *testing.T) {
			site := recordedSite(t, name)
			c, err := Parse("curation.yaml", []byte(curation), nil)
			if err != nil {
				t.Fatal(err)
			}
			made := func() (map[string]described, []byte) {
				s := generate.FromSite(site)
				catalog, findings := c.Apply(s, nil)
				if len(findings) > 0 {
					t.Fatal(findings)
				}
				return document(t, s, catalog)
			}
			found, text := made()
			got := map[string][]string{}
			for name, d := range found {
				if want[name] != nil { // others of the preset differ by the site
					got[name] = d.parameters()
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			body := found["save"].body()
			properties, _ := body["properties"].(map[string]any)
			title, _ := properties["title"].(map[string]any)
			if required, _ := body["required"].([]any); len(properties) != 2 || len(required) != 2 || !cmp.Equal(title["required"], []any{"raw"}) || body["additionalProperties"] != false {
				t.Errorf("the body of save is %v", body)
			}
			slices.Reverse(site.Routes)
			if _, again := made(); !bytes.Equal(text, again) {
				t.Error("another order of routes gives another document")
			}
		})
	}
}
