package curate

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// G37: wire says how a query has an argument, whoever gives its value; a later
// layer and a profile may say it otherwise, and the operation itself stays as it
// is for other tools.
func TestWire(t *testing.T) {
	catalog, findings := layersOf(t, `
version: 1
extends: base.yaml
tools:
  comma: { args: { list: { wire: brackets } } }
profiles:
  default: {}
  other: { tools: { given: { args: { l: { wire: auto } } } } }
`, map[string]string{"base.yaml": `
version: 1
rules: [{ match: { route: /shop/v1/items }, set: { args: { l: { wire: comma }, n: { wire: comma } } } }]
tools:
  given: { from: GET /shop/v1/items, args: { "*": hidden, l: {} } }
  comma: { from: GET /shop/v1/items, args: { "*": hidden, l: { rename: list, wire: comma } } }
  fixed: { from: GET /shop/v1/items, args: { "*": hidden, l: { fix: [1, 2] } } }
  default: { from: GET /shop/v1/items, args: { "*": hidden, l: { default: [3, 4], wire: brackets } } }
  words: { from: GET /shop/v1/items, args: { "*": hidden, any: { wire: comma } } }
  plain: { from: GET /wp/v2/posts, args: { "*": hidden, categories: {} } }
`})
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	for _, c := range []struct{ profile, tool, args, want string }{
		{"default", "given", `{"l":[1,2]}`, "GET /shop/v1/items?l=1%2C2"},
		{"other", "given", `{"l":[1,2]}`, "GET /shop/v1/items?l[0]=1&l[1]=2"},
		{"default", "given", `{"l":"1,2"}`, "GET /shop/v1/items?l=1%2C2"}, // read as the list
		{"default", "comma", `{"list":[1,2]}`, "GET /shop/v1/items?l[]=1&l[]=2"},
		{"default", "fixed", `{}`, "GET /shop/v1/items?l=1%2C2"},
		{"default", "default", `{}`, "GET /shop/v1/items?l[]=3&l[]=4"},
		{"default", "words", `{"any":["a","b"]}`, "GET /shop/v1/items?any=a%2Cb"},
		{"default", "words", `{"any":["a","b,c"]}`, "faults: any cannot be sent: commas join the items, and one that is empty, a list or an object, or that has a comma or a space would not arrive as it is (at [1])"},
		{"default", "plain", `{"categories":[1,2]}`, "GET /wp/v2/posts?categories[0]=1&categories[1]=2"},
	} {
		r, err := catalog.Profiles[c.profile].Tool(c.tool).Request(json.RawMessage(c.args))
		if got := shown(r, err); got != c.want {
			t.Errorf("%s %s: %s\n got %s\nwant %s", c.profile, c.tool, c.args, got, c.want)
		}
	}
	for tool, want := range map[string]string{
		"given": "args.l.wire comma base.yaml:3:65", "comma": "args.l.wire brackets outer.yaml:5:28", "fixed": "args.l.wire comma base.yaml:3:65", "plain": "",
	} {
		var told []string
		for _, s := range catalog.Profiles["default"].Tool(tool).Settings() {
			if strings.HasSuffix(s.Field, ".wire") {
				told = append(told, fmt.Sprint(s.Field, " ", s.Value, " ", strings.Join(s.From, ", ")))
			}
		}
		if got := strings.Join(slices.Compact(told), "; "); got != want {
			t.Errorf("%s: %q, want %q", tool, got, want)
		}
	}
}

// "*" leaves what is in the path: the operation's own name has it, and there is no
// call without. Hidden by its own word it is an error (arguments.yaml).
func TestStarLeavesThePath(t *testing.T) {
	catalog, findings := apply(t, "version: 1\ndefaults: { confirm: { when: never } }\ntools: { t: { from: \"POST /wp/v2/posts/{id}\", args: { \"*\": hidden, title: {} } }, f: { from: \"GET /wp/v2/posts/{id}\", args: { id: { fix: 7 }, \"*\": hidden } } }\n")
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	for tool, want := range map[string]string{"t": "id title", "f": ""} {
		var names []string
		args, _ := catalog.Profiles[DefaultProfile].Tool(tool).Arguments()
		for _, a := range args {
			names = append(names, a.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s takes %s, want %s", tool, got, want)
		}
	}
}
