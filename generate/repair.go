package generate

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// compiler turns one operation's schemas into [Schema] values and records
// what it had to change. What it cannot read is an error that withholds the
// operation.
type compiler struct {
	repairs []Repair
	nodes   int
}

func (c *compiler) repair(path, rule, note string) {
	c.repairs = append(c.repairs, Repair{Path: path, Rule: rule, Note: note})
}

// internal are keywords of WordPress's own that say nothing about a value
// (rest_get_allowed_schema_keywords leaves them out too).
var internal = map[string]bool{
	"context": true, "readonly": true, "arg_options": true, "sanitize_callback": true, "validate_callback": true,
	"indicator": true, "required": true, "$schema": true, "id": true, "example": true, "examples": true,
	"show_in_index": true, "nullable": true,
}

// read are the keywords compile takes.
var read = map[string]bool{
	"type": true, "title": true, "description": true, "format": true, "pattern": true, "enum": true, "const": true, "default": true,
	"minimum": true, "maximum": true, "exclusiveMinimum": true, "exclusiveMaximum": true, "multipleOf": true,
	"minLength": true, "maxLength": true, "minItems": true, "maxItems": true, "uniqueItems": true,
	"minProperties": true, "maxProperties": true, "items": true, "properties": true, "additionalProperties": true,
	"anyOf": true, "oneOf": true, "allOf": true, "patternProperties": true,
}

// compile reads one schema as PHP wrote it.
func (c *compiler) compile(v any, path string, depth int) (*Schema, error) {
	if c.nodes++; c.nodes > maxSchemaNodes {
		return nil, fmt.Errorf("%s: the schema has more than %d nodes", path, maxSchemaNodes)
	}
	if depth > maxSchemaDepth {
		return nil, fmt.Errorf("%s: the schema is nested deeper than %d levels", path, maxSchemaDepth)
	}
	node, ok := v.(map[string]any)
	if !ok {
		if l, isList := v.([]any); v != nil && (!isList || len(l) > 0) {
			return nil, fmt.Errorf("%s: %w", path, errNotSchema)
		}
		return &Schema{}, nil
	}
	for _, k := range slices.Sorted(maps.Keys(node)) {
		switch {
		case k == "$ref" || k == "$dynamicRef":
			return nil, fmt.Errorf("%s: %s is not resolved", path, k)
		case !read[k] && !internal[k]:
			c.repair(path, "keyword-dropped", k)
		}
	}
	s := &Schema{Title: CleanText(str(node["title"]), maxArgText), Description: CleanText(str(node["description"]), maxArgText)}
	c.types(s, node, path)
	if err := c.children(s, node, path, depth); err != nil {
		return nil, err
	}
	c.infer(s, node, path)
	c.bounds(s, node, path)
	c.values(s, node, path)
	return s, nil
}

var errNotSchema = errors.New("a schema is expected here")

// phpTypes are the names PHP authors give to types JSON Schema calls otherwise.
var phpTypes = map[string]string{
	"bool": "boolean", "int": "integer", "float": "number", "double": "number", "file": "string", "url": "string", "uri": "string",
	"date": "string", "email": "string", "text": "string", "list": "array", "action": "object",
}

// formatTypes are types that are a string of a format.
var formatTypes = map[string]string{"date-time": "date-time", "date": "date", "email": "email", "uri": "uri", "url": "uri"}

func (c *compiler) types(s *Schema, node map[string]any, path string) {
	var names []string
	switch t := node["type"].(type) {
	case nil:
	case string:
		names = []string{t}
	case []any:
		for _, n := range t {
			names = append(names, str(n))
		}
	default:
		c.repair(path, "type-dropped", fmt.Sprintf("%v", t))
	}
	format := str(node["format"])
	for _, name := range names {
		known := name
		if f := formatTypes[name]; name == "date-time" || f != "" {
			known, format = "string", f
			c.repair(path, "type-to-format", name)
		} else if t := phpTypes[name]; t != "" {
			known = t
			c.repair(path, "type-renamed", name+" is "+t)
		}
		switch known {
		case "string", "integer", "number", "boolean", "array", "object", "null":
			if !slices.Contains(s.Types, known) {
				s.Types = append(s.Types, known)
			}
		case "mixed", "any":
			c.repair(path, "type-opened", name)
			s.Types = nil
			return
		default:
			c.repair(path, "type-dropped", name)
		}
	}
	c.format(s, format, path)
}

// formats are those of JSON Schema 2020-12 that clients check alike.
var formats = map[string]bool{"date-time": true, "date": true, "time": true, "email": true, "uri": true, "uuid": true, "ipv4": true, "ipv6": true, "hostname": true}

func (c *compiler) format(s *Schema, format, path string) {
	switch {
	case format == "":
	case formats[format]:
		s.Format = format
	default:
		c.repair(path, "format-to-description", format)
		if s.Description != "" {
			s.Description += " "
		}
		s.Description += "(" + CleanText(format, 40) + ")"
	}
}

// infer gives a schema without a type the one its other keywords speak of, and
// a list its items.
func (c *compiler) infer(s *Schema, node map[string]any, path string) {
	if _, said := node["type"]; !said && len(s.Types) == 0 {
		switch {
		case len(s.Properties) > 0:
			s.Types = []string{"object"}
			c.repair(path, "type-inferred", "object, from its properties")
		case s.Items != nil:
			s.Types = []string{"array"}
			c.repair(path, "type-inferred", "array, from its items")
		}
	}
	if slices.Contains(s.Types, "array") && s.Items == nil {
		s.Items = &Schema{}
		c.repair(path, "items-added", "")
	}
}

func str(v any) string {
	s, _ := v.(string)
	return s
}
