// Package lint says to a plugin's author what is wrong with the abilities and
// routes a site registers, in the words of what was written in PHP: what MCP
// clients refuse of a schema as it stands (package clients), what a model will
// misread of a text (package words), and what is said of an ability's effect that
// cannot be true.
//
// It looks at what the site answers, not at what toolpress makes of it: another
// client of the same site gets it unmended. What is not visible from outside, such
// as a permission callback, is not judged, and no file or line is known.
package lint

import (
	"cmp"
	"slices"
	"strings"

	"toolpress/discover"
	"toolpress/generate"
	"toolpress/generate/clients"
	"toolpress/generate/schema"
	"toolpress/generate/words"
)

// Severity ranks findings.
type Severity string

// The severities. An error costs the user of a client the tool, or every tool. A
// warning is refused by what is dated, or by one report alone, or is misread by a
// model. Info is worth knowing.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
)

var severities = map[Severity]int{Error: 0, Warning: 1, Info: 2}

// Finding is one thing wrong with an ability or a route.
type Finding struct {
	// ID is the rule's, such as no-items; it never changes.
	ID       string   `json:"id"`
	Severity Severity `json:"severity"`
	// Operation is the identity, as in [generate.Operation].
	Operation string `json:"operation"`
	// Call is the PHP that registers it: wp_register_ability( 'acme/search', … ).
	Call string `json:"call"`
	// Path is the place by the keys of that PHP, dotted, the items of a list as []:
	// input_schema.lines[].sku.
	Path string `json:"path"`
	// Message says what stands there, Remedy what to write.
	Message string `json:"message"`
	Remedy  string `json:"remedy"`
	// Clients refuse it; nil where a model reads it and takes harm.
	Clients []Client `json:"clients,omitempty"`
}

// Client is who refuses, with the rule of [clients.Rules].
type Client struct {
	Name      string `json:"client"`
	Refuses   string `json:"refuses"`
	Source    string `json:"source"`
	Contested bool   `json:"contested,omitempty"`
}

// Check is everything wrong with a site's abilities and routes: in the bytewise
// order of the operations' identities, those of each by severity, in the order of
// [Rules].
func Check(site *discover.Site) []Finding {
	surface := generate.FromSite(site)
	r := &report{rank: map[string]int{}, rules: map[string]Rule{}, refuses: map[string]clients.Rule{}, seen: map[seen]int{}}
	for i, rule := range Rules() {
		r.rank[rule.ID], r.rules[rule.ID] = i, rule
	}
	for _, rule := range clients.Rules() {
		r.refuses[rule.Client+"/"+rule.ID] = rule
	}
	english := words.English(site.Locale)
	names, said := abilityNames(site.Abilities), descriptions(site.Abilities)
	for i := range site.Abilities {
		if s := newAbility(surface, &site.Abilities[i]); s != nil {
			r.ability(s, english, names, said)
		}
	}
	for _, s := range routes(surface, site) {
		r.route(s)
	}
	slices.SortStableFunc(r.all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Operation, b.Operation), cmp.Compare(severities[a.Severity], severities[b.Severity]), cmp.Compare(r.rank[a.ID], r.rank[b.ID]), cmp.Compare(a.Path, b.Path))
	})
	return r.all
}

// report collects findings.
type report struct {
	all     []Finding
	rank    map[string]int
	rules   map[string]Rule
	refuses map[string]clients.Rule // by client/ID
	seen    map[seen]int            // where in all
}

// maxText bounds what a finding shows of a site's own words, in bytes.
const maxText = 300

// seen is what makes two findings one.
type seen struct{ id, operation, path string }

func (r *report) ability(s *subject, english bool, names, said map[string][]string) {
	r.schemas(s)
	r.name(s, names)
	r.texts(s, english, said)
	r.annotations(s)
	r.visibility(s)
	r.arguments(s)
	r.query(s)
	if s.op == nil {
		r.add(s, "no-tool", s.key, s.withheld[strings.LastIndex(s.withheld, ": ")+1:])
	}
}

func (r *report) route(s *subject) {
	r.schemas(s)
	r.arguments(s)
}

// add adds a finding of a rule at its own severity; a second one at the same place
// adds what it says.
func (r *report) add(s *subject, id, path, message string, args ...any) {
	rule := r.rules[id]
	r.put(Finding{ID: id, Severity: rule.Severity, Path: path, Message: message, Remedy: rule.mend(path, args...)}, s)
}

func (r *report) put(f Finding, s *subject) {
	f.Operation, f.Call = schema.Legible(s.id, maxText), schema.Legible(s.call, maxText)
	f.Path, f.Message = schema.Legible(f.Path, maxText), schema.Legible(f.Message, maxText)
	key := seen{f.ID, f.Operation, f.Path}
	at, there := r.seen[key]
	if !there {
		r.seen[key] = len(r.all)
		r.all = append(r.all, f)
		return
	}
	known := &r.all[at]
	for _, c := range f.Clients {
		if !slices.Contains(known.Clients, c) {
			known.Clients = append(known.Clients, c)
		}
	}
	if f.Severity == Error {
		known.Severity = Error
	}
	known.say(f.Message)
}
