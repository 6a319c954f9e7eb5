package schema

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"toolpress/discover/wp"
)

// children reads the schemas below a schema. A part that is no schema is
// dropped and recorded: WordPress ignores it too.
func (c *Compiler) children(s *Schema, node map[string]any, path string, depth int) error {
	var err error
	if s.Properties, err = c.properties(node, path, depth); err != nil {
		return err
	}
	if s.Items, err = c.items(node, path, depth); err != nil {
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
	if err := c.patterns(s, node, path, depth); err != nil {
		return err
	}
	// oneOf becomes anyOf: without the formats and keywords that told its
	// variants apart, "exactly one" would refuse what the site takes.
	for _, combinator := range []struct {
		keyword string
		into    *[]*Schema
	}{{"anyOf", &s.AnyOf}, {"oneOf", &s.AnyOf}, {"allOf", &s.AllOf}} {
		parts, err := c.parts(node, combinator.keyword, path, depth)
		if err != nil {
			return err
		}
		if combinator.keyword == "oneOf" && len(parts) > 0 {
			c.Record(path, "one-of-to-any-of", "oneOf", "anyOf")
		}
		*combinator.into = append(*combinator.into, parts...)
	}
	return nil
}

// parts compiles a list of schemas.
func (c *Compiler) parts(node map[string]any, keyword, path string, depth int) ([]*Schema, error) {
	var list []*Schema
	if n := len(wp.List(node[keyword])); n > maxVariants {
		return nil, fmt.Errorf("%s: %s has %d variants, more than %d", path, keyword, n, maxVariants)
	}
	for i, v := range wp.List(node[keyword]) {
		s, err := c.compile(v, path+"."+keyword+"["+strconv.Itoa(i)+"]", depth+1)
		if errors.Is(err, ErrNotSchema) {
			c.Record(path, "part-dropped", map[string]any{keyword: v}, Nothing)
			continue
		}
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// part compiles the one schema under a keyword; nil when there is none.
func (c *Compiler) part(node map[string]any, keyword, path string, depth int) (*Schema, error) {
	v, there := node[keyword]
	if !there {
		return nil, nil
	}
	s, err := c.compile(v, path+"."+keyword, depth+1)
	if errors.Is(err, ErrNotSchema) {
		c.Record(path, "part-dropped", map[string]any{keyword: v}, Nothing)
		return nil, nil
	}
	return s, err
}

// items reads the schema of a list's values. Draft-04's list of schemas, one
// for each place, and 2020-12's prefixItems leave them open: WordPress reads
// neither, and no client takes both.
func (c *Compiler) items(node map[string]any, path string, depth int) (*Schema, error) {
	list, isList := node["items"].([]any)
	if _, prefixed := node["prefixItems"].([]any); !prefixed && (!isList || len(list) == 0) {
		return c.part(node, "items", path, depth)
	}
	before := node["items"]
	if before == nil {
		before = node["prefixItems"]
	}
	c.Record(path, "items-opened", before, map[string]any{})
	return &Schema{}, nil
}

// patterns opens an object for the properties its patternProperties describe.
// Which names those are is not published; the site checks it.
func (c *Compiler) patterns(s *Schema, node map[string]any, path string, depth int) error {
	patterns, _ := node["patternProperties"].(map[string]any)
	if len(patterns) == 0 {
		return nil
	}
	var described []*Schema
	for _, pattern := range slices.Sorted(maps.Keys(patterns)) {
		part, err := c.part(patterns, pattern, path+".patternProperties", depth)
		if err != nil {
			return err
		}
		if part != nil {
			described = append(described, part)
		}
	}
	c.Record(path, "properties-opened", "patternProperties", "additionalProperties")
	switch {
	case !s.Closed || len(described) == 0: // others may be anything
		s.Additional = &Schema{}
	case len(described) == 1:
		s.Additional = described[0]
	default:
		s.Additional = &Schema{AnyOf: described}
	}
	s.Closed = false
	return nil
}

func (c *Compiler) properties(node map[string]any, path string, depth int) ([]Property, error) {
	named, isMap := node["properties"].(map[string]any)
	if v, there := node["properties"]; there && !isMap {
		c.Record(path, "properties-to-object", v, map[string]any{})
	}
	required := c.required(node, named, path)
	var props []Property
	for _, wire := range propertyNames(named, required) {
		v, there := named[wire]
		at := path + "." + wire
		switch {
		case IsReadOnly(v) && !required[wire]:
			// A nested property that the site writes and asks for all the same has
			// to be sent; others have not.
			continue
		case wire == "": // PHP cannot take it
			c.Record(path, "property-dropped", v, Nothing)
			continue
		case !there && closed(node):
			c.Record(path, "required-dropped", wire, Nothing)
			continue
		}
		s, err := c.compile(v, at, depth+1)
		switch {
		case errors.Is(err, ErrNotSchema) && required[wire]:
			s = &Schema{}
			c.Record(at, "property-opened", v, map[string]any{})
		case errors.Is(err, ErrNotSchema):
			c.Record(at, "property-dropped", v, Nothing)
			continue
		case err != nil:
			return nil, err
		case !there:
			c.Record(at, "property-added", Nothing, map[string]any{})
		}
		props = append(props, Property{Name: wire, Wire: wire, Required: required[wire], Schema: s})
	}
	sortProperties(props)
	return props, nil
}

// propertyNames are the names described and those only required, sorted.
func propertyNames(named map[string]any, required map[string]bool) []string {
	names := slices.Collect(maps.Keys(named))
	for name := range required {
		if _, there := named[name]; !there {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// required gathers draft-04's list and draft-03's boolean on each property.
// WordPress asks for what the list names whether or not it is described.
func (c *Compiler) required(node, named map[string]any, path string) map[string]bool {
	names := map[string]bool{}
	switch v := node["required"].(type) {
	case nil, bool: // said of the schema itself, read by what holds it
	case []any:
		for _, n := range v {
			if name := str(n); name != "" {
				names[name] = true
			} else {
				c.Record(path, "required-dropped", n, Nothing)
			}
		}
	default:
		c.Record(path, "required-dropped", v, Nothing)
	}
	for _, name := range slices.Sorted(maps.Keys(named)) {
		if IsRequired(named[name]) && !names[name] {
			names[name] = true
			c.Record(path+"."+name, "required-lifted", true, Nothing)
		}
	}
	return names
}

func closed(node map[string]any) bool { return node["additionalProperties"] == false }

// IsRequired reports draft-03's required, true on the property itself.
func IsRequired(v any) bool {
	node, _ := v.(map[string]any)
	required, _ := node["required"].(bool)
	return required
}

// IsReadOnly reports a property the site writes and nobody sends.
func IsReadOnly(v any) bool {
	node, _ := v.(map[string]any)
	readonly, _ := node["readonly"].(bool)
	return readonly
}
