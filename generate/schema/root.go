package schema

import (
	"maps"
	"reflect"
	"slices"

	"toolpress/discover/wp"
)

// CompileRoot compiles the schema of a whole input. No client takes a combinator
// at the root: where all variants are objects, so is the input.
func (c *Compiler) CompileRoot(v any, path string) (*Schema, error) {
	s, err := c.Compile(v, path)
	if err == nil {
		s.objectByVariants()
	}
	return s, err
}

// objectByVariants gives a schema without a type the one of its variants, where
// all of them are objects.
func (s *Schema) objectByVariants() {
	if len(s.Types) > 0 {
		return
	}
	variants := slices.Concat(s.AllOf, s.AnyOf)
	for _, v := range variants {
		if !v.Is("object") {
			return
		}
	}
	if len(variants) > 0 {
		s.Types = []string{"object"}
	}
}

// RootProperty is a property of a whole input as the site writes it.
type RootProperty struct {
	// Name is what the site calls it.
	Name string
	// Schema is not compiled; nil where the property is only required.
	Schema    any
	Described bool
	Required  bool
	// Refused says that the input takes no property that it does not describe,
	// and does not describe this one.
	Refused bool
}

// RootProperties gathers the properties of an object schema, those of its root
// combinators included, in the order of their names. What only a combinator
// requires is optional here, and the site still checks it.
func (c *Compiler) RootProperties(v any, path string) ([]RootProperty, error) {
	node, _ := v.(map[string]any)
	named, required, err := c.rootProperties(node, path)
	if err != nil {
		return nil, err
	}
	var all []RootProperty
	for _, name := range propertyNames(named, required) {
		schema, there := named[name]
		all = append(all, RootProperty{Name: name, Schema: schema, Described: there, Required: required[name], Refused: !there && closed(node)})
	}
	return all, nil
}

func (c *Compiler) rootProperties(node map[string]any, path string) (named map[string]any, required map[string]bool, err error) {
	for slices.ContainsFunc(references, func(k string) bool { _, there := node[k]; return there }) {
		inlined, done, err := c.inline(node, path)
		if err != nil {
			return nil, nil, err
		}
		defer done()
		node = inlined
	}
	own, isMap := node["properties"].(map[string]any)
	if v, there := node["properties"]; there && !isMap {
		c.Record(path, "properties-to-object", v, map[string]any{})
	}
	named, required = maps.Clone(own), c.required(node, own, path)
	if named == nil {
		named = map[string]any{}
	}
	variants := map[string][]any{}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		for _, v := range wp.List(node[keyword]) {
			variant, _ := v.(map[string]any)
			inside, _, err := c.rootProperties(variant, path)
			if err != nil {
				return nil, nil, err
			}
			for name, schema := range inside {
				if !slices.ContainsFunc(variants[name], func(other any) bool { return reflect.DeepEqual(other, schema) }) {
					variants[name] = append(variants[name], schema)
				}
			}
			c.Record(path, "root-combinator-merged", map[string]any{keyword: v}, Nothing)
		}
	}
	for name, schemas := range variants {
		switch _, own := named[name]; {
		case own: // holds in every variant
		case len(schemas) == 1:
			named[name] = schemas[0]
		default:
			named[name] = map[string]any{"anyOf": schemas}
		}
	}
	return named, required, nil
}
