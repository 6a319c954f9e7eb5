package curate

import (
	"cmp"
	"strconv"
	"strings"

	"toolpress/generate"
	"toolpress/generate/schema"
)

// level is one object on its way: what the model sees of it, and how it is sent.
type level struct {
	*members
	visible []generate.Arg
}

// finish decides what becomes of an argument, or of a part of one: fixed, gone,
// or shown. sent says that what holds it may be sent.
func (b *toolBuilder) finish(g *argument, into *level, sent bool) {
	name := g.original.Name
	if g.fix != nil {
		into.reserved = append(into.reserved, name)
		if v, ok := b.value(g, g.original.Schema, *g.fix); ok {
			into.fixed, g.sends = append(into.fixed, fixedValue{name, v}), v
		}
		return
	}
	inner := b.finishParts(g, sent)
	b.narrow(g)
	b.settleDefault(g, into, inner)
	if inner != nil {
		if into.inner == nil {
			into.inner = map[string]*members{}
		}
		into.inner[name] = inner
	}
	if g.hidden || g.Name != name {
		into.reserved = append(into.reserved, name)
	}
	if g.hidden {
		if sent && g.original.Required && g.def == nil && !inner.made() {
			f, at := b.place()
			b.fail(f, at, "show it, or give it a value: "+yamlKey(g.path)+": { fix: … }", "%s hides %s, which the site requires", b.tool.Name, g.path)
		}
		return
	}
	if g.required != nil {
		if !*g.required && g.original.Required && g.def == nil {
			b.fail(g.requiredFile, g.requiredAt, "", "%s cannot be optional: the site requires it", g.path)
		}
		g.Required = *g.required
	}
	g.word()
	into.visible = append(into.visible, g.Arg)
	into.renamed = append(into.renamed, [2]string{g.Name, name})
}

// yamlKey is a path as a key of a flow mapping.
func yamlKey(path string) string {
	if strings.Contains(path, itemsPart) {
		return strconv.Quote(path)
	}
	return path
}

// word gives an argument the one text that a model reads.
func (g *argument) word() {
	if g.Schema.Description == "" {
		g.Schema.Description = g.Schema.Title
	}
	g.Schema.Title = ""
}

// finishParts finishes what is below an argument; nil where no layer speaks of
// it. Of an object of which nothing is left to say the model sees nothing: what
// is fixed in it is sent all the same.
func (b *toolBuilder) finishParts(g *argument, sent bool) *members {
	items, named := g.spokenParts()
	switch {
	case items != nil && named:
		f, at := b.place()
		b.fail(f, at, "name it as one of them", "%s is spoken of as a list and as an object", g.path)
		return nil
	case items != nil:
		items.hidden = g.hidden
		inner := b.finishParts(items, sent && !g.hidden)
		b.narrow(items)
		g.hidden = g.hidden || items.hidden
		g.Schema.Types = []string{"array"}
		return &members{items: inner}
	case !named:
		return nil
	}
	in := &level{members: &members{}}
	for _, p := range g.parts {
		if !p.isItems() {
			p.hidden = p.hidden || g.hidden
			b.finish(p, in, sent && (!g.hidden || g.fixesPart()))
		}
	}
	b.namesakes(g.parts, in)
	generate.SortArgs(in.visible)
	s := g.Schema
	s.Types, s.Items, s.Properties = []string{"object"}, nil, nil
	needs := false
	for _, a := range in.visible {
		s.Properties = append(s.Properties, schema.Property{Name: a.Name, Wire: a.Wire, Required: a.Required, Schema: a.Schema})
		needs = needs || a.Required
	}
	if g.closed || len(in.reserved) > 0 {
		s.Closed, s.Additional = true, nil
	}
	if !g.hidden && s.Closed && len(s.Properties) == 0 {
		g.hidden, g.decided = true, cmp.Or(g.closedAt, g.decided)
	}
	if in.made() {
		// It is never absent. Where the model has to fill it, it has to be given.
		s.Default, s.HasDefault = nil, false
		g.Required = g.Required || needs
	}
	return in.members
}

// spokenParts are the items, and whether there are properties, that layers speak
// of.
func (g *argument) spokenParts() (items *argument, named bool) {
	named = g.closed
	for _, p := range g.parts {
		switch {
		case p.spoken && p.isItems():
			items = p
		case p.spoken:
			named = true
		}
	}
	return items, named
}

// fixesPart reports that something in an object is fixed, whatever it holds.
func (g *argument) fixesPart() bool {
	for _, p := range g.parts {
		if !p.isItems() && (p.fix != nil || p.fixesPart()) {
			return true
		}
	}
	return false
}

// settleDefault decides what an absent argument means: the value the curation
// gives, or the site's own where the narrowed schema still takes it. Where it
// does not, the nearest value it takes is sent; where there is none, the model
// has to say.
func (b *toolBuilder) settleDefault(g *argument, into *level, inner *members) {
	name := g.original.Name
	switch {
	case g.def != nil:
		v, ok := b.value(g, g.Schema, *g.def)
		if !ok {
			return
		}
		g.Schema.Default, g.Schema.HasDefault, g.Required = v, true, false
		into.defaults = append(into.defaults, fixedValue{name, inner.send(v)})
	case g.hidden || !g.Schema.HasDefault || g.Schema.Takes(g.Schema.Default):
	default:
		v, ok := nearestTaken(g.Schema, g.Schema.Default)
		g.Schema.Default, g.Schema.HasDefault = v, ok
		g.at.note("default", cmp.Or(g.at["enum"], g.at["minimum"], g.at["maximum"]))
		if g.Required = !ok; ok {
			into.defaults = append(into.defaults, fixedValue{name, inner.send(v)})
		} else if g.Schema.Is("array") { // and nothing in a list would mean the site's own
			least := 1
			g.Schema.MinItems = cmp.Or(g.Schema.MinItems, &least)
		}
	}
}
