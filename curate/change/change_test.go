package change

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolpress/generate"
)

// lines are changes as one line each: kind, rule, path, message.
func lines(changes []Change) string {
	var b strings.Builder
	for _, c := range changes {
		fmt.Fprintf(&b, "%s %s %s: %s\n", c.Kind, c.Rule, c.Path, c.Message)
	}
	return b.String()
}

// Each case is a property of an argument and of a field of the result, before and
// after. What admits less breaks the one who writes; what admits more, the one
// who reads.
func TestValues(t *testing.T) {
	for _, test := range []struct {
		name, before, after string
		input, output       string
	}{
		{"nothing", `{"type":"string"}`, `{"type":"string"}`, "", ""},
		{"the order of types", `{"type":["string","null"]}`, `{"type":["null","string"]}`, "", ""},
		{"one type less", `{"type":["string","null"]}`, `{"type":"string"}`, "breaking type-changed", "additive type-changed"},
		{"one type more", `{"type":"string"}`, `{"type":["string","null"]}`, "additive type-changed", "breaking type-changed"},
		{"another type", `{"type":"string"}`, `{"type":"boolean"}`, "breaking type-changed", "breaking type-changed"},
		{"an integer is a number", `{"type":"integer"}`, `{"type":"number"}`, "additive type-changed", "breaking type-changed"},
		{"any type", `{"type":"string"}`, `{}`, "additive type-changed", "breaking type-changed"},
		{"a value less", `{"enum":["a","b"]}`, `{"enum":["b"]}`, "breaking values-fewer", "additive values-fewer"},
		{"a value more", `{"enum":["a"]}`, `{"enum":["b","a"]}`, "additive values-more", "breaking values-more"},
		{"the order of values", `{"enum":["a","b"]}`, `{"enum":["b","a"]}`, "", ""},
		{"closed now", `{}`, `{"enum":["a"]}`, "breaking values-fewer", "additive values-fewer"},
		{"open now", `{"const":"a"}`, `{}`, "additive values-more", "breaking values-more"},
		{"a lower maximum", `{"maximum":100}`, `{"maximum":50}`, "breaking bound-tighter", "additive bound-tighter"},
		{"a higher maximum", `{"maximum":9}`, `{"maximum":10}`, "additive bound-looser", "breaking bound-looser"},
		{"a higher minimum", `{"minimum":9}`, `{"minimum":10}`, "breaking bound-tighter", "additive bound-tighter"},
		{"a lower minimum", `{"minimum":1}`, `{"minimum":0}`, "additive bound-looser", "breaking bound-looser"},
		{"a bound that came", `{}`, `{"maxLength":5}`, "breaking bound-tighter", "additive bound-tighter"},
		{"a bound that went", `{"minItems":1}`, `{}`, "additive bound-looser", "breaking bound-looser"},
		{"the same number", `{"maximum":10}`, `{"maximum":10.0}`, "", ""},
		{"another pattern", `{"pattern":"^a"}`, `{"pattern":"^b"}`, "breaking bound-tighter", "breaking bound-tighter"},
		{"a pattern that went", `{"pattern":"^a"}`, `{}`, "additive bound-looser", "breaking bound-looser"},
		{"unique", `{"uniqueItems":false}`, `{"uniqueItems":true}`, "breaking bound-tighter", "additive bound-tighter"},
		{"another default", `{"default":1}`, `{"default":2}`, "breaking default-changed", ""},
		{"a default that came", `{}`, `{"default":null}`, "breaking default-changed", ""},
		{"an alternative more", `{"anyOf":[{"type":"string"}]}`, `{"anyOf":[{"type":"string","description":"x"},{"type":"null"}]}`, "additive type-changed", "breaking type-changed"},
		{"an alternative less", `{"oneOf":[{"type":"string"},{"type":"null"}]}`, `{"oneOf":[{"type":"string"}]}`, "breaking type-changed", "additive type-changed"},
		{"alternatives that came", `{}`, `{"anyOf":[{"type":"string"},{"type":"null"}]}`, "breaking type-changed", "additive type-changed"},
		{"alternatives that went", `{"anyOf":[{"type":"string"},{"type":"null"}]}`, `{}`, "additive type-changed", "breaking type-changed"},
		{"one thing more that must be", `{"allOf":[{"minLength":1}]}`, `{"allOf":[{"minLength":1},{"maxLength":5}]}`, "breaking type-changed", "additive type-changed"},
		{"all that must be came", `{}`, `{"allOf":[{"minLength":1}]}`, "breaking type-changed", "additive type-changed"},
		{"within an alternative", `{"anyOf":[{"maximum":9}]}`, `{"anyOf":[{"maximum":8}]}`, "breaking bound-tighter", "additive bound-tighter"},
		{"of the items", `{"items":{"maximum":9}}`, `{"items":{"maximum":8}}`, "breaking bound-tighter", "additive bound-tighter"},
		{"a keyword nobody knows", `{"x-mcp-header":"A"}`, `{"x-mcp-header":"B"}`, "breaking schema-changed", "breaking schema-changed"},
		{"words", `{"description":"a"}`, `{"description":"b"}`, "text text-changed", "text text-changed"},
		{"a property called description", `{"properties":{"description":{"type":"string"}}}`, `{"properties":{"description":{"type":"null"}}}`, "breaking type-changed", "breaking type-changed"},
	} {
		t.Run(test.name, func(t *testing.T) {
			wrap := func(s string) json.RawMessage {
				return json.RawMessage(`{"type":"object","properties":{"x":` + s + `}}`)
			}
			for _, side := range []struct {
				want, path    string
				before, after Tool
			}{
				{test.input, "x", Tool{InputSchema: wrap(test.before)}, Tool{InputSchema: wrap(test.after)}},
				{test.output, "result.x", Tool{OutputSchema: wrap(test.before)}, Tool{OutputSchema: wrap(test.after)}},
			} {
				got, err := Tools(side.before, side.after)
				if err != nil {
					t.Fatal(err)
				}
				var kinds []string
				for _, c := range got {
					kinds = append(kinds, string(c.Kind)+" "+c.Rule)
					if !strings.HasPrefix(c.Path, side.path) {
						t.Errorf("path %q", c.Path)
					}
				}
				if strings.Join(kinds, ", ") != side.want {
					t.Errorf("%s: %q, want %q\n%s", side.path, kinds, side.want, lines(got))
				}
			}
		})
	}
}

// A plugin's update: an argument renamed, one required, one new, a nested one gone.
func TestTools(t *testing.T) {
	before := Tool{
		Title: "Find", Description: "Find things.", Operation: "GET /acme/v1/things",
		InputSchema: json.RawMessage(`{"type":"object","properties":{
			"q":{"type":"string"},"kind":{"type":"string"},
			"lines":{"type":"array","items":{"type":"object","properties":{"sku":{"type":"string"},"price":{"type":"string"}},"additionalProperties":false}},
			"meta":{"type":"object","additionalProperties":{"type":"string"}}},"required":["q"],"additionalProperties":false}`),
		OutputSchema: json.RawMessage(`{"type":"object","properties":{"id":{"type":"integer"},"name":{"type":"string"}}}`),
		Annotations:  generate.Annotations{ReadOnly: true, Idempotent: true},
	}
	after := before
	after.Description, after.Annotations = "Search things.", generate.Annotations{Destructive: true, Idempotent: true}
	after.InputSchema = json.RawMessage(`{"type":"object","properties":{
			"query":{"type":"string"},"kind":{"type":"string"},"page":{"type":"integer"},
			"lines":{"type":"array","items":{"type":"object","properties":{"sku":{"type":"string"}},"additionalProperties":false}},
			"meta":{"type":"object","additionalProperties":{"type":"integer"}}},"required":["kind","query"],"additionalProperties":false}`)
	after.OutputSchema = json.RawMessage(`{"type":"object","properties":{"id":{"type":"integer"},"link":{"type":"string"}}}`)
	got, err := Tools(before, after)
	if err != nil {
		t.Fatal(err)
	}
	const want = `breaking annotation-danger : destructiveHint is now true
breaking annotation-danger : readOnlyHint is now false
breaking argument-required kind: the argument is required now
breaking argument-removed lines[].price: the argument is gone
breaking type-changed meta.*: it is integer instead of string
breaking argument-removed q: the argument is gone
breaking argument-required query: a new argument that is required
breaking field-removed result.name: the field is gone
additive argument-added page: a new argument
additive field-added result.link: a new field
text text-changed : its description: "Search things." instead of "Find things."
`
	if diff := cmp.Diff(want, lines(got)); diff != "" {
		t.Error(diff)
	}
	if k := Gravest(got); k != Breaking || Semver(k) != "major" || Semver(Gravest(nil)) != "none" {
		t.Error(k)
	}
	after = before
	after.Operation = "POST /acme/v1/things"
	if got, _ = Tools(before, after); lines(got) != "breaking operation-changed : it calls POST /acme/v1/things instead of GET /acme/v1/things\n" {
		t.Error(lines(got))
	}
}

// A changed text is there as a whole, however long; a method that can do more
// breaks, whatever the annotations say.
func TestWholeTexts(t *testing.T) {
	long := strings.Repeat("quite ", 50) + "long"
	input := func(text string) json.RawMessage {
		return json.RawMessage(`{"properties":{"q":{"description":"` + text + `"}}}`)
	}
	got, err := Tools(Tool{Description: "Old.", InputSchema: input(""), Method: "POST"}, Tool{Description: long, InputSchema: input(long), Method: "GET"})
	if err != nil || len(got) != 3 {
		t.Fatal(got, err)
	}
	if c := got[0]; c.Rule != "method-changed" || c.Kind != Additive || c.Message != "it is called by GET instead of POST" || c.After != "" {
		t.Errorf("%+v", c)
	}
	if c := got[1]; c.Before != "Old." || c.After != long || strings.Contains(c.Message, "long") {
		t.Errorf("%+v", c)
	}
	if c := got[2]; c.Path != "q" || c.Before != "" || c.After != long {
		t.Errorf("%+v", c)
	}
	if got, _ = Tools(Tool{Method: "GET"}, Tool{Method: "POST"}); Gravest(got) != Breaking {
		t.Error(got)
	}
	if got, _ = Tools(Tool{}, Tool{Method: "POST"}); got != nil {
		t.Error(got)
	}
}

// What is no schema is an error and no change.
func TestNoSchema(t *testing.T) {
	for _, raw := range []string{`[]`, `"x"`, `{`} {
		if _, err := Tools(Tool{InputSchema: json.RawMessage(raw)}, Tool{InputSchema: json.RawMessage(`{}`)}); err == nil {
			t.Errorf("%s is taken", raw)
		}
	}
}

// Each rule is reached by these tests' inputs and is what it says in [Rules].
func TestRules(t *testing.T) {
	ids := map[string][]Kind{}
	for _, r := range Rules() {
		if ids[r.ID] != nil || r.What == "" {
			t.Errorf("%s: doubled, or without words", r.ID)
		}
		ids[r.ID] = r.Kinds
	}
	schema := func(required, x string) json.RawMessage {
		return json.RawMessage(`{"properties":{"x":` + x + `},"required":[` + required + `]}`)
	}
	sides := []string{`{}`, `{"type":"string"}`, `{"enum":["a"]}`, `{"maximum":1}`, `{"default":1}`, `{"$ref":"#"}`, `{"description":"d"}`}
	seen := map[string]bool{}
	for _, old := range append(sides, "") {
		for _, now := range append(sides, "") {
			for _, must := range []string{"", `"x"`} {
				one, two := schema(must, old), schema("", now)
				if old == "" {
					one = json.RawMessage(`{}`)
				}
				if now == "" {
					two = json.RawMessage(`{}`)
				}
				for _, pair := range [][2]Tool{
					{{InputSchema: one}, {InputSchema: two}},
					{{InputSchema: two}, {InputSchema: one}},
					{{OutputSchema: one}, {OutputSchema: two}},
					{{OutputSchema: two}, {OutputSchema: one}},
					{{Operation: "a"}, {Operation: "b"}},
					{{Method: "GET"}, {Method: "POST"}},
					{{Method: "DELETE"}, {Method: "POST"}},
					{{}, {Annotations: generate.Annotations{ReadOnly: true, Destructive: true}}},
				} {
					changes, err := Tools(pair[0], pair[1])
					if err != nil {
						t.Fatal(err)
					}
					for _, c := range changes {
						seen[c.Rule] = true
						if !slices.Contains(ids[c.Rule], c.Kind) {
							t.Errorf("%s is %s, which its rule does not say", c.Rule, c.Kind)
						}
					}
				}
			}
		}
	}
	for id := range ids {
		if ofCatalogs := strings.HasPrefix(id, "tool-") || strings.HasPrefix(id, "profile-") || id == "alias-removed"; !seen[id] && !ofCatalogs {
			t.Errorf("%s was never seen", id)
		}
	}
}
