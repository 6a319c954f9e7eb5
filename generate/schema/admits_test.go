package schema

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// shaped are values like those that a schema speaks of, and others.
func shaped(s *Schema, depth int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		if depth == 0 || s == nil || rapid.IntRange(0, 9).Draw(t, "other") == 0 {
			return rapid.OneOf(rapid.SampledFrom([]any{nil, true, false, "", "a", "aa", "draft", json.Number("0"), json.Number("1.0"), json.Number("2"), json.Number("1.5"), json.Number("-1e1"), []any{}, map[string]any{}}), rapid.Just[any]("ääää")).Draw(t, "scalar")
		}
		if len(s.Enum) > 0 && rapid.Bool().Draw(t, "of the enum") {
			return rapid.SampledFrom(s.Enum).Draw(t, "value")
		}
		if all := append(append([]*Schema{}, s.AnyOf...), s.AllOf...); len(all) > 0 && rapid.Bool().Draw(t, "of a part") {
			return shaped(rapid.SampledFrom(all).Draw(t, "part"), depth-1).Draw(t, "value")
		}
		switch {
		case s.Is("array"):
			return rapid.SliceOfN(shaped(s.Items, depth-1), 0, 3).Draw(t, "list")
		case s.Is("object"):
			object := map[string]any{}
			for _, p := range s.Properties {
				if p.Required || rapid.Bool().Draw(t, p.Name) {
					object[p.Name] = shaped(p.Schema, depth-1).Draw(t, "member")
				}
			}
			if rapid.IntRange(0, 3).Draw(t, "more") == 0 {
				object["more"] = shaped(s.Additional, depth-1).Draw(t, "more")
			}
			return object
		case s.Allows("number") && s.Minimum != "" && rapid.Bool().Draw(t, "the bound"):
			return s.Minimum
		}
		return shaped(nil, 0).Draw(t, "scalar")
	})
}

// anySchema are schemas as the compiler makes them, with every keyword that says
// something about a value.
func anySchema(depth int) *rapid.Generator[*Schema] {
	return rapid.Custom(func(t *rapid.T) *Schema {
		s := &Schema{}
		has := func(keyword string) bool { return rapid.IntRange(0, 4).Draw(t, keyword) == 0 }
		count := func(keyword string) *int {
			if !has(keyword) {
				return nil
			}
			n := rapid.IntRange(0, 3).Draw(t, keyword)
			return &n
		}
		number := func(keyword string) json.Number {
			if !has(keyword) {
				return ""
			}
			return rapid.SampledFrom([]json.Number{"0.5", "1", "1.50", "2"}).Draw(t, keyword)
		}
		types := []string{"string", "integer", "number", "boolean", "null", "array", "object", "array", "object"}
		s.Types = rapid.SliceOfNDistinct(rapid.SampledFrom(types), 0, 2, rapid.ID[string]).Draw(t, "types")
		s.MinLength, s.MaxLength, s.MinItems, s.MaxItems = count("minLength"), count("maxLength"), count("minItems"), count("maxItems")
		s.MinProperties, s.MaxProperties = count("minProperties"), count("maxProperties")
		s.Minimum, s.Maximum, s.MultipleOf = number("minimum"), number("maximum"), number("multipleOf")
		s.ExclusiveMinimum, s.ExclusiveMaximum = number("exclusiveMinimum"), number("exclusiveMaximum")
		s.UniqueItems, s.Closed = has("uniqueItems"), has("closed")
		if has("pattern") {
			s.Pattern = "^a+$"
		}
		if has("enum") {
			s.Enum = []any{"a", json.Number("1"), nil, []any{json.Number("2")}, map[string]any{"a": json.Number("1.0")}}
		}
		if depth == 0 {
			return s
		}
		deeper := anySchema(depth - 1)
		if has("items") || s.Is("array") {
			s.Items = deeper.Draw(t, "items")
		}
		if !s.Closed && has("additional") {
			s.Additional = deeper.Draw(t, "additional")
		}
		for _, name := range []string{"a", "b"} {
			if has(name) || s.Is("object") {
				s.Properties = append(s.Properties, Property{Name: name, Required: has("required"), Schema: deeper.Draw(t, name)})
			}
		}
		if has("anyOf") {
			s.AnyOf = rapid.SliceOfN(deeper, 1, 2).Draw(t, "anyOf")
		}
		if has("allOf") {
			s.AllOf = rapid.SliceOfN(deeper, 1, 2).Draw(t, "allOf")
		}
		return s
	})
}

// A judge's verdict on a value is the validator's.
func TestAdmitsIsTakes(t *testing.T) {
	taken, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := anySchema(2).Draw(t, "schema")
		for range 10 {
			v := shaped(s, 4).Draw(t, "value")
			want := s.Takes(v)
			if got := new(judge).admits(s, v); got != want {
				text, _ := Encode(s)
				t.Fatalf("%s %v: %t, and the validator says %t", text, v, got, want)
			}
			if want {
				taken++
			} else {
				refused++
			}
		}
	})
	if taken < 50 || refused < 50 {
		t.Errorf("%d taken, %d refused: the values tell nothing", taken, refused)
	}
	for schema, verdicts := range map[string]map[string]bool{
		`{"type":"array","uniqueItems":true}`:                                                                                {`[1,1.0]`: false, `["1",1]`: true, `[{"a":1,"b":2},{"b":2,"a":1e0}]`: false},
		`{"type":"number","minimum":0.1,"multipleOf":0.1}`:                                                                   {`0.3`: true, `0.05`: false, `0.35`: false, `0`: false},
		`{"type":"number","exclusiveMinimum":1,"exclusiveMaximum":2}`:                                                        {`1`: false, `1.5`: true, `2.0`: false},
		`{"type":["integer","null"]}`:                                                                                        {`1.0`: true, `1.5`: false, `null`: true, `true`: false},
		`{"type":"string","minLength":2,"maxLength":3,"pattern":"^[a-zä]+$"}`:                                                {`"ää"`: true, `"ä"`: false, `"abcd"`: false, `"AB"`: false},
		`{"type":"object","minProperties":1,"additionalProperties":{"type":"string"},"properties":{"n":{"type":"integer"}}}`: {`{}`: false, `{"n":1,"x":"y"}`: true, `{"x":1}`: false, `{"n":"1"}`: false},
		`{"type":"object","properties":{"n":{}},"required":["n"],"additionalProperties":false}`:                              {`{"n":null}`: true, `{}`: false, `{"n":1,"x":1}`: false},
		`{"enum":[{"a":[1]},null,1.0]}`:                                                                                      {`{"a":[1.0]}`: true, `null`: true, `1`: true, `false`: false, `{"a":[2]}`: false},
	} {
		var c Compiler
		c.About(decode(t, schema))
		s, err := c.Compile(c.document, "x")
		if err != nil {
			t.Fatal(err)
		}
		s.Enum = nil
		if written, has := c.document.(map[string]any)["enum"].([]any); has {
			s.Enum = written
		}
		for value, want := range verdicts {
			if v := decode(t, value); new(judge).admits(s, v) != want || s.Takes(v) != want {
				t.Errorf("%s %s: %t, and the validator says %t", schema, value, !want, s.Takes(v))
			}
		}
	}
}

// T14: a default costs what is in it, not what the schema has below it: 60 levels
// with one over 1,000 properties each take as many steps as they have properties.
func TestDefaultsCostWhatTheyHold(t *testing.T) {
	properties := map[string]any{}
	for i := range 1000 {
		properties["w"+strconv.Itoa(i)] = map[string]any{"type": "string", "maxLength": json.Number("3")}
	}
	inner := map[string]any{"type": "object", "properties": properties, "default": map[string]any{}}
	for range 55 {
		inner = map[string]any{"type": "object", "properties": map[string]any{"n": inner}, "default": map[string]any{}}
	}
	c := Compiler{judge: judge{bounded: true, left: 1000}}
	s, err := c.Compile(inner, "x")
	if err != nil || c.judge.spent() || c.judge.left > 1000-56 {
		t.Fatalf("%v, %d steps left", err, c.judge.left)
	}
	if n := strings.Count(string(must(Encode(s))), `"default":{}`); n != 56 {
		t.Errorf("%d defaults", n)
	}
}

func must(text []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return text
}
