package wire

import (
	"encoding/json"
	"errors"
	"math/big"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"toolpress/discover/wp"
	"toolpress/generate/schema"
)

func (v verdict) is(codes ...string) bool {
	return slices.ContainsFunc(codes, func(c string) bool { return v.Code == "rest_"+c || v.Code == "rest_invalid_"+c || v.Code == c })
}

// fails reports that one of toolpress's own reasons is of a kind.
func (j judged) fails(is func(e *jsonschema.ValidationError) bool) bool {
	var top *jsonschema.ValidationError
	if !errors.As(j.fault, &top) {
		return false
	}
	var any func(e *jsonschema.ValidationError) bool
	any = func(e *jsonschema.ValidationError) bool { return is(e) || slices.ContainsFunc(e.Causes, any) }
	return any(top)
}

// anywhere reports that a schema or one below it is of a kind.
func anywhere(written any, is func(s map[string]any) bool) bool {
	s, isSchema := written.(map[string]any)
	if !isSchema {
		return false
	}
	below := []any{s["items"], s["additionalProperties"]}
	below = append(below, slices.Concat(wp.List(s["anyOf"]), wp.List(s["oneOf"]))...)
	for _, keyword := range []string{"properties", "patternProperties"} {
		named, _ := s[keyword].(map[string]any)
		for _, sub := range named {
			below = append(below, sub)
		}
	}
	return is(s) || slices.ContainsFunc(below, func(sub any) bool { return anywhere(sub, is) })
}

// holds reports that a value or one in it is of a kind.
func holds(v any, is func(any) bool) bool {
	switch in := v.(type) {
	case []any:
		if slices.ContainsFunc(in, func(item any) bool { return holds(item, is) }) {
			return true
		}
	case map[string]any:
		for _, item := range in {
			if holds(item, is) {
				return true
			}
		}
	case string:
		if spellsJSON(v) {
			var inside any
			return is(v) || json.Unmarshal([]byte(in), &inside) == nil && holds(inside, is)
		}
	}
	return is(v)
}

var coreTypes = []any{"array", "object", "string", "number", "integer", "boolean", "null"}

func oddType(s map[string]any) bool {
	types := wp.List(s["type"])
	if name, is := s["type"].(string); is {
		types = []any{name}
	}
	unsaid := len(types) == 0 && (s["properties"] != nil || s["items"] != nil)
	return unsaid || slices.ContainsFunc(types, func(t any) bool { return !slices.Contains(coreTypes, t) })
}

func oddEnum(s map[string]any) bool {
	return slices.ContainsFunc(wp.List(s["enum"]), func(v any) bool {
		text, isText := v.(string)
		_, isNumber := v.(json.Number)
		return isText != (s["type"] == "string") || isNumber && s["type"] == "string" || len(text) > 1000
	})
}

func oddPattern(s map[string]any) bool {
	p, is := s["pattern"].(string)
	return is && !schema.Portable(p)
}

func requiredTwice(s map[string]any) bool {
	named, _ := s["properties"].(map[string]any)
	for _, p := range named {
		if sub, _ := p.(map[string]any); sub["required"] == true && len(wp.List(s["required"])) > 0 {
			return true
		}
	}
	return false
}

// saysUnshown reports that a value has a property the schema has and toolpress
// does not show.
func saysUnshown(written, v any) bool {
	s, _ := written.(map[string]any)
	if s == nil {
		return false
	}
	if text, isText := v.(string); isText && spellsJSON(v) {
		var inside any
		return json.Unmarshal([]byte(text), &inside) == nil && saysUnshown(written, inside)
	}
	if slices.ContainsFunc(slices.Concat(wp.List(s["anyOf"]), wp.List(s["oneOf"])), func(variant any) bool { return saysUnshown(variant, v) }) {
		return true
	}
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, func(item any) bool { return saysUnshown(s["items"], item) })
	case map[string]any:
		named, _ := s["properties"].(map[string]any)
		for name, value := range v {
			sub, there := named[name].(map[string]any)
			if there && sub["readonly"] == true || saysUnshown(named[name], value) || !there && saysUnshown(s["additionalProperties"], value) {
				return true
			}
		}
	}
	return false
}

func listOrBoolean(s map[string]any) bool {
	types := wp.List(s["type"])
	for _, variant := range slices.Concat(wp.List(s["anyOf"]), wp.List(s["oneOf"])) {
		sub, _ := variant.(map[string]any)
		types = append(types, sub["type"])
	}
	return slices.Contains(types, "array") && slices.Contains(types, "boolean")
}

// respelt reports a number that PHP writes otherwise than it is written.
func respelt(v any) bool {
	n, is := v.(json.Number)
	return is && strings.ContainsAny(n.String(), ".eE")
}

// listOfSpelt is a list whose items may be the text of a number.
func listOfSpelt(s map[string]any) bool {
	items, _ := s["items"].(map[string]any)
	texts := items["type"] == nil || items["type"] == "string" || items["type"] == "boolean" || slices.Contains(wp.List(items["type"]), "string")
	return (s["type"] == "array" || slices.Contains(wp.List(s["type"]), "array")) && texts
}

func spellsJSON(v any) bool {
	text, _ := v.(string)
	text = strings.TrimSpace(text)
	return text != "" && (text[0] == '[' || text[0] == '{') && json.Valid([]byte(text))
}

func emptyContainer(v any) bool {
	list, isList := v.([]any)
	object, isObject := v.(map[string]any)
	return isList && len(list) == 0 || isObject && len(object) == 0
}

// long reports a number, or a text of some, that PHP rounds.
func long(v any) bool {
	var words []string
	switch n := v.(type) {
	case json.Number:
		words = []string{n.String()}
	case string:
		words = strings.FieldsFunc(n, func(r rune) bool { return r == ',' || r == ' ' })
	case float64:
		return n > 1<<53 || n < -1<<53
	}
	return slices.ContainsFunc(words, func(word string) bool {
		r, ok := new(big.Rat).SetString(word)
		return ok && (len(word) > 17 || r.Abs(r).Cmp(big.NewRat(1<<53, 1)) > 0)
	})
}
