package generate

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// compiler turns one operation's schemas into [Schema] values and records
// what it had to change. What it cannot read is an error that withholds the
// operation.
type compiler struct {
	repairs []Repair
	nodes   int
	// document is what a $ref speaks of; within are the references that are
	// being followed.
	document any
	within   []string
}

// nothing is the before or after of a repair that added or dropped something.
var nothing absent

type absent struct{}

func (c *compiler) repair(path, rule string, before, after any) {
	c.repairs = append(c.repairs, Repair{Path: path, Rule: rule, Before: brief(before), After: brief(after)})
}

// internal are keywords of WordPress's own that say nothing about a value
// (rest_get_allowed_schema_keywords leaves them out too).
var internal = map[string]bool{
	"context": true, "readonly": true, "arg_options": true, "sanitize_callback": true, "validate_callback": true,
	"indicator": true, "required": true, "$schema": true, "id": true, "$id": true, "$anchor": true, "$comment": true, "example": true, "examples": true,
	"show_in_index": true, "nullable": true, "readOnly": true, "writeOnly": true, "deprecated": true, "definitions": true, "$defs": true,
}

// read are the keywords compile takes.
var read = map[string]bool{
	"type": true, "title": true, "description": true, "format": true, "pattern": true, "enum": true, "const": true, "default": true,
	"minimum": true, "maximum": true, "exclusiveMinimum": true, "exclusiveMaximum": true, "multipleOf": true,
	"minLength": true, "maxLength": true, "minItems": true, "maxItems": true, "uniqueItems": true,
	"minProperties": true, "maxProperties": true, "items": true, "prefixItems": true, "divisibleBy": true, "properties": true, "additionalProperties": true,
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
		case slices.Contains(references, k):
			return c.follow(node, path, depth)
		case !read[k] && !internal[k]:
			c.repair(path, "keyword-dropped", map[string]any{k: node[k]}, nothing)
		}
	}
	s := &Schema{Title: CleanText(str(node["title"]), maxArgText), Description: CleanText(str(node["description"]), maxArgText)}
	opened := c.types(s, node, path)
	if err := c.children(s, node, path, depth); err != nil {
		return nil, err
	}
	if opened {
		s.Items, s.Properties, s.Additional, s.Closed = nil, nil, nil, false // they spoke of one form of many
	}
	c.infer(s, path)
	c.bounds(s, node, path)
	c.values(s, node, path)
	return s, nil
}

var errNotSchema = errors.New("a schema is expected here")

// phpTypes are the names PHP authors give to types JSON Schema calls otherwise.
var phpTypes = map[string]string{
	"bool": "boolean", "int": "integer", "float": "number", "double": "number", "numeric": "number", "file": "string", "text": "string",
	"list": "array", "action": "object",
}

// formatTypes are types that are a string of a format.
var formatTypes = map[string]string{
	"date-time": "date-time", "datetime": "date-time", "date": "date", "email": "email", "uri": "uri", "url": "uri",
}

// types reads the type, and the format that goes with it; opened when the schema
// says in its own way that it takes anything.
func (c *compiler) types(s *Schema, node map[string]any, path string) (opened bool) {
	var names []any
	switch t := node["type"].(type) {
	case nil:
	case []any:
		names = t
	case string:
		names = []any{t}
	default:
		c.repair(path, "type-dropped", t, nothing)
	}
	format := str(node["format"])
	for _, said := range names {
		name := str(said)
		known := strings.ToLower(name)
		if f := formatTypes[known]; f != "" {
			known, format = "string", f
			c.repair(path, "type-to-format", name, f)
		} else if t := phpTypes[known]; t != "" {
			known = t
		}
		switch known {
		case "string", "integer", "number", "boolean", "array", "object", "null":
			if formatTypes[strings.ToLower(name)] == "" && known != name {
				c.repair(path, "type-renamed", name, known)
			}
			if !slices.Contains(s.Types, known) {
				s.Types = append(s.Types, known)
			}
		case "mixed", "any":
			c.repair(path, "type-opened", name, nothing)
			s.Types = nil
			return true
		default:
			c.repair(path, "type-dropped", said, nothing)
		}
	}
	c.format(s, format, path)
	return false
}

// formats are those of JSON Schema 2020-12 that clients check alike.
var formats = map[string]bool{"date-time": true, "date": true, "time": true, "email": true, "uri": true, "uuid": true, "ipv4": true, "ipv6": true, "hostname": true}

func (c *compiler) format(s *Schema, format, path string) {
	switch {
	case format == "":
	case formats[format]:
		s.Format = format
	default:
		c.repair(path, "format-to-description", format, nothing)
		s.Description = remarked(s.Description, "("+CleanText(format, 40)+")")
	}
}

// remarked adds a remark to a description, which makes room for it.
func remarked(text, remark string) string {
	return strings.TrimSpace(CleanText(text, maxArgText-len(remark)-1) + " " + remark)
}

// infer gives a schema without a type the one its other keywords speak of, and
// a list its items.
func (c *compiler) infer(s *Schema, path string) {
	switch {
	case len(s.Types) > 0:
	case len(s.Properties) > 0:
		s.Types = []string{"object"}
		c.repair(path, "type-inferred", nothing, "object")
	case s.Items != nil:
		s.Types = []string{"array"}
		c.repair(path, "type-inferred", nothing, "array")
	}
	if slices.Contains(s.Types, "array") && s.Items == nil {
		s.Items = &Schema{}
		c.repair(path, "items-added", nothing, map[string]any{})
	}
}

func str(v any) string {
	s, _ := v.(string)
	return s
}
