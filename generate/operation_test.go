package generate

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolpress/discover"
)

// Endpoints to operations: doubled methods, one entry for all, placeholders
// without args (G35); hints by the method, always said (G72).
func TestOperationsOfARoute(t *testing.T) {
	s := FromSite(&discover.Site{Routes: []discover.Route{
		route(t, `/acme/v1/checkout`, `[{"methods":["POST"],"args":{}},{"methods":["POST","PUT","PATCH"],"args":{}},{"methods":["PUT"],"args":{}}]`),
		route(t, `/acme/v1/things`, `[{"methods":["GET"],"args":{"page":{},"per_page":{}}},{"methods":["POST"],"args":{}}]`),
		route(t, `/acme/v1/things/(?P<id>[\d]+)`, `[{"methods":["GET","POST","PUT","PATCH","DELETE"],"args":{"id":{"type":"integer","default":3}}}]`),
		route(t, `/acme/v1/things/(?P<slug>[\w-]+)/do`, `[{"methods":["POST"],"args":{"_method":{},"b":{"required":true},"a":{}}}]`),
	}})
	var got []string
	for _, o := range s.Operations {
		var line strings.Builder
		line.WriteString(o.ID + " " + o.Name)
		for _, a := range o.Args {
			line.WriteString(" " + string(a.In) + ":" + a.Name + ":" + strings.Join(a.Schema.Types, "|"))
			if a.Required {
				line.WriteString("!")
			}
		}
		a := o.Annotations
		for _, h := range []struct {
			on   bool
			name string
		}{{a.ReadOnly, "read-only"}, {a.Destructive, "destructive"}, {a.Idempotent, "idempotent"}, {a.OpenWorld, "open"}} {
			if h.on {
				line.WriteString(" " + h.name)
			}
		}
		got = append(got, line.String())
	}
	want := []string{
		"DELETE /acme/v1/things/{id} acme_v1_delete_thing path:id:integer! destructive idempotent open",
		"GET /acme/v1/things acme_v1_list_things query:page: query:per_page: read-only idempotent open",
		"GET /acme/v1/things/{id} acme_v1_get_thing path:id:integer! read-only idempotent open",
		"POST /acme/v1/checkout acme_v1_create_checkout destructive open",
		"POST /acme/v1/things acme_v1_create_things open",
		"POST /acme/v1/things/{id} acme_v1_update_thing path:id:integer! destructive open",
		"POST /acme/v1/things/{slug}/do acme_v1_create_thing_do_by_slug path:slug:string! body:b:! body:a: destructive open",
		"PUT /acme/v1/checkout acme_v1_update_checkout destructive idempotent open",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(s.Withheld) != 1 || s.Withheld[0].ID != "PUT /acme/v1/checkout (endpoint 3)" {
		t.Errorf("withheld: %+v", s.Withheld)
	}
	for spelling, id := range map[string]string{
		"PATCH /acme/v1/things/{id}": "POST /acme/v1/things/{id}", "PATCH /acme/v1/checkout": "PUT /acme/v1/checkout", "POST /acme/v1/checkout": "POST /acme/v1/checkout",
	} {
		if o := s.Operation(spelling); o == nil || o.ID != id {
			t.Errorf("%s names %+v, want %s", spelling, o, id)
		}
	}
}

// W16, W76: the method follows core's truth, safety the other way.
func TestAbilityAnnotations(t *testing.T) {
	for annotations, want := range map[string]string{
		`{"readonly":true,"destructive":false,"idempotent":true}`: "GET read-only",
		`{"readonly":true}`: "GET read-only",
		`{"readonly":1}`:    "GET destructive",
		`{"readonly":null,"destructive":null,"idempotent":true}`:    "POST destructive idempotent",
		`{"readonly":false,"destructive":true,"idempotent":true}`:   "DELETE destructive idempotent",
		`{"readonly":false,"destructive":true,"idempotent":false}`:  "POST destructive",
		`{"readonly":false,"destructive":false,"idempotent":false}`: "POST",
		`{}`: "POST destructive",
	} {
		s := FromSite(&discover.Site{Abilities: []discover.Ability{ability(t, "a/b", annotations, "")}})
		o := s.Operations[0]
		got := o.Method
		if o.Annotations.ReadOnly {
			got += " read-only"
		}
		if o.Annotations.Destructive {
			got += " destructive"
		}
		if o.Annotations.Idempotent && !o.Annotations.ReadOnly {
			got += " idempotent"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", annotations, got, want)
		}
	}
}

// Calls, as WordPress takes them: path, query or body; every form of an
// ability's input (W10, W11, W15–W17), lists in brackets (G37). A body that is a list
// by itself (G34) is none of WordPress's: a route's body holds named arguments, and
// an ability's whole input is one.
func TestRequest(t *testing.T) {
	read, write, remove := `{"readonly":true}`, `{"readonly":false,"destructive":false}`, `{"destructive":true,"idempotent":true}`
	s := FromSite(&discover.Site{
		Routes: []discover.Route{
			route(t, `/acme/v1/things/(?P<id>[\d]+)`, `[{"methods":["GET"],"args":{"ids":{"type":"array"},"on":{"type":"boolean"}}},{"methods":["POST"],"args":{"id":{"type":"integer"},"title":{"type":"object","properties":{"raw":{"type":"string"},"rendered":{"readonly":true}}},"filter[x]":{"type":"string"}}}]`),
			route(t, `/acme/v1/t/(?P<id>[^\/]+(?:\/[^\/]+)?)`, `[{"methods":["GET"]}]`),
		},
		Abilities: []discover.Ability{
			ability(t, "a/none", read, ``), ability(t, "a/none-post", write, ``),
			ability(t, "a/obj", read, `{"type":"object","properties":{"q":{"type":"string"},"tags":{"type":"array"}}}`),
			ability(t, "a/obj-default", read, `{"type":"object","properties":{"q":{"type":"string"}},"default":[]}`),
			ability(t, "a/obj-post", write, `{"type":"object","properties":{"q":{"type":"string"}}}`),
			ability(t, "a/open", write, `{"type":"object","additionalProperties":true}`),
			ability(t, "a/scalar", read, `{"type":"integer"}`), ability(t, "a/scalar-post", write, `{"type":"string"}`),
			ability(t, "a/remove", remove, `{"type":"object","properties":{"id":{"type":"integer"}}}`),
			ability(t, "a/variants", write, `{"oneOf":[{"type":"object","properties":{"x":{"type":"string"}},"required":["x"]},{"type":"object","properties":{"y":{"type":"string"}}}]}`),
		},
	})
	run := "/wp-abilities/v1/abilities/a/"
	for _, c := range []struct{ id, args, want string }{
		{"GET /acme/v1/things/{id}", `{"id":12,"ids":[1,2],"on":false}`, "GET /acme/v1/things/12?ids[0]=1&ids[1]=2&on=0"},
		{"GET /acme/v1/things/{id}", `{"id":12}`, "GET /acme/v1/things/12"}, // G40: absent is not sent
		{"GET /acme/v1/things/{id}", `{}`, "error: id is required"},
		{"GET /acme/v1/things/{id}", `{"id":"12/../../users"}`, `error: id must match ^(?:[\d]+)$`}, // G38
		{"GET /acme/v1/things/{id}", `{"id":12,"ids":[null]}`, "error: ids cannot be sent: null cannot be sent in a query (at [0])"},
		// A parameter named like a placeholder would beat it (seen on 7.1): none is sent.
		{"POST /acme/v1/things/{id}", `{"id":12,"title":"Hi","filter_x":"y"}`, `POST /acme/v1/things/12 {"filter[x]":"y","title":{"raw":"Hi"}}`}, // G12, G32
		{"GET /acme/v1/t/{id}", `{"id":"theme//home"}`, "error: id must match ^(?:[^\\/]+(?:\\/[^\\/]+)?)$"},
		{"GET /acme/v1/t/{id}", `{"id":"theme/home page"}`, "GET /acme/v1/t/theme/home page"},
		{"GET /acme/v1/t/{id}", `{"id":"theme/.."}`, `error: id must not be ".."`},
		{"ability:a/none", `{}`, "GET " + run + "none/run"},
		{"ability:a/none-post", `{}`, "POST " + run + "none-post/run"},
		{"ability:a/obj", `{"q":"x","tags":[]}`, "GET " + run + "obj/run?input[q]=x&input[tags]="},
		{"ability:a/obj", `{}`, "GET " + run + "obj/run?input="},
		{"ability:a/obj-default", `{}`, "GET " + run + "obj-default/run"},
		{"ability:a/obj-post", `{}`, "POST " + run + `obj-post/run {"input":{}}`},
		{"ability:a/obj-post", `{"q":"x"}`, "POST " + run + `obj-post/run {"input":{"q":"x"}}`},
		{"ability:a/open", `{"any":{"thing":1.0}}`, "POST " + run + `open/run {"input":{"any":{"thing":1.0}}}`},
		{"ability:a/scalar", `{"input":21}`, "GET " + run + "scalar/run?input=21"},
		{"ability:a/scalar-post", `{"input":"page"}`, "POST " + run + `scalar-post/run {"input":"page"}`},
		{"ability:a/remove", `{"id":3}`, "DELETE " + run + "remove/run?input[id]=3"},
		{"ability:a/variants", `{"y":"b"}`, "POST " + run + `variants/run {"input":{"y":"b"}}`},
	} {
		o := s.Operation(c.id)
		if o == nil {
			t.Fatalf("no %s; withheld: %+v", c.id, s.Withheld)
		}
		if got := sent(o.Request(decode(t, c.args).(map[string]any))); got != c.want {
			t.Errorf("%s %s:\n got %s\nwant %s", c.id, c.args, got, c.want)
		}
	}
}

// Names depend on the operation alone (curation.md, principle 8).
func TestNames(t *testing.T) {
	for _, c := range []struct {
		namespace, path, method string
		pages, edits            bool
		want                    string
	}{
		{"wp/v2", "/wp/v2/posts", "GET", true, false, "list_posts"},
		{"wp/v2", "/wp/v2/posts/{id}", "GET", false, false, "get_post"},
		{"wp/v2", "/wp/v2/posts", "POST", false, false, "create_posts"},
		{"wp/v2", "/wp/v2/posts/{id}", "POST", false, true, "update_post"},
		{"wp/v2", "/wp/v2/posts/{parent}/revisions/{id}", "DELETE", false, false, "delete_post_revision"},
		{"wp/v2", "/wp/v2/settings", "GET", false, false, "get_settings"},
		{"wp/v2", "/wp/v2/settings", "POST", false, true, "update_settings"},
		{"wp/v2", "/wp/v2/statuses/{status}", "GET", false, false, "get_status"},
		{"wp/v2", "/wp/v2/taxonomies/{taxonomy}", "GET", false, false, "get_taxonomy"},
		{"wp/v2", "/wp/v2/media/{id}", "GET", false, false, "get_media_by_id"},
		{"wp/v2", "/wp/v2/block-types/{namespace}/{name}", "GET", false, false, "get_block_type_by_name"},
		{"wp/v2", "/wp/v2", "GET", false, false, "get_namespace"},
		{"", "/", "GET", false, false, "get_index"},
		{"wc/v3", "/wc/v3/orders", "GET", true, false, "wc_list_orders"},
		{"wc/store/v1", "/wc/store/v1/products/{slug}", "GET", false, false, "wc_store_v1_get_product_by_slug"},
		{"acme/v1", "/acme/v1/a/really/long/path/of/many/words/that/never/seems/to/end/things", "GET", false, false, "acme_v1_get_a_really_long_path_of_many_words_that_never_" + "ee97ac9d"},
	} {
		got := routeName(c.method+" "+c.path, c.namespace, c.path, c.method, c.pages, c.edits)
		if got != c.want && !strings.HasPrefix(c.want, "acme") {
			t.Errorf("%s %s: %s, want %s", c.method, c.path, got, c.want)
		}
		if len(got) > 48 {
			t.Errorf("%s is longer than 48", got)
		}
	}
	if a, b := abilityName("ability:"+strings.Repeat("a", 80)+"/b", strings.Repeat("a", 80)+"/b"), abilityName("ability:"+strings.Repeat("a", 80)+"/c", strings.Repeat("a", 80)+"/c"); a == b || len(a) != 48 { // G27
		t.Errorf("%s, %s", a, b)
	}
	for name, want := range map[string]string{
		"core/get-site-info": "core_get_site_info", "2fa/codes": "_2fa_codes", "_/-": "operation_b19cca3a",
		"商品/x": "x_bfebaca3", "品商/x": "x_85643885", // G29
	} {
		if got := abilityName("ability:"+name, name); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func FuzzRequest(f *testing.F) {
	for _, s := range []string{"1", "..", "a/b", "%2e%2e", "../x", "a\x00", "theme//home", "a/purge", "Export-csv", "a//wipe"} {
		f.Add(s)
	}
	patterns := []string{
		`/acme/v1/t/(?P<id>([^\/:<>\*\?"\|]+(?:\/[^\/:<>\*\?"\|]+)?)[\/\w%-]+)/end`,
		`/acme/v1/t/(?P<parent>[\w/-]+)/purge/end`, `/acme/v1/t/export-(?P<format>\w+)/end`, `/acme/v1/(?P<any>.+)/(drop|wipe)/end`,
	}
	var others []*regexp.Regexp
	for _, other := range patterns[1:] {
		others = append(others, regexp.MustCompile("(?i)^"+other+"$"))
	}
	o := FromSite(siteOf(patterns...)).Operation("GET /acme/v1/t/{id}/end")
	f.Fuzz(func(t *testing.T, id string) {
		r, err := o.Request(map[string]any{"id": id})
		if err != nil {
			return
		}
		n := len(r.Segments)
		if n < 5 || r.Segments[0] != "acme" || r.Segments[2] != "t" || r.Segments[n-1] != "end" || r.Method != "GET" {
			t.Fatalf("%q became %s", id, r.Route())
		}
		for _, s := range r.Segments {
			if s == ".." || s == "." || s == "" {
				t.Fatalf("%q became %q", id, r.Segments)
			}
		}
		for _, other := range others {
			if other.MatchString(r.Route()) {
				t.Fatalf("%q became %s, which is %s", id, r.Route(), other)
			}
		}
	})
}
