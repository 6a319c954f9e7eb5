package curate

import (
	"cmp"
	"slices"

	"toolpress/generate"
)

// from is what set a key of the argument.
func (g *argument) from(keys ...string) []string {
	for _, key := range keys {
		if at, said := g.at[key]; said && at != (Pos{}) {
			return []string{at.String()}
		}
	}
	return []string{FromSite}
}

// settings are those of an argument and of its parts.
func (g *argument) settings() []Setting {
	field, state := "args."+g.path, "shown"
	decided := cmp.Or(g.decided, g.holderDecided())
	from := []string{FromSite}
	if decided != (Pos{}) {
		from = []string{decided.String()}
	}
	switch {
	case g.fix != nil:
		return append([]Setting{{field, "fixed", g.from("fix")}, {field + ".fix", g.shownValue(g.sends), g.from("fix")}}, g.styleSetting(field)...)
	case g.hidden && g.fixesPart():
		return append([]Setting{{field, "hidden", from}}, g.partSettings()...)
	case g.hidden:
		state = "hidden"
	}
	var list []Setting
	if !g.isItems() {
		list = append(list, Setting{field, state, from})
	}
	if g.def != nil && g.hidden {
		list = append(list, Setting{field + ".default", g.shownValue(g.Schema.Default), g.from("default")})
	}
	if g.hidden {
		return list
	}
	return slices.Concat(list, g.shownSettings(field), g.styleSetting(field), g.partSettings())
}

// styleSetting is how a query writes an argument, where a layer says it.
func (g *argument) styleSetting(field string) []Setting {
	if g.Style == generate.Auto {
		return nil
	}
	return []Setting{{field + ".wire", string(g.Style), g.from("wire")}}
}

// holderDecided is what shows or hides what an argument is a part of.
func (g *argument) holderDecided() Pos {
	for h := g.holder; h != nil; h = h.holder {
		if h.decided != (Pos{}) && h.hidden {
			return h.decided
		}
	}
	return Pos{}
}

// shownSettings are the fields that the model sees of an argument. Those of a
// list's items are told of the list, but for what names the items.
func (g *argument) shownSettings(field string) []Setting {
	var list []Setting
	add := func(there bool, key string, value any) {
		if _, said := g.at[key]; there && (said || !g.isItems()) {
			list = append(list, Setting{field + "." + key, value, g.from(key)})
		}
	}
	s := g.Schema
	target := s
	if s.Is("array") && s.Items != nil {
		target = s.Items
	}
	add(g.Name != g.original.Name, "rename", g.Name)
	add(s.Description != "", "describe", s.Description)
	add(true, "type", types(s))
	add(g.Required || g.required != nil, "required", g.Required)
	add(target.Enum != nil, "enum", target.Enum)
	add(s.HasDefault, "default", g.shownValue(s.Default))
	add(target.Minimum != "", "minimum", target.Minimum)
	add(target.Maximum != "", "maximum", target.Maximum)
	add(target.MinLength != nil, "min_length", target.MinLength)
	add(target.MaxLength != nil, "max_length", target.MaxLength)
	add(s.MaxItems != nil, "max_items", s.MaxItems)
	add(target.Pattern != "", "pattern", target.Pattern)
	return list
}

// partSettings are those of the parts: of those that a layer opened, else of
// those the schema has.
func (g *argument) partSettings() []Setting {
	var list []Setting
	parts := g.parts
	if parts == nil {
		parts = g.untouched()
	}
	for _, p := range parts {
		if !g.hidden || p.fix != nil || p.fixesPart() {
			list = append(list, p.settings()...)
		}
	}
	return list
}

// untouched are the parts of an argument that no layer speaks of.
func (g *argument) untouched() []*argument {
	var parts []*argument
	if s := g.Schema.Items; s != nil {
		parts = append(parts, g.part(generate.Arg{Name: itemsPart, Schema: s}, s))
	}
	for _, p := range g.Schema.Properties {
		parts = append(parts, g.part(generate.Arg{Name: p.Name, Required: p.Required, Schema: p.Schema}, p.Schema))
	}
	return parts
}

// shownValue is a value that is sent, but for a secret.
func (g *argument) shownValue(v any) any { return redacted(g.original.Name, v, nil) }
