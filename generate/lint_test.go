package generate

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolpress/discover"
)

// W86: what clients would refuse is found in the schema as its author wrote it,
// with what toolpress makes of it; WordPress's own way to say that an argument is
// required is no fault, and neither is what every client takes.
func TestLint(t *testing.T) {
	site := &discover.Site{
		Routes: []discover.Route{
			route(t, `/acme/v1/things`, `[{"methods":["GET"],"args":{"q":{"type":"string","required":true}}},{"methods":["POST"],"args":{"tags":{"type":"array"}}}]`),
		},
		Abilities: []discover.Ability{
			ability(t, "acme/fine", `{}`, `{"type":"object","properties":{"q":{"type":"string"}}}`), ability(t, "acme/none", `{}`, ``),
			ability(t, "acme/odd", `{}`, `{"type":"object","properties":{"filter[x]":{"type":"string"}}}`),
		},
	}
	var got []string
	for _, f := range Lint(site) {
		for _, r := range f.Refusals {
			got = append(got, f.Operation+" "+r.Client+"/"+r.Rule+" "+r.Path+" "+r.What+" "+rules(f.Repairs))
		}
	}
	want := []string{
		"POST /acme/v1/things OpenAI/items inputSchema.tags no items items-added",
		"POST /acme/v1/things Gemini/items inputSchema.tags no items items-added",
		"POST /acme/v1/things VS Code/items inputSchema.tags no items items-added",
		"ability:acme/odd Claude/property-name inputSchema filter[x] argument-renamed",
		"ability:acme/odd Gemini/property-name inputSchema filter[x] argument-renamed",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The faults of a site come in one order.
func TestLintHasOneOrder(t *testing.T) {
	site := recordedSite(t, "wordpress-7.1")
	first := Lint(site)
	for range 10 {
		if diff := cmp.Diff(first, Lint(site)); diff != "" {
			t.Fatal(diff)
		}
	}
}
