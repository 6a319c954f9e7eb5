package generate

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"toolpress/discover"
	"toolpress/discover/wp"
	"toolpress/generate/schema"
)

// sent is a call as one line, or its error.
func sent(r wp.Request, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	line := r.Method + " " + r.Route()
	if q, _ := r.Query.Encode(); q != "" {
		line += "?" + strings.NewReplacer("%5B", "[", "%5D", "]", "%2C", ",").Replace(q)
	}
	if r.Body != nil {
		body, _ := schema.Encode(r.Body)
		line += " " + string(body)
	}
	return line
}

// What a query carries, and what it cannot: an error that names the argument,
// not something else on the site. Names that clients refuse reach it as they are
// (G11, G12, W32).
func TestQueryCarries(t *testing.T) {
	read := `{"readonly":true}`
	s := FromSite(&discover.Site{
		Routes: []discover.Route{route(t, `/acme/v1/q`, `[{"methods":["GET"],"args":{
			"list":{"type":"array"},"kept":{"type":"array","items":{"type":"string"},"default":["a"]},"either":{"type":["string","array"],"default":["a"]},"none":{"type":"array","default":[]},
			"meta.key":{"type":"string","required":true},"a b":{"type":"string","required":true},"filter[x]":{"type":"string","required":true},"any":{},"not.needed":{"type":"string"},
			"deep":{"type":"object","properties":{"tags":{"type":"array","items":{"type":"object","properties":{"s":{"type":"array"},"x":{"type":"string"}}}}}}}},
			{"methods":["POST"],"args":{"meta.key":{"type":"string"},"list":{"type":"array"},"any":{}}}]`)},
		Abilities: []discover.Ability{
			ability(t, "a/open", read, `{"type":"object","properties":{"q":{"type":"string"},"f.x":{"type":"string"}},"additionalProperties":true}`),
			ability(t, "a/either", read, `{"type":"object","properties":{"v":{"anyOf":[{"type":"array"},{"type":"string"}]},"w":{"anyOf":[{"type":"string"},{"type":"array"}]}}}`),
			ability(t, "a/nullable", read, `{"type":["integer","null"]}`),
			ability(t, "a/list", read, `{"type":"array","items":{"type":"string"}}`),
			ability(t, "a/null-post", `{}`, `{"type":["integer","null"]}`),
		},
	})
	if o := s.Operation("GET /acme/v1/q"); o.Arg("not_needed") != nil || !strings.Contains(rules(o.Repairs), "argument-dropped") {
		t.Errorf("an argument whose name no query carries is offered: %+v", o.Repairs)
	}
	run := "GET /wp-abilities/v1/abilities/a/"
	for _, c := range []struct{ id, args, want string }{
		{"GET /acme/v1/q", `{"list":[],"none":[],"deep":{}}`, "GET /acme/v1/q"},
		{"GET /acme/v1/q", `{"kept":[]}`, "GET /acme/v1/q?kept="}, // nothing would mean the default
		{"GET /acme/v1/q", `{"either":[]}`, "error: either cannot be sent: an empty list or object would arrive in a query as an empty text"},
		{"GET /acme/v1/q", `{"deep":{"tags":[]}}`, "GET /acme/v1/q?deep[tags]="},
		{"GET /acme/v1/q", `{"deep":{"tags":[{"s":[]}]}}`, "GET /acme/v1/q?deep[tags][0][s]="},
		{"GET /acme/v1/q", `{"deep":{"tags":[{"x":"y","other":{}}]}}`, "error: deep cannot be sent: an empty list or object would arrive in a query as an empty text (at tags[0].other)"},
		{"GET /acme/v1/q", `{"any":{"a":[1,null]}}`, "error: any cannot be sent: null cannot be sent in a query (at a[1])"},
		{"GET /acme/v1/q", `{"meta_key":"x"}`, `error: meta_key cannot be sent: the name "meta.key" cannot be sent in a query: PHP reads a dot, a space or a bracket in it otherwise`},
		{"GET /acme/v1/q", `{"a_b":"x"}`, `error: a_b cannot be sent: the name "a b" cannot be sent in a query: PHP reads a dot, a space or a bracket in it otherwise`},
		{"GET /acme/v1/q", `{"filter_x":"x"}`, "GET /acme/v1/q?filter[x]=x"}, // W32, G12
		{"POST /acme/v1/q", `{"meta_key":"x","list":[],"any":null}`, `POST /acme/v1/q {"any":null,"list":[],"meta.key":"x"}`},
		{"ability:a/open", `{"f_x":"1","k":{"l":[2]}}`, run + "open/run?input[f.x]=1&input[k][l][0]=2"},
		{"ability:a/open", `{"q":"","k":{"l":[]}}`, "error: k cannot be sent: an empty list or object would arrive in a query as an empty text (at l)"},
		{"ability:a/open", `{"k]":1}`, `error: k] cannot be sent: the key "k]" cannot be sent in a query: PHP reads it otherwise`},
		{"ability:a/open", `{"k":{"":1}}`, `error: k cannot be sent: the key "" cannot be sent in a query: PHP reads it otherwise`},
		{"ability:a/either", `{"v":[]}`, run + "either/run?input[v]="},
		{"ability:a/either", `{"w":[]}`, "error: w cannot be sent: an empty list or object would arrive in a query as an empty text"},
		{"ability:a/nullable", `{"input":null}`, run + "nullable/run"}, // to core nothing is null
		{"ability:a/list", `{"input":[]}`, run + "list/run?input="},
		{"ability:a/list", `{"input":["a,b",""]}`, run + "list/run?input[0]=a,b&input[1]="},
		{"ability:a/null-post", `{"input":null}`, `POST /wp-abilities/v1/abilities/a/null-post/run {"input":null}`},
	} {
		o := s.Operation(c.id)
		if o == nil {
			t.Fatalf("no %s; withheld: %+v", c.id, s.Withheld)
		}
		if got := sent(o.Request(decode(t, c.args).(map[string]any))); got != c.want {
			t.Errorf("%s %s:\n got %s\nwant %s", c.id, c.args, got, c.want)
		}
	}
}

// W19: what is too long for a URL is an error that names the argument and the
// bound; never another method. A route's integers go with commas first.
func TestLongQuery(t *testing.T) {
	args := `{"ids":{"type":"array","items":{"type":"integer"}},"words":{"type":"array","items":{"type":"string"}},"any":{"type":"array"},"s":{"type":"string"}}`
	s := FromSite(&discover.Site{
		Routes: []discover.Route{
			route(t, `/acme/v1/q`, `[{"methods":["GET"],"args":`+args+`}]`),
			route(t, `/acme/v1/q/(?P<slug>[a-z]+)`, `[{"methods":["GET"],"args":`+args+`}]`),
		},
		Abilities: []discover.Ability{ability(t, "a/find", `{"readonly":true}`, `{"type":"object","properties":`+args+`}`)},
	})
	integers := func(n int) []any {
		var list []any
		for i := range n {
			list = append(list, json.Number(strconv.Itoa(1000+i)))
		}
		return list
	}
	joined := func(n int) string { return strings.Trim(strings.ReplaceAll(fmt.Sprint(integers(n)), " ", ","), "[]") }
	text := strings.Repeat("x", 4000)
	for name, c := range map[string]struct {
		id     string
		values map[string]any
		want   string
	}{
		"fits":       {"GET /acme/v1/q", map[string]any{"ids": integers(2)}, "GET /acme/v1/q?ids[0]=1000&ids[1]=1001"},
		"commas":     {"GET /acme/v1/q", map[string]any{"ids": integers(600), "s": "a"}, "GET /acme/v1/q?ids=" + joined(600) + "&s=a"},
		"not enough": {"GET /acme/v1/q", map[string]any{"ids": integers(2000)}, "error: ids is too large: path and query would have 14012 bytes, and web servers refuse more than 8000"},
		"not so":     {"GET /acme/v1/q", map[string]any{"ids": append(integers(600), json.Number("1.0"))}, "error: ids is too large"},
		"not any":    {"GET /acme/v1/q", map[string]any{"any": integers(600)}, "error: any is too large"},
		"words":      {"GET /acme/v1/q", map[string]any{"words": []any{text, text}, "s": "a"}, "error: words is too large"},
		"a text":     {"GET /acme/v1/q", map[string]any{"s": text + text, "ids": integers(20)}, "error: s is too large"},
		"a path":     {"GET /acme/v1/q/{slug}", map[string]any{"slug": text + text, "s": "a"}, "error: slug must not be longer than 2000 bytes"},
		"an ability": {"ability:a/find", map[string]any{"ids": integers(600), "s": "a"}, "error: ids is too large: path and query would have 17342 bytes"},
	} {
		if got := sent(s.Operation(c.id).Request(c.values)); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s:\n got %.200s\nwant %.200s", name, got, c.want)
		}
	}
}
