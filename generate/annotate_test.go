package generate

import (
	"testing"

	"toolpress/discover"
)

// Only what adds an item is said to add, by the route alone: settings, actions
// and autosaves are not known to be safe.
func TestWhatAdds(t *testing.T) {
	post, list, get := `{"methods":["POST"]}`, `{"methods":["GET"],"args":{"per_page":{}}}`, `{"methods":["GET"]}`
	for _, c := range []struct {
		path, endpoints, schema string
		adds                    bool
	}{
		{`/acme/v1/things`, list + "," + post, "", true},
		{`/acme/v1/media`, list + "," + post, "", true},
		{`/acme/v1/zones`, get + "," + post, `{"properties":{"id":{}}}`, true},
		{`/acme/v1/classes`, get + "," + post, `{"properties":{"slug":{}}}`, true},
		{`/acme/v1/things/(?P<id>[\d]+)/notes`, get + "," + post, `{"properties":{"id":{}}}`, true},
		{`/acme/v1/settings`, get + "," + post, `{"properties":{"title":{}}}`, false},
		{`/acme/v1/settings`, get + "," + post, "", false},
		{`/acme/v1/profile`, get + "," + post, `{"properties":{"id":{}}}`, false}, // one thing, which it overwrites
		{`/acme/v1/things`, list + `,{"methods":["POST","PUT","PATCH"]}`, "", false},
		{`/acme/v1/things/(?P<id>[\d]+)`, list + "," + post, "", false},
		{`/acme/v1/things/(?P<id>[\d]+)/refunds/all`, post, `{"properties":{"id":{}}}`, false},
		{`/acme/v1/resets`, post, `{"properties":{"id":{}}}`, false},
		{`/wp/v2/posts/(?P<id>[\d]+)/autosaves`, get + "," + post, `{"properties":{"id":{}}}`, false},
	} {
		r := route(t, c.path, "["+c.endpoints+"]")
		if c.schema != "" {
			r.Schema = decode(t, c.schema)
		}
		o := FromSite(&discover.Site{Routes: []discover.Route{r}}).Operation("POST " + r.Path)
		if o.Annotations.Destructive == c.adds || o.Annotations.ReadOnly || o.Annotations.Idempotent {
			t.Errorf("%s %s %s: %+v", c.path, c.endpoints, c.schema, o.Annotations)
		}
	}
}

// What is right for WordPress core and WooCommerce.
func TestWhatAddsOnRecordings(t *testing.T) {
	for name, adds := range map[string][]string{
		"wordpress-6.1": {"/wp/v2/posts", "/wp/v2/media", "/wp/v2/comments", "/wp/v2/users", "/wp/v2/tags", "/wp/v2/menu-items", "/wp/v2/templates", "/wp/v2/widgets"},
		"wordpress-7.1": {"/wp/v2/posts", "/wp/v2/media", "/wp/v2/navigation", "/wp/v2/template-parts", "/wp/v2/font-families/{font_family_id}/font-faces"},
		"woocommerce-10.5": {
			"/wc/v3/products", "/wc/v3/orders", "/wc/v3/orders/{order_id}/notes", "/wc/v3/orders/{order_id}/refunds", "/wc/v3/products/attributes", "/wc/v3/shipping/zones",
			"/wc/v3/shipping/zones/{zone_id}/methods", "/wc/v3/taxes/classes", "/wc/v3/products/{product_id}/variations", "/wp/v2/product", "/wp/v2/product_cat",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := FromSite(recordedSite(t, name))
			for _, path := range adds {
				if o := s.Operation("POST " + path); o == nil || o.Annotations.Destructive {
					t.Errorf("POST %s: %+v", path, o)
				}
			}
			for _, path := range []string{
				"/wp/v2/posts/{id}", "/wp/v2/posts/{id}/autosaves", "/wp/v2/settings", "/wp/v2/media/{id}/edit", "/wp/v2/users/me", "/wp/v2/plugins",
				"/wc/store/v1/checkout", "/wc/v3/orders/{id}/receipt", "/wc-admin/options", "/wc-admin/onboarding/tasks", "/wc/v3/products/{product_id}/variations/generate",
			} {
				if o := s.Operation("POST " + path); o != nil && !o.Annotations.Destructive {
					t.Errorf("POST %s is said to add", path)
				}
			}
		})
	}
}
