package schema

import (
	"reflect"
	"slices"
	"strings"
)

// TypeWord is a type of JSON Schema as a sentence has it: "a whole number".
func TypeWord(name string) string {
	switch name {
	case "string":
		return "text"
	case "integer":
		return "a whole number"
	case "array":
		return "a list"
	case "object":
		return "an object"
	case "boolean":
		return "true or false"
	case "null":
		return "null"
	}
	return "a " + name
}

// oneType leaves the schema one type, the one that tells a model most, and says
// the others in the description.
func (s *Schema) oneType() {
	types := slices.DeleteFunc(slices.Clone(s.Types), func(t string) bool { return t == "null" })
	slices.SortStableFunc(types, func(a, b string) int { return s.tells(b) - s.tells(a) })
	if types = slices.Compact(types); slices.Contains(types, "number") {
		types = slices.DeleteFunc(types, func(t string) bool { return t == "integer" })
	}
	if len(types) == 0 {
		types = []string{s.seems()}
		if !slices.Contains(s.Types, "null") && s.Enum == nil && types[0] == "string" {
			s.remark("any JSON value")
		}
	}
	var others []string
	for _, t := range types[1:] {
		others = append(others, "or "+s.form(t))
	}
	if slices.Contains(s.Types, "null") {
		others = append(others, "or null")
	}
	if len(others) > 0 {
		s.remark(strings.Join(others, ", "))
	}
	s.Types = types[:1]
	s.onlySay(types[0])
}

// form is another type of the schema, with what is known of it.
func (s *Schema) form(name string) string {
	if name == "array" && s.Items != nil && !reflect.DeepEqual(s.Items, anything) {
		return "a list, each item " + TypeWord(s.Items.Types[0])
	}
	return TypeWord(name)
}

// tells ranks types by how much a schema says of them.
func (s *Schema) tells(name string) int {
	switch name {
	case "object":
		if len(s.Properties) > 0 {
			return 7
		}
		return 4
	case "array":
		if s.Items != nil && !reflect.DeepEqual(s.Items, anything) {
			return 6
		}
		return 3
	}
	return map[string]int{"string": 5, "number": 2, "integer": 1}[name]
}

// seems is the type that a schema without one speaks of.
func (s *Schema) seems() string {
	switch {
	case len(s.Properties) > 0:
		return "object"
	case s.Items != nil:
		return "array"
	}
	return "string"
}

// onlySay drops what speaks of values of another type.
func (s *Schema) onlySay(name string) {
	if name != "object" {
		s.Properties, s.Additional, s.Closed, s.MinProperties, s.MaxProperties = nil, nil, false, nil, nil
	}
	if name != "array" {
		s.Items, s.MinItems, s.MaxItems, s.UniqueItems = nil, nil, nil, false
	} else if s.Items == nil {
		s.Items = anything
	}
	if name != "string" {
		s.Format, s.Pattern, s.MinLength, s.MaxLength = "", "", nil, nil
	}
	if name != "number" && name != "integer" {
		s.Minimum, s.Maximum, s.ExclusiveMinimum, s.ExclusiveMaximum, s.MultipleOf = "", "", "", "", ""
	}
}
