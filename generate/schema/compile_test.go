package schema

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// G16, G20, G21, G22, G23, T14: references within a schema stand in their place, a schema
// that comes round to itself is cut, and one that leads out is never followed.
func TestReferences(t *testing.T) {
	for name, c := range map[string]struct{ in, want, rules string }{
		"G16 a sibling property": {
			`{"type":"object","properties":{"headers":{"type":"array","items":{"type":"string"}},"rows":{"type":"array","items":{"$ref":"#/properties/headers"}}}}`,
			`{"type":"object","properties":{"headers":{"type":"array","items":{"type":"string"}},"rows":{"type":"array","items":{"type":"array","items":{"type":"string"}}}}}`,
			"reference-inlined",
		},
		"G20 a comment with replies": {
			`{"$ref":"#/definitions/comment","definitions":{"comment":{"type":"object","properties":{"text":{"type":"string"},"replies":{"type":"array","items":{"$ref":"#/definitions/comment"}}}}}}`,
			`{"type":"object","properties":{"replies":{"type":"array","items":{"type":"object","properties":{}}},"text":{"type":"string"}}}`,
			"recursion-cut,reference-inlined",
		},
		"G22 through every keyword": {
			`{"type":"object","properties":{"a":{"anyOf":[{"type":"array","items":{"$ref":"#"}},{"type":"object","additionalProperties":{"$ref":"#"}}]}}}`,
			`{"type":"object","properties":{"a":{"anyOf":[{"type":"array","items":{"type":"object","properties":{"a":{"anyOf":[{"type":"array","items":{"type":"object","properties":{}}},{"type":"object","properties":{},"additionalProperties":{"type":"object","properties":{}}}]}}}},{"type":"object","properties":{},"additionalProperties":{"type":"object","properties":{"a":{"anyOf":[{"type":"array","items":{"type":"object","properties":{}}},{"type":"object","properties":{},"additionalProperties":{"type":"object","properties":{}}}]}}}}]}}}`,
			"recursion-cut,reference-inlined",
		},
		"what is beside it wins": {
			`{"definitions":{"n":{"type":"integer","description":"A number.","minimum":1}},"type":"object","properties":{"a":{"$ref":"#/definitions/n","description":"How many."}}}`,
			`{"type":"object","properties":{"a":{"type":"integer","description":"How many.","minimum":1}}}`,
			"reference-inlined",
		},
		"an anchor, and a chain": {
			`{"$defs":{"x":{"$ref":"#last"},"y":{"$anchor":"last","type":"boolean"}},"type":"array","items":{"$ref":"#/$defs/x"}}`,
			`{"type":"array","items":{"type":"boolean"}}`,
			"reference-inlined",
		},
		"itself and nothing else": {`{"$ref":"#"}`, `{}`, "recursion-cut,reference-inlined"},
		"one round another":       {`{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"}`, `{}`, "recursion-cut,reference-inlined"},
		"nothing there":           {`{"type":"string","$ref":"#/definitions/none"}`, `{"type":"string"}`, "reference-dropped"},
		"escaped in a pointer":    {`{"$defs":{"a/b":{"type":"null"}},"items":{"$ref":"#/$defs/a~1b"}}`, `{"type":"array","items":{"type":"null"}}`, "reference-inlined,type-inferred"},
	} {
		t.Run(name, func(t *testing.T) {
			var c1 Compiler
			c1.About(decode(t, c.in))
			s, err := c1.Compile(c1.document, "x")
			if err != nil {
				t.Fatal(err)
			}
			got, _ := Encode(s)
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Error(diff)
			}
			if got := rules(c1.Repairs); got != c.rules {
				t.Errorf("repairs: %s, want %s", got, c.rules)
			}
		})
	}
	for _, ref := range []string{"http://evil.example/s.json", "file:///etc/passwd", "other.json#/a", ""} {
		text, _ := json.Marshal(map[string]any{"$ref": ref})
		var c1 Compiler
		c1.About(decode(t, string(text)))
		if s, err := c1.Compile(c1.document, "x"); err == nil || !strings.Contains(err.Error(), "is not followed") {
			t.Errorf("%q: %+v, %v", ref, s, err)
		}
	}
}

// T14: what multiplies is withheld, and a hundred references cost what a hundred
// schemas do.
func TestSchemasAreBounded(t *testing.T) {
	variants := func(n int) string {
		return `{"anyOf":[` + strings.TrimSuffix(strings.Repeat(`{"type":"integer"},`, n), ",") + `]}`
	}
	var doubling strings.Builder
	doubling.WriteString(`{"$defs":{"d0":{"type":"string"}`)
	for i := range 30 {
		n := strconv.Itoa(i)
		doubling.WriteString(`,"d` + strconv.Itoa(i+1) + `":{"type":"object","properties":{"a":{"$ref":"#/$defs/d` + n + `"},"b":{"$ref":"#/$defs/d` + n + `"}}}`)
	}
	var anchored strings.Builder
	anchored.WriteString(`{"type":"object","properties":{"last":{"$anchor":"here","type":"boolean"}`)
	for i := range 2000 {
		anchored.WriteString(`,"p` + strconv.Itoa(i) + `":{"$ref":"#here"}`)
	}
	for name, c := range map[string]struct{ in, want string }{
		"a hundred variants": {variants(100), ""},
		"10,000 variants":    {variants(10_000), "anyOf has 10000 variants, more than 100"},
		"30 doublings":       {doubling.String() + `},"$ref":"#/$defs/d30"}`, "more than 5000 nodes"},
		"2,000 anchors":      {anchored.String() + `}}`, ""},
	} {
		document := decode(t, c.in)
		var c1 Compiler
		c1.About(document)
		_, err := c1.Compile(document, "x")
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// Compiling a compiled schema changes nothing, and repairs nothing.
func TestCompilingAgainChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		written := wildSchema(3).Draw(t, "schema")
		var first Compiler
		first.About(written)
		s, err := first.Compile(written, "x")
		if err != nil {
			t.Skip(err) // withheld
		}
		once, err := Encode(s)
		if err != nil {
			t.Fatal(err)
		}
		var again Compiler
		again.About(plainJSON(t, once))
		s, err = again.Compile(again.document, "x")
		if err != nil {
			t.Fatalf("%s: %v", once, err)
		}
		twice, _ := Encode(s)
		if !bytes.Equal(once, twice) {
			t.Errorf("once  %s\ntwice %s", once, twice)
		}
		if len(again.Repairs) > 0 {
			t.Errorf("%s is repaired: %+v", once, again.Repairs)
		}
	})
}

func plainJSON(t *rapid.T, text []byte) any {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// wildSchema is what plugins write: every keyword, the value it should have or
// another.
func wildSchema(depth int) *rapid.Generator[any] {
	scalar := rapid.OneOf(
		rapid.Just[any](nil), rapid.Just[any](true), rapid.Just[any](false), rapid.SampledFrom([]any{"", "a", "b", "1", "draft", "x y", "\u202e", "<b>", "&amp;amp;lt;b&amp;amp;gt;", "a &lt <!-- b"}),
		rapid.SampledFrom([]any{json.Number("0"), json.Number("1"), json.Number("-1"), json.Number("1.5"), json.Number("2.0"), json.Number("9007199254740993"), json.Number("1e400")}),
	)
	lists := rapid.Custom(func(t *rapid.T) any { return any(rapid.SliceOfN(scalar, 0, 4).Draw(t, "list")) })
	anything := rapid.OneOf(scalar, lists, rapid.Custom(func(t *rapid.T) any {
		return rapid.MapOfN(rapid.SampledFrom([]string{"0", "3", "a"}), scalar, 0, 3).Draw(t, "map")
	}))
	if depth == 0 {
		return anything
	}
	deeper := rapid.Deferred(func() *rapid.Generator[any] { return wildSchema(depth - 1) })
	schemas := rapid.Custom(func(t *rapid.T) any { return rapid.SliceOfN(deeper, 0, 3).Draw(t, "schemas") })
	named := rapid.Custom(func(t *rapid.T) any {
		names := rapid.SampledFrom([]string{"id", "title", "raw", "a/b", "a_b", "filter[x]", "__proto__", "type", "properties", "", "^x"})
		return rapid.MapOfN(names, deeper, 0, 4).Draw(t, "properties")
	})
	types := rapid.SampledFrom([]any{"string", "integer", "number", "boolean", "array", "object", "null", "mixed", "date-time", "Bool", "file", "nonsense"})
	keywords := map[string]*rapid.Generator[any]{
		"type": rapid.OneOf(types, rapid.Custom(func(t *rapid.T) any { return rapid.SliceOfN(types, 0, 4).Draw(t, "types") }), anything),
		"enum": rapid.OneOf(lists, anything), "const": anything, "default": anything,
		"properties": rapid.OneOf(named, anything), "patternProperties": rapid.OneOf(named, anything),
		"required": anything, "readonly": anything, "nullable": anything, "items": rapid.OneOf(deeper, schemas), "prefixItems": schemas,
		"additionalProperties": rapid.OneOf(deeper, anything), "anyOf": schemas, "oneOf": schemas, "allOf": schemas, "not": deeper, "if": deeper,
		"$ref":   rapid.SampledFrom([]any{"#", "#/properties/id", "#/items", "#/none"}),
		"format": rapid.SampledFrom([]any{"date-time", "uri", "hex-color", "ip", "", true}), "pattern": rapid.SampledFrom([]any{"^a+$", "(?!x)", "[", "\\d+", true}),
		"description": rapid.OneOf(scalar, rapid.Just[any](strings.Repeat("long ", 100))), "title": scalar, "context": lists, "sanitize_callback": anything,
	}
	for _, k := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "divisibleBy", "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "uniqueItems"} {
		keywords[k] = scalar
	}
	all := slices.Sorted(func(yield func(string) bool) {
		for k := range keywords {
			if !yield(k) {
				return
			}
		}
	})
	return rapid.OneOf(rapid.Custom(func(t *rapid.T) any {
		node := map[string]any{}
		for _, k := range rapid.SliceOfNDistinct(rapid.SampledFrom(all), 0, 6, rapid.ID[string]).Draw(t, "keywords") {
			node[k] = keywords[k].Draw(t, k)
		}
		return node
	}), anything)
}
