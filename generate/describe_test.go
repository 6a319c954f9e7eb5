package generate

import (
	"strings"
	"testing"

	"toolpress/discover"
)

// per_page, page, context and force get words for a model where the site says
// core's sentence or nothing; its own words, and what is of another type, stay.
func TestFourParametersAreDescribed(t *testing.T) {
	scope := "Scope under which the request is made; determines fields present in response."
	for _, c := range []struct{ method, args, arg, want string }{
		{"GET", `{"per_page":{"type":"integer","maximum":100,"description":"Maximum number of items to be returned in result set."}}`, "per_page", "How many items to return at once."},
		{"GET", `{"per_page":{"type":"integer"}}`, "per_page", "How many items to return at once."},
		{"GET", `{"per_page":{"type":"integer","description":"Books on a shelf."}}`, "per_page", "Books on a shelf."},
		{"GET", `{"per_page":{"type":"string"}}`, "per_page", ""},
		{"GET", `{"page":{"type":"integer","description":"Current page of the collection."}}`, "page", "Which page of the list, from 1; the answer gives total_pages."},
		{"GET", `{"page":{"type":"integer"},"per_page":{"type":"integer"}}`, "page", "Which page of the list, from 1; the answer gives total_pages."},
		{"GET", `{"page":{"type":"integer"}}`, "page", ""}, // may be a page of the site
		{"GET", `{"context":{"type":"string","enum":["view","embed","edit"],"description":"` + scope + `"}}`, "context", "What to return: view to read, embed for a summary, edit for the raw text before changing it."},
		{"GET", `{"context":{"type":"string","enum":["view"]}}`, "context", "What to return: view to read."},
		{"GET", `{"context":{"type":"string","description":"` + scope + `"}}`, "context", "What to return."},
		{"GET", `{"context":{"type":"string","enum":["shop","blog"]}}`, "context", ""},
		{"GET", `{"context":{"type":"string"}}`, "context", ""},
		{"DELETE", `{"force":{"type":"boolean","description":"Whether to bypass Trash and force deletion."}}`, "force", "true deletes for good; otherwise it goes to the trash, and is refused where the site has none."},
		{"DELETE", `{"force":{"type":"boolean"}}`, "force", "true deletes for good; otherwise it goes to the trash, and is refused where the site has none."},
		{"DELETE", `{"force":{"type":"boolean","description":"Required to be true, as terms do not support trashing."}}`, "force", "Required to be true, as terms do not support trashing."},
		{"POST", `{"force":{"type":"boolean"}}`, "force", ""},
	} {
		s := FromSite(&discover.Site{Routes: []discover.Route{route(t, `/acme/v1/things`, `[{"methods":["`+c.method+`"],"args":`+c.args+`}]`)}})
		o := s.Operations[0]
		if got := o.Arg(c.arg).Schema.Description; got != c.want {
			t.Errorf("%s %s: %q, want %q", c.method, c.args, got, c.want)
		}
		if len(o.Repairs) > 0 {
			t.Errorf("%s: repairs %v", c.args, o.Repairs)
		}
	}
}

// An ability's own per_page is its author's.
func TestAbilitiesKeepTheirWords(t *testing.T) {
	s := FromSite(&discover.Site{Abilities: []discover.Ability{ability(t, "a/b", `{}`, `{"type":"object","properties":{"per_page":{"type":"integer"}}}`)}})
	if got := s.Operations[0].Arg("per_page").Schema.Description; got != "" {
		t.Errorf("%q", got)
	}
}

// On the recorded sites no sentence of core's is left, a bound that a site gives
// stays, and no argument is a global one (W30).
func TestParametersOfRecordings(t *testing.T) {
	for _, name := range recordings {
		t.Run(name, func(t *testing.T) {
			s := FromSite(recordedSite(t, name))
			described := map[string]int{}
			for _, o := range s.Operations {
				for _, a := range o.Args {
					if standard[a.Schema.Description] {
						t.Errorf("%s: %s is %q", o.ID, a.Name, a.Schema.Description)
					}
					if strings.HasPrefix(a.Schema.Description, "What to return") || strings.HasPrefix(a.Schema.Description, "How many items to return at once") {
						described[a.Name]++
					}
					if isGlobal(a.Wire) {
						t.Errorf("%s takes %s", o.ID, a.Wire)
					}
				}
			}
			if described["per_page"] < 15 || described["context"] < 40 || len(described) != 2 {
				t.Errorf("described: %v", described)
			}
			if got := s.Operation("GET /wp/v2/posts").Arg("per_page").Schema; got.Maximum != "100" || got.Minimum != "1" {
				t.Errorf("per_page of posts: %+v", got)
			}
		})
	}
}
