package generate

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"toolpress/discover"
)

// G38, T05: no value of a path argument leads to another route.
func TestArgumentsStayOnTheirRoute(t *testing.T) {
	get, remove := `[{"methods":["GET","POST","PUT","PATCH","DELETE"]}]`, `[{"methods":["GET","DELETE"]}]`
	spanning := `([^\/]+(?:\/[^\/]+)?)[\/\w%-]+`
	s := FromSite(&discover.Site{Routes: []discover.Route{
		route(t, `/acme/v1/settings/(?P<group>[\w-]+)/(?P<id>[\w-]+)`, get),
		route(t, `/acme/v1/settings/(?P<group>[\w-]+)/batch`, `[{"methods":["POST"]}]`),
		route(t, `/acme/v1/settings/(?P<group>[\w-]+)/Export`, `[{"methods":["GET"]}]`),
		route(t, `/acme/v1/t/(?P<id>`+spanning+`)`, remove),
		route(t, `/acme/v1/t/(?P<parent>`+spanning+`)/revisions/(?P<id>[\d]+)`, remove),
		route(t, `/acme/v1/products/(?P<id>[\d]+)`, `[{"methods":["GET"]}]`),
		route(t, `/acme/v1/products/(?P<slug>[\w-]+)`, `[{"methods":["GET"]}]`),
		route(t, `/acme/v1/any/(?P<id>.+)`, remove),
		route(t, `/acme/v1/any`, remove),
	}})
	for _, c := range []struct{ id, args, want string }{
		{"POST /acme/v1/settings/{group}/{id}", `{"group":"a","id":"b"}`, "/acme/v1/settings/a/b"},
		{"POST /acme/v1/settings/{group}/{id}", `{"group":"a","id":"batch"}`, "error: id leads to another route of the site, /acme/v1/settings/{group}/batch"},
		{"POST /acme/v1/settings/{group}/{id}", `{"group":"a","id":"BATCH"}`, "error: id leads to another route of the site, /acme/v1/settings/{group}/batch"},
		{"GET /acme/v1/settings/{group}/{id}", `{"group":"a","id":"export"}`, "error: id leads to another route of the site, /acme/v1/settings/{group}/Export"},
		{"GET /acme/v1/settings/{group}/{id}", `{"group":"a","id":"batch"}`, "/acme/v1/settings/a/batch"}, // no GET there
		{"DELETE /acme/v1/t/{id}", `{"id":"theme//home"}`, "/acme/v1/t/theme/home"},
		{"DELETE /acme/v1/t/{id}", `{"id":"theme//home/revisions/7"}`, "error: id leads to another route of the site, /acme/v1/t/{parent}/revisions/{id}"},
		{"GET /acme/v1/products/{id}", `{"id":12}`, "/acme/v1/products/12"},
		{"GET /acme/v1/products/{id}", `{"id":12.0}`, "/acme/v1/products/12"},
		{"GET /acme/v1/products/{slug}", `{"slug":"maps"}`, "/acme/v1/products/maps"},
		{"DELETE /acme/v1/any/{id}", `{"id":"/"}`, "error: id must not begin or end with a slash"},
		{"DELETE /acme/v1/any/{id}", `{"id":"//"}`, "error: id must not begin or end with a slash"},
		{"DELETE /acme/v1/any/{id}", `{"id":"a/"}`, "error: id must not begin or end with a slash"},
		{"DELETE /acme/v1/any/{id}", `{"id":"a/b"}`, "/acme/v1/any/a/b"},
	} {
		o := s.Operation(c.id)
		if o == nil {
			t.Fatalf("no %s; withheld: %+v", c.id, s.Withheld)
		}
		r, err := o.Request(decode(t, c.args).(map[string]any))
		got := r.Route()
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != c.want {
			t.Errorf("%s %s: %s, want %s", c.id, c.args, got, c.want)
		}
	}
}

// On the recorded sites, what another route of as many parts has written out is
// no value where it would lead there.
func TestRivalsOfRecordings(t *testing.T) {
	for _, name := range recordings {
		t.Run(name, func(t *testing.T) {
			site := recordedSite(t, name)
			s := FromSite(site)
			refused := 0
			for _, o := range s.Operations {
				for _, rival := range o.plan.rivals {
					if len(rival) != len(o.plan.path) {
						continue
					}
					values := map[string]any{}
					for i, part := range o.plan.path {
						if isPlaceholder(part) {
							values[strings.Trim(part, "{}")] = "7"
							if !isPlaceholder(rival[i]) {
								values[strings.Trim(part, "{}")] = rival[i]
							}
						}
					}
					r, err := o.Request(values)
					if err != nil {
						refused++
						continue
					}
					there, led := true, false
					for i, part := range rival {
						there = there && (isPlaceholder(part) || part == r.Segments[i])
						led = led || (isPlaceholder(o.plan.path[i]) && !isPlaceholder(part))
					}
					if there && led {
						t.Errorf("%s reaches %s with %v", o.ID, r.Route(), values)
					}
				}
			}
			if refused == 0 {
				t.Error("nothing was refused")
			}
			t.Logf("%d calls refused", refused)
		})
	}
}

// What an ability calls an argument on the wire is that argument's alone (T07).
func TestExtrasDoNotReachArguments(t *testing.T) {
	s := FromSite(&discover.Site{Abilities: []discover.Ability{
		ability(t, "a/open", `{}`, `{"type":"object","properties":{"post status":{"type":"string"}},"additionalProperties":true}`),
	}})
	r, err := s.Operations[0].Request(map[string]any{"post_status": "draft", "post status": "publish", "other": "x"})
	if err != nil {
		t.Fatal(err)
	}
	body, _ := Encode(r.Body)
	if want := `{"input":{"other":"x","post status":"draft"}}`; string(body) != want {
		t.Errorf("%s, want %s", body, want)
	}
}

// T13: patterns of the site cost next to nothing until an operation is called,
// and never much.
func TestHostilePatterns(t *testing.T) {
	site := &discover.Site{}
	for i := range 3000 {
		site.Routes = append(site.Routes, route(t, fmt.Sprintf(`/acme/v1/r%d/(?P<id>%s)`, i, strings.Repeat("(a{1,900})", 45)), `[{"methods":["GET"]}]`))
	}
	start := time.Now()
	s := FromSite(site)
	for _, o := range s.Operations[:100] {
		if _, err := o.Request(map[string]any{"id": "a"}); err != nil {
			t.Fatal(err)
		}
	}
	if took := time.Since(start); took > 20*time.Second { // ten times the bound
		t.Errorf("took %v", took)
	}
	for pattern, compiles := range map[string]bool{`[\d]+`: true, `(a{1,900}){1,900}`: false, `(?!x)y`: false, `[\w-]{1,64}`: true} {
		if (compilable(pattern) != nil) != compiles {
			t.Errorf("%s: compiled %t", pattern, !compiles)
		}
	}
}
