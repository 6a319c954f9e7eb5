package generate

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// What only other software calls is marked, and what a person would ask for is
// not.
func TestPlumbing(t *testing.T) {
	for path, want := range map[string]string{
		"/": "it lists the site's routes", "/wp/v2": "it lists the site's routes",
		"/wp/v2/posts/{id}/autosaves":                         "the editor keeps a copy there while somebody writes",
		"/acme/v1/books/{parent}/autosaves/{id}":              "the editor keeps a copy there while somebody writes",
		"/wp/v2/pages/{parent}/revisions/{id}":                "the editor compares earlier versions with it",
		"/wp/v2/media/{id}/post-process":                      "the editor ends an upload with it",
		"/wp/v2/widget-types/{id}/render":                     "the widget editor previews a widget with it",
		"/wp/v2/templates/lookup":                             "the editor asks which template applies",
		"/wp/v2/users/{user_id}/application-passwords/{uuid}": "it hands out credentials",
		"/wp/v2/block-types/{namespace}/{name}":               "the block editor fills its inserter with it",
		"/oembed/1.0/embed":                                   "other sites embed a page with it",
		"/wp-site-health/v1/tests/page-cache":                 "the admin's Site Health screen calls it",
		"/wc-admin/onboarding/profile":                        "WooCommerce's admin screens call it",
		// Content, and what looks like plumbing and is not.
		"/wp/v2/posts": "", "/wp/v2/posts/{id}": "", "/wp/v2/media/{id}/edit": "", "/wp/v2/templates/{id}": "", "/wp/v2/widget-types": "",
		"/wp/v2/revisions": "", "/wp/v2/autosaves/{id}": "", "/acme/v1/books/{id}/revisions": "", "/wp/v2/iconsets": "", "/wp/v2/users/{id}": "",
		"/wc-administration/v1/things": "", "/wc/v3/orders": "", "/wp/v2/block-typesetting": "",
	} {
		namespace := strings.Join(strings.SplitN(strings.Trim(path, "/"), "/", 3)[:min(2, strings.Count(path, "/"))], "/")
		if got := plumbing(namespace, path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// Every pattern of the table is a route of a recorded site, but for those that
// core registers only where it processes images in the browser.
func TestPlumbingOfRecordings(t *testing.T) {
	counts := map[string]int{"wordpress-6.1": 78, "wordpress-6.8": 83, "wordpress-7.1": 94, "woocommerce-10.5": 218}
	met := map[string]bool{}
	for _, name := range recordings {
		n := 0
		for _, o := range FromSite(recordedSite(t, name)).Operations {
			if o.Plumbing == "" {
				continue
			}
			n++
			for _, p := range plumbed {
				if (o.Route == p.below || strings.HasPrefix(o.Route, p.below+"/")) && (p.part == "" || strings.Contains(o.Route, "}/"+p.part)) {
					met[p.below+" "+p.part] = true
				}
			}
		}
		if n != counts[name] {
			t.Errorf("%s: %d operations are plumbing, want %d", name, n, counts[name])
		}
	}
	for _, p := range plumbed {
		if !met[p.below+" "+p.part] && p.part != "sideload" && p.part != "finalize" {
			t.Errorf("%s %s is no route of %v", p.below, p.part, slices.Sorted(maps.Keys(met)))
		}
	}
}
