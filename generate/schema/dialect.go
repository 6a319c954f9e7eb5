package schema

import (
	"reflect"
	"slices"
	"strings"

	"toolpress/generate/clients"
)

// Dialect is how much of JSON Schema is published to clients. What a call's
// arguments are checked against does not depend on it.
type Dialect string

const (
	// Common is what every client of the package clients takes: one type
	// everywhere, no combinators, and of the other keywords those that none
	// refuses. What it cannot say moves into the descriptions.
	Common Dialect = "common"
	// Modern is JSON Schema 2020-12 as the site's schema has it.
	Modern Dialect = "modern"
)

// In is the schema of a tool's arguments as a dialect publishes it. The schema
// itself is not changed.
func (s *Schema) In(d Dialect) *Schema {
	if d == Modern {
		return s
	}
	return s.common(0)
}

// common is the schema in the common dialect, level objects deep.
func (s *Schema) common(level int) *Schema {
	c := *s
	c.Properties = nil
	for _, p := range s.Properties {
		if level == clients.MaxDepth {
			c.remark("any names are taken")
			break
		}
		p.Schema = p.Schema.common(level + 1)
		c.Properties = append(c.Properties, p)
	}
	if s.Items != nil {
		c.Items = s.Items.common(level)
	}
	c.takeAll(s.AllOf, level)
	c.takeAny(s.AnyOf, level)
	c.oneType()
	c.sayExtra()
	c.sayValues()
	c.sayBounds()
	c.sayFormat()
	return &c
}

// anything is the schema of any value, in the dialect.
var anything = &Schema{Types: []string{"string"}, Description: "(any JSON value)"}

// remark says in the description what the dialect has no keyword for.
func (s *Schema) remark(text string) {
	if text = CleanText(text, maxRemark); !strings.Contains(s.Description, text) {
		s.Description = remarked(s.Description, "("+text+")")
	}
}

// takeAll merges what allOf adds: the schema's own words win.
func (s *Schema) takeAll(parts []*Schema, level int) {
	s.AllOf = nil
	for _, p := range parts {
		p = p.common(level)
		if len(s.Types) == 0 {
			s.Types = p.Types
		}
		if s.Description == "" {
			s.Description = p.Description
		}
		if s.Enum == nil {
			s.Enum = p.Enum
		}
		if s.Items == nil || reflect.DeepEqual(s.Items, anything) {
			s.Items = p.Items
		}
		for _, add := range p.Properties {
			if own := s.Property(add.Name); own == nil {
				s.Properties = append(s.Properties, add)
			} else {
				own.Required = own.Required || add.Required
			}
		}
		sortProperties(s.Properties)
	}
}

// takeAny merges variants: their properties, required where all require them,
// their items, the values of their enums, and every type. What several have, each
// in its own way, may be any of them.
func (s *Schema) takeAny(variants []*Schema, level int) {
	s.AnyOf = nil
	if len(variants) == 0 {
		return
	}
	var types []string
	var enums [][]any
	merged := &union{level: level, required: map[string]int{}}
	for _, v := range variants {
		if slices.Equal(v.Types, []string{"null"}) {
			types = append(types, "null")
			continue
		}
		v = v.common(level)
		types = append(types, v.Types...)
		enums = append(enums, v.Enum)
		merged.take(v)
		if s.Description == "" {
			s.Description = v.Description
		}
	}
	if len(s.Types) == 0 {
		s.Types = types
	}
	if s.Items == nil || reflect.DeepEqual(s.Items, anything) {
		s.Items = merged.item(s.Items)
	}
	for _, add := range merged.properties() {
		add.Required = merged.required[add.Name] == len(variants)
		if own := s.Property(add.Name); own == nil {
			s.Properties = append(s.Properties, add)
		} else if own.Required = own.Required || add.Required; reflect.DeepEqual(own.Schema, anything) {
			own.Schema = add.Schema
		}
	}
	sortProperties(s.Properties)
	if s.Enum == nil && !slices.ContainsFunc(enums, func(e []any) bool { return e == nil }) {
		s.Enum = slices.Concat(enums...)
	}
}

// union gathers what variants have under one name.
type union struct {
	level    int
	names    []string
	wires    []string
	schemas  [][]*Schema // of each name
	items    []*Schema
	required map[string]int
}

func (u *union) take(v *Schema) {
	for _, p := range v.Properties {
		at := slices.Index(u.names, p.Name)
		if at < 0 {
			at = len(u.names)
			u.names, u.wires, u.schemas = append(u.names, p.Name), append(u.wires, p.Wire), append(u.schemas, nil)
		}
		u.schemas[at] = distinct(u.schemas[at], p.Schema)
		if p.Required {
			u.required[p.Name]++
		}
	}
	if v.Items != nil {
		u.items = distinct(u.items, v.Items)
	}
}

func (u *union) properties() []Property {
	var all []Property
	for i, name := range u.names {
		all = append(all, Property{Name: name, Wire: u.wires[i], Schema: either(u.schemas[i], u.level+1)})
	}
	return all
}

// item is the schema of the items of any variant; own where none has any.
func (u *union) item(own *Schema) *Schema {
	if len(u.items) == 0 {
		return own
	}
	return either(u.items, u.level)
}

// either is the one schema of several in the dialect.
func either(list []*Schema, level int) *Schema {
	if len(list) == 1 {
		return list[0]
	}
	return (&Schema{AnyOf: list}).common(level)
}

func distinct(list []*Schema, s *Schema) []*Schema {
	if slices.ContainsFunc(list, func(other *Schema) bool { return reflect.DeepEqual(other, s) }) {
		return list
	}
	return append(list, s)
}
