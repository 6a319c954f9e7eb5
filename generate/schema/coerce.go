package schema

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
)

// Coerce gives a value the types the schema wants where WordPress would read it
// so (rest_sanitize_value_from_schema in wp-includes/rest-api.php): numbers and
// booleans from text, lists from a scalar or from text with commas, an empty
// list or object from "". Unlike WordPress it reads the text of a JSON object or
// list where one is wanted, and leaves out the null of a property that may be
// absent and is not nullable. A JSON number keeps its digits. Where nothing fits
// the value stays as it is, for [Check.Validate] to refuse. v is not changed.
//
// The result is what has to be sent: WordPress 6.9 and 7.0 hand the callbacks of
// abilities what arrives.
func (c *Check) Coerce(v any) any { return c.coerce(c.schema, v, true) }

// coerce reads JSON out of text only with texts.
func (c *Check) coerce(s *Schema, v any, texts bool) any {
	v = c.firstVariant(s, v, texts)
	types := s.Types
	if text, isText := v.(string); isText && texts && !slices.Contains(types, "string") {
		if inside := container(text); inside != nil && readsAs(inside, types) != "" {
			v = inside
		}
	}
	if len(types) == 0 {
		types = containerType(v)
	}
	switch readsAs(v, types) {
	case "array":
		return c.list(s, v, texts)
	case "object":
		return c.object(s, v, texts)
	case "integer", "number":
		return number(v)
	case "boolean":
		word := strings.ToLower(textOf(v))
		return word == "true" || word == "1"
	}
	return v
}

// firstVariant is the value as the first variant that takes it reads it. Text is
// read as JSON only where no variant takes the text.
func (c *Check) firstVariant(s *Schema, v any, texts bool) any {
	for _, inside := range []bool{false, true} {
		if inside && !texts {
			break
		}
		for _, variant := range s.AnyOf {
			if w := c.coerce(variant, v, inside); c.variants[variant].Validate(w) == nil {
				return w
			}
		}
	}
	return v
}

func (c *Check) list(s *Schema, v any, texts bool) any {
	items, fromText := []any{}, false
	switch v := v.(type) {
	case []any:
		items = v
	case map[string]any: // an empty one: PHP has one kind of empty array
	default:
		if inside, isList := container(textOf(v)).([]any); isList && texts {
			items = inside
			break
		}
		fromText = true
		for _, word := range listWords(textOf(v)) {
			items = append(items, word)
		}
	}
	out := slices.Clone(items)
	for i := range out {
		if s.Items != nil {
			out[i] = c.coerce(s.Items, out[i], texts && !fromText)
		}
	}
	return out
}

func (c *Check) object(s *Schema, v any, texts bool) any {
	members, _ := v.(map[string]any) // "" and an empty list have none
	out := make(map[string]any, len(members))
	for name, value := range members {
		sub, required := s.Additional, false
		if p := s.meant(name, members); p != nil {
			name, sub, required = p.Name, p.Schema, p.Required
		}
		switch {
		case sub == nil:
			out[name] = value
		case value == nil && !required && !sub.nullable(): // is how some clients leave it out
		default:
			out[name] = c.coerce(sub, value, texts)
		}
	}
	return out
}

// meant is the property of that name, or the one that the site calls so and that
// is not given by its own.
func (s *Schema) meant(name string, members map[string]any) *Property {
	if p := s.Property(name); p != nil {
		return p
	}
	for i, p := range s.Properties {
		if _, given := members[p.Name]; p.Wire == name && !given {
			return &s.Properties[i]
		}
	}
	return nil
}

// listWords are the items of a list written as text (wp_parse_list).
func listWords(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || strings.ContainsRune(phpSpace, r) })
}

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
	return !isBool && (!isText || text == "" || text != "null" && len(listWords(text)) > 0)
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
		word := strings.ToLower(text)
		return isBool || v == json.Number("0") || v == json.Number("1") || isText && slices.Contains([]string{"true", "false", "1", "0"}, word)
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

// textOf is PHP's (string) of a scalar, but for the spelling of numbers, which
// stays.
func textOf(v any) string {
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
