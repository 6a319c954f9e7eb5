package schema

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"toolpress/discover/wp"
)

// values reads enum, const and default, which have to agree with the type and
// with each other.
func (c *Compiler) values(s *Schema, node map[string]any, path string) {
	if v, there := node["const"]; there {
		s.Enum = c.enum(s, []any{v}, path)
	}
	if v, there := node["enum"]; there {
		s.Enum = c.enum(s, v, path)
	}
	if v, there := node["default"]; there {
		c.defaultValue(s, v, path)
	}
}

func (c *Compiler) defaultValue(s *Schema, v any, path string) {
	if !publishable(v) {
		c.Record(path, "default-dropped", v, Nothing)
		return
	}
	v = s.Shown(v)
	if object := s.emptyObjects(v); !reflect.DeepEqual(object, v) {
		c.Record(path, "default-to-object", v, object)
		v = object
	}
	if !s.fits(v) && s.Is("array") && s.Items != nil && s.Items.fits(v) && v != nil {
		c.Record(path, "default-to-list", v, []any{v})
		v = []any{v}
	}
	switch {
	case v == nil && !s.fits(v): // PHP's way to say that there is none
	case !publishable(v), !c.judge.admits(s, v):
		c.Record(path, "default-dropped", v, Nothing)
	default:
		s.Default, s.HasDefault = v, true
	}
}

// emptyObjects is a value with an object for PHP's empty list where one is
// wanted, at any depth.
func (s *Schema) emptyObjects(v any) any {
	list, isList := v.([]any)
	object, isObject := v.(map[string]any)
	switch {
	case s == nil:
	case isList && len(list) == 0 && s.Is("object"):
		return map[string]any{}
	case isList && s.Items != nil:
		out := make([]any, len(list))
		for i := range list {
			out[i] = s.Items.emptyObjects(list[i])
		}
		return out
	case isObject:
		out := maps.Clone(object)
		for _, p := range s.Properties {
			if inner, there := object[p.Name]; there {
				out[p.Name] = p.Schema.emptyObjects(inner)
			}
		}
		return out
	}
	return v
}

// enum reads a list of values of the schema's type: unique, and never empty.
// PHP's array_keys makes numbers of texts that look like them.
func (c *Compiler) enum(s *Schema, v any, path string) []any {
	if _, isMap := v.(map[string]any); isMap {
		c.Record(path, "enum-to-list", v, wp.List(v))
	}
	var values []any
	seen := map[string]bool{}
	list := wp.List(v)
	if len(list) > maxEnum {
		c.Record(path, "enum-dropped", v, Nothing)
		return nil
	}
	for _, item := range list {
		if !publishable(item) {
			c.Record(path, "enum-value-dropped", item, Nothing)
			continue
		}
		item = s.Shown(item)
		if number, isNumber := item.(json.Number); isNumber && s.Is("string") {
			c.Record(path, "enum-cast", item, number.String())
			item = number.String()
		}
		switch text, _ := Encode(item); {
		case !s.fits(item), !publishable(item):
			c.Record(path, "enum-value-dropped", item, Nothing)
		case seen[string(text)]:
			c.Record(path, "enum-duplicate", item, Nothing)
		default:
			seen[string(text)] = true
			values = append(values, item)
		}
	}
	if len(values) == 0 || larger(values, maxChoice) {
		c.Record(path, "enum-dropped", v, Nothing)
		return nil
	}
	return values
}

// fits reports that a value is of one of the schema's types.
func (s *Schema) fits(v any) bool {
	switch v := v.(type) {
	case nil:
		return slices.Contains(s.Types, "null")
	case bool:
		return s.Allows("boolean")
	case string:
		return s.Allows("string")
	case json.Number:
		_, err := v.Int64()
		return s.Allows("number") || (err == nil && s.Allows("integer"))
	case []any:
		return s.Allows("array")
	case map[string]any:
		return s.Allows("object")
	}
	return false
}
