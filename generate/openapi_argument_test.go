package generate

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolpress/discover"
)

// offering is the surface of a site that has an address.
func offering(site discover.Site) *Surface {
	site.URL = "https://shop.example"
	if site.Root == "" {
		site.Root = site.URL + "/wp-json/"
	}
	return FromSite(&site)
}

// one projects one route or ability.
func one(t *testing.T, s *Surface) *projectedOperation {
	t.Helper()
	if len(s.Operations) != 1 {
		t.Fatalf("%+v", s)
	}
	text, err := OpenAPI(s)
	return validated(t, text, err).byIdentity(t)[s.Operations[0].ID]
}

// How each kind of argument goes in a query: W17, G36. A boolean is 1 or 0, null
// is not there, a list or something else is two parameters, and what style does
// not reach is named.
func TestOpenAPIQuery(t *testing.T) {
	for name, c := range map[string]struct{ arg, want string }{
		"text": {`{"type":"string","description":"D"}`, `[{"in":"query","name":"a","description":"D","schema":{"type":"string"}}]`},
		"time": {`{"type":"string","format":"date-time"}`, `[{"in":"query","name":"a","schema":{"type":"string","format":"date-time"}}]`},
		"a time without an offset, and the format would refuse it": {
			`{"type":"string","format":"date-time","default":"2025-01-31T00:00:00"}`,
			`[{"in":"query","name":"a","schema":{"type":"string","default":"2025-01-31T00:00:00"}}]`,
		},
		"any":     {`{}`, `[{"in":"query","name":"a","schema":{}}]`},
		"boolean": {`{"type":["boolean","null"],"default":false}`, `[{"in":"query","name":"a","schema":{"type":"integer","enum":[0,1],"default":0}}]`},
		"only true": {
			`{"type":"boolean","enum":[true],"required":true}`,
			`[{"in":"query","name":"a","required":true,"schema":{"type":"integer","enum":[1]}}]`,
		},
		"null": {`{"type":["integer","null"],"default":null,"enum":[null,3]}`, `[{"in":"query","name":"a","schema":{"type":"integer","enum":[3]}}]`},
		"list": {
			`{"type":"array","items":{"type":"boolean"},"required":true}`,
			`[{"in":"query","name":"a[]","required":true,"style":"form","explode":true,"schema":{"type":"array","items":{"type":"integer","enum":[0,1]}}}]`,
		},
		"object": {
			`{"type":"object","properties":{"b":{"type":"boolean"}},"additionalProperties":false,"default":{"b":true}}`,
			`[{"in":"query","name":"a","style":"deepObject","explode":true,"schema":{"type":"object","properties":{"b":{"type":"integer","enum":[0,1]}},"additionalProperties":false,"default":{"b":1}}}]`,
		},
		"list or boolean": {
			`{"type":["boolean","array"],"items":{"type":"string"},"default":false}`,
			`[{"in":"query","name":"a[]","style":"form","explode":true,"x-wp-either":["a[]","a"],"schema":{"type":"array","items":{"type":"string"}}},
			  {"in":"query","name":"a","x-wp-either":["a[]","a"],"schema":{"type":"integer","enum":[0,1],"default":0}}]`,
		},
		"list or object, one of which there has to be": {
			`{"type":["object","array"],"required":true,"oneOf":[{"type":"array","items":{"type":"integer"}},{"type":"object","properties":{"ids":{"type":"array","items":{"type":"integer"}}}}]}`,
			`[{"in":"query","name":"a[]","style":"form","explode":true,"x-wp-either":["a[]","a"],"x-wp-required":true,
			   "schema":{"type":"array","items":{},"anyOf":[{"type":"array","items":{"type":"integer"}}]}},
			  {"in":"query","name":"a","style":"deepObject","explode":true,"x-wp-either":["a[]","a"],"x-wp-required":true,"x-wp-query":["a[ids][]"],
			   "schema":{"type":"object","anyOf":[{"type":"object","properties":{"ids":{"type":"array","items":{"type":"integer"}}}}]}}]`,
		},
		"list of lists": {
			`{"type":"array","items":{"type":"array","items":{"type":"string"}}}`,
			`[{"in":"query","name":"a[]","style":"form","explode":true,"x-wp-query":["a[0][]"],"schema":{"type":"array","items":{"type":"array","items":{"type":"string"}}}}]`,
		},
		"deep": {
			`{"type":"object","properties":{"s":{"type":"string"},"o":{"type":"object","properties":{"l":{"type":"array","items":{"type":"object","properties":{"x":{"type":"string"},"y":{"type":["string","array"],"items":{"type":"string"}}}}}}}},"additionalProperties":{"type":"object"}}`,
			`[{"in":"query","name":"a","style":"deepObject","explode":true,"x-wp-query":["a[key][key]","a[o][l][0][x]","a[o][l][0][y]","a[o][l][0][y][]"],
			   "schema":{"type":"object","additionalProperties":{"type":"object"},"properties":{"s":{"type":"string"},"o":{"type":"object","properties":{"l":{"type":"array","items":{"type":"object","properties":{"x":{"type":"string"},"y":{"type":["string","array"],"items":{"type":"string"}}}}}}}}}}]`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := route(t, "/acme/v1/things", `[{"methods":["GET"],"args":{"a":`+c.arg+`}}]`)
			o := one(t, offering(discover.Site{Routes: []discover.Route{r}}))
			var want []map[string]any
			if err := json.Unmarshal([]byte(c.want), &want); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, o.Parameters); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A body is JSON: what is a boolean or null stays so.
func TestOpenAPIBody(t *testing.T) {
	r := route(t, "/acme/v1/things", `[{"methods":["POST"],"args":{"b":{"type":["boolean","null"]},"t":{"type":"object","required":true,"properties":{"raw":{"type":"string"}}}}}]`)
	o := one(t, offering(discover.Site{Routes: []discover.Route{r}}))
	want := map[string]any{"type": "object", "required": []any{"t"}, "properties": map[string]any{
		"b": map[string]any{"type": []any{"boolean", "null"}},
		"t": map[string]any{"type": "object", "required": []any{"raw"}, "properties": map[string]any{"raw": map[string]any{"type": "string"}}},
	}}
	if diff := cmp.Diff(want, o.body()); diff != "" || !o.RequestBody.Required {
		t.Errorf("required %v, %s", o.RequestBody.Required, diff)
	}
	r = route(t, "/acme/v1/things", `[{"methods":["POST"],"args":{"b":{"type":"boolean"}}}]`)
	if o := one(t, offering(discover.Site{Routes: []discover.Route{r}})); o.RequestBody.Required {
		t.Error("a body that may be left out is required")
	}
}

// A placeholder says what the route says of it, and whether a slash is part of it.
func TestOpenAPIPath(t *testing.T) {
	r := route(t, `/acme/v1/files/(?P<id>[\d]+)/(?P<name>[\w-]+)/(?P<path>[\w\/]+)`, `[{"methods":["GET"]}]`)
	o := one(t, offering(discover.Site{Routes: []discover.Route{r}}))
	want := []map[string]any{
		{"in": "path", "name": "id", "required": true, "schema": map[string]any{"type": "integer", "minimum": 0.0}},
		{"in": "path", "name": "name", "required": true, "schema": map[string]any{"type": "string", "pattern": "^[a-zA-Z0-9_-]+$"}, "x-wp-pattern": `[\w-]+`},
		{"in": "path", "name": "path", "required": true, "schema": map[string]any{"type": "string", "pattern": `^[\w/]+$`}, "x-wp-pattern": `[\w\/]+`, "x-wp-slash": true},
	}
	if diff := cmp.Diff(want, o.Parameters); diff != "" {
		t.Error(diff)
	}
}

// What an ability takes: nothing at all (W15), a value, or an object, which has
// to be there unless there is a default, be it the empty one.
func TestOpenAPIAbility(t *testing.T) {
	const get, post = `{"readonly":true}`, `{"readonly":false}`
	const some, needs = `{"type":"object","properties":{"b":{"type":"boolean"}}}`, `{"type":"object","properties":{"b":{"type":"boolean"}},"required":["b"]}`
	empty := map[string]any{"type": "string", "enum": []any{""}}
	object := func(s map[string]any, required ...any) map[string]any {
		o := map[string]any{"type": "object", "additionalProperties": false, "properties": map[string]any{"b": s}}
		if required != nil {
			o["required"] = required
		}
		return o
	}
	bit, boolean := map[string]any{"type": "integer", "enum": []any{0.0, 1.0}}, map[string]any{"type": "boolean"}
	for name, c := range map[string]struct {
		annotations, input string
		required           bool
		want               any // the schema of input; nil where there is none
	}{
		"nothing in a query":          {get, ``, false, nil},
		"nothing in a body":           {post, ``, false, nil},
		"a number":                    {get, `{"type":"integer"}`, true, map[string]any{"type": "integer"}},
		"a number or nothing":         {get, `{"type":"integer","default":3}`, false, map[string]any{"type": "integer", "default": 3.0}},
		"an object that has members":  {get, strings.TrimSuffix(needs, "}") + `,"additionalProperties":false}`, true, object(bit, "b")},
		"members, be there a default": {get, strings.TrimSuffix(needs, "}") + `,"additionalProperties":false,"default":{"b":true}}`, true, object(bit, "b")},
		"an object, be it empty":      {get, strings.TrimSuffix(some, "}") + `,"additionalProperties":false}`, true, map[string]any{"anyOf": []any{object(bit), empty}}},
		"an object or nothing":        {get, strings.TrimSuffix(some, "}") + `,"additionalProperties":false,"default":{}}`, false, object(bit)},
		"an object in a body":         {post, strings.TrimSuffix(some, "}") + `,"additionalProperties":false}`, true, object(boolean)},
		"or nothing in a body":        {post, strings.TrimSuffix(some, "}") + `,"additionalProperties":false,"default":{}}`, false, object(boolean)},
	} {
		t.Run(name, func(t *testing.T) {
			o := one(t, offering(discover.Site{Abilities: []discover.Ability{ability(t, "acme/do", c.annotations, c.input)}}))
			var got any
			required := false
			switch {
			case o.RequestBody != nil:
				got, required = o.body()["properties"].(map[string]any)["input"], o.RequestBody.Required
				if (members(o.body())[0] == "input!") != required {
					t.Errorf("the body is required: %v, and has %v", required, members(o.body()))
				}
			case len(o.Parameters) == 1:
				got, required = o.Parameters[0]["schema"], o.Parameters[0]["required"] == true
				if style, wantsObject := o.Parameters[0]["style"], !strings.Contains(c.input, "integer"); (style == "deepObject") != wantsObject {
					t.Errorf("the style is %v", style)
				}
			case o.Parameters != nil:
				t.Fatalf("%+v", o)
			}
			if diff := cmp.Diff(c.want, got); diff != "" || required != c.required {
				t.Errorf("required %v\n%s", required, diff)
			}
		})
	}
}
