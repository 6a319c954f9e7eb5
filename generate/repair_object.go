package generate

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"toolpress/discover/wp"
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
	if patterns, _ := node["patternProperties"].(map[string]any); len(patterns) > 0 {
		// Their patterns are not published; the site checks them.
		c.repair(path, "properties-opened", "patternProperties")
		s.Closed, s.Additional = false, &Schema{}
	}
	// oneOf becomes anyOf: without the formats and keywords that told its
	// variants apart, "exactly one" would refuse what the site takes.
	for _, combinator := range []struct {
		keyword string
		into    *[]*Schema
	}{{"anyOf", &s.AnyOf}, {"oneOf", &s.AnyOf}, {"allOf", &s.AllOf}} {
		for i, v := range wp.List(node[combinator.keyword]) {
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
		c.repair(path, "properties-to-object", brief(v))
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
			c.repair(at, "property-dropped", brief(named[name]))
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
				c.repair(path, "required-dropped", brief(n))
			}
		}
	default:
		c.repair(path, "required-dropped", brief(v))
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
		s.Enum = c.enum(s, []any{v}, path)
	}
	if v, there := node["enum"]; there {
		s.Enum = c.enum(s, v, path)
	}
	v, there := node["default"]
	if !there {
		return
	}
	if l, ok := v.([]any); ok && len(l) == 0 && s.Is("object") {
		c.repair(path, "default-to-object", "[]")
		v = map[string]any{}
	}
	if !s.fits(v) && s.Is("array") && s.Items != nil && s.Items.fits(v) && v != nil {
		c.repair(path, "default-to-list", brief(v))
		v = []any{v}
	}
	switch {
	case v == nil && !s.fits(v): // PHP's way to say that there is none
	case !publishable(v), !s.Takes(v):
		c.repair(path, "default-dropped", brief(v)+" is not a value of the schema")
	default:
		s.Default, s.HasDefault = v, true
	}
}

// publishable reports a value that may stand in a schema: of a size that does
// not displace a model's context, and without characters that are not seen.
func publishable(v any) bool {
	text, err := Encode(v)
	if err != nil || len(text) > maxToolText {
		return false
	}
	number, isNumber := v.(json.Number)
	return !strings.ContainsFunc(string(text), unseen) && (!isNumber || finite(number))
}

// brief is a value as a note shows it.
func brief(v any) string {
	text, _ := Encode(v)
	return CleanText(string(text), 40)
}

// enum reads a list of values of the schema's type: unique, and never empty.
// PHP's array_keys makes numbers of texts that look like them.
func (c *compiler) enum(s *Schema, v any, path string) []any {
	if _, isMap := v.(map[string]any); isMap {
		c.repair(path, "enum-to-list", "")
	}
	var values []any
	seen := map[string]bool{}
	for _, item := range wp.List(v) {
		if number, isNumber := item.(json.Number); isNumber && s.Is("string") {
			c.repair(path, "enum-cast", brief(item))
			item = number.String()
		}
		switch text, _ := Encode(item); {
		case !s.fits(item), !publishable(item):
			c.repair(path, "enum-value-dropped", brief(item))
		case seen[string(text)]:
			c.repair(path, "enum-duplicate", brief(item))
		default:
			seen[string(text)] = true
			values = append(values, item)
		}
	}
	if len(values) == 0 || len(values) > maxEnum {
		c.repair(path, "enum-dropped", fmt.Sprintf("it has %d values", len(values)))
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
