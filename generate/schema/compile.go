package schema

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Compiler turns the schemas of one operation, as encoding/json with UseNumber
// decodes what PHP wrote, into [Schema] values. The zero value is ready for use;
// all schemas of the operation share its bound on nodes.
type Compiler struct {
	// Repairs are what had to be changed, in the order it was met.
	Repairs []Repair

	nodes    int            // compiled, and what costs as much
	unlisted int            // repairs beyond those kept
	judge    judge          // of defaults
	document any            // what a reference speaks of
	within   []string       // the references that are being followed
	anchors  map[string]any // of the document; nil until one is asked for
}

// About sets what a reference speaks of: the schema that is compiled next, or the
// whole one of which it is a part.
func (c *Compiler) About(document any) { c.document, c.anchors = document, nil }

// Compile reads one schema as PHP wrote it. Places are told from the path, an
// argument's name. What cannot be read is an error that says where: it withholds
// the operation, and is [ErrNotSchema] where v itself is no schema.
func (c *Compiler) Compile(v any, path string) (*Schema, error) {
	s, err := c.compile(v, path, 0)
	if err == nil && s.forms() > maxForms {
		return nil, fmt.Errorf("%s: its variants, and theirs, are more than %d forms of one value", path, maxForms)
	}
	return s, err
}

// forms is how many schemas of one value, at any depth, may have to be tried:
// variants of variants multiply.
func (s *Schema) forms() int {
	if s == nil {
		return 1
	}
	most := max(s.Items.forms(), s.Additional.forms())
	for _, p := range s.Properties {
		most = max(most, p.Schema.forms())
	}
	for _, variant := range s.AnyOf {
		most += variant.forms()
	}
	return most
}

// Record adds a repair, one of [RepairRules]; before or after is [Nothing] where
// it added or dropped something. Beyond some hundred they are counted only.
func (c *Compiler) Record(path, rule string, before, after any) {
	if len(c.Repairs) >= maxRepairs {
		c.unlisted++
		c.Repairs[maxRepairs-1] = Repair{Path: path, Rule: "repairs-counted", After: fmt.Sprintf("%d more", c.unlisted+1)}
		return
	}
	c.Repairs = append(c.Repairs, Repair{Path: path, Rule: rule, Before: Brief(before), After: Brief(after)})
}

// Nothing is the before or after of a repair that added or dropped something.
var Nothing absent

type absent struct{}

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

// compile is Compile so many levels deep.
func (c *Compiler) compile(v any, path string, depth int) (*Schema, error) {
	if c.nodes += 1 + weight(v); c.nodes > maxNodes {
		return nil, fmt.Errorf("%s: the schema has more than %d nodes", path, maxNodes)
	}
	if depth > maxDepth {
		return nil, fmt.Errorf("%s: the schema is nested deeper than %d levels", path, maxDepth)
	}
	node, ok := v.(map[string]any)
	if !ok {
		if l, isList := v.([]any); v != nil && (!isList || len(l) > 0) {
			return nil, fmt.Errorf("%s: %w", path, ErrNotSchema)
		}
		return &Schema{}, nil
	}
	for _, k := range slices.Sorted(maps.Keys(node)) {
		switch {
		case slices.Contains(references, k):
			return c.follow(node, path, depth)
		case !read[k] && !internal[k]:
			c.Record(path, "keyword-dropped", map[string]any{k: node[k]}, Nothing)
		}
	}
	s := &Schema{Title: CleanText(str(node["title"]), MaxText), Description: CleanText(str(node["description"]), MaxText)}
	opened := c.types(s, node, path)
	if err := c.children(s, node, path, depth); err != nil {
		return nil, err
	}
	c.nameProperties(s, path)
	if opened {
		s.Items, s.Properties, s.Additional, s.Closed = nil, nil, nil, false // they spoke of one form of many
	}
	c.infer(s, path)
	c.bounds(s, node, path)
	c.values(s, node, path)
	return s, nil
}

// weight is what one schema costs beyond a node: many keywords, names, values and
// long texts, which a reference to it costs again. A plugin's own weigh nothing.
func weight(v any) int {
	node, _ := v.(map[string]any)
	named, _ := node["properties"].(map[string]any)
	parts, bytes := len(node), 0
	for keyword, said := range node {
		bytes += len(keyword)
		switch said := said.(type) {
		case string:
			bytes += len(said)
		case []any:
			parts += len(said)
		case map[string]any:
			if keyword == "enum" {
				parts += len(said)
			}
		}
	}
	for name := range named {
		bytes += len(name)
	}
	return parts/maxParts + bytes/maxBytes
}

// ErrNotSchema is what stands where a schema belongs, and is none.
var ErrNotSchema = errors.New("a schema is expected here")

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
func (c *Compiler) types(s *Schema, node map[string]any, path string) (opened bool) {
	var names []any
	switch t := node["type"].(type) {
	case nil:
	case []any:
		names = t
	case string:
		names = []any{t}
	default:
		c.Record(path, "type-dropped", t, Nothing)
	}
	format := str(node["format"])
	for _, said := range names {
		name := str(said)
		known := strings.ToLower(name)
		if f := formatTypes[known]; f != "" {
			known, format = "string", f
			c.Record(path, "type-to-format", name, f)
		} else if t := phpTypes[known]; t != "" {
			known = t
		}
		switch known {
		case "string", "integer", "number", "boolean", "array", "object", "null":
			if formatTypes[strings.ToLower(name)] == "" && known != name {
				c.Record(path, "type-renamed", name, known)
			}
			if !slices.Contains(s.Types, known) {
				s.Types = append(s.Types, known)
			}
		case "mixed", "any":
			c.Record(path, "type-opened", name, Nothing)
			s.Types = nil
			return true
		default:
			c.Record(path, "type-dropped", said, Nothing)
		}
	}
	c.format(s, format, path)
	return false
}

// formats are those of JSON Schema 2020-12 that clients check alike.
var formats = map[string]bool{"date-time": true, "date": true, "time": true, "email": true, "uri": true, "uuid": true, "ipv4": true, "ipv6": true, "hostname": true}

func (c *Compiler) format(s *Schema, format, path string) {
	switch {
	case format == "":
	case formats[format]:
		s.Format = format
	default:
		c.Record(path, "format-to-description", format, Nothing)
		s.Description = remarked(s.Description, "("+CleanText(format, 40)+")")
	}
}

// remarked adds a remark to a description, which makes room for it.
func remarked(text, remark string) string {
	return strings.TrimSpace(CleanText(text, MaxText-len(remark)-1) + " " + remark)
}

// infer gives a schema without a type the one its other keywords speak of, and
// a list its items.
func (c *Compiler) infer(s *Schema, path string) {
	switch {
	case len(s.Types) > 0:
	case len(s.Properties) > 0:
		s.Types = []string{"object"}
		c.Record(path, "type-inferred", Nothing, "object")
	case s.Items != nil:
		s.Types = []string{"array"}
		c.Record(path, "type-inferred", Nothing, "array")
	}
	if slices.Contains(s.Types, "array") && s.Items == nil {
		s.Items = &Schema{}
		c.Record(path, "items-added", Nothing, map[string]any{})
	}
}

func str(v any) string {
	s, _ := v.(string)
	return s
}
