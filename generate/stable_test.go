package generate

import (
	"math/rand/v2"
	"reflect"
	"regexp"
	"testing"

	"pgregory.net/rapid"

	"toolpress/discover"
)

// what is an operation without what depends on the rest of the site: which
// ability does the same, and which routes a value must not lead to.
func what(o *Operation) Operation {
	alone := *o
	alone.SameAs, alone.plan = "", plan{}
	return alone
}

// some is a part of a site, of about so many of a thousand routes and abilities.
func some(site *discover.Site, seed uint64, perMille int) *discover.Site {
	part := *site
	part.Routes, part.Abilities = nil, nil
	r := rand.New(rand.NewPCG(seed, 0))
	for _, route := range site.Routes {
		if r.IntN(1000) < perMille {
			part.Routes = append(part.Routes, route)
		}
	}
	for _, a := range site.Abilities {
		if r.IntN(1000) < perMille {
			part.Abilities = append(part.Abilities, a)
		}
	}
	return &part
}

// Whatever else a site has, an operation is the same: its name, what is said of
// it, its arguments (curation.md, principle 8). No plugin that comes or goes
// renames a tool or changes what it does.
func TestOperationsDoNotDependOnNeighbours(t *testing.T) {
	for _, name := range recordings {
		t.Run(name, func(t *testing.T) {
			site := recordedSite(t, name)
			whole, byRoute := map[string]Operation{}, map[string][]string{}
			for _, o := range FromSite(site).Operations {
				whole[o.ID] = what(o)
				byRoute[o.Route] = append(byRoute[o.Route], o.ID)
			}
			rapid.Check(t, func(t *rapid.T) {
				part := some(site, rapid.Uint64().Draw(t, "seed"), rapid.IntRange(1, 150).Draw(t, "per mille"))
				expected := map[string]bool{}
				for _, r := range part.Routes {
					for _, id := range byRoute[r.Path] {
						expected[id] = true
					}
				}
				for _, a := range part.Abilities {
					expected["ability:"+a.Name] = true
				}
				for _, o := range FromSite(part).Operations {
					if got, want := what(o), whole[o.ID]; !reflect.DeepEqual(got, want) {
						t.Fatalf("%s alone is\n%+v, among others\n%+v", o.ID, got, want)
					}
					delete(expected, o.ID)
				}
				if len(expected) > 0 {
					t.Fatalf("missing: %v", expected)
				}
			})
		})
	}
}

// everyClient is a name that OpenAI, Anthropic and Gemini take (G26, G29, G30).
var everyClient = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`)

// On the recorded sites every proposed name is one every client takes, and no
// two are alike (W33, G27, G28).
func TestProposedNames(t *testing.T) {
	for _, name := range recordings {
		t.Run(name, func(t *testing.T) {
			seen := map[string]string{}
			for _, o := range FromSite(recordedSite(t, name)).Operations {
				if !everyClient.MatchString(o.Name) {
					t.Errorf("%s is called %q", o.ID, o.Name)
				}
				if other := seen[o.Name]; other != "" {
					t.Errorf("%s and %s are both called %s", other, o.ID, o.Name)
				}
				seen[o.Name] = o.ID
			}
		})
	}
}

// Any namespace, path and ability gives a name every client takes (G26, G27,
// G29, G30), and what is read of it as a title is never empty.
func TestAnyName(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-zA-Z0-9_./{}品日é~-]{0,90}`)
		namespace, path, ability := text.Draw(t, "namespace"), text.Draw(t, "path"), text.Draw(t, "ability")
		method := rapid.SampledFrom([]string{"GET", "POST", "PUT", "DELETE"}).Draw(t, "method")
		path = "/" + namespace + "/" + path
		for _, got := range []string{
			routeName(method+" "+path, namespace, path, method, false, false), abilityName("ability:"+ability, ability),
		} {
			if !everyClient.MatchString(got) {
				t.Fatalf("%s %s, %s: %q", method, path, ability, got)
			}
			if Title(got) == "" {
				t.Fatalf("%q has no title", got)
			}
		}
	})
}
