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
		s.adopt(p, true)
	}
}

// takeAny merges variants: the properties of all of them, required where all
// require them; the values of all enums; and every type.
func (s *Schema) takeAny(variants []*Schema, level int) {
	s.AnyOf = nil
	if len(variants) == 0 {
		return
	}
	var types []string
	enums := [][]any{}
	required := map[string]int{}
	for _, v := range variants {
		if v.Is("null") || slices.Equal(v.Types, []string{"null"}) {
			types = append(types, "null")
			continue
		}
		v = v.common(level)
		types = append(types, v.Types...)
		enums = append(enums, v.Enum)
		for _, p := range v.Properties {
			if p.Required {
				required[p.Name]++
			}
		}
		s.adopt(v, false)
	}
	if len(s.Types) == 0 {
		s.Types = types
	}
	for i, p := range s.Properties {
		s.Properties[i].Required = p.Required || required[p.Name] == len(variants)
	}
	sortProperties(s.Properties)
	if s.Enum == nil && !slices.ContainsFunc(enums, func(e []any) bool { return e == nil }) {
		s.Enum = slices.Concat(enums...)
	}
}

// adopt takes from a part what the schema does not say itself; whole when every
// value has to fit the part.
func (s *Schema) adopt(p *Schema, whole bool) {
	if s.Description == "" {
		s.Description = p.Description
	}
	if s.Items == nil || reflect.DeepEqual(s.Items, anything) {
		s.Items = p.Items
	}
	if s.Enum == nil && whole {
		s.Enum = p.Enum
	}
	for _, add := range p.Properties {
		if own := s.Property(add.Name); own == nil {
			add.Required = add.Required && whole
			s.Properties = append(s.Properties, add)
		} else {
			own.Required = own.Required || add.Required && whole
		}
	}
	sortProperties(s.Properties)
}
