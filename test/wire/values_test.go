package wire

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"toolpress/discover/wp"
	"toolpress/generate/schema"
)

// texts are what models and people write, and what has a meaning somewhere.
var texts = []string{
	"", "a", "b", "ab", "abc", "abcde", "true", "FALSE", "0", "1", "12", " 7 ", "-3", "+4", "007", "1.5", ".5", "5.", "2.0", "1e2", "0x1A", "1,2", "a, b", "3 4\t5", ",", "null", "[]", "{}", "[1,2]", `["a"]`, `{"a":1}`, `{"a":"2","b":true}`, `[1,2`,
	"yes", "on", "NaN", "é", "日本", "😀", "a\nb", "a\n", "12\n", " ", "a=b&c", "50%", "<b>x</b>", "#", "n_a", "9007199254740993", "99999999999999999999", "x y",
	"2026-01-01T10:00:00", "2026-01-01", "2026-01-01T10:00:00Z", "2026-13-45T99:00:00", "a@b.example", "10.0.0.1", "::1", "#fff", "#ffff", "9f3c6d5e-7c3a-4f0e-8b1a-2b3c4d5e6f70", "https://x.example/a?b=c",
}

var numbers = []string{"0", "1", "-1", "2", "3", "5", "7", "8", "12", "100", "-3", "1.0", "2.5", "0.5", "1.5", "-0.0", "1e2", "1.2e1", "12.0", "9007199254740993", "9223372036854775807", "9223372036854775808", "1e30", "0.1", "0.3"}

// values draws values around a schema: what it asks for, what comes near, what
// WordPress reads as it, and what is neither.
func values(written any) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any { return around(t, written, 4) })
}

func around(t *rapid.T, written any, depth int) any {
	s, _ := written.(map[string]any)
	switch rapid.IntRange(0, 11).Draw(t, "how") {
	case 0:
		return anything(t, depth)
	case 1:
		return nil
	case 2, 3:
		return spelled(t, inside(t, s, depth))
	}
	return inside(t, s, depth)
}

// inside draws a value of one of the schema's types.
func inside(t *rapid.T, s map[string]any, depth int) any {
	if list := wp.List(s["enum"]); len(list) > 0 && rapid.IntRange(0, 3).Draw(t, "of the enum") > 0 {
		return rapid.SampledFrom(list).Draw(t, "value")
	}
	if list := append(wp.List(s["anyOf"]), wp.List(s["oneOf"])...); len(list) > 0 && depth > 0 {
		return around(t, list[rapid.IntRange(0, len(list)-1).Draw(t, "variant")], depth-1)
	}
	kind, _ := s["type"].(string)
	if kinds := wp.List(s["type"]); len(kinds) > 0 {
		kind, _ = rapid.SampledFrom(kinds).Draw(t, "type").(string)
	}
	switch kind {
	case "integer", "number", "int", "float":
		return numberAround(t, s)
	case "boolean", "bool":
		return rapid.SampledFrom([]any{true, false, "true", "0", json.Number("1"), json.Number("2")}).Draw(t, "boolean")
	case "array":
		return listOf(t, s["items"], depth)
	case "object":
		return objectOf(t, s, depth)
	case "null":
		return nil
	case "string", "date-time":
		return textAround(t, s)
	}
	return anything(t, depth)
}

func numberAround(t *rapid.T, s map[string]any) any {
	list := slices.Clone(numbers)
	for _, bound := range []string{"minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"} {
		if n, is := s[bound].(json.Number); is {
			if whole, err := strconv.Atoi(n.String()); err == nil {
				list = append(list, strconv.Itoa(whole-1), strconv.Itoa(whole+1), strconv.Itoa(whole*3))
			}
			list = append(list, n.String(), n.String())
		}
	}
	return json.Number(rapid.SampledFrom(list).Draw(t, "number"))
}

func textAround(t *rapid.T, s map[string]any) any {
	if p, _ := s["pattern"].(string); p != "" && rapid.Bool().Draw(t, "matching") {
		if _, err := regexp.Compile(p); err == nil {
			return rapid.StringMatching(p).Draw(t, "text")
		}
	}
	for _, bound := range []string{"minLength", "maxLength"} {
		n, is := s[bound].(json.Number)
		if length, err := strconv.Atoi(n.String()); is && err == nil && length < 50 && rapid.IntRange(0, 3).Draw(t, bound) == 0 {
			return strings.Repeat("é", max(0, length+rapid.IntRange(-1, 1).Draw(t, "beyond")))
		}
	}
	return rapid.SampledFrom(texts).Draw(t, "text")
}

func listOf(t *rapid.T, items any, depth int) any {
	list := []any{}
	for range rapid.IntRange(0, 3).Draw(t, "items") {
		if depth == 0 {
			list = append(list, rapid.SampledFrom(texts).Draw(t, "text"))
			continue
		}
		list = append(list, around(t, items, depth-1))
	}
	if len(list) > 0 && rapid.IntRange(0, 3).Draw(t, "again") == 0 {
		list = append(list, list[0])
	}
	return list
}

func objectOf(t *rapid.T, s map[string]any, depth int) any {
	object := map[string]any{}
	properties, _ := s["properties"].(map[string]any)
	required := wp.List(s["required"])
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		p, _ := properties[name].(map[string]any)
		if p["readonly"] == true && rapid.IntRange(0, 9).Draw(t, "read-only") > 0 {
			continue
		}
		needed := slices.Contains(required, any(name)) || p["required"] == true
		if depth > 0 && (needed && rapid.IntRange(0, 9).Draw(t, "all the same") > 0 || rapid.IntRange(0, 2).Draw(t, name) == 0) {
			object[name] = around(t, p, depth-1)
		}
	}
	if extra := rapid.IntRange(0, 5).Draw(t, "extra"); extra < 2 && depth > 0 {
		sub, _ := s["additionalProperties"].(map[string]any)
		object[rapid.SampledFrom([]string{"more", "n_a", "0", "z", "x y"}).Draw(t, "name")] = around(t, sub, depth-1)
	}
	return object
}

// anything draws any JSON.
func anything(t *rapid.T, depth int) any {
	switch most := rapid.IntRange(0, 7).Draw(t, "any"); {
	case most < 2:
		return rapid.SampledFrom(texts).Draw(t, "text")
	case most < 4:
		return json.Number(rapid.SampledFrom(numbers).Draw(t, "number"))
	case most == 4:
		return rapid.SampledFrom([]any{true, false, nil}).Draw(t, "literal")
	case most == 5 && depth > 0:
		return listOf(t, nil, depth-1)
	case most == 6 && depth > 0:
		return objectOf(t, map[string]any{"properties": map[string]any{"a": nil, "b": nil}}, depth-1)
	}
	return rapid.StringOfN(rapid.RuneFrom([]rune("ab1,. é[{\"")), 0, 6, -1).Draw(t, "text")
}

// spelled is a value as a text: how forms, and some models, send it.
func spelled(t *rapid.T, v any) any {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		if rapid.Bool().Draw(t, "with commas") {
			var words []string
			for _, item := range v {
				words = append(words, fmt.Sprint(item))
			}
			return strings.Join(words, ",")
		}
	}
	text, err := schema.Encode(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
