package generate

import (
	"strings"
	"testing"

	"toolpress/discover"
)

// G37: how lists and objects are written in a query, argument by argument; what
// a style cannot carry is an error that names the place.
func TestStyles(t *testing.T) {
	args := `{"ids":{"type":"array","items":{"type":"integer"}},"words":{"type":"array","items":{"type":"string"}},"flags":{"type":"array","items":{"type":"boolean"}},
		"rows":{"type":"array","items":{"type":"object"}},"o":{"type":"object"},"any":{},"kept":{"type":"array","items":{"type":"string"},"default":["a"]},"either":{"type":["string","array"]},"s":{"type":"string"}}`
	s := FromSite(&discover.Site{
		Routes: []discover.Route{route(t, `/acme/v1/q/(?P<slug>[a-z]+)`, `[{"methods":["GET"],"args":`+args+`},{"methods":["POST"],"args":`+args+`}]`)},
		Abilities: []discover.Ability{
			ability(t, "a/find", `{"readonly":true}`, `{"type":"object","properties":`+args+`}`),
			ability(t, "a/list", `{"readonly":true}`, `{"type":"array","items":{"type":"string"}}`),
			ability(t, "a/save", `{}`, `{"type":"object","properties":`+args+`}`),
		},
	})
	const get = "GET /acme/v1/q/{slug}"
	run := "GET /wp-abilities/v1/abilities/a/"
	for _, c := range []struct {
		id, argument string
		style        Style
		args, want   string
	}{
		{get, "words", Auto, `["a","b c"]`, "?words[0]=a&words[1]=b+c"},
		{get, "words", Brackets, `["a","b, c",""]`, "?words[]=a&words[]=b,+c&words[]="},
		{get, "flags", Brackets, `[true,false]`, "?flags[]=1&flags[]=0"},
		{get, "rows", Brackets, `[{"k":[1,2]},{"k":"y"}]`, "?rows[0][k][]=1&rows[0][k][]=2&rows[1][k]=y"}, // rows[][k] would begin a row each time
		{get, "o", Brackets, `{"a":["x"],"b":"y"}`, "?o[a][]=x&o[b]=y"},
		{get, "any", Brackets, `[[1,2],[3]]`, "?any[0][]=1&any[0][]=2&any[1][]=3"},
		{get, "any", Brackets, `"text"`, "?any=text"},
		{get, "kept", Brackets, `[]`, "?kept="},
		{get, "words", Comma, `["a","b"]`, "?words=a,b"},
		{get, "flags", Comma, `[true,false]`, "?flags=1,0"},
		{get, "kept", Comma, `[]`, "?kept="},
		{get, "words", Comma, `[]`, ""},
		{get, "either", Comma, `"a, b"`, "?either=a,+b"},
		{get, "words", Comma, `["a","b,c"]`, "error: words cannot be sent: commas join the items, and one that is empty, a list or an object, or that has a comma or a space would not arrive as it is (at [1])"},
		{get, "words", Comma, `["a b"]`, "error: words cannot be sent: commas join the items, and one that is empty, a list or an object, or that has a comma or a space would not arrive as it is (at [0])"},
		{get, "words", Comma, `["a",""]`, "error: words cannot be sent: commas join the items, and one that is empty, a list or an object, or that has a comma or a space would not arrive as it is (at [1])"},
		{get, "any", Comma, `[{"a":1}]`, "error: any cannot be sent: commas join the items, and one that is empty, a list or an object, or that has a comma or a space would not arrive as it is (at [0])"},
		{"ability:a/find", "words", Brackets, `["a","b"]`, run + "find/run?input[words][]=a&input[words][]=b"},
		{"ability:a/list", "input", Brackets, `["a","b"]`, run + "list/run?input[]=a&input[]=b"},
		{"ability:a/find", "words", Comma, ``, "goes to an ability, which may get commas as a text: a core before 7.1 does not read them"},
		{"ability:a/save", "words", Brackets, ``, "is sent in the body, and not in a query"},
		{"POST /acme/v1/q/{slug}", "words", Comma, ``, "is sent in the body, and not in a query"},
		{get, "slug", Comma, ``, "is sent in the path, and not in a query"},
		{get, "s", Brackets, ``, "is neither a list nor an object"},
		{get, "o", Comma, ``, "is an object, and commas join the items of a list"},
		{get, "rows", Comma, ``, "is a list of lists or objects, which commas cannot join"},
	} {
		o := s.Operation(c.id)
		got := o.Unstyled(*o.Arg(c.argument), c.style)
		if c.args != "" && got == "" {
			values := map[string]any{c.argument: decode(t, c.args)}
			if o.Arg("slug") != nil {
				values["slug"] = "x"
			}
			styled := o.Styled(map[string]Style{c.argument: c.style})
			got = strings.TrimPrefix(sent(styled.Request(values)), "GET /acme/v1/q/x")
			if err := styled.Sendable(*styled.Arg(c.argument), values[c.argument]); (err != nil) != strings.HasPrefix(got, "error: ") {
				t.Errorf("%s %s: %v, and %s", c.argument, c.args, err, got)
			}
			if o.Arg(c.argument).Style != Auto {
				t.Fatalf("%s itself is changed", c.id)
			}
		}
		if got != c.want {
			t.Errorf("%s, %s as %q: %s\n got %s\nwant %s", c.id, c.argument, c.style, c.args, got, c.want)
		}
	}
}

// W19: what is said to go with brackets never goes with commas, however long.
func TestStyleIsKept(t *testing.T) {
	s := FromSite(&discover.Site{Routes: []discover.Route{route(t, `/acme/v1/q`, `[{"methods":["GET"],"args":{"ids":{"type":"array","items":{"type":"integer"}}}}]`)}})
	o := s.Operation("GET /acme/v1/q")
	ids := decode(t, "["+strings.Repeat("1000,", 700)+"1]")
	for style, want := range map[Style]string{Auto: "GET /acme/v1/q?ids=1000,1000", Comma: "GET /acme/v1/q?ids=1000,1000", Brackets: "error: ids is too large: path and query would have 10522 bytes"} {
		if got := sent(o.Styled(map[string]Style{"ids": style}).Request(map[string]any{"ids": ids})); !strings.HasPrefix(got, want) {
			t.Errorf("%q: %.100s, want %s", style, got, want)
		}
	}
}

// A list with commas is one parameter of the document of the tools.
func TestStyleInOpenAPI(t *testing.T) {
	s := FromSite(&discover.Site{Name: "Acme", Root: "https://shop.example/wp-json/", Routes: []discover.Route{route(t, `/acme/v1/q`, `[{"methods":["GET"],"args":{"a":{"type":"array","items":{"type":"string"}},"b":{"type":"array","items":{"type":"string"}}}}]`)}})
	o := s.Operation("GET /acme/v1/q").Styled(map[string]Style{"a": Comma, "b": Brackets})
	text, err := CuratedOpenAPI(s, []*Operation{o})
	document := validated(t, text, err)
	for _, p := range document.Paths["/acme/v1/q"]["get"].Parameters {
		explode := map[any]any{"a": false, "b[]": true}[p["name"]]
		if explode == nil || p["explode"] != explode || p["style"] != "form" {
			t.Errorf("%v", p)
		}
	}
	if got := strings.Join(document.Paths["/acme/v1/q"]["get"].parameters(), " "); got != "query a query b[]" {
		t.Error(got)
	}
}
