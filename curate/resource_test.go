package curate

import (
	"testing"

	"toolpress/generate"
)

// What a tool is about is a collection of a namespace, or an ability's namespace.
func TestResource(t *testing.T) {
	for want, tools := range map[string][]Tool{
		"wp/v2/posts": {
			{Operation: "GET /wp/v2/posts", op: &generate.Operation{Namespace: "wp/v2"}},
			{Operation: "POST /wp/v2/posts/{id}", op: &generate.Operation{Namespace: "wp/v2"}},
			{Operation: "DELETE /wp/v2/posts/{parent}/revisions/{id}", op: &generate.Operation{Namespace: "wp/v2"}},
		},
		"wc/store/v1/cart": {{Operation: "GET /wc/store/v1/cart/items", op: &generate.Operation{Namespace: "wc/store/v1"}}},
		"wc/v3":            {{Operation: "GET /wc/v3", op: &generate.Operation{Namespace: "wc/v3"}}},
		"acme/v1":          {{Operation: "GET /acme/v1/{kind}/{id}", op: &generate.Operation{Namespace: "acme/v1"}}},
		"ability:acme":     {{Operation: "ability:acme/search"}, {Operation: "ability:acme/orders/add"}},
	} {
		for _, tool := range tools {
			if got := tool.Resource(); got != want {
				t.Errorf("%s: %s, want %s", tool.Operation, got, want)
			}
		}
	}
	for _, c := range []struct {
		a, b    string
		touches bool
	}{
		{"wp/v2/posts", "wp/v2/posts", true},
		{"wp/v2/posts", "wp/v2/pages", false},
		{"wp/v2/posts", "wp/v2/posts-of", false},
		{"acme/v1", "acme/v1/things", true},
		{"acme/v1", "acme/v11/things", false},
		{"ability:acme", "ability:acme", true},
		{"ability:acme", "acme/v1", false},
	} {
		if Touches(c.a, c.b) != c.touches || Touches(c.b, c.a) != c.touches {
			t.Errorf("%s and %s: not %v", c.a, c.b, c.touches)
		}
	}
}
