package generate

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
)

// safeName is what every client takes as a property's name.
var safeName = regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`)

// children reads the schemas below a schema. A part that is no schema is
// dropped and recorded: WordPress ignores it too.
func (c *compiler) children(s *Schema, node map[string]any, path string, depth int) error {
	var err error
	if s.Properties, err = c.properties(node, path, depth); err != nil {
		return err
	}
	if s.Items, err = c.part(node, "items", path, depth); err != nil {
		return err
	}
	switch extra := node["additionalProperties"].(type) {
	case bool:
		s.Closed = !extra
		if extra {
			s.Additional = &Schema{}
		}
	default:
		if s.Additional, err = c.part(node, "additionalProperties", path, depth); err != nil {
			return err
		}
	}
	for _, combinator := range []struct {
		keyword string
		into    *[]*Schema
	}{{"anyOf", &s.AnyOf}, {"oneOf", &s.OneOf}, {"allOf", &s.AllOf}} {
		for i, v := range list(node[combinator.keyword]) {
			part, err := c.compile(v, path+"."+combinator.keyword+"["+strconv.Itoa(i)+"]", depth+1)
			if errors.Is(err, errNotSchema) {
				c.repair(path, "part-dropped", combinator.keyword)
				continue
			}
			if err != nil {
				return err
			}
			*combinator.into = append(*combinator.into, part)
		}
	}
	return nil
}

// part compiles the one schema under a keyword; nil when there is none.
func (c *compiler) part(node map[string]any, keyword, path string, depth int) (*Schema, error) {
	v, there := node[keyword]
	if !there {
		return nil, nil
	}
	s, err := c.compile(v, path+"."+keyword, depth+1)
	if errors.Is(err, errNotSchema) {
		c.repair(path, "part-dropped", keyword)
		return nil, nil
	}
	return s, err
}

func (c *compiler) properties(node map[string]any, path string, depth int) ([]Property, error) {
	named, isMap := node["properties"].(map[string]any)
	if v, there := node["properties"]; there && !isMap {
		c.repair(path, "properties-to-object", fmt.Sprintf("%.40v", v))
	}
	required := c.required(node, named, path)
	var props []Property
	for _, name := range slices.Sorted(maps.Keys(named)) {
		at := path + "." + name
		switch {
		case isReadOnly(named[name]):
			continue
		case !safeName.MatchString(name) && required[name]:
			return nil, fmt.Errorf("%s: the property is required and clients refuse its name", at)
		case !safeName.MatchString(name):
			c.repair(at, "property-dropped", "clients refuse its name")
			continue
		}
		s, err := c.compile(named[name], at, depth+1)
		if errors.Is(err, errNotSchema) {
			c.repair(at, "property-dropped", fmt.Sprintf("%.40v", named[name]))
			continue
		}
		if err != nil {
			return nil, err
		}
		props = append(props, Property{Name: name, Required: required[name], Schema: s})
	}
	sortProperties(props)
	return props, nil
}

// required gathers draft-04's list and draft-03's boolean on each property.
func (c *compiler) required(node, named map[string]any, path string) map[string]bool {
	names := map[string]bool{}
	switch v := node["required"].(type) {
	case nil, bool: // said of the schema itself, read by what holds it
	case []any:
		for _, n := range v {
			if _, there := named[str(n)]; there {
				names[str(n)] = true
			} else {
				c.repair(path, "required-dropped", fmt.Sprintf("%.40v", n))
			}
		}
	default:
		c.repair(path, "required-dropped", fmt.Sprintf("%.40v", v))
	}
	for name, v := range named {
		if isRequired(v) && !names[name] {
			names[name] = true
		}
	}
	return names
}

func isRequired(v any) bool {
	node, _ := v.(map[string]any)
	required, _ := node["required"].(bool)
	return required
}

// isReadOnly reports a property the site writes and nobody sends.
func isReadOnly(v any) bool {
	node, _ := v.(map[string]any)
	readonly, _ := node["readonly"].(bool)
	return readonly
}

// values reads enum, const and default, which have to agree with the type and
// with each other.
func (c *compiler) values(s *Schema, node map[string]any, path string) {
	if v, there := node["const"]; there {
		s.Enum = []any{v}
	}
	if v, there := node["enum"]; there {
		s.Enum = c.enum(v, path)
	}
	v, there := node["default"]
	if !there {
		return
	}
	if l, ok := v.([]any); ok && len(l) == 0 && s.Is("object") {
		c.repair(path, "default-to-object", "[]")
		v = map[string]any{}
	}
	switch {
	case !s.fits(v):
		if v != nil { // PHP's way to say that there is none
			c.repair(path, "default-dropped", fmt.Sprintf("%.40v is not a %v", v, s.Types))
		}
	case s.Enum != nil && !contains(s.Enum, v):
		c.repair(path, "default-dropped", fmt.Sprintf("%.40v is not in enum", v))
	default:
		s.Default, s.HasDefault = v, true
	}
}

// enum reads a list of values: unique, and never empty.
func (c *compiler) enum(v any, path string) []any {
	if _, isMap := v.(map[string]any); isMap {
		c.repair(path, "enum-to-list", "")
	}
	var values []any
	for _, item := range list(v) {
		if contains(values, item) {
			c.repair(path, "enum-duplicate", fmt.Sprintf("%.40v", item))
			continue
		}
		values = append(values, item)
	}
	if len(values) == 0 {
		c.repair(path, "enum-dropped", "it is empty")
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

func contains(values []any, v any) bool {
	text, _ := Encode(v)
	return slices.ContainsFunc(values, func(other any) bool {
		o, _ := Encode(other)
		return string(o) == string(text)
	})
}

// list reads a list, also one that PHP wrote as an object with numbers for keys.
func list(v any) []any {
	switch v := v.(type) {
	case []any:
		return v
	case map[string]any:
		var values []any
		for _, k := range slices.SortedFunc(maps.Keys(v), phpKeys) {
			values = append(values, v[k])
		}
		return values
	}
	return nil
}

// phpKeys orders an array's keys as numbers where they are numbers.
func phpKeys(a, b string) int {
	m, errM := strconv.Atoi(a)
	n, errN := strconv.Atoi(b)
	if errM == nil && errN == nil {
		return cmp.Compare(m, n)
	}
	return cmp.Compare(a, b)
}
