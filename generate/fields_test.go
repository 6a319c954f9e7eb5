package generate

import (
	"testing"

	"toolpress/discover"
)

// What is asked of the site for a pick, by what the route's schema says of its
// answer. Nothing is asked where a pick could then find less.
func TestTrim(t *testing.T) {
	text := func(parts ...string) map[string]any {
		properties := map[string]any{}
		for _, name := range parts {
			properties[name] = map[string]any{"type": "string"}
		}
		return map[string]any{"type": "object", "properties": properties}
	}
	post := map[string]any{
		"id": text(), "type": text(), "link": text(), "guid": text("rendered", "raw"), "title": text("raw", "rendered"), "content": text("raw", "rendered"), "meta": text("a"),
		"tags": map[string]any{"type": "array", "items": text("name")},
	}
	comment := map[string]any{"id": text(), "link": text(), "type": text(), "content": text("raw", "rendered")}
	product := map[string]any{"id": text(), "title": text("rendered"), "guid": text(), "type": text(), "link": text(), "dimensions": text("width")}
	for _, c := range []struct {
		method, namespace, path string
		properties              any
		paths                   []string
		want                    string
	}{
		{"GET", "wp/v2", "/wp/v2/posts", post, []string{"title.rendered", "id"}, "_fields=id%2Ctitle.rendered"},
		{"GET", "wp/v2", "/wp/v2/posts", post, []string{"title.rendered"}, "_fields=id%2Ctitle.rendered"},                            // never an empty object
		{"GET", "wp/v2", "/wp/v2/posts", post, []string{"title.rendered", "title.raw.x"}, "_fields=id%2Ctitle.raw%2Ctitle.rendered"}, // one level
		{"GET", "wp/v2", "/wp/v2/posts", post, []string{"title", "title.raw"}, "_fields=id%2Ctitle"},
		{"GET", "wp/v2", "/wp/v2/posts", post, []string{"tags.name", "meta.a"}, "_fields=id%2Cmeta%2Ctags"}, // through no list
		{"GET", "wp/v2", "/wp/v2/posts", post, []string{"id", "acf.price"}, ""},                             // not in the schema
		{"GET", "wp/v2", "/wp/v2/posts", nil, []string{"id"}, ""},
		{"GET", "wp/v2", "/wp/v2/posts", []any{}, []string{"id"}, ""}, // PHP's empty object
		{"GET", "wp/v2", "/wp/v2/posts", post, nil, ""},
		{"POST", "wp/v2", "/wp/v2/posts", post, []string{"id", "_embedded.author"}, ""},
		{"DELETE", "wp/v2", "/wp/v2/posts", post, []string{"id"}, ""},
		{"GET", "wp/v2", "/wp/v2/comments", comment, []string{"content.rendered"}, "_fields=content%2Cid"},
		{"GET", "wc/v3", "/wc/v3/products", product, []string{"title.rendered", "dimensions.width"}, "_fields=dimensions%2Cid%2Ctitle"},
		{"GET", "", "/", nil, []string{"name", "description"}, "_fields=description%2Cname"},
		{"GET", "", "/", nil, []string{"home"}, "_fields=home%2Cname"},
		{"GET", "", "/", nil, []string{"name", "authentication.x"}, ""},
		{"GET", "wp/v2", "/wp/v2/types", map[string]any{"name": text(), "slug": text()}, []string{"name"}, ""}, // a map
		{"GET", "wp/v2", "/wp/v2/posts", post, []string{"id", "_links.self", "_links"}, "_fields=_links%2Cid"},
		{"GET", "wp/v2", "/wp/v2/posts", post, []string{"id", "_embedded.wp:term.name", "_embedded.author.name", "_embedded.author.link"}, "_fields=_links.author%2C_links.wp%3Aterm%2Cid&_embed=author%2Cwp%3Aterm"},
		{"GET", "wp/v2", "/wp/v2/posts", post, []string{"_embedded", "_embedded.author"}, "_fields=_links%2Cid&_embed=1"},
		{"GET", "wp/v2", "/wp/v2/posts", post, []string{"acf", "_embedded.author"}, "_embed=author"},
	} {
		var schema any
		if c.properties != nil {
			schema = map[string]any{"properties": c.properties}
		}
		site := &discover.Site{Routes: []discover.Route{{Path: c.path, Pattern: c.path, Namespace: c.namespace, Schema: schema, Endpoints: []discover.Endpoint{{Methods: []string{c.method}}}}}}
		o := FromSite(site).Operations[0]
		if got, err := o.Trim(c.paths).Encode(); err != nil || got != c.want {
			t.Errorf("%s %v: %q, %v, want %q", o.ID, c.paths, got, err, c.want)
		}
	}
	ability := FromSite(&discover.Site{Abilities: []discover.Ability{{Name: "a/b", OutputSchema: map[string]any{"properties": post}, Meta: map[string]any{"annotations": map[string]any{"readonly": true}}}}}).Operations[0]
	if got := ability.Trim([]string{"id", "_embedded.author"}); got != nil {
		t.Errorf("an ability is asked %v", got)
	}
}
