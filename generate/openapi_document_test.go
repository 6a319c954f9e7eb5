package generate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"toolpress/discover"
	"toolpress/generate/schema"
)

// Operations that OpenAPI has no room for beside another: a path that differs
// in the name of a placeholder only goes with a slash more, which WordPress
// drops, and of two with one name each gets a hash (G28).
func TestOpenAPINeighbours(t *testing.T) {
	site := discover.Site{Routes: []discover.Route{
		route(t, `/acme/v1/shops/(?P<id>[\d]+)`, `[{"methods":["GET"]},{"methods":["DELETE"]}]`),
		route(t, `/acme/v1/shops/(?P<slug>[a-z]+)`, `[{"methods":["GET"]}]`),
		route(t, `/acme/v1/a-b`, `[{"methods":["GET"]}]`),
		route(t, `/acme/v1/a_b`, `[{"methods":["GET"]}]`),
	}}
	text, err := OpenAPI(offering(site))
	at := map[string]string{}
	for path, item := range validated(t, text, err).Paths {
		for method, o := range item {
			at[method+" "+path] = o.OperationID
		}
	}
	want := map[string]string{
		"get /acme/v1/shops/{id}":    "acme_v1_get_shop",
		"delete /acme/v1/shops/{id}": "acme_v1_delete_shop",
		"get /acme/v1/shops/{slug}/": "acme_v1_get_shop_by_slug",
		"get /acme/v1/a-b":           schema.Hashed("GET /acme/v1/a-b", "acme_v1_get_a_b", maxToolName),
		"get /acme/v1/a_b":           schema.Hashed("GET /acme/v1/a_b", "acme_v1_get_a_b", maxToolName),
	}
	if diff := cmp.Diff(want, at); diff != "" || !strings.HasPrefix(want["get /acme/v1/a-b"], "acme_v1_get_a_b_") {
		t.Error(diff)
	}
}

// An operation that cannot be described is left out, with the reason, and no other.
func TestOpenAPIOmitted(t *testing.T) {
	site := discover.Site{Routes: []discover.Route{
		route(t, `/acme/v1/things`, `[{"methods":["GET"],"args":{"a":{"type":"array"},"a[]":{"type":"string","required":true}}},{"methods":["POST"]}]`),
	}}
	text, err := OpenAPI(offering(site))
	document := validated(t, text, err)
	want := map[string]string{"GET /acme/v1/things": "two of its arguments would be called a[] in a query"}
	if diff := cmp.Diff(want, document.Omitted); diff != "" || len(document.Paths["/acme/v1/things"]) != 1 {
		t.Errorf("%+v\n%s", document.Paths, diff)
	}
}

// Two tools of one endpoint are two operations, each by its tool's name, and a
// body takes nothing else; the order they come in is nothing.
func TestCuratedOpenAPI(t *testing.T) {
	s := offering(discover.Site{Routes: []discover.Route{route(t, `/acme/v1/things`, `[{"methods":["GET"]},{"methods":["POST"],"args":{"a":{"type":"string"}}}]`)}})
	tools := []*Operation{}
	for _, name := range []string{"all", "more", "most"} {
		o := *s.Operation("GET /acme/v1/things")
		o.Name = name
		tools = append(tools, &o)
	}
	tools = append(tools, s.Operation("POST /acme/v1/things"))
	text, err := CuratedOpenAPI(s, tools)
	document := validated(t, text, err)
	at := map[string]string{}
	for path, item := range document.Paths {
		for method, o := range item {
			at[method+" "+path] = o.OperationID
		}
	}
	want := map[string]string{"get /acme/v1/things": "all", "get /acme/v1/things/": "more", "get /acme/v1/things//": "most", "post /acme/v1/things": "acme_v1_create_things"}
	if diff := cmp.Diff(want, at); diff != "" {
		t.Error(diff)
	}
	if body := document.Paths["/acme/v1/things"]["post"].body(); body["additionalProperties"] != false {
		t.Errorf("the body is %v", body)
	}
	slices.Reverse(tools)
	if again, _ := CuratedOpenAPI(s, tools); !bytes.Equal(text, again) {
		t.Error("another order gives another document")
	}
}

// Who is asked for, by what the site takes.
func TestOpenAPISecurity(t *testing.T) {
	shop := route(t, "/wc/v3/orders", `[{"methods":["GET"]}]`)
	shop.Namespace = "wc/v3"
	routes := []discover.Route{route(t, "/acme/v1/things", `[{"methods":["GET"]}]`), shop}
	const keys = "wooCommerceKey"
	for _, c := range []struct {
		site    discover.Site
		all     string
		schemes []string
		plain   bool
	}{
		{discover.Site{Root: "https://shop.example/wp-json/", ApplicationPasswords: true}, "applicationPassword", []string{"applicationPassword", keys}, false},
		{discover.Site{Root: "http://127.0.0.1/wp-json/", ApplicationPasswords: true}, "applicationPassword", []string{"applicationPassword"}, false},
		{discover.Site{Root: "https://shop.example/index.php?rest_route=/", ApplicationPasswords: true}, "applicationPassword", []string{"applicationPassword"}, true},
		{discover.Site{Root: "http://127.0.0.1/wp-json/"}, "bearer", []string{"bearer"}, false},
	} {
		c.site.Routes = routes
		text, err := OpenAPI(offering(c.site))
		document := validated(t, text, err)
		if diff := cmp.Diff([]map[string][]string{{c.all: {}}}, document.Security); diff != "" {
			t.Error(diff)
		}
		var schemes []string
		for name := range document.Components.SecuritySchemes {
			schemes = append(schemes, name)
		}
		slices.Sort(schemes)
		if diff := cmp.Diff(c.schemes, schemes); diff != "" {
			t.Error(diff)
		}
		var want []map[string][]string
		if slices.Contains(c.schemes, keys) {
			want = []map[string][]string{{c.all: {}}, {keys: {}}}
		}
		found := document.byIdentity(t)
		if diff := cmp.Diff(want, found["GET /wc/v3/orders"].Security); diff != "" || found["GET /acme/v1/things"].Security != nil {
			t.Error(diff)
		}
		server := document.Servers[0]
		if server["url"] != strings.TrimSuffix(c.site.Root, "/") || (server["x-wp-plain-permalinks"] == true) != c.plain || strings.Contains(document.Info.Description, "plain permalinks") != c.plain {
			t.Errorf("%v, %s", server, document.Info.Description)
		}
	}
}

// Routes that differ in the name of a placeholder only have their places, each one
// slash more, at a cost that follows their number: counted, not timed.
func TestPlacesOfOneShape(t *testing.T) {
	surface := func(n int) *Surface {
		site := &discover.Site{}
		for i := range n {
			site.Routes = append(site.Routes, route(t, fmt.Sprintf(`/acme/v1/(?P<x%04d>\d+)`, i), `[{"methods":["GET","POST"],"args":{}}]`))
		}
		return FromSite(site)
	}
	allocations := func(n int) float64 {
		s := surface(n)
		for _, o := range s.Operations { // what patterns cost once
			_, _ = OpenAPI(&Surface{Operations: []*Operation{o}})
		}
		return testing.AllocsPerRun(1, func() { _, _ = OpenAPI(s) }) / float64(n)
	}
	few, many := allocations(50), allocations(500)
	t.Logf("allocations for each route: %.0f of 50, %.0f of 500", few, many)
	if many > 1.2*few {
		t.Errorf("allocations for each route: %.0f of 50, %.0f of 500", few, many)
	}
	text, err := OpenAPI(surface(50))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		item := doc.Paths.Value(fmt.Sprintf("/acme/v1/{x%04d}", i) + strings.Repeat("/", i))
		if item == nil || item.Get == nil || item.Post == nil {
			t.Errorf("%d: %+v", i, item)
		}
	}
	if doc.Paths.Len() != 50 {
		t.Errorf("%d paths", doc.Paths.Len())
	}
}
