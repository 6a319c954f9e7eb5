package generate

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"toolpress/discover"
	"toolpress/generate/schema"
)

// G38, G39, T05: no value of a path argument leads to another route, so that what is
// decided about an operation holds for what is asked of the site.
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
		{"DELETE /acme/v1/any/{id}", `{"id":"` + strings.Repeat("a", 2001) + `"}`, "error: id must not be longer than 2000 bytes"},
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

// siteOf has a route for each pattern, readable or not; without a method of its
// own in front ("POST /x") it has GET.
func siteOf(patterns ...string) *discover.Site {
	site := &discover.Site{}
	for _, pattern := range patterns {
		method, rest, found := strings.Cut(pattern, " /")
		if !found {
			method, rest = "GET", strings.TrimPrefix(pattern, "/")
		}
		r := discover.Route{Pattern: "/" + rest, Namespace: "x", Endpoints: []discover.Endpoint{{Methods: []string{method}}}}
		var err error
		if r.Path, r.Params, err = discover.ParsePattern(r.Pattern); err != nil {
			r.Path, r.Unreadable = r.Pattern, err.Error()
		}
		site.Routes = append(site.Routes, r)
	}
	return site
}

// G38, T05: a value leads to no route that has it written out, in whatever way,
// and to none that takes less; between open routes no call is lost. The first
// pattern is the operation's, the others are its neighbours.
func TestRivals(t *testing.T) {
	word, digits := `(?P<id>[\w-]+)`, `(?P<id>\d+)`
	for name, c := range map[string]struct {
		patterns []string
		args     string // of the operation
		want     string // the path, or the other route after "-> "
	}{
		"its placeholder stands before ours": {[]string{`/x/items/` + word, `/x/(?P<kind>\w+)/purge`}, `{"id":"purge"}`, "id -> /x/{kind}/purge"},
		"and ours before its":                {[]string{`/x/(?P<kind>\w+)/purge`, `/x/items/` + word}, `{"kind":"items"}`, "kind -> /x/items/{id}"},
		"at the first part":                  {[]string{`/x/items/` + word, `/(?P<ns>\w+)/(?P<kind>\w+)/purge`}, `{"id":"purge"}`, "id -> /{ns}/{kind}/purge"},
		"another kind":                       {[]string{`/x/items/` + word, `/x/(?P<kind>[0-9]+)/purge`}, `{"id":"purge"}`, "/x/items/purge"},
		"a mixed part":                       {[]string{`/x/` + word, `/x/export-(?P<fmt>\w+)`}, `{"id":"Export-csv"}`, "id -> /x/export-{fmt}"},
		"a mixed part, its end":              {[]string{`/x/(?P<id>[^/]+)`, `/x/(?P<name>[^/]+)\.json`}, `{"id":"a.json"}`, "id -> /x/{name}.json"},
		"a mixed part, other":                {[]string{`/x/` + word, `/x/export-(?P<fmt>\w+)`}, `{"id":"import-csv"}`, "/x/import-csv"},
		"ours is mixed":                      {[]string{`/x/item-` + word, `/x/item-(?P<n>\w+)-all`}, `{"id":"a-all"}`, "id -> /x/item-{n}-all"},
		"a group without a name":             {[]string{`/x/` + word, `/x/(purge|wipe)`}, `{"id":"wipe"}`, "id -> /x/(purge|wipe)"},
		"an optional slash":                  {[]string{`/x/` + word, `/x/purge/?`}, `{"id":"purge"}`, "id -> /x/purge/?"},
		"an unescaped dot":                   {[]string{`/x/` + word, `/x/p.rge`}, `{"id":"purge"}`, "id -> /x/p.rge"},
		"an escaped dot":                     {[]string{`/x/` + word, `/x/p\.rge`}, `{"id":"purge"}`, "/x/purge"},
		"alternatives without a group":       {[]string{`/x/` + word, `/x/wipe|/x/purge`}, `{"id":"wipeout"}`, "id -> /x/wipe|/x/purge"}, // ^/x/wipe
		"an unreadable beginning":            {[]string{`/x/` + word, `/(?:x|y)/purge`}, `{"id":"purge"}`, "id -> /(?:x|y)/purge"},
		"alternatives as a value":            {[]string{`/x/` + word, `/x/(?P<action>purge|wipe)`}, `{"id":"wipe"}`, "id -> /x/{action}"},
		"other than the alternatives":        {[]string{`/x/` + word, `/x/(?P<action>purge|wipe)`}, `{"id":"wiped"}`, "/x/wiped"},
		"alternatives beside a word":         {[]string{`/x/(?P<action>purge|wipe)`, `/x/` + word}, `{"action":"wipe"}`, "/x/wipe"},
		"alternatives beside alternatives":   {[]string{`/x/(?P<a>purge|wipe)`, `/x/(?P<b>wipe|drop)`}, `{"a":"wipe"}`, "a -> /x/{b}"},
		"digits or a word written out":       {[]string{`/x/(?P<id>[a-z0-9]{2,})`, `/x/(?P<user>\d+|me)`}, `{"id":"me"}`, "id -> /x/{user}"},
		"a placeholder that spans":           {[]string{`/x/(?P<a>\w+)/(?P<b>\w+)/(?P<c>\w+)`, `/x/(?P<any>.+)/purge`}, `{"a":"1","b":"2","c":"purge"}`, "c -> /x/{any}/purge"},
		"the argument at fault":              {[]string{`/x/(?P<a>\w+)/(?P<b>\w+)`, `/x/purge/(?P<c>\w+)`}, `{"a":"purge","b":"2"}`, "a -> /x/purge/{c}"},
		"ours spans":                         {[]string{`/x/(?P<any>.+)`, `/x/(?P<a>\w+)/revisions/(?P<b>\d+)`}, `{"any":"p/revisions/7"}`, "any -> /x/{a}/revisions/{b}"},
		"ours spans, theirs is one part":     {[]string{`/x/(?P<any>.+)`, `/x/` + word}, `{"any":"maps"}`, "any -> /x/{id}"},
		"theirs spans all of ours":           {[]string{`/x/` + word, `/x/(?P<any>.+)`}, `{"id":"maps"}`, "/x/maps"},
		"digits where we take words":         {[]string{`/x/(?P<slug>[\w-]+)`, `/x/` + digits}, `{"slug":"12"}`, "slug -> /x/{id}"},
		"a word where they take digits":      {[]string{`/x/(?P<slug>[\w-]+)`, `/x/` + digits}, `{"slug":"maps"}`, "/x/maps"},
		"words where we take digits":         {[]string{`/x/` + digits, `/x/(?P<slug>[\w-]+)`}, `{"id":12}`, "/x/12"},
		"the same values":                    {[]string{`/x/` + digits, `/x/(?P<n>[0-9]+)`}, `{"id":12}`, "/x/12"},
		"open, neither in the other":         {[]string{`/x/(?P<a>[a-z0-9]+)`, `/x/(?P<b>[a-z-]+)`}, `{"a":"maps"}`, "/x/maps"},
		"open, from a longer path":           {[]string{`/x/(?P<a>[/\w]+)/all`, `/x/(?P<b>[^/]+(?:/[^/]+)?)`}, `{"a":"maps"}`, "/x/maps/all"},
		"another method":                     {[]string{`/x/` + word, `POST /x/purge`}, `{"id":"purge"}`, "/x/purge"},
		"the same path again":                {[]string{`/x/(?P<id>[a-z0-9]+)`, `/x/(?P<id>[a-z]+[0-9])`}, `{"id":"map7"}`, "id -> /x/(?P<id>[a-z]+[0-9])"},
		"RE2 cannot read its group":          {[]string{`/x/` + word + `/(?P<b>\w+)`, `/x/(?P<a>(\w)\2+)/purge`}, `{"id":"aa","b":"purge"}`, "b -> /x/{a}/purge"},
		"nor anything of it":                 {[]string{`/x/` + word, `/x/(\w)\1+`}, `{"id":"aa"}`, "/x/aa"},
		"a lookahead":                        {[]string{`/x/` + word, `/x/(?!all)(purge|wipe)`}, `{"id":"purge"}`, "id -> /x/(?!all)(purge|wipe)"},
		"ours cannot be read":                {[]string{`/x/(?P<id>(?!0)[^/]+)`, `/x/(?P<any>.+)`}, `{"id":"a/b"}`, "id must not hold a slash"},
		"less, and unreadable":               {[]string{`/x/` + word, `/x/(\d+)/?`}, `{"id":"12"}`, "id -> /x/(\\d+)/?"},
		"more, and unreadable":               {[]string{`/x/` + digits, `/x/([\w-]+)/?`}, `{"id":"12"}`, "/x/12"},
		"open, and unreadable":               {[]string{`/x/(?P<a>[a-z0-9]+)`, `/x/([a-z-]+)/?`}, `{"a":"maps"}`, "/x/maps"},
		"a lookahead in ours":                {[]string{`/x/(?P<id>(?!0)\d+)`, `/x/(?P<n>\d+)`}, `{"id":12}`, "/x/12"},
		"a site sees the escape":             {[]string{`/x/(?P<id>[a-z ]+)`, `/x/(?P<any>[^/]+)`}, `{"id":"a b"}`, "id -> /x/{any}"}, // a%20b, on 7.1
		"an escape without neighbours":       {[]string{`/x/(?P<id>[a-z ]+)`}, `{"id":"a b"}`, "/x/a b"},
	} {
		t.Run(name, func(t *testing.T) {
			site := siteOf(c.patterns...)
			o := FromSite(site).Operation("GET " + site.Routes[0].Path)
			r, err := o.Request(decode(t, c.args).(map[string]any))
			got := r.Route()
			if err != nil {
				got = strings.Replace(err.Error(), "leads to another route of the site,", "->", 1)
			}
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			var wrong *ArgumentError
			if err != nil && !errors.As(err, &wrong) {
				t.Errorf("%T", err)
			}
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
	body, _ := schema.Encode(r.Body)
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
		if (schema.CompilePattern(pattern) != nil) != compiles {
			t.Errorf("%s: compiled %t", pattern, !compiles)
		}
	}
}

// T13: of routes that are near one call no more than maxRivals are compiled, and
// none for a call that they are not near.
func TestManyRivals(t *testing.T) {
	patterns := []string{`/x/a-(?P<id>\w+)/purge`, `/x/a-(?P<id>\w+)/wipe`, `/x/b-(?P<id>\w+)/purge`}
	for i := range 10_000 {
		patterns = append(patterns, fmt.Sprintf(`/(?P<a>\w+)/a-(?P<b>a{1,900}|\w{%d})/purge`, i%900))
	}
	s := FromSite(siteOf(patterns...))
	for id, want := range map[string]string{
		"GET /x/a-{id}/purge": "id could lead to too many routes of the site to tell which", "GET /x/a-{id}/wipe": "<nil>", "GET /x/b-{id}/purge": "<nil>",
	} {
		if _, err := s.Operation(id).Request(map[string]any{"id": "a"}); fmt.Sprint(err) != want {
			t.Errorf("%s: %v, want %s", id, err, want)
		}
	}
}

// T13: a rival that no pattern can be compiled for is told by what its paths have
// written out, however much of them is left open.
func TestRivalsThatCannotBeCompiled(t *testing.T) {
	dots := strings.Repeat(".", 2_000_000)
	s := FromSite(siteOf(`/acme/v1/(?P<id>\w+)`, `/acme/v1/`+dots, `/acme/v1/ab`+strings.Repeat("x.", 600)+`cd`))
	for id, want := range map[string]string{
		"q": "<nil>", "ab" + strings.Repeat("xy", 600) + "ce": "<nil>", "AB" + strings.Repeat("xy", 600) + "cd": "id leads to another route of the site, ",
	} {
		_, err := s.Operation("GET /acme/v1/{id}").Request(map[string]any{"id": id})
		if !strings.HasPrefix(fmt.Sprint(err), want) {
			t.Errorf("%.20s: %.200v, want %s", id, err, want)
		}
	}
}
