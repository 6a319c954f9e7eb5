package curate

import (
	"slices"
	"strconv"
	"strings"

	"toolpress/generate"
	"toolpress/generate/schema"
	"toolpress/generate/words"
)

// itemsPart is the part of a path that goes into a list.
const itemsPart = words.Items

// pathParts takes a path apart: line_items[].quantity is line_items, [] and
// quantity.
func pathParts(path string) []string {
	var parts []string
	for name := range strings.SplitSeq(path, ".") {
		bare, lists := name, 0
		for strings.HasSuffix(bare, itemsPart) {
			bare, lists = strings.TrimSuffix(bare, itemsPart), lists+1
		}
		parts = append(append(parts, bare), slices.Repeat([]string{itemsPart}, lists)...)
	}
	return parts
}

// search is what was found for a path.
type search struct {
	found *argument // nil when there is none
	// holder is the last argument on the way that there is, part what is not in
	// it, and rest the path from there on.
	holder *argument
	part   string
	rest   string
}

// find follows a path from an operation's arguments. A name of an argument as a
// whole goes before a path: sites have names with dots. adding makes a property
// that an object says it takes beside those it lists.
func find(args []*argument, path string, adding bool) search {
	if g := named(args, path); g != nil {
		return search{found: g}
	}
	var holder *argument
	parts := pathParts(path)
	for i, part := range parts {
		among := args
		if holder != nil && !holder.whole() {
			holder.open()
			among = holder.parts
		}
		g := named(among, part)
		if g == nil && adding && holder != nil {
			g = holder.add(part)
		}
		if g == nil || holder != nil && holder.whole() {
			return search{holder: holder, part: part, rest: strings.ReplaceAll("."+strings.Join(parts[i+1:], "."), "."+itemsPart, itemsPart)}
		}
		holder = g
	}
	return search{found: holder}
}

// named is the argument of that name: the operation's, the site's, or the one
// that an earlier layer gave it; nil when there is none.
func named(among []*argument, name string) *argument {
	at := slices.IndexFunc(among, func(g *argument) bool { return speaksOf(name, g.original) })
	if at < 0 {
		at = slices.IndexFunc(among, func(g *argument) bool { return g.Name == name })
	}
	if at < 0 {
		return nil
	}
	return among[at]
}

// speaksOf reports that a name is an argument's: its own, the site's, or that of
// its raw form.
func speaksOf(name string, a generate.Arg) bool {
	return name == a.Name || name == a.Wire || (a.Raw && name == a.Name+".raw")
}

// whole reports an argument whose parts cannot be told apart: it takes one of
// several forms, or one of a few values.
func (g *argument) whole() bool {
	s := g.original.Schema
	return len(s.AnyOf) > 0 || len(s.AllOf) > 0 || s.Enum != nil && (s.Allows("object") || s.Allows("array"))
}

// mentions reports that a form of a value has a part.
func mentions(s *schema.Schema, part string) bool {
	if s.Property(part) != nil || part == itemsPart && s.Items != nil {
		return true
	}
	return slices.ContainsFunc(slices.Concat(s.AnyOf, s.AllOf), func(v *schema.Schema) bool { return mentions(v, part) })
}

// open makes the parts of an argument: an object's properties, a list's items.
func (g *argument) open() {
	if g.parts != nil {
		return
	}
	own := g.original.Schema
	if own.Items != nil {
		g.parts = append(g.parts, g.part(generate.Arg{Name: itemsPart, Wire: itemsPart, Schema: own.Items}, g.Schema.Items))
	}
	for i, p := range own.Properties {
		wire := p.Wire
		if wire == "" {
			wire = p.Name
		}
		g.parts = append(g.parts, g.part(generate.Arg{Name: p.Name, Wire: wire, Required: p.Required, Schema: p.Schema}, g.Schema.Properties[i].Schema))
	}
}

// part makes one part; s is its schema in the argument's own copy.
func (g *argument) part(a generate.Arg, s *schema.Schema) *argument {
	p := &argument{Arg: a, original: a, holder: g, path: g.path + "." + a.Name}
	if a.Name == itemsPart {
		p.path = g.path + itemsPart
	}
	p.Schema = s
	return p
}

// add makes a property that an object takes and does not list; nil where it says
// nothing of others.
func (g *argument) add(name string) *argument {
	extra := g.original.Schema.Additional
	if extra == nil || name == "" || name == itemsPart {
		return nil
	}
	p := g.part(generate.Arg{Name: name, Wire: name, Schema: extra}, extra.Clone())
	p.Name = schema.SafeName(name)
	g.parts = append(g.parts, p)
	return p
}

// isItems reports the items of a list, which have no name.
func (g *argument) isItems() bool { return g.holder != nil && g.original.Name == itemsPart }

// notFound reports a path that names nothing of the operation. A rule's, or one
// that was written for another operation, is left alone; but what it hides cannot
// be sent where an open object would take it all the same.
func (b *toolBuilder) notFound(folded []*argument, l layered, path Text, s search, hides, strict bool) {
	switch holder := s.holder; {
	case holder != nil && holder.whole() && (strict || mentions(holder.Schema, s.part)):
		b.notParted(l.file, path, holder)
	case strict && b.unsourced(l.file, path):
	case strict && b.newSince(s):
		b.fail(l.file, path.Pos, "look at it and accept it: toolpress approve "+b.server.Prefix.Value+b.tool.Name, "%s has the argument %q only since it was approved", b.tool.Operation, path.Value)
	case strict:
		b.fail(l.file, path.Pos, nearestPath(folded, s), "%s has no argument %q", b.tool.Operation, path.Value)
	case hides && holder == nil:
		b.barred = append(b.barred, s.part)
	case hides && s.part != itemsPart && holder.Schema.Allows("object"):
		holder.closed = true
		holder.speak()
	}
}

// newSince reports an argument that the site has, and the lock hides.
func (b *toolBuilder) newSince(s search) bool {
	if b.held == nil || s.holder != nil {
		return false
	}
	d, drifted := b.held.drifted[b.tool.Operation]
	return drifted && b.candidate.op == d.approved && slices.ContainsFunc(d.now.Args, func(a generate.Arg) bool { return speaksOf(s.part, a) })
}

// notParted reports a path into an argument whose parts cannot be told apart.
func (b *toolBuilder) notParted(f *file, path Text, g *argument) {
	b.fail(f, path.Pos, "name "+g.path+" itself", "%s takes one of several forms, and what is in them cannot be named", g.path)
}

// nearestPath is the hint for a path that names nothing.
func nearestPath(folded []*argument, s search) string {
	among, before := folded, ""
	if s.holder != nil {
		s.holder.open()
		among, before = s.holder.parts, s.holder.path+"."
		switch {
		case len(among) == 0:
			return "name " + s.holder.path + " itself: it has no parts"
		case among[0].isItems() && len(among) == 1:
			return "it is a list: " + strconv.Quote(s.holder.path+itemsPart+"."+s.part) + " is of its items"
		case s.part == itemsPart:
			return s.holder.path + " is no list: leave the [] out"
		}
	}
	var names []string
	for _, g := range among {
		if !g.isItems() {
			names = append(names, g.original.Name)
		}
	}
	if near := nearest(s.part, names); near != "" {
		return "did you mean " + strconv.Quote(before+near+strings.TrimSuffix(s.rest, ".")) + "?"
	}
	switch {
	case len(names) == 0:
		return ""
	case before == "":
		return "its arguments are " + strings.Join(names, ", ")
	}
	return "in " + strings.TrimSuffix(before, ".") + " are " + some(names)
}
