package curate

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"toolpress/generate"
)

// explained is a curation whose tools are set in every layer: a preset, a
// default, a rule, an entry and a profile.
const explained = `version: 1
extends: [preset:wordpress@1]
server: { prefix: acme_ }
private: [{ match: { route: "/wp/v2/**" }, fields: [password] }]
exclude: [{ ability: shop/open }]
expose: [{ ability: "shop/*" }, { route: "/shop/v1/twins/**" }]
defaults: { result: { max_text: 900 } }
rules:
  - match: { method: GET }
    set: { result: { max_bytes: 9KiB }, args: { orderby: hidden } }
tools:
  find_posts: { args: { per_page: { default: 3, maximum: 5 } }, result: { pick: { add: [author] } } }
  read_post: false
  order:
    from: POST /shop/v1/orders
    confirm: { when: never }
    calls: 10/m
    args:
      "*": hidden
      line_items: { required: true, max_items: 5 }
      "line_items[].*": hidden
      "line_items[].product_id": { rename: product }
      "customer.address.country": { fix: PT }
    groups: [write]
  broken: { from: "GET /wp/v2/posts/{id}", args: { id: { maximum: none } } }
profiles:
  default: { groups: [read] }
  all: { tools: { find_posts: { args: { search: hidden } } } }
  few: { tools: { order: false } }
`

// settingsOf are the settings of a tool by field: value ← what set it.
func settingsOf(t *testing.T, tool *Tool) map[string]string {
	t.Helper()
	of := map[string]string{}
	for _, s := range tool.Settings() {
		if _, twice := of[s.Field]; twice {
			t.Errorf("%s is told twice", s.Field)
		}
		of[s.Field] = fmt.Sprintf("%s ← %s", encoded(s.Value), strings.Join(s.From, ", "))
	}
	return of
}

// inPreset is the place of a text in a tool's entry in the preset.
func inPreset(t *testing.T, tool, text string) string {
	t.Helper()
	preset, err := Preset("wordpress@1")
	if err != nil {
		t.Fatal(err)
	}
	in := false
	for i, line := range strings.Split(string(preset), "\n") {
		in = in || line == "  "+tool+":"
		if col := strings.Index(line, text); in && col >= 0 {
			return fmt.Sprintf("preset:wordpress@1:%d:%d", i+1, col+1)
		}
	}
	t.Fatalf("%s has no %q", tool, text)
	return ""
}

// Every field of a tool is told with the layer that set it: the last that spoke
// of it, and of a list that is added to all of them.
func TestSettings(t *testing.T) {
	catalog, _ := apply(t, explained)
	at := func(text string) string { return inPreset(t, "find_posts", text) }
	of := settingsOf(t, catalog.Profiles["default"].Tool("acme_find_posts"))
	for field, want := range map[string]string{
		"name":                  `"acme_find_posts" ← ` + at("find_posts:") + `, curation.yaml:3:19`,
		"from":                  `"GET /wp/v2/posts" ← ` + at("GET /wp/v2/posts"),
		"title":                 `"Find posts" ← ` + at("title:"),
		"args.per_page":         `"shown" ← curation.yaml:12:25`,
		"args.per_page.default": `3 ← curation.yaml:12:37`,
		"args.per_page.maximum": `5 ← curation.yaml:12:49`,
		"args.per_page.minimum": `1 ← the site`,
		"args.search.rename":    `"query" ← ` + at("rename: query"),
		"args.context.fix":      `"view" ← ` + at("fix: view"),
		"args.status":           `"hidden" ← ` + at(`"*":`),
		"result.pick":           `["id","title.rendered","date","link","excerpt.rendered","author"] ← ` + at("pick:") + `, curation.yaml:12:75`,
		"result.max_text":       `600 ← ` + at("max_text:"),
		"result.max_bytes":      `9216 ← curation.yaml:10:22`,
		"private.password":      `"password" ← curation.yaml:4:53`,
		"annotations.read_only": `true ← the site`,
		"confirm.when":          `"destructive" ← toolpress`,
		"groups":                `["read"] ← ` + at("groups:"),
	} {
		if of[field] != want {
			t.Errorf("%s: %s\nwant %s", field, of[field], want)
		}
	}
	// A profile's own word is told of the tool that it serves, and of no other.
	if got := settingsOf(t, catalog.Profiles["all"].Tool("acme_find_posts"))["args.search"]; got != `"hidden" ← curation.yaml:28:41` {
		t.Error(got)
	}
	if of["args.search"] != `"shown" ← `+at("search:") {
		t.Error(of["args.search"])
	}
	of = settingsOf(t, catalog.Profiles["all"].Tool("acme_order"))
	for field, want := range map[string]string{
		"args.line_items":                       `"shown" ← curation.yaml:20:7`,
		"args.line_items.required":              `true ← curation.yaml:20:21`,
		"args.line_items.max_items":             `5 ← curation.yaml:20:37`,
		"args.line_items[].product_id.rename":   `"product" ← curation.yaml:22:36`,
		"args.line_items[].product_id.required": `true ← the site`,
		"args.line_items[].total":               `"hidden" ← curation.yaml:21:7`,
		"args.customer":                         `"hidden" ← curation.yaml:19:7`,
		"args.customer.address.country.fix":     `"PT" ← curation.yaml:23:37`,
		"args.delivery":                         `"hidden" ← curation.yaml:19:7`,
		"calls":                                 `"10/m" ← curation.yaml:17:5`,
	} {
		if of[field] != want {
			t.Errorf("%s: %s\nwant %s", field, of[field], want)
		}
	}
	if of["args.delivery.method"] != "" {
		t.Error("what is in a hidden argument is told")
	}
}

var inCuration = regexp.MustCompile(`^curation\.yaml:(\d+):(\d+)$`)

// Every place that is told is one where the field's own key is written, or what
// speaks of all.
func TestSettingsPlaces(t *testing.T) {
	catalog, _ := apply(t, explained)
	lines, places := strings.Split(explained, "\n"), 0
	for _, name := range catalog.ProfileNames() {
		for _, tool := range catalog.Profiles[name].Tools {
			for _, s := range tool.Settings() {
				for _, from := range s.From {
					at := inCuration.FindStringSubmatch(from)
					if at == nil {
						continue
					}
					places++
					line, _ := strconv.Atoi(at[1])
					col, _ := strconv.Atoi(at[2])
					written := strings.Trim(lines[line-1][col-1:], `"`)
					key := s.Field[strings.LastIndexByte(s.Field, '.')+1:]
					whole := strings.TrimPrefix(s.Field, "args.")
					begins := func(word string) bool { return strings.HasPrefix(written, word) }
					named := s.Field == "name" || s.Field == "from" // the name itself, a prefix, or an entry of expose
					if !named && !begins(key) && !begins("fix") && !begins(whole) && !begins("*") && !begins("line_items[].*") && !begins("customer.address") {
						t.Errorf("%s %s: %s has %.30q", tool.Name, s.Field, from, written)
					}
				}
			}
		}
	}
	if places < 50 {
		t.Errorf("only %d places", places)
	}
}

// A secret that is fixed is told as fixed, without its value.
func TestSettingsSecret(t *testing.T) {
	site := decodedSite(t, "testdata/shop.json")
	for i := range site.Routes {
		for _, e := range site.Routes[i].Endpoints {
			e.Args["password"] = map[string]any{"type": "string"}
		}
	}
	c, err := Parse("curation.yaml", []byte(`version: 1
tools: { save: { from: "POST /wp/v2/posts/{id}", confirm: { when: never }, args: { password: { fix: hunter2 } } } }
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	catalog, _ := c.Apply(generate.FromSite(site), nil)
	tool := catalog.Profiles["default"].Tool("save")
	if got := settingsOf(t, tool)["args.password.fix"]; got != `"(not shown)" ← curation.yaml:2:96` {
		t.Error(got)
	}
	_, r, err := tool.Example()
	if err != nil || strings.Contains(encoded(r.Body), "hunter2") || !strings.Contains(encoded(r.Body), `"password":"(not shown)"`) {
		t.Errorf("%v %s", err, encoded(r.Body))
	}
}
