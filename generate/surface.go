package generate

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"toolpress/discover"
	"toolpress/generate/schema"
)

// Surface is every operation a site could offer. It is not served: curate
// chooses from it.
type Surface struct {
	// Site is the site's front address, Root its REST root, Name what it
	// calls itself.
	Site string
	Root string
	Name string
	// Timezone is the site's own: a city's, Europe/Lisbon, or "UTC offset" with hours
	// (discover.Site). Empty where it is not known.
	Timezone string
	// Locale is the one of the site's texts, Spoken the one that it answers in where
	// that is another (discover.Site); either may be empty.
	Locale, Spoken string
	// Namespaces are the site's, for telling a missing plugin from a typo.
	Namespaces []string
	// ApplicationPasswords reports that the site offers them.
	ApplicationPasswords bool
	// AbilitiesAPI says whether the site's abilities could be read.
	AbilitiesAPI discover.AbilitiesState
	// Operations in the bytewise order of their IDs.
	Operations []*Operation
	// Withheld are the endpoints and abilities that are no operation.
	Withheld []Withheld

	taken map[string]bool // IDs
}

// PlainPermalinks reports that routes go in the query of the root, as
// …/index.php?rest_route=/wp/v2/posts.
func (s *Surface) PlainPermalinks() bool {
	root, err := url.Parse(s.Root)
	return err == nil && root.Query().Has("rest_route")
}

// Withheld is what the site has and no tool may be, with the reason.
type Withheld struct {
	ID     string `json:"operation"`
	Reason string `json:"reason"`
}

// Operation returns the operation an identity names, or nil. PUT and PATCH
// are spellings of POST where they are the same endpoint.
func (s *Surface) Operation(id string) *Operation {
	if i, ok := slices.BinarySearchFunc(s.Operations, id, func(o *Operation, id string) int { return cmp.Compare(o.ID, id) }); ok {
		return s.Operations[i]
	}
	method, path, _ := strings.Cut(id, " ")
	for _, o := range s.Operations {
		if o.Route == path && slices.Contains(o.Spellings, method) {
			return o
		}
	}
	return nil
}

// Refusal returns why an identity is no operation; empty when that is not known.
func (s *Surface) Refusal(id string) string {
	for _, w := range s.Withheld {
		if w.ID == id {
			return w.Reason
		}
	}
	return ""
}

// FromSite makes the surface of a site. It never fails: what cannot be an
// operation is withheld with its reason.
func FromSite(site *discover.Site) *Surface {
	s := &Surface{
		Site: site.URL, Root: site.Root, Name: site.Name, Timezone: site.Timezone, Namespaces: site.Namespaces,
		ApplicationPasswords: site.ApplicationPasswords, AbilitiesAPI: site.AbilitiesAPI, Locale: site.Locale, Spoken: site.Spoken, taken: map[string]bool{},
	}
	for i := range site.Routes {
		s.addRoute(&site.Routes[i])
	}
	for i := range site.Abilities {
		s.addAbility(&site.Abilities[i])
	}
	s.findRivals(site)
	slices.SortFunc(s.Operations, func(a, b *Operation) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(s.Withheld, func(a, b Withheld) int { return cmp.Compare(a.ID, b.ID) })
	s.findOverlaps()
	return s
}

// findRivals tells each operation the site's routes, to none of which but its
// own a path argument must lead.
func (s *Surface) findRivals(site *discover.Site) {
	all := &neighbours{routes: map[beginsWith][]*siteRoute{}}
	for i := range site.Routes {
		r := newSiteRoute(&site.Routes[i])
		methods := map[string]bool{}
		for _, e := range site.Routes[i].Endpoints {
			for _, m := range e.Methods {
				methods[m] = true
			}
		}
		for m := range methods {
			all.add(m, r)
		}
	}
	for _, o := range s.Operations {
		if len(o.plan.params) > 0 {
			o.plan.among = all
		}
	}
}

// withhold keeps what both texts say, patterns included, fit to be shown.
func (s *Surface) withhold(id, reason string) {
	s.Withheld = append(s.Withheld, Withheld{ID: schema.Legible(id, maxToolText), Reason: schema.Legible(reason, maxToolText)})
}

// SortArgs puts path arguments first, in the path's order, then what the site
// requires, then the rest by name.
func SortArgs(args []Arg) {
	rank := func(a Arg) int {
		switch {
		case a.In == InPath:
			return 0
		case a.Required:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(args, func(a, b Arg) int {
		if n := cmp.Compare(rank(a), rank(b)); n != 0 || a.In == InPath {
			return n
		}
		return cmp.Compare(a.Name, b.Name)
	})
}

// apart gives arguments names of their own.
func apart(args []Arg) {
	wires := make([]string, len(args))
	for i, a := range args {
		wires[i] = a.Wire
	}
	for i, name := range schema.Names(wires) {
		args[i].Name = name
	}
}

// InputSchema is the schema of an object with these arguments, in their order.
// extra describes further properties; nil allows none.
func InputSchema(args []Arg, extra *schema.Schema) *schema.Schema {
	s := &schema.Schema{Types: []string{"object"}, Additional: extra, Closed: extra == nil}
	for _, a := range args {
		s.Properties = append(s.Properties, schema.Property{Name: a.Name, Required: a.Required, Schema: a.Schema})
	}
	return s
}
