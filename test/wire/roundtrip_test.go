package wire

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"toolpress/curate"
	"toolpress/discover"
	"toolpress/generate"
	"toolpress/generate/schema"
)

// perTool is how many inputs every tool is called with.
const perTool = 15

const curation = `
version: 1
defaults: { confirm: { when: never } }
expose:
  - { route: "/bookshop/v1/wire/**", writes: true }
  - { ability: "bookshop/wire-*", writes: true }
tools: # by its words the ability bookshop/wire-get-list does the same
  wire_get: { from: GET /bookshop/v1/wire/get }
`

// tools are the site's echoes, as toolpress serves them.
func tools(t *testing.T, root *discover.Root) ([]*curate.Tool, *generate.Surface) {
	t.Helper()
	return toolsWith(t, root, "")
}

// toolsWith are the echoes under a curation with further rules.
func toolsWith(t *testing.T, root *discover.Root, rules string) ([]*curate.Tool, *generate.Surface) {
	t.Helper()
	found, err := root.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	surface := generate.FromSite(found)
	c, err := curate.Parse("curation.yaml", []byte(curation+rules), nil)
	if err != nil {
		t.Fatal(err)
	}
	catalog, findings := c.Apply(surface, nil)
	if errs := findings.Errors(); len(errs) > 0 {
		t.Fatal(errs)
	}
	return catalog.Profiles[curate.DefaultProfile].Tools, surface
}

// PHP receives what was meant: every method, path, query and body, and every
// form of an ability's input, with the types that the way there can carry.
func TestRoundTrip(t *testing.T) {
	root := site(t)
	list, surface := tools(t, root)
	from := drawFrom(t)
	routes, abilities := 0, 0
	for i, tool := range list {
		o := surface.Operation(tool.Operation)
		if o.Ability != "" {
			abilities++
		} else {
			routes++
		}
		t.Run(strings.ReplaceAll(tool.Operation, "/", " "), func(t *testing.T) {
			for n := range perTool {
				arguments := inputs(o).Example(from + i*perTool + n)
				if broken := trip(t, root, tool, o, arguments); broken != "" {
					text, _ := schema.Encode(arguments)
					t.Errorf("%s\n%s", text, broken)
				}
			}
		})
	}
	if routes != 15 || abilities != 0 && abilities != 27 {
		t.Errorf("%d routes and %d abilities echo", routes, abilities)
	}
}

// inputs draws arguments for an operation.
func inputs(o *generate.Operation) *rapid.Generator[map[string]any] {
	return rapid.Custom(func(t *rapid.T) map[string]any {
		if len(o.Args) == 0 {
			return map[string]any{"ignored": rapid.Bool().Draw(t, "nothing to draw")}
		}
		d := drawing{t, o.Method == "GET" || o.Method == "DELETE"}
		arguments := d.object(generate.InputSchema(o.Args, o.Extra), 5)
		if o.Arg("id") != nil {
			arguments["id"] = d.segment()
		}
		return arguments
	})
}

// trip calls a tool and says what did not arrive as it was meant.
func trip(t *testing.T, root *discover.Root, tool *curate.Tool, o *generate.Operation, arguments map[string]any) string {
	t.Helper()
	delete(arguments, "ignored")
	text, err := schema.Encode(arguments)
	if err != nil {
		t.Fatal(err)
	}
	r, err := tool.Request(text)
	if err != nil {
		return "toolpress: " + err.Error()
	}
	resp, err := root.Client().Do(t.Context(), r)
	if err != nil {
		return err.Error()
	}
	var got struct {
		Method, Text             string
		Input, Path, Query, Body any
	}
	if err := json.Unmarshal(resp.JSON, &got); err != nil {
		return err.Error()
	}
	if !strings.EqualFold(got.Method, o.Method) {
		return "it was a " + got.Method
	}
	input := generate.InputSchema(o.Args, o.Extra)
	if o.Ability != "" {
		return abilityTrip(o, input, arguments, got.Input)
	}
	how, arrived := asJSON, got.Body
	if o.Method == "GET" || o.Method == "DELETE" {
		how, arrived = asText, withoutRoute(got.Query)
		for name, v := range arguments {
			if emptyContainer(v) { // names nothing
				delete(arguments, name)
			}
		}
	}
	inBody := how == asJSON
	if strings.HasSuffix(o.Route, "/typed") {
		how = map[bool]carriage{true: asTypedJSON, false: asTyped}[inBody]
	}
	if id, there := arguments["id"]; there {
		// WordPress hands on a path's escapes; with plain permalinks it has none, and
		// core puts a backslash before a quote.
		text, _ := members(got.Path.([]any))["id"].([]any)[1].(string)
		if plain, err := url.PathUnescape(text); quotes.Replace(text) != id && (err != nil || plain != id) {
			return "the path has " + text
		}
		delete(arguments, "id")
	}
	if inBody && len(arguments) > 0 {
		if sent, _ := schema.Encode(arguments); got.Text != string(sent) {
			return "the body is " + got.Text
		}
	}
	if len(arguments) == 0 {
		how = asJSON
	}
	return how.differs(arrived, input, arguments)
}

var quotes = strings.NewReplacer(`\'`, `'`, `\"`, `"`)

// withoutRoute is a query without the route that plain permalinks put there.
func withoutRoute(exact any) any {
	pair := exact.([]any)
	if pair[0] == "map" {
		pair[1] = slices.DeleteFunc(pair[1].([]any), func(p any) bool { return p.([]any)[0] == "rest_route" })
	}
	return pair
}

// abilityTrip compares an ability's input.
func abilityTrip(o *generate.Operation, takes *schema.Schema, arguments map[string]any, input any) string {
	how := asTyped
	if o.Method == "POST" {
		how = asTypedJSON
	}
	switch {
	case strings.HasSuffix(o.Ability, "-none"):
		return asJSON.differs(input, nil, "nothing")
	case o.Arg("input") != nil:
		v, said := arguments["input"]
		if !said || v == nil {
			return asJSON.differs(input, nil, nil)
		}
		return how.differs(input, o.Arg("input").Schema, v)
	}
	return how.differs(input, takes, arguments)
}

// A long list of integers arrives whole: in the query of a route with commas, in
// a body as it is. In an ability's query it is an error that names it (W19).
func TestLongLists(t *testing.T) {
	root := site(t)
	list, surface := tools(t, root)
	ids := []any{}
	for i := range 700 {
		ids = append(ids, json.Number(generateID(i)))
	}
	for _, tool := range list {
		o := surface.Operation(tool.Operation)
		typed := strings.HasSuffix(o.Route, "/typed") || strings.HasSuffix(o.Ability, "-object")
		if !typed || !slices.ContainsFunc(o.Args, func(a generate.Arg) bool { return a.Name == "list" }) {
			continue
		}
		broken := trip(t, root, tool, o, map[string]any{"list": ids, "s": "short"})
		refused := strings.HasPrefix(broken, "toolpress: list is too large: path and query would have ")
		if inQuery := o.Method == "GET" || o.Method == "DELETE"; refused != (inQuery && o.Ability != "") || broken != "" && !refused {
			t.Errorf("%s: %s", tool.Operation, broken)
		}
	}
}

func generateID(i int) string { return string(rune('1'+i%9)) + "00" + string(rune('0'+i%10)) }
