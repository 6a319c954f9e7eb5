package wptest

import (
	"encoding/json"
	"net/http"
	"slices"
)

// ability is one entry of the Abilities API (WP_Ability).
type ability struct {
	name, label, about, category string
	// input and output are JSON Schemas; empty for none.
	input, output string
	// meta replaces what the annotations and visibility are by default.
	annotations map[string]any
	meta        map[string]any
	// hidden abilities are not in REST.
	hidden bool
	// there tells whether the site has it; nil: always.
	there func(*Site) bool
	// allowed is the permission callback; nil asks for the right to read.
	allowed func(*request) bool
	run     func(r *request, input any) (any, *fault)
	// prints is what it writes in front of its answer.
	prints string

	inputSchema, outputSchema map[string]any
}

// annotate is what an ability says about its effects; nil says nothing.
func annotate(readonly, destructive, idempotent any) map[string]any {
	return map[string]any{"readonly": readonly, "destructive": destructive, "idempotent": idempotent}
}

var (
	onlyReads = annotate(true, false, true)
	justAdds  = annotate(false, false, false)
	overwrite = annotate(false, true, true)
	unsaid    = annotate(nil, nil, nil)
)

// category groups abilities.
type category struct{ slug, label, about string }

var abilityCategories = []category{
	{"site", "Site", "Abilities about the site and its settings."},
	{"user", "User", "Abilities about users and their settings."},
	{"bookshop", "Bookshop", "What the staff of a small bookshop does."},
}

// abilities are all there are, in the order plugins register them.
var abilities = prepared(append(coreAbilities(), shopAbilities()...))

func prepared(list []*ability) []*ability {
	for _, a := range list {
		a.inputSchema, a.outputSchema = schemaJSON(a.input), schemaJSON(a.output)
		if a.annotations == nil {
			a.annotations = onlyReads
		}
	}
	return list
}

func schemaJSON(source string) map[string]any {
	if source == "" {
		return nil
	}
	var schema map[string]any
	if err := json.Unmarshal([]byte(source), &schema); err != nil {
		panic("wptest: " + err.Error() + ": " + source) // a constant of this package
	}
	return wholes(schema).(map[string]any)
}

func wholes(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = wholes(v[k])
		}
	case []any:
		for i := range v {
			v[i] = wholes(v[i])
		}
	default:
		return whole(v)
	}
	return v
}

func (r *request) findAbility() (*ability, *fault) {
	at := slices.IndexFunc(abilities, func(a *ability) bool { return a.name == r.str("name") && (a.there == nil || a.there(r.Site)) })
	if at < 0 || abilities[at].hidden {
		return nil, failed(http.StatusNotFound, "rest_ability_not_found", "There is no such ability.")
	}
	return abilities[at], nil
}

var abilityResource = &resource{title: "ability", fields: fields(`
name string @vem ro | Its identifier.
label string @vem ro | What people call it.
description string @ve ro | What it does.
category string @vem ro | The group it belongs to.
input_schema object @ve ro | A JSON Schema of what it takes.
output_schema object @ve ro | A JSON Schema of what it gives.
meta object @ve ro | More about it.
	annotations object additionalProperties=true | What it does to the site.
		readonly boolean,null | Whether it changes nothing.
		destructive boolean,null | Whether it may destroy something.
		idempotent boolean,null | Whether once is as much as twice.
	public boolean | Whether clients such as agents may have it.
`)}

var abilityCategoryResource = &resource{title: "ability-category", fields: fields(`
slug string @vem ro | Its identifier.
label string @vem ro | What people call it.
description string @ve ro | What belongs to it.
meta object @ve ro | More about it.
`)}

const anyType = "integer,number,boolean,string,array,object,null"

var runResource = &resource{title: "ability-execution", fields: fields("result " + anyType + " @ve ro | What the ability gave back.")}

// abilityRoutes are wp-abilities/v1 (WP_REST_Abilities_V1_*_Controller).
func abilityRoutes() []*route {
	const pages = "page integer default=1 minimum=1 late | Which page of the results.\n" +
		"per_page integer default=50 minimum=1 maximum=100 late | How many results a page has.\n"
	mayReadAny := func(r *request) *fault { return may(r.user.can("read")) }
	one := func(pattern string, res *resource, args []field, handle func(*request) (*answer, *fault)) *route {
		return &route{pattern: pattern, resource: res, endpoints: []*endpoint{{methods: reads, args: args, allowed: mayReadAny, handle: handle}}}
	}
	name := fields(`name string late pattern=^[a-zA-Z0-9\-\/]+$ | The ability's name, with its slash.`)
	list := append([]field{contextOf(abilityResource, "view")}, fields(pages+`
category string own=keyed | Only of this group.
namespace string own=keyed | Only of this plugin.
meta object late additionalProperties=true | Only with these values in meta.
	annotations object additionalProperties=true | Only with these annotations.
		readonly boolean,null | Whether it changes nothing.
		destructive boolean,null | Whether it may destroy something.
		idempotent boolean,null | Whether once is as much as twice.
`)...)
	return []*route{
		one("/categories", abilityCategoryResource, append([]field{contextOf(abilityCategoryResource, "view")}, fields(pages)...), listCategories),
		one(`/categories/(?P<slug>[a-z0-9]+(?:-[a-z0-9]+)*)`, abilityCategoryResource,
			fields(`slug string late pattern=^[a-z0-9]+(?:-[a-z0-9]+)*$ | The group's identifier.`), readCategory),
		{pattern: `/abilities/(?P<name>[a-zA-Z0-9\-\/]+?)/run`, resource: runResource, endpoints: []*endpoint{{
			methods: all, args: append(name, fields("input "+anyType+" own=ability default=null | What the ability takes.")...), allowed: mayRun, handle: run,
		}}},
		one("/abilities", abilityResource, list, listAbilities),
		one(`/abilities/(?P<name>[a-zA-Z0-9\-\/]+)`, abilityResource, name, func(r *request) (*answer, *fault) {
			a, f := r.findAbility()
			if f != nil {
				return nil, f
			}
			return &answer{data: r.showAbility(a, "view")}, nil
		}),
	}
}
