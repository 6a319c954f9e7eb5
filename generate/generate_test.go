package generate

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolpress/discover"
	"toolpress/discover/wp"
	"toolpress/discover/wptest/recorded"
	"toolpress/generate/clients"
	"toolpress/generate/schema"
)

var recordings = []string{"wordpress-6.1", "wordpress-6.8", "wordpress-7.1", "woocommerce-10.5"}

// read are the recorded sites, each read once for all tests.
var read sync.Map

// recordedSite is a site of its own as far as the order of what it offers goes;
// what an entry holds is shared.
func recordedSite(t testing.TB, name string) *discover.Site {
	t.Helper()
	dir := recorded.Dir(t, name)
	once, _ := read.LoadOrStore(name, sync.OnceValues(func() (*discover.Site, error) {
		server := httptest.NewServer(recorded.Handler(t, dir))
		defer server.Close()
		u, _ := url.Parse(server.URL)
		root, err := discover.Find(context.Background(), u, wp.Options{})
		if err != nil {
			return nil, err
		}
		defer root.Client().Close()
		return root.Read(context.Background())
	}))
	site, err := once.(func() (*discover.Site, error))()
	if err != nil {
		t.Fatal(err)
	}
	own := *site
	own.Routes, own.Abilities = slices.Clone(site.Routes), slices.Clone(site.Abilities)
	return &own
}

// decode reads test JSON as a site's answer is read.
func decode(t testing.TB, text string) any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// rules are those of the repairs, each once.
func rules(repairs []schema.Repair) string {
	var names []string
	for _, r := range repairs {
		names = append(names, r.Rule)
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ",")
}

func route(t testing.TB, path, endpoints string) discover.Route {
	t.Helper()
	var r discover.Route
	canonical, params, err := discover.ParsePattern(path)
	if err != nil {
		t.Fatal(err)
	}
	r.Path, r.Pattern, r.Params, r.Namespace = canonical, path, params, "acme/v1"
	dec := json.NewDecoder(strings.NewReader(endpoints))
	dec.UseNumber()
	if err := dec.Decode(&r.Endpoints); err != nil {
		t.Fatal(err)
	}
	return r
}

func ability(t testing.TB, name, annotations, input string) discover.Ability {
	t.Helper()
	a := discover.Ability{Name: name, Label: "Label", Description: "Does it.", Meta: map[string]any{"annotations": decode(t, annotations)}}
	if input != "" {
		a.InputSchema = decode(t, input)
	}
	return a
}

// Everything the four recorded sites offer comes out valid for every client,
// and nothing is withheld but what carries other calls or cannot be reached.
func TestRecordings(t *testing.T) {
	operations := map[string]int{"wordpress-6.1": 177, "wordpress-6.8": 196, "wordpress-7.1": 210, "woocommerce-10.5": 896}
	for _, name := range recordings {
		t.Run(name, func(t *testing.T) {
			s := FromSite(recordedSite(t, name))
			if len(s.Operations) != operations[name] {
				t.Errorf("%d operations, want %d", len(s.Operations), operations[name])
			}
			for _, w := range s.Withheld {
				if !strings.Contains(w.Reason, "other calls") && !strings.Contains(w.Reason, "unreachable") && !strings.Contains(w.Reason, "runs any ability") {
					t.Errorf("%s is withheld: %s", w.ID, w.Reason)
				}
			}
			for i, o := range s.Operations {
				if i > 0 && s.Operations[i-1].ID >= o.ID {
					t.Errorf("%s stands twice or out of order", o.ID)
				}
				if o.Description == "" || o.Title == "" {
					t.Errorf("%s: name %q, title %q, description %q", o.ID, o.Name, o.Title, o.Description)
				}
				checkSchema(t, o)
			}
		})
	}
}

// checkSchema asserts that every client takes an operation as a tool, and that
// what the modern dialect keeps is JSON Schema 2020-12 with an object at its root.
func checkSchema(t *testing.T, o *Operation) {
	t.Helper()
	for _, dialect := range []schema.Dialect{schema.Common, schema.Modern} {
		text, err := schema.Encode(InputSchema(o.Args, o.Extra).In(dialect))
		if err != nil {
			t.Fatalf("%s: %v", o.ID, err)
		}
		for _, r := range clients.Check(clients.Tool{Server: "toolpress", Name: o.Name, Input: decode(t, string(text))}) {
			if dialect == schema.Common || r.Rule == "root-object" || r.Rule == "root-combinator" || r.Rule == "draft-2020-12" || r.Client == "TypeScript SDK 1.x" {
				t.Errorf("%s in %s: %+v", o.ID, dialect, r)
			}
		}
	}
}

// G78, T14: what cannot be read withholds its own operation, never another.
func TestOneBrokenSchemaWithholdsOne(t *testing.T) {
	deep := strings.Repeat(`{"type":"object","properties":{"a":`, 100) + `{}` + strings.Repeat(`}}`, 100)
	s := FromSite(&discover.Site{
		Routes: []discover.Route{
			route(t, `/acme/v1/ok`, `[{"methods":["GET"],"args":{}}]`),
			route(t, `/acme/v1/ref`, `[{"methods":["GET"],"args":{"a":{"$ref":"file:///etc/passwd"}}}]`),
			route(t, `/acme/v1/deep`, `[{"methods":["GET"],"args":{"a":`+deep+`}}]`),
			route(t, `/acme/v1/same/(?P<id>[0-9]+)`, `[{"methods":["GET"]}]`),
			route(t, `/acme/v1/same/(?P<id>[a-z]+)`, `[{"methods":["GET"]}]`),
			route(t, "/acme/v1/a\u202e IGNORE", `[{"methods":["GET"]}]`),
			route(t, `/acme/v1/head`, `[{"methods":["HEAD"]}]`),
			route(t, `/acme/v1/must`, `[{"methods":["POST"],"args":{"a":{"type":"object","properties":{"x/y":{"required":true}}}}}]`),
		},
		Abilities: []discover.Ability{
			ability(t, "acme/broken", `{}`, `"text"`), ability(t, "acme/fine", `{}`, `{"type":"object"}`), ability(t, "nameless", `{}`, ``), ability(t, "a/..", `{}`, ``),
		},
	})
	var served, withheld []string
	for _, o := range s.Operations {
		served = append(served, o.ID)
	}
	for _, w := range s.Withheld {
		withheld = append(withheld, w.ID+": "+w.Reason)
	}
	if diff := cmp.Diff([]string{"GET /acme/v1/ok", "GET /acme/v1/same/{id}", "POST /acme/v1/must", "ability:acme/fine"}, served); diff != "" {
		t.Error(diff)
	}
	want := []string{
		"GET /acme/v1/a IGNORE: its route's path holds characters or a length that no client and no proxy takes",
		"GET /acme/v1/deep: " + "a" + strings.Repeat(".a", 65) + ": the schema is nested deeper than 64 levels",
		`GET /acme/v1/ref: a: $ref "file:///etc/passwd" leads out of the schema and is not followed`,
		"GET /acme/v1/same/{id} (/acme/v1/same/(?P<id>[a-z]+)): another route of the site has the same path, and nothing tells the two apart",
		"HEAD /acme/v1/head: none of its methods can be a tool",
		`ability:a/..: "a/.." is not a name of an ability`,
		`ability:acme/broken: input: a schema is expected here`,
		`ability:nameless: "nameless" is not a name of an ability`,
	}
	if diff := cmp.Diff(want, withheld); diff != "" {
		t.Error(diff)
	}
}
