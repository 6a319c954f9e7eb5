package main

import (
	"maps"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"toolpress/curate"
	"toolpress/discover"
	"toolpress/discover/wp"
	"toolpress/discover/wptest"
	"toolpress/generate"
	"toolpress/test/presets"
)

// On the embedded WordPress and its shop: what the site is asked to leave out takes
// nothing from a model, for every tool of both presets that reads and for any pick of
// any route. test/presets does the same on a real one.
func TestFieldsTakeNothing(t *testing.T) {
	shop := wptest.New(wptest.WooCommerce())
	web := httptest.NewServer(shop)
	t.Cleanup(web.Close)
	address, err := url.Parse(web.URL)
	if err != nil {
		t.Fatal(err)
	}
	admin := shop.Users()[0]
	root, err := discover.Find(t.Context(), address, wp.Options{Credential: wp.Credential{User: admin.Login, Password: wp.NewSecret(admin.Password)}, MaxBytes: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(root.Client().Close)
	site, err := root.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	const shopping = "version: 1\nextends: [preset:woocommerce@1]\nprofiles: { default: { groups: [read, reports, write] } }\n"
	drawn, needed := presets.Drawn(site, 1)
	describe(t, site, shopping)
	for name, c := range map[string]struct {
		curation  string
		arguments map[string]string
		least     int
	}{
		"wordpress":   {presets.Reading, presets.ReadingArguments, 17},
		"woocommerce": {shopping, map[string]string{"read_product": `{"id":103}`, "list_variations": `{"product_id":103}`, "read_order": `{"id":202}`, "list_order_notes": `{"order_id":202}`}, 7},
		"drawn":       {drawn, needed, 60},
	} {
		t.Run(name, func(t *testing.T) {
			asked, less, whole := presets.TakesNothing(t, root, site, c.curation, c.arguments)
			if t.Logf("%d tools, %d bytes instead of %d", asked, less, whole); asked < c.least || less >= whole {
				t.Errorf("%d tools ask for less, and get %d bytes instead of %d", asked, less, whole)
			}
		})
	}
}

// describe names in the schemas of a site's routes what the tools of a curation
// pick: the plugin's own do, and the embedded shop's are shorter.
func describe(t *testing.T, site *discover.Site, curation string) {
	t.Helper()
	c, err := curate.Parse("curation.yaml", []byte(curation), nil)
	if err != nil {
		t.Fatal(err)
	}
	catalog, _ := c.Apply(generate.FromSite(site), nil)
	for _, tool := range catalog.Profiles[curate.DefaultProfile].Tools {
		_, path, _ := strings.Cut(tool.Operation, " ")
		r := &site.Routes[slices.IndexFunc(site.Routes, func(r discover.Route) bool { return r.Path == path })]
		described, _ := r.Schema.(map[string]any)
		properties, _ := described["properties"].(map[string]any)
		properties = maps.Clone(properties)
		for _, pick := range tool.Result.Pick {
			if name, _, _ := strings.Cut(pick, "."); properties != nil && properties[name] == nil {
				properties[name] = map[string]any{}
			}
		}
		r.Schema = map[string]any{"properties": properties}
	}
}
