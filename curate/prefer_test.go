package curate

import (
	"strings"
	"testing"

	"toolpress/discover"
	"toolpress/generate"
)

// doubled is a site that offers things as routes and as abilities, and has
// plumbing beside them.
func doubled(t testing.TB) *generate.Surface {
	t.Helper()
	site := &discover.Site{Namespaces: []string{"acme/v1", "wp/v2", "oembed/1.0"}, AbilitiesAPI: discover.AbilitiesListed}
	for _, r := range []struct {
		namespace, pattern string
		methods            []string
	}{
		{"acme/v1", `/acme/v1/things`, []string{"GET"}},
		{"acme/v1", `/acme/v1/things/(?P<id>[\d]+)`, []string{"GET", "DELETE"}},
		{"acme/v1", `/acme/v1/other`, []string{"GET"}},
		{"wp/v2", `/wp/v2/posts`, []string{"GET"}},
		{"wp/v2", `/wp/v2/posts/(?P<id>[\d]+)/autosaves`, []string{"GET", "POST"}},
		{"oembed/1.0", `/oembed/1.0/embed`, []string{"GET"}},
	} {
		path, params, err := discover.ParsePattern(r.pattern)
		if err != nil {
			t.Fatal(err)
		}
		route := discover.Route{Path: path, Pattern: r.pattern, Params: params, Namespace: r.namespace}
		for _, m := range r.methods {
			route.Endpoints = append(route.Endpoints, discover.Endpoint{Methods: []string{m}})
		}
		site.Routes = append(site.Routes, route)
	}
	input := map[string]any{"type": "object", "properties": map[string]any{"id": map[string]any{"type": "integer"}}}
	for name, readonly := range map[string]bool{"acme/get-thing": true, "acme/list-things": true, "acme/delete-thing": false, "acme/open": true} {
		a := discover.Ability{Name: name, InputSchema: input, Meta: map[string]any{"annotations": map[string]any{"readonly": readonly}}}
		if name == "acme/open" {
			a.InputSchema = map[string]any{"type": "object"}
			a.InputSchema.(map[string]any)["additionalProperties"] = true
		}
		site.Abilities = append(site.Abilities, a)
	}
	return generate.FromSite(site)
}

// Where an ability and a route do the same, the ability is the tool and the
// route a finding; naming the route below tools, or not serving the ability,
// gives the route. Plumbing is a tool only where its route itself is named.
func TestAbilitiesArePreferredAndPlumbingIsNot(t *testing.T) {
	abilities := "acme_delete_thing acme_get_thing acme_list_things acme_open"
	reads := "acme_get_thing acme_list_things acme_open"
	for name, c := range map[string]struct{ text, want, finding string }{
		"one entry exposes both": {
			`expose: [{ vendor: acme }]`, reads + " acme_v1_get_other",
			`curation.yaml:3:10: warning: GET /acme/v1/things/{id} (ability:acme/get-thing), GET /acme/v1/things (ability:acme/list-things): left out, since an ability that is served does the same`,
		},
		"two entries do": {
			`expose: [{ route: "/acme/v1/things" }, { ability: "acme/*" }]`, reads,
			`curation.yaml:3:10: warning: GET /acme/v1/things (ability:acme/list-things): left out`,
		},
		"the ability is named below tools": {`expose: [{ route: "/acme/v1/things" }]` + "\n" + `tools: { all: { from: "ability:acme/list-things" } }`, "all", "does the same"},
		"the route is named below tools":   {`expose: [{ ability: "acme/*" }]` + "\n" + `tools: { all: { from: GET /acme/v1/things } }`, reads + " all", ""},
		"the hint, pasted": {
			`expose: [{ vendor: acme }]` + "\n" + `tools: { acme_v1_get_things: { from: "GET /acme/v1/things" }, acme_v1_get_thing: { from: "GET /acme/v1/things/{id}" } }`,
			reads + " acme_v1_get_other acme_v1_get_thing acme_v1_get_things", "",
		},
		"the ability is not exposed": {`expose: [{ namespace: acme/v1 }]`, "acme_v1_get_other acme_v1_get_thing acme_v1_get_things", ""},
		"the ability is excluded":    {`expose: [{ vendor: acme }]` + "\n" + `exclude: [{ ability: acme/list-things }]`, "acme_get_thing acme_open acme_v1_get_other acme_v1_get_things", "acme/get-thing"},
		"the route is excluded":      {`expose: [{ vendor: acme }]` + "\n" + `exclude: [{ route: "/acme/v1/things/**" }]`, reads + " acme_v1_get_other", ""},
		"writes too":                 {`expose: [{ vendor: acme, writes: true }]` + "\n" + `defaults: { confirm: { when: never } }`, abilities + " acme_v1_get_other", "DELETE /acme/v1/things/{id} (ability:acme/delete-thing)"},

		"plumbing, broadly":         {`expose: [{ namespace: "**", method: GET }]`, "acme_v1_get_other acme_v1_get_thing acme_v1_get_things get_posts", ""},
		"plumbing, by a pattern":    {`expose: [{ route: "/wp/v2/posts/**", writes: true }]`, "get_posts", ""},
		"plumbing, by its route":    {`expose: [{ route: "/wp/v2/posts/{id}/autosaves" }, { route: [/oembed/1.0/embed, "/wp/v2/*"] }]`, "get_post_autosaves get_posts oembed_1_0_get_embed", ""},
		"plumbing, below tools":     {`tools: { embed: { from: GET /oembed/1.0/embed } }`, "embed", ""},
		"plumbing and nothing else": {`expose: [{ vendor: oembed }, { route: /wp/v2/posts }]`, "get_posts", `curation.yaml:3:10: warning: this exposes nothing: what it chooses is plumbing (GET /oembed/1.0/embed: other sites embed a page with it)`},
	} {
		t.Run(name, func(t *testing.T) {
			curation, err := Parse("curation.yaml", []byte("version: 1\n\n"+c.text), nil)
			if err != nil {
				t.Fatal(err)
			}
			catalog, findings := curation.Apply(doubled(t), nil)
			if got := served(catalog); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if text := findings.Error(); c.finding != "" && !strings.Contains(text, c.finding) || c.finding == "" && strings.Contains(text, "does the same") {
				t.Errorf("findings:\n%s\nwant %s", text, c.finding)
			}
			again, _ := curation.Apply(doubled(t), nil)
			if served(again) != served(catalog) {
				t.Error("applied again it differs")
			}
		})
	}
}

// What was left out for an ability says so in the catalog, with the lines to
// have both.
func TestOverlapIsReported(t *testing.T) {
	curation, err := Parse("curation.yaml", []byte("version: 1\nexpose: [{ vendor: acme }]"), nil)
	if err != nil {
		t.Fatal(err)
	}
	catalog, findings := curation.Apply(doubled(t), nil)
	if len(findings) != 1 || findings[0].ID != "overlap" || findings[0].Severity != SeverityWarning ||
		findings[0].Hint != "exclude it, or have both by naming it below tools:\n    acme_v1_get_thing: { from: \"GET /acme/v1/things/{id}\" }" {
		t.Errorf("%+v", findings)
	}
	want := Withheld{Operation: "GET /acme/v1/things", Tool: "acme_v1_get_things", Reason: "ability:acme/list-things is served and does the same"}
	if len(catalog.Withheld) != 2 || catalog.Withheld[0] != want {
		t.Errorf("%+v", catalog.Withheld)
	}
}

// An ability with open input takes no global parameter beside what it names
// (T07).
func TestOpenAbilitiesTakeNoGlobals(t *testing.T) {
	curation, err := Parse("curation.yaml", []byte("version: 1\nexpose: [{ ability: acme/open }]"), nil)
	if err != nil {
		t.Fatal(err)
	}
	catalog, _ := curation.Apply(doubled(t), nil)
	tool := catalog.Profiles[DefaultProfile].Tool("acme_open")
	for _, name := range generate.Globals {
		if _, err := tool.Request([]byte(`{"` + name + `":"x"}`)); err == nil || !strings.Contains(err.Error(), name+" is not an argument of this tool") {
			t.Errorf("%s: %v", name, err)
		}
	}
	r, err := tool.Request([]byte(`{"fields":"x"}`))
	if got := shown(r, err); got != "GET /wp-abilities/v1/abilities/acme/open/run?input[fields]=x" {
		t.Error(got)
	}
}
