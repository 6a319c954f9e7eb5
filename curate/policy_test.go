package curate

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"toolpress/generate"
)

// What the layers say of a tool's use is in the catalog, whoever enforces it:
// scopes add up over groups, the strongest layer says the rest.
func TestPolicyIsCarried(t *testing.T) {
	catalog, findings := apply(t, `
version: 1
groups: { write: { describe: Change, scopes: [posts:write, site] }, other: { scopes: [other] } }
rules:
  - { match: { method: POST }, set: { calls: 100/d, timeout: 1m, scopes: [rule] } }
tools:
  add:
    from: POST /wp/v2/posts
    args: { title: { rename: heading, header: Title }, status: { header: Status } }
    scopes: [site, all]
    idempotency: { argument: key, window: 24h }
    calls: 10/m
    confirm: { when: never, ask: "Add {heading} to {site}?", without_elicitation: two_step, fields: { reason: { describe: "Why?", required: true }, how: { enum: [now, later] } } }
    groups: [write]
  find: { from: GET /wp/v2/posts, cache: 10m }
`)
	if errs := findings.Errors(); len(errs) > 0 {
		t.Fatal(errs)
	}
	add, find := catalog.Profiles[DefaultProfile].Tool("add"), catalog.Profiles[DefaultProfile].Tool("find")
	got := []any{add.Scopes, add.Idempotency, add.Calls, add.Timeout, add.Confirm, add.Headers, find.Cache, find.Scopes, find.Calls}
	want := []any{
		[]string{"all", "posts:write", "site"},
		&Idempotency{Argument: "key", Window: 24 * time.Hour},
		Rate{10, time.Minute},
		time.Minute,
		Confirm{When: "never", Ask: "Add {heading} to {site}?", WithoutElicitation: "two_step", Fields: []Field{
			{Name: "reason", Describe: "Why?", Type: "string", Required: true}, {Name: "how", Type: "string", Enum: []string{"now", "later"}},
		}},
		map[string]string{"heading": "Title", "status": "Status"},
		10 * time.Minute, []string(nil),
		Rate{},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	told := map[string]int{}
	for _, f := range findings {
		told[f.ID]++
	}
	if told["not-enforced"] != 1 { // scopes, once
		t.Errorf("%v", findings)
	}
}

// An answer is kept of what only reads, by the site's word and by the curation's.
func TestCacheOfWrites(t *testing.T) {
	for tool, ok := range map[string]bool{
		"{ from: GET /wp/v2/posts, cache: 1m }":                                     true,
		"{ from: GET /wp/v2/posts, cache: 1m, annotations: { read_only: false } }":  false,
		"{ from: POST /wp/v2/posts, cache: 1m }":                                    false,
		"{ from: POST /wp/v2/posts, cache: 1m, annotations: { read_only: true } }":  false,
		"{ from: GET /wp/v2/posts, cache: 1m, annotations: { open_world: false } }": true,
	} {
		catalog, findings := apply(t, "version: 1\ntools: { t: "+tool+" }\n")
		refused := strings.Contains(findings.Errors().Error(), "t may change the site: an answer that is kept would not")
		if served := catalog.Profiles[DefaultProfile].Tool("t") != nil; served != ok || refused == ok {
			t.Errorf("%s: served %v, %v", tool, served, findings)
		}
	}
}

// A claim of more danger is taken from any layer, one of less from the
// curation's own files only; none opens a read-only profile.
func TestAnnotations(t *testing.T) {
	reads := generate.Annotations{ReadOnly: true, Idempotent: true, OpenWorld: true}
	writes := generate.Annotations{Destructive: true, OpenWorld: true}
	for claim, c := range map[string]struct {
		from          string
		own, inPreset generate.Annotations
		refused       bool // in a preset
	}{
		"{ destructive: false }":               {"PUT /wp/v2/posts/{id}", generate.Annotations{OpenWorld: true}, writes, true},
		"{ read_only: true }":                  {"PUT /wp/v2/posts/{id}", generate.Annotations{ReadOnly: true, OpenWorld: true}, writes, true},
		"{ idempotent: true }":                 {"PUT /wp/v2/posts/{id}", generate.Annotations{Destructive: true, Idempotent: true, OpenWorld: true}, writes, true},
		"{ open_world: false }":                {"PUT /wp/v2/posts/{id}", generate.Annotations{Destructive: true}, writes, true},
		"{ read_only: false }":                 {"GET /wp/v2/posts", generate.Annotations{Idempotent: true, OpenWorld: true}, generate.Annotations{Idempotent: true, OpenWorld: true}, false},
		"{ destructive: true }":                {"GET /wp/v2/posts", generate.Annotations{Destructive: true, Idempotent: true, OpenWorld: true}, generate.Annotations{Destructive: true, Idempotent: true, OpenWorld: true}, false},
		"{ idempotent: false }":                {"GET /wp/v2/posts", generate.Annotations{ReadOnly: true, OpenWorld: true}, generate.Annotations{ReadOnly: true, OpenWorld: true}, false},
		"{ read_only: true, open_world: true}": {"GET /wp/v2/posts", reads, reads, false},
	} {
		text := "version: 1\ndefaults: { confirm: { when: never } }\ntools: { t: { from: \"" + c.from + "\", annotations: " + claim + " } }\nprofiles: { default: {}, reader: { read_only: true } }\n"
		for _, preset := range []bool{false, true} {
			curation, err := parse("curation.yaml", []byte(text), preset, nil)
			if err != nil {
				t.Fatal(err)
			}
			catalog, findings := curation.Apply(shop(t), nil)
			tool := catalog.Profiles[DefaultProfile].Tool("t")
			if preset && c.refused {
				if tool != nil || len(findings.Errors()) != 1 || !strings.Contains(findings.Errors()[0].Message, "claims less danger than the site says") {
					t.Errorf("%s in a preset: %v", claim, findings)
				}
				continue
			}
			if tool == nil {
				t.Errorf("%s: %v", claim, findings)
				continue
			}
			if tool.Annotations != c.own {
				t.Errorf("%s: %+v, want %+v", claim, tool.Annotations, c.own)
			}
			if served := catalog.Profiles["reader"].Tool("t") != nil; served != (c.from == "GET /wp/v2/posts" && tool.Annotations.ReadOnly) {
				t.Errorf("%s: in a read-only profile: %v", claim, served)
			}
		}
	}
}

// A tool that is replaced keeps what it was, and is called by its old name; a
// profile and a later layer know it by the new one.
func TestReplaced(t *testing.T) {
	catalog, findings := layersOf(t, `
version: 1
extends: base.yaml
server: { prefix: x_ }
tools:
  search: { replaces: find, title: Search }
  look: { replaces: search, aliases: [peek] }
  hours_now: { replaces: shop_hours }
`, map[string]string{"base.yaml": "version: 1\nexpose: [{ ability: shop/hours }]\ntools: { find: { from: GET /wp/v2/posts, description: Base, args: { \"*\": hidden, search: { rename: query } } } }"})
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	p := catalog.Profiles[DefaultProfile]
	if got := served(catalog); got != "x_hours_now x_look" {
		t.Fatalf("served %s", got)
	}
	tool := p.Tool("x_look")
	if diff := cmp.Diff([]string{"find", "peek", "search"}, tool.Aliases); diff != "" || tool.Description != "Base" || tool.Title != "Search" {
		t.Errorf("%s %q %q", diff, tool.Description, tool.Title)
	}
	for _, name := range []string{"x_look", "find", "peek"} {
		if p.Called(name) != tool {
			t.Errorf("%s reaches %v", name, p.Called(name))
		}
	}
	r, err := tool.Request(json.RawMessage(`{"query":"a"}`))
	if got := shown(r, err); got != "GET /wp/v2/posts?search=a" {
		t.Error(got)
	}
}
