package schema

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
)

// nullable reports that null may be a value of the schema.
func (s *Schema) nullable() bool {
	switch {
	case len(s.Types) > 0:
		return slices.Contains(s.Types, "null")
	case len(s.AnyOf) > 0:
		return slices.ContainsFunc(s.AnyOf, (*Schema).nullable)
	}
	return s.Enum == nil || slices.Contains(s.Enum, nil)
}

// readsAs is the first of the types that WordPress reads a value as, empty when
// there is none (rest_get_best_type_for_value). Lists and objects are told
// apart, which PHP cannot, but for empty ones.
func readsAs(v any, types []string) string {
	if v == "" && slices.Contains(types, "string") {
		return "string"
	}
	for _, t := range types {
		if isOfType(v, t) && (t != "array" || isListed(v) || slices.Contains(types, "string")) {
			return t
		}
	}
	return ""
}

// ReadsEmpty is the type that core reads the empty text as.
func (s *Schema) ReadsEmpty() string {
	if len(s.Types) > 0 {
		return readsAs("", s.Types)
	}
	for _, variant := range s.AnyOf {
		if t := variant.ReadsEmpty(); t != "" {
			return t
		}
	}
	return ""
}

// isListed reports a value that somebody may have meant as a list. WordPress
// takes any scalar for one; but true and false, commas alone, and the text
// "null" were written for nothing.
func isListed(v any) bool {
	text, isText := v.(string)
	_, isBool := v.(bool)
	return !isBool && (!isText || text == "" || text != "null" && strings.ContainsFunc(text, func(r rune) bool { return !betweenWords(r) }))
}

func isOfType(v any, name string) bool {
	list, isList := v.([]any)
	object, isObject := v.(map[string]any)
	text, isText := v.(string)
	_, isBool := v.(bool)
	switch name {
	case "array":
		return isList || isObject && len(object) == 0 || v != nil && !isObject
	case "object":
		return isObject || isList && len(list) == 0 || isText && text == ""
	case "integer":
		return isWhole(number(v))
	case "number":
		_, isNumber := number(v).(json.Number)
		return isNumber
	case "boolean":
		isWord := isText && len(text) <= len("false") && slices.Contains([]string{"true", "false", "1", "0"}, strings.ToLower(text))
		return isBool || v == json.Number("0") || v == json.Number("1") || isWord
	case "string":
		return isText
	}
	return name == "null" && v == nil
}

// containerType is the type of a list or an object.
func containerType(v any) []string {
	switch v.(type) {
	case []any:
		return []string{"array"}
	case map[string]any:
		return []string{"object"}
	}
	return nil
}

// container is the list or object that a text spells in JSON; nil when it is none.
func container(text string) any {
	text = strings.TrimSpace(text)
	if text == "" || text[0] != '{' && text[0] != '[' {
		return nil
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return nil
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) || Excess(v) != "" {
		return nil
	}
	return v
}

// ScalarText is PHP's (string) of a scalar, but for the spelling of numbers, which
// stays.
func ScalarText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		if v {
			return "1"
		}
	}
	return ""
}
