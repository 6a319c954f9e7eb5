package curate

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"toolpress/generate"
)

// Setting is one field of a tool, and what set it.
type Setting struct {
	// Field is its path, as a curation writes it: args.per_page.maximum. The
	// field of an argument itself is shown, hidden or fixed.
	Field string `json:"field"`
	// Value is what holds, as encoding/json writes it. What is kept secret is
	// [NotShown].
	Value any `json:"value"`
	// From is what set it: places, as [Pos] writes them, [FromSite] or
	// [FromToolpress]. A list that layers add to has several.
	From []string `json:"from"`
}

// What sets a field where no layer does.
const (
	FromSite      = "the site"
	FromToolpress = "toolpress"
)

// NotShown stands for the value of an argument that holds a secret.
const NotShown = "(not shown)"

// Settings are all fields of the tool and what set each of them, as the layers
// were folded: its name and texts, its arguments at any depth, its result, what
// is private, and how it may be used.
func (t *Tool) Settings() []Setting {
	s := settingList{record: &t.record}
	worded := FromSite
	if t.op.Route != "" { // no route says what it is for
		worded = FromToolpress
	}
	s.add("name", t.Name, FromToolpress)
	s.add("from", t.Operation, FromSite)
	s.add("title", t.Title, worded)
	s.add("description", t.Description, worded)
	for _, g := range t.record.args {
		s.list = append(s.list, g.settings()...)
		if header := t.Headers[g.Name]; header != "" && !g.hidden && g.fix == nil {
			s.list = append(s.list, Setting{"args." + g.path + ".header", header, g.from("header")})
		}
	}
	if _, said := t.record.fields["args.*"]; said {
		s.add("args.*", "hidden", "")
	}
	s.result(t.Result)
	s.use(t)
	return s.list
}

// settingList gathers settings.
type settingList struct {
	*record
	list []Setting
}

// add adds a field that the layers set, or, where none does, what otherwise
// sets it.
func (s *settingList) add(field string, value any, otherwise string) {
	from := []string{otherwise}
	if at := s.fields[field]; len(at) > 0 {
		from = placesOf(at)
	}
	s.list = append(s.list, Setting{field, value, from})
}

// said adds a field that is only there where a layer says it.
func (s *settingList) said(field string, value any) {
	if len(s.fields[field]) > 0 {
		s.add(field, value, "")
	}
}

func placesOf(at []Pos) []string {
	var list []string
	for _, p := range at {
		if text := p.String(); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

func (s *settingList) result(r ResultShape) {
	var drops []string
	for _, p := range r.Drop {
		drops = append(drops, strings.Join(p, "."))
	}
	if r.Raw {
		s.said("result.raw", true)
	} else {
		s.said("result.pick", r.Pick)
		s.said("result.drop", drops)
		for _, one := range r.Rename {
			s.said("result.rename."+one.Path, one.Name)
		}
		s.said("result.html", r.HTML)
		s.said("result.max_text", r.MaxText)
	}
	s.add("result.max_bytes", r.MaxBytes, FromToolpress)
	for _, field := range slices.Sorted(maps.Keys(s.fields)) {
		if pattern, is := strings.CutPrefix(field, "private."); is {
			s.add(field, pattern, "")
		}
	}
}

// use adds how the tool may be used.
func (s *settingList) use(t *Tool) {
	if len(s.groups) > 0 {
		s.add("groups", s.groups, FromToolpress)
	}
	s.add("annotations.read_only", t.Annotations.ReadOnly, FromSite)
	s.add("annotations.destructive", t.Annotations.Destructive, FromSite)
	s.add("annotations.idempotent", t.Annotations.Idempotent, FromSite)
	s.add("annotations.open_world", t.Annotations.OpenWorld, FromSite)
	s.add("confirm.when", t.Confirm.When, FromToolpress)
	s.said("confirm.ask", t.Confirm.Ask)
	s.said("confirm.without_elicitation", t.Confirm.WithoutElicitation)
	var fields []string
	for _, f := range t.Confirm.Fields {
		fields = append(fields, f.Name)
	}
	s.said("confirm.fields", fields)
	s.said("scopes", t.Scopes)
	if t.Idempotency != nil {
		s.said("idempotency", map[string]any{"argument": t.Idempotency.Argument, "window": t.Idempotency.Window.String()})
	}
	s.said("calls", t.Calls.String())
	s.said("cache", t.Cache.String())
	s.said("timeout", t.Timeout.String())
	s.add("dialect", string(t.dialect), FromToolpress)
	s.said("aliases", t.Aliases)
}

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
		return []Setting{{field, "fixed", g.from("fix")}, {field + ".fix", g.shownValue(g.sends), g.from("fix")}}
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
	return slices.Concat(list, g.shownSettings(field), g.partSettings())
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
func (g *argument) shownValue(v any) any { return redacted(g.original.Name, v) }
