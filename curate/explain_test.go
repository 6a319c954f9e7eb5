package curate

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolpress/discover"
	"toolpress/generate"
	"toolpress/generate/schema"
)

// What is not served says why, by its operation and by the name it has or would
// have.
func TestExplainWithheld(t *testing.T) {
	c, err := Parse("curation.yaml", []byte(explained), nil)
	if err != nil {
		t.Fatal(err)
	}
	surface := shop(t)
	catalog, _ := c.Apply(surface, Rights{SiteAccount: {"ability:shop/hours": discover.Denied}})
	for asked, want := range map[string]string{
		"ability:shop/open":         "excluded at curation.yaml:5:11",
		"shop_open":                 "excluded at curation.yaml:5:11",
		"ability:shop/close":        "it writes, and curation.yaml:6:10 does not say writes: true",
		"ability:shop/private":      "its author marks it as not for agents (mcp.public: false); curation.yaml:6:10 exposes it, and naming it below tools would serve it",
		"ability:shop/hours":        NotPermitted,
		"read_post":                 "dropped at curation.yaml:13:3",
		"broken":                    "curation.yaml:25:67: maximum must be a number, not \"none\"",
		"find_pages":                inPreset(t, "find_pages", "GET /wp/v2/pages") + `: no operation matches "GET /wp/v2/pages"`,
		"DELETE /wp/v2/posts/{id}":  "it is in no group of the profile",
		"PATCH /wp/v2/posts/{id}":   "it is in no group of the profile",
		"GET /shop/v1/twins/a-b":    "two operations would be called ",
		"acme_shop_private":         "not for agents",
		"GET /wp/v2/posts/{id}":     "it is in no group of the profile: its own are [write], and the profile takes [read]",
		"acme_read_post":            "dropped at curation.yaml:13:3",
		"list_posts":                "it is in no group of the profile: its own are [write], and the profile takes [read]",
		"order":                     "it is in no group of the profile: its own are [write], and the profile takes [read]",
		"POST /shop/v1/orders":      "the profile few leaves it out, at curation.yaml:29:19",
		"delete_post":               "it is in no group of the profile",
		"GET /shop/v1/items":        "nothing exposes it or names it",
		"ability:shop/does-not-fit": "",
	} {
		e := catalog.Explain(surface, asked)
		if want == "" {
			if len(e.Withheld) > 0 {
				t.Errorf("%s: %+v", asked, e)
			}
			continue
		}
		if !slices.ContainsFunc(e.Withheld, func(w Withheld) bool { return strings.Contains(w.Reason, want) }) {
			t.Errorf("%s: %+v\nwant %s", asked, e, want)
		}
	}
	// Served in two forms by two profiles, and by one not at all.
	var served [][]string
	for _, s := range catalog.Explain(surface, "find_posts").Served {
		served = append(served, s.Profiles)
	}
	if diff := cmp.Diff([][]string{{"default", "few"}, {"all"}}, served); diff != "" {
		t.Error(diff)
	}
	for _, w := range catalog.Explain(surface, "order").Withheld {
		if w.Profile != "default" && w.Profile != "few" {
			t.Errorf("%+v", w)
		}
	}
}

// What is unknown gets the nearest names.
func TestExplainUnknown(t *testing.T) {
	catalog, _ := apply(t, explained)
	for asked, want := range map[string][2]string{
		"ordr":                {`there is no tool "ordr", and no operation`, `did you mean "order"?`},
		"GET /wp/v2/post":     {`no operation matches "GET /wp/v2/post"`, `did you mean "GET /wp/v2/posts"?`},
		"POST /batch/v1":      {`"POST /batch/v1" cannot be a tool: it carries other calls past every filter (a batch route)`, ""},
		"ability:shop/serach": {`no operation matches "ability:shop/serach"`, `did you mean "ability:shop/search"?`},
		"/wp/v2/posts":        {`there is no tool "/wp/v2/posts", and no operation`, `write "GET /wp/v2/posts"`},
		"xyzzy":               {`there is no tool "xyzzy", and no operation`, "toolpress check lists the tools, toolpress discover --summary what the site offers"},
	} {
		e := catalog.Explain(shop(t), asked)
		if diff := cmp.Diff(want, [2]string{e.Unknown, e.Hint}); diff != "" || len(e.Served)+len(e.Withheld) > 0 {
			t.Errorf("%s: %s", asked, diff)
		}
	}
}

// An ability that its author keeps from agents says so, also where nothing exposes
// it (W26).
func TestExplainOptOut(t *testing.T) {
	site := &discover.Site{Abilities: []discover.Ability{
		{Name: "a/no", Meta: map[string]any{"mcp": map[string]any{"public": false}}}, {Name: "a/yes"},
	}}
	s := generate.FromSite(site)
	c, err := Parse("curation.yaml", []byte("version: 1\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	catalog, _ := c.Apply(s, nil)
	for asked, want := range map[string][2]string{
		"ability:a/no":  {"nothing exposes it or names it; it is marked by its author as not for agents (meta.mcp.public: false)", "to serve it all the same, "},
		"ability:a/yes": {"nothing exposes it or names it", "to serve it, "},
	} {
		e := catalog.Explain(s, asked)
		if len(e.Withheld) != 1 || e.Withheld[0].Reason != want[0] || !strings.HasPrefix(e.Hint, want[1]) {
			t.Errorf("%s: %+v", asked, e)
		}
	}
}

// An example is a call that the tool takes, drawn from the schema's own words.
func TestExample(t *testing.T) {
	catalog, _ := apply(t, explained)
	arguments, r, err := catalog.Profiles["all"].Tool("acme_order").Example()
	if err != nil || string(arguments) != `{"line_items":[{"product":1}]}` {
		t.Errorf("%v %s", err, arguments)
	}
	if got := r.Method + " " + r.Route() + " " + encoded(r.Body); got != `POST /shop/v1/orders {"customer":{"address":{"country":"PT"}},"line_items":[{"product_id":1}]}` {
		t.Error(got)
	}
	for _, pattern := range []string{`^[a-z]{3}-\d+$`, `^(?:on|off)$`, `^[A-Z0-9._%+-]+@x\.pt$`, `^\w+(?:/\w+)?$`} {
		text := matching(schema.ParsePattern(pattern))
		if !regexp.MustCompile(pattern).MatchString(text) {
			t.Errorf("%s is not matched by %q", pattern, text)
		}
	}
}

// What a profile leaves out for an ability that it serves is said, also where
// another profile serves it.
func TestExplainInOneProfile(t *testing.T) {
	c, err := Parse("curation.yaml", []byte(`version: 1
defaults: { confirm: { when: never } }
expose: [{ route: "/acme/v1/things", groups: [routes] }, { ability: "acme/list-*", groups: [abilities] }]
profiles:
  default: { groups: [routes] }
  both: { groups: [routes, abilities] }
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	surface := doubled(t)
	catalog, _ := c.Apply(surface, nil)
	for asked, want := range map[string]struct{ served, profile, reason string }{
		"GET /acme/v1/things": {"default", "both", "ability:acme/list-things is served and does the same"},
	} {
		e := catalog.Explain(surface, asked)
		if len(e.Served) != 1 || !slices.Equal(e.Served[0].Profiles, []string{want.served}) || len(e.Withheld) != 1 || e.Withheld[0].Profile != want.profile || e.Withheld[0].Reason != want.reason {
			t.Errorf("%s: %+v", asked, e)
		}
	}
}
