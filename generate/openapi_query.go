package generate

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"toolpress/generate/schema"
)

// addQuery describes one argument in a query as PHP reads it
// ([toolpress/discover/wp.Query]): a list as name[]=a&name[]=b, or in the style
// Comma as name=a,b, an object as name[key]=v, anything else as name=v. A list or
// something else is two parameters, of which none is required by itself.
func addQuery(op *openapi3.Operation, name string, required bool, s *schema.Schema, style Style) error {
	forms := queryForms(name, s)
	if style == Comma {
		forms = []form{{name, openapi3.SerializationForm, inQuery(s)}}
	}
	var either []string
	for _, f := range forms {
		either = append(either, f.name)
	}
	for _, f := range forms {
		if op.Parameters.GetByInAndName("query", f.name) != nil {
			return fmt.Errorf("two of its arguments would be called %s in a query", f.name)
		}
		p, err := newParameter(f.name, "query", required && len(forms) == 1, f.schema)
		if err != nil {
			return err
		}
		if f.style != "" {
			explode := style != Comma
			p.Style, p.Explode = f.style, &explode
		}
		p.Extensions = map[string]any{}
		if names := deeper(f); style != Comma && len(names) > 0 {
			p.Extensions["x-wp-query"] = names
		}
		if len(forms) > 1 {
			p.Description, p.Extensions["x-wp-either"] = s.Description, either
			if required {
				p.Extensions["x-wp-required"] = true
			}
		}
		op.Parameters = append(op.Parameters, &openapi3.ParameterRef{Value: p})
	}
	return nil
}

// form is one way an argument goes in a query.
type form struct {
	name, style string // the style is empty for what is neither list nor object
	schema      *schema.Schema
}

// queryForms are the ways of a schema's values: lists go by another name than
// the rest.
func queryForms(name string, s *schema.Schema) []form {
	var all, rest []string
	for _, t := range s.ValueTypes() {
		if t != "null" {
			all = append(all, t)
		}
		if t != "null" && t != "array" {
			rest = append(rest, t)
		}
	}
	list, other := s, s
	if len(rest) > 0 && len(rest) < len(all) {
		list, other = s.Only([]string{"array"}), s.Only(rest)
	}
	var forms []form
	if list != nil && len(rest) < len(all) {
		forms = append(forms, form{strings.TrimSuffix(name, "[]") + "[]", openapi3.SerializationForm, inQuery(list)})
	}
	switch {
	case other == nil || len(all) > 0 && len(rest) == 0:
	case slices.Contains(other.ValueTypes(), "object"):
		forms = append(forms, form{name, openapi3.SerializationDeepObject, inQuery(other)})
	default:
		forms = append(forms, form{name, "", inQuery(other)})
	}
	return forms
}

// inQuery is a copy of a schema with the values that a query carries: 1 and 0
// for booleans, which PHP takes for true and false everywhere, while "false" is
// true to a callback that a core before 7.1 hands the text; and no null.
func inQuery(s *schema.Schema) *schema.Schema {
	c := s.Clone()
	c.Visit(func(s *schema.Schema) {
		if s.Is("boolean") && s.Enum == nil {
			s.Enum = []any{false, true}
		}
		var types []string
		for _, t := range s.Types {
			if t == "boolean" {
				t = "integer"
			}
			if t != "null" && !slices.Contains(types, t) {
				types = append(types, t)
			}
		}
		if len(types) > 0 { // else it is null and nothing else
			s.Types = types
		}
		if s.Enum = slices.DeleteFunc(s.Enum, func(v any) bool { return v == nil }); len(s.Enum) > 0 {
			s.Enum, _ = bits(s.Enum).([]any)
		} else {
			s.Enum = nil
		}
		s.HasDefault = s.HasDefault && s.Default != nil
		s.Default = bits(s.Default)
	})
	return c
}

// bits is a value with 1 and 0 for every boolean in it.
func bits(v any) any {
	switch v := v.(type) {
	case bool:
		if v {
			return json.Number("1")
		}
		return json.Number("0")
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = bits(v[i])
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(v))
		for key := range v {
			object[key] = bits(v[key])
		}
		return object
	}
	return v
}
