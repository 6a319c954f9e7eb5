package generate

import (
	"testing"

	"toolpress/discover"
	"toolpress/generate/schema"
)

// G01, G03, G04, G24, W10: an ability's root is an object of optional
// properties, whatever combines them, and its input reaches the site as it was
// meant.
func TestAbilityRoots(t *testing.T) {
	write := `{"readonly":false,"destructive":false}`
	for name, c := range map[string]struct{ in, schema, args, want string }{
		"G08, G09, G10 PHP's empty list": {
			`{"type":"object","properties":[]}`, `{"type":"object","properties":{},"additionalProperties":{}}`,
			`{}`, `{"input":{}}`,
		},
		"it says nothing of what it takes": {
			`{"type":"object"}`, `{"type":"object","properties":{},"additionalProperties":{}}`,
			`{"any":[1]}`, `{"input":{"any":[1]}}`,
		},
		"a reference to a reference": {
			`{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"type":"object","properties":{"x":{"type":"string"}}}}}`,
			`{"type":"object","properties":{"x":{"type":"string"}},"additionalProperties":false}`,
			`{"x":"y"}`, `{"input":{"x":"y"}}`,
		},
		"G01 either of two": {
			`{"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}],"properties":{"a":{"type":"string"},"b":{"type":"string"}}}`,
			`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"additionalProperties":false}`,
			`{"b":"x"}`, `{"input":{"b":"x"}}`,
		},
		"G01 all of two": {
			`{"type":"object","allOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{"type":"integer"}}}]}`,
			`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"additionalProperties":false}`,
			`{"a":"x","b":1}`, `{"input":{"a":"x","b":1}}`,
		},
		"G03 no type at all": {
			`{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"b":{"type":"string"}}}]}`,
			`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"additionalProperties":false}`,
			`{"a":"x"}`, `{"input":{"a":"x"}}`,
		},
		"G24 one name in two variants": {
			`{"type":"object","oneOf":[{"properties":{"kind":{"type":"string","enum":["a"]},"v":{"type":"string"}}},{"properties":{"kind":{"type":"string","enum":["b"]},"v":{"type":"integer"}}},{"properties":{"v":{"type":"integer"}}}]}`,
			`{"type":"object","properties":{"kind":{"anyOf":[{"type":"string","enum":["a"]},{"type":"string","enum":["b"]}]},"v":{"anyOf":[{"type":"string"},{"type":"integer"}]}},"additionalProperties":false}`,
			`{"kind":"b","v":1}`, `{"input":{"kind":"b","v":1}}`,
		},
		"G04 a condition": {
			`{"type":"object","if":{"required":["a"]},"then":{"required":["b"]},"properties":{"a":{"type":"string"}}}`,
			`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`,
			`{"a":"x"}`, `{"input":{"a":"x"}}`,
		},
		"a reference": {
			`{"$ref":"#/definitions/input","definitions":{"input":{"type":"object","properties":{"parent":{"$ref":"#/definitions/input"},"id":{"type":"integer"}},"required":["id"]}}}`,
			`{"type":"object","properties":{"id":{"type":"integer"},"parent":{"type":"object","properties":{"id":{"type":"integer"},"parent":{"type":"object","properties":{}}},"required":["id"]}},"required":["id"],"additionalProperties":false}`,
			`{"id":1}`, `{"input":{"id":1}}`,
		},
		"a variant that is the root": {
			`{"type":"object","properties":{"a":{"type":"string"}},"anyOf":[{"$ref":"#"}]}`,
			`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`,
			`{"a":"x"}`, `{"input":{"a":"x"}}`,
		},
		"required and not described": {
			`{"type":"object","required":["a"]}`, `{"type":"object","properties":{"a":{}},"required":["a"],"additionalProperties":false}`,
			`{"a":[1]}`, `{"input":{"a":[1]}}`,
		},
		"W10 a list or nothing": {
			`{"type":["array","null"],"items":{"type":"integer"}}`,
			`{"type":"object","properties":{"input":{"type":["array","null"],"items":{"type":"integer"}}},"additionalProperties":false}`,
			`{"input":[1,2]}`, `{"input":[1,2]}`,
		},
		"G11, G12 names below": {
			`{"type":"object","properties":{"filter[x]":{"type":"array","items":{"type":"object","properties":{"a/b":{"type":"string"},"a-b":{"type":"string"}}}}}}`,
			`{"type":"object","properties":{"filter_x":{"type":"array","items":{"type":"object","properties":{"a_b":{"type":"string"},"a_b_c14cddc0":{"type":"string"}}}}},"additionalProperties":false}`,
			`{"filter_x":[{"a_b":"dash","a_b_c14cddc0":"slash"}]}`, `{"input":{"filter[x]":[{"a-b":"dash","a/b":"slash"}]}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := FromSite(&discover.Site{Abilities: []discover.Ability{ability(t, "a/b", write, c.in)}})
			if len(s.Operations) != 1 {
				t.Fatalf("withheld: %+v", s.Withheld)
			}
			o := s.Operations[0]
			if input, _ := schema.Encode(InputSchema(o.Args, o.Extra)); string(input) != c.schema {
				t.Errorf("the schema is %s, want %s", input, c.schema)
			}
			r, err := o.Request(decode(t, c.args).(map[string]any))
			if err != nil {
				t.Fatal(err)
			}
			if body, _ := schema.Encode(r.Body); string(body) != c.want {
				t.Errorf("sent %s, want %s", body, c.want)
			}
		})
	}
}

// What an input says as a whole, and which of its arguments it asks for, is said of
// the tool; repairs of the root are told, and each once.
func TestRootIsTold(t *testing.T) {
	s := FromSite(&discover.Site{Abilities: []discover.Ability{ability(t, "a/b", `{}`,
		`{"type":"object","description":"Say one of both.","if":{},"properties":{"a":{"type":"string"},"b":{"type":"string"},"c":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b","c"]}],"minProperties":"x"}`)}})
	o := s.Operations[0]
	if want := "Does it. Say one of both. One of these is needed: a; b and c."; o.Description != want {
		t.Errorf("%q, want %q", o.Description, want)
	}
	seen := map[schema.Repair]int{}
	for _, r := range o.Repairs {
		if seen[r]++; seen[r] > 1 {
			t.Errorf("%+v is told twice", r)
		}
	}
	if got := rules(o.Repairs); got != "keyword-dropped,root-combinator-merged" || len(o.Repairs) != 4 {
		t.Errorf("repairs: %s: %+v", got, o.Repairs)
	}
}

// T07: what the site calls a property is that property's alone, also below an
// argument that takes other names.
func TestOtherNamesDoNotReachProperties(t *testing.T) {
	s := FromSite(&discover.Site{Abilities: []discover.Ability{
		ability(t, "a/b", `{}`, `{"type":"object","properties":{"o":{"type":"object","properties":{"post status":{"type":"string","enum":["draft"]}},"additionalProperties":true}}}`),
	}})
	for range 20 { // maps have no order
		r, err := s.Operations[0].Request(decode(t, `{"o":{"post_status":"draft","post status":"publish","more":1}}`).(map[string]any))
		if err != nil {
			t.Fatal(err)
		}
		if body, _ := schema.Encode(r.Body); string(body) != `{"input":{"o":{"more":1,"post status":"draft"}}}` {
			t.Fatalf("sent %s", body)
		}
	}
}
