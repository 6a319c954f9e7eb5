package generate

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolpress/discover"
)

// A route that an ability repeats says so: core's by the table, others by their
// words. What only sounds alike does not (W30).
func TestOverlaps(t *testing.T) {
	crud := func(base string) []discover.Route {
		return []discover.Route{
			route(t, base, `[{"methods":["GET"],"args":{"per_page":{}}},{"methods":["POST"]}]`),
			route(t, base+`/(?P<id>[\d]+)`, `[{"methods":["GET"]},{"methods":["POST","PUT","PATCH"]},{"methods":["DELETE"]}]`),
		}
	}
	site := &discover.Site{}
	in := func(namespace string, routes ...discover.Route) {
		for _, r := range routes {
			r.Namespace = namespace
			site.Routes = append(site.Routes, r)
		}
	}
	in("", route(t, `/`, `[{"methods":["GET"]}]`))
	in("wp/v2", route(t, `/wp/v2/users/me`, `[{"methods":["GET"]},{"methods":["POST","PUT","PATCH"]}]`))
	in("wc/v2", crud(`/wc/v2/products`)...)
	in("wc/v3", crud(`/wc/v3/products`)...)
	in("wc/v3", crud(`/wc/v3/products/(?P<product_id>[\d]+)/variations`)...)
	in("wc/v3", crud(`/wc/v3/products/categories`)...)
	in("wc/store/v1", route(t, `/wc/store/v1/products`, `[{"methods":["GET"]}]`))
	in("acme/v1", crud(`/acme/v1/things`)...)
	in("acme/v1", crud(`/acme/v1/media`)...)
	in("acme/v1", route(t, `/acme/v1/settings`, `[{"methods":["GET"]},{"methods":["POST","PUT","PATCH"]}]`))
	in("acme/v1", route(t, `/acme/v1/parts`, `[{"methods":["GET"]},{"methods":["DELETE"]}]`))
	in("other/v1", crud(`/other/v1/things`)...)
	read, write := `{"readonly":true}`, `{}`
	id := `{"type":"object","properties":{"id":{"type":"integer"}},"required":["id"]}`
	maybe := `{"type":"object","properties":{"id":{"type":"integer"}}}`
	for _, a := range []struct{ name, annotations, input string }{
		{"core/get-site-info", read, ""},
		{"core/get-user-info", read, ""},
		{"woocommerce/products-list", read, maybe},
		{"woocommerce/products-get", read, maybe},
		{"woocommerce/products-create", write, maybe},
		{"woocommerce/products-update", write, id},
		{"woocommerce/products-delete", write, id},
		{"woocommerce/product-variations-list", read, ""}, // of which product, it cannot say
		{"woocommerce/product-variations-get", read, id},
		{"woocommerce/list-product-categories", write, ""}, // it is not said to read
		{"acme/get-thing", read, maybe},
		{"acme/list-things", read, ""},
		{"acme/read-things", read, ""},
		{"acme/add-thing", write, maybe},
		{"acme/search-media", read, maybe},
		{"acme/get-media", read, id},
		{"acme/get-settings", read, ""},
		{"acme/update-settings", write, maybe},
		{"acme/delete-part", write, id},
		{"acme/thing", read, id},
		{"acme/list", read, ""},
		{"acme/get-thing-count", read, ""},
	} {
		site.Abilities = append(site.Abilities, ability(t, a.name, a.annotations, a.input))
	}
	got := map[string]string{}
	for _, o := range FromSite(site).Operations {
		if o.SameAs != "" {
			got[o.ID] = o.SameAs
		}
	}
	want := map[string]string{
		"GET /":                    "ability:core/get-site-info",
		"GET /wp/v2/users/me":      "ability:core/get-user-info",
		"GET /wc/v2/products":      "ability:woocommerce/products-list",
		"GET /wc/v2/products/{id}": "ability:woocommerce/products-get", "POST /wc/v2/products": "ability:woocommerce/products-create",
		"POST /wc/v2/products/{id}": "ability:woocommerce/products-update", "DELETE /wc/v2/products/{id}": "ability:woocommerce/products-delete",
		"GET /wc/v3/products":      "ability:woocommerce/products-list",
		"GET /wc/v3/products/{id}": "ability:woocommerce/products-get", "POST /wc/v3/products": "ability:woocommerce/products-create",
		"POST /wc/v3/products/{id}": "ability:woocommerce/products-update", "DELETE /wc/v3/products/{id}": "ability:woocommerce/products-delete",
		"GET /wc/v3/products/{product_id}/variations/{id}": "ability:woocommerce/product-variations-get",
		"GET /acme/v1/things/{id}":                         "ability:acme/get-thing", "GET /acme/v1/things": "ability:acme/list-things", "POST /acme/v1/things": "ability:acme/add-thing",
		"GET /acme/v1/media/{id}": "ability:acme/get-media",
		"GET /acme/v1/settings":   "ability:acme/get-settings", "POST /acme/v1/settings": "ability:acme/update-settings",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	site.Abilities = nil
	for _, o := range FromSite(site).Operations {
		if o.SameAs != "" {
			t.Errorf("%s is the same as %s, which is not there", o.ID, o.SameAs)
		}
	}
}

// On the recorded sites nothing but core's own abilities overlaps.
func TestOverlapsOfRecordings(t *testing.T) {
	for _, name := range recordings {
		t.Run(name, func(t *testing.T) {
			s := FromSite(recordedSite(t, name))
			want := map[string]string{}
			if s.Operation("ability:core/get-user-info") != nil {
				want = map[string]string{"GET /": "ability:core/get-site-info", "GET /wp/v2/users/me": "ability:core/get-user-info"}
			}
			got := map[string]string{}
			for _, o := range s.Operations {
				if o.SameAs != "" {
					got[o.ID] = o.SameAs
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
