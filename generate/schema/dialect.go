package schema

import (
	"cmp"
	"encoding/json"
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
	c.Properties = slices.Clone(s.Properties)
	c.flatten()
	if level == clients.MaxDepth && len(c.Properties) > 0 {
		c.Properties = nil
		c.remark("any names are taken")
	}
	for i, p := range c.Properties {
		c.Properties[i].Schema = p.Schema.common(level + 1)
	}
	if c.Items != nil {
		c.Items = c.Items.common(level)
	}
	c.takeAny(c.AnyOf, level)
	c.oneType()
	c.sayExtra()
	c.sayValues()
	c.sayBounds()
	c.sayFormat()
	c.sayEncoding()
	c.sayRemarks()
	return &c
}

// anything is the schema of any value, in the dialect.
var anything = &Schema{Types: []string{"string"}, Description: "(any JSON value)"}

// remark says in the description what the dialect has no keyword for.
func (s *Schema) remark(text string) {
	text = "(" + CleanText(text, maxRemark) + ")"
	if !strings.Contains(s.Description, text) && !slices.Contains(s.remarks, text) {
		s.remarks = append(s.remarks, text)
	}
}

// sayRemarks puts the remarks behind the description, which makes room for them.
func (s *Schema) sayRemarks() {
	said := ""
	for _, r := range s.remarks {
		if len(said)+len(r) < MaxText {
			said = strings.TrimSpace(said + " " + r)
		}
	}
	if s.remarks = nil; said != "" {
		s.Description = remarked(s.Description, said)
	}
}

// flatten takes what allOf adds into the schema, and what anyOf says where null
// is all it has beside: the schema's own words win.
func (s *Schema) flatten() {
	for len(s.AllOf) > 0 {
		part := s.AllOf[0]
		s.AllOf = s.AllOf[1:]
		s.absorb(part)
	}
	only, null := s.onlyVariant()
	if only == nil {
		return
	}
	if s.AnyOf = nil; null && len(s.Types) == 0 && len(only.Types) > 0 {
		s.Types = append(slices.Clone(only.Types), "null")
	}
	s.absorb(only)
	s.flatten()
}

// onlyVariant is the one variant beside null; nil where there are more, or none.
func (s *Schema) onlyVariant() (only *Schema, null bool) {
	for _, v := range s.AnyOf {
		switch {
		case slices.Equal(v.Types, []string{"null"}):
			null = true
		case only != nil:
			return nil, false
		default:
			only = v
		}
	}
	return only, null
}

// absorb takes from a part every keyword that the schema does not have itself.
func (s *Schema) absorb(p *Schema) {
	for _, k := range []struct{ own, theirs *json.Number }{
		{&s.Minimum, &p.Minimum},
		{&s.Maximum, &p.Maximum},
		{&s.ExclusiveMinimum, &p.ExclusiveMinimum},
		{&s.ExclusiveMaximum, &p.ExclusiveMaximum},
		{&s.MultipleOf, &p.MultipleOf},
	} {
		*k.own = cmp.Or(*k.own, *k.theirs)
	}
	for _, k := range []struct{ own, theirs **int }{
		{&s.MinLength, &p.MinLength},
		{&s.MaxLength, &p.MaxLength},
		{&s.MinItems, &p.MinItems},
		{&s.MaxItems, &p.MaxItems},
		{&s.MinProperties, &p.MinProperties},
		{&s.MaxProperties, &p.MaxProperties},
	} {
		*k.own = cmp.Or(*k.own, *k.theirs)
	}
	s.Description, s.Format, s.Pattern = cmp.Or(s.Description, p.Description), cmp.Or(s.Format, p.Format), cmp.Or(s.Pattern, p.Pattern)
	if len(s.Types) == 0 {
		s.Types = p.Types
	}
	if s.Enum == nil {
		s.Enum = p.Enum
	}
	if !s.HasDefault {
		s.Default, s.HasDefault = p.Default, p.HasDefault
	}
	s.UniqueItems = s.UniqueItems || p.UniqueItems
	if s.Items.open() {
		s.Items = cmp.Or(p.Items, s.Items)
	}
	if s.Additional == nil && !s.Closed {
		s.Additional, s.Closed = p.Additional, p.Closed
	}
	s.AllOf = slices.Concat(s.AllOf, p.AllOf)
	if len(s.AnyOf) == 0 {
		s.AnyOf = p.AnyOf
	}
	for _, add := range p.Properties {
		own := s.Property(add.Name)
		if own == nil {
			s.Properties = append(s.Properties, add)
			continue
		}
		if own.Required = own.Required || add.Required; own.Schema.open() {
			own.Schema = add.Schema
		}
	}
	sortProperties(s.Properties)
}

// open reports a schema that says nothing.
func (s *Schema) open() bool { return s == nil || reflect.DeepEqual(s, &Schema{}) }

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
	if forms := discriminated(variants); forms != "" {
		s.remark(forms)
	}
	if len(s.Types) == 0 {
		s.Types = types
	}
	if s.Items == nil || reflect.DeepEqual(s.Items, anything) {
		s.Items = merged.item(s.Items)
	}
	for _, add := range merged.properties() {
		add.Required = merged.required[add.Name] == merged.variants
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
