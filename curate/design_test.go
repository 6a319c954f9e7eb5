package curate

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolpress/discover"
	"toolpress/generate"
)

// The example of the language's design is read as it stands, and on a shop that
// has what it speaks of nothing is wrong with it: what is not enforced yet is
// said, and what it leaves out itself.
func TestDesignExample(t *testing.T) {
	design, err := os.ReadFile(filepath.Join("..", "..", "shared", "design", "curation.md"))
	if err != nil {
		t.Skip("no design beside the checkout")
	}
	_, rest, _ := strings.Cut(string(design), "```yaml\n")
	example, _, found := strings.Cut(rest, "```")
	if !found || len(example) < 4000 {
		t.Fatalf("the design has no example: %.80q", example)
	}
	house := "version: 1\ntools:\n  trash_post: { from: \"DELETE /wp/v2/posts/{id}\" }\n  publish_post: { from: \"POST /wp/v2/posts/{id}\", args: { status: { fix: publish } }, confirm: { when: never }, groups: [write] }\n"
	c, err := Parse("curation.yaml", []byte(example), func(name string) ([]byte, error) {
		if name != "house-style.yaml" {
			return nil, os.ErrNotExist
		}
		return []byte(house), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	site := recordedSite(t, "woocommerce-10.5")
	for _, name := range []string{"acme/find", "acme/orders/add", "core/get-site-info"} {
		site.Abilities = append(site.Abilities, discover.Ability{Name: name, Meta: map[string]any{"annotations": map[string]any{"readonly": name != "acme/orders/add", "destructive": false}}})
	}
	site.Routes = append(site.Routes, discover.Route{Path: "/yoast/v1/x", Pattern: "/yoast/v1/x", Namespace: "yoast/v1", Endpoints: []discover.Endpoint{{Methods: []string{"GET"}}}})
	catalog, findings := c.Apply(generate.FromSite(site), nil)
	var told []string
	for _, f := range findings {
		text := string(f.Severity) + " " + f.ID
		if f.ID == "not-enforced" {
			key, _, _ := strings.Cut(f.Message, " ")
			text += " " + key
		}
		told = append(told, text)
	}
	slices.Sort(told)
	want := []string{
		"warning no-lock", "warning not-enforced require_scopes", "warning not-enforced scopes",
		"warning not-in-profile", // no profile serves the group reports
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("%s\n%v", diff, findings)
	}
	for profile, names := range map[string]string{"default": "acme_find procurar_artigos read_post", "editor": "acme_find acme_orders_add order_intent procurar_artigos read_post"} {
		for name := range strings.FieldsSeq(names) {
			if catalog.Profiles[profile].Tool(name) == nil {
				t.Errorf("%s does not serve %s", profile, name)
			}
		}
	}
}
