package curate

import (
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"

	"toolpress/generate"
)

// argument is one argument, or a part of one, with everything the layers set on
// it.
type argument struct {
	generate.Arg              // as the model sees it
	original     generate.Arg // as the operation has it
	path         string       // as a curation names it
	holder       *argument    // what it is a part of; nil for an argument
	parts        []*argument  // nil until a layer names one
	spoken       bool         // a layer speaks of it or of a part of it
	closed       bool         // an object that takes no names but those listed
	hidden       bool
	decided      Pos // what shows or hides it; zero: nothing does
	closedAt     Pos // what closed it; zero where nothing did
	sends        any // what is fixed, as the site's schema reads it
	at           places
	renamed      *Text
	renamedIn    *file
	describedIn  *file // nil: nothing but the site describes it
	// fix, def and the rest keep the file they were written in.
	fix, def, minimum, maximum *valued
	enum                       []valued
	lengths                    []limit
	pattern                    *Text
	patternFile                *file
	required                   *bool
	requiredAt                 Pos
	requiredFile               *file
}

// valued is a value as written, and its file.
type valued struct {
	node *yaml.Node
	file *file
}

// limit is a count that narrows: min_length, max_length or max_items.
type limit struct {
	name string
	number
	file *file
}

// arguments folds the layers of every argument and checks the result.
func (b *toolBuilder) arguments() {
	op := b.candidate.op
	args := slices.Concat(op.Args, b.extraArguments())
	var folded []*argument
	for _, a := range args {
		g := &argument{Arg: a, original: a, path: a.Name}
		g.Schema = a.Schema.Clone()
		folded = append(folded, g)
	}
	for i, l := range b.sets {
		b.layer(folded, l, b.strict(i))
	}
	b.styles(folded)
	b.holdWords(folded)
	b.extra = op.Extra
	if slices.ContainsFunc(b.sets, func(l layered) bool { return l.set.hideOthers }) {
		b.extra = nil
	}
	top := &level{members: &b.tool.members}
	if b.extra != nil {
		top.reserved = slices.Concat(generate.Globals, b.barred)
	}
	for _, g := range folded {
		b.finish(g, top, true)
	}
	b.files(folded, top)
	b.namesakes(folded, top)
	b.tool.record.args = folded
	b.visible = top.visible
}

// strict reports settings whose arguments the operation has to have: the entry's
// own, which come last, from where the operation was named.
func (b *toolBuilder) strict(layer int) bool {
	return layer >= len(b.sets)-len(b.candidate.sets)+b.candidate.since
}

// namesakes reports visible arguments of one name, at the rename that made them.
func (b *toolBuilder) namesakes(folded []*argument, shown *level) {
	seen := map[string]bool{}
	for _, v := range shown.visible {
		if !seen[v.Name] {
			seen[v.Name] = true
			continue
		}
		f, at := b.place()
		for _, g := range folded {
			if g.Name == v.Name && g.renamed != nil {
				f, at = g.renamedIn, g.renamed.Pos
			}
		}
		b.fail(f, at, "rename one of them", "two arguments of %s are called %s", b.tool.Name, v.Name)
	}
}

// extraArguments are arguments that an entry speaks of and an open ability does
// not list: they are set like the others.
func (b *toolBuilder) extraArguments() []generate.Arg {
	op := b.candidate.op
	if op.Extra == nil {
		return nil
	}
	var extra []generate.Arg
	renamed := map[string]bool{} // to these names, by an earlier layer
	for _, l := range b.candidate.sets[b.candidate.since:] {
		for _, s := range l.set.args {
			spoken := func(a generate.Arg) bool { return speaksOf(s.name.Value, a) }
			if !renamed[s.name.Value] && len(pathParts(s.name.Value)) == 1 && !slices.ContainsFunc(slices.Concat(op.Args, extra), spoken) {
				extra = append(extra, generate.Arg{Name: s.name.Value, Wire: s.name.Value, In: generate.InInput, Schema: op.Extra})
			}
		}
		for _, s := range l.set.args {
			if s.rename != nil {
				renamed[s.rename.Value] = true
			}
		}
	}
	return extra
}

// layer takes one layer's settings. Naming an argument shows it, and what it is
// a part of, unless hide or fix says otherwise; "*" speaks of what the layer does
// not name. An argument may be named as an earlier layer renamed it.
func (b *toolBuilder) layer(folded []*argument, l layered, strict bool) {
	said, shows := map[*argument]bool{}, map[*argument]Pos{}
	for i := range l.set.args {
		s := &l.set.args[i]
		at := find(folded, s.name.Value, strict)
		switch g := at.found; {
		case g == nil:
			b.notFound(folded, l, s.name, at, s.hide != nil && *s.hide, strict && !(l.file.preset && s.spare()))
		case said[g]:
			b.fail(l.file, s.name.Pos, "say it once", "%s is spoken of twice in one entry", g.path)
		case g.isItems() && (s.hide != nil || s.fix != nil || s.def != nil || s.rename != nil || s.required != nil):
			b.fail(l.file, s.name.Pos, "say it of the list, "+g.holder.path, "the items of a list have no name, and are not hidden, fixed or required one by one")
		default:
			said[g] = true
			g.set(s, l.file)
			for h := g; h != nil && s.fix == nil && !g.hidden; h = h.holder {
				shows[h] = s.name.Pos
			}
			if s.fix != nil && !b.candidate.preset && (s.def != nil || s.rename != nil || s.describe != nil || s.required != nil || s.enum != nil) {
				b.find(l.file, "fixed", SeverityWarning, s.name.Pos, "leave the other keys out, or fix", "%s is fixed: the model never sees it, and nothing else said of it has an effect", s.name.Value)
			}
		}
	}
	for h, at := range shows {
		if !said[h] { // else by this layer's own word
			h.hidden, h.decided = false, at
		}
	}
	// The operation's own name has what is in its path, and no call goes without.
	others := func(among []*argument, at Pos) {
		for _, g := range among {
			if _, shown := shows[g]; !shown && !said[g] && g.original.In != generate.InPath {
				g.hidden, g.decided = true, at
			}
		}
	}
	if l.set.hideOthers {
		others(folded, l.set.at["args.*"])
	}
	for _, path := range l.set.hideBelow {
		b.star(folded, l, path, strict, others)
	}
}

// spare reports that a tool does without an argument where the site does not have
// it: a preset is for sites without tags, too. What is fixed or required a tool
// stands on.
func (s *argSettings) spare() bool { return s.fix == nil && (s.required == nil || !*s.required) }

// star hides what a layer does not name of an object: "line_items[].*": hidden.
func (b *toolBuilder) star(folded []*argument, l layered, path Text, strict bool, hide func([]*argument, Pos)) {
	at := find(folded, path.Value, strict)
	switch g := at.found; {
	case g == nil:
		b.notFound(folded, l, path, at, false, strict)
	case g.Raw:
		hide([]*argument{g}, path.Pos)
	case g.whole():
		b.notParted(l.file, path, g)
	case g.original.Schema.Is("array") && strict:
		b.fail(l.file, path.Pos, fmt.Sprintf("%q: hidden", g.path+itemsPart+".*"), "%s is a list, and has no names", g.path)
	case !g.original.Schema.Allows("object") && strict:
		b.fail(l.file, path.Pos, "name "+g.path+" itself", "%s is %s, and has no parts", g.path, types(g.original.Schema))
	case g.original.Schema.Allows("object"):
		g.open()
		g.speak()
		g.closed, g.closedAt = true, path.Pos
		hide(slices.DeleteFunc(slices.Clone(g.parts), (*argument).isItems), path.Pos)
	}
}

// speak marks an argument, and what it is a part of, as one that a layer speaks
// of.
func (g *argument) speak() {
	for ; g != nil; g = g.holder {
		g.spoken = true
	}
}

// set takes what one layer says of the argument, field by field.
func (g *argument) set(s *argSettings, f *file) {
	g.speak()
	g.hidden, g.decided = s.hide != nil && *s.hide, s.name.Pos
	for key, at := range s.at {
		g.at.note(key, at)
	}
	if s.hide != nil && !*s.hide {
		g.fix = nil
	}
	if s.rename != nil {
		g.Name, g.renamed, g.renamedIn = s.rename.Value, s.rename, f
	}
	if s.describe != nil {
		g.Schema.Description, g.describedIn = s.describe.Value, f
	}
	for _, v := range []struct {
		into **valued
		node *yaml.Node
	}{{&g.fix, s.fix}, {&g.def, s.def}, {&g.minimum, s.minimum}, {&g.maximum, s.maximum}} {
		if v.node != nil {
			*v.into = &valued{v.node, f}
		}
	}
	if s.enum != nil {
		g.enum = nil
		for _, n := range s.enum {
			g.enum = append(g.enum, valued{n, f})
		}
	}
	for _, n := range []struct {
		name string
		*number
	}{{"min_length", s.minLength}, {"max_length", s.maxLength}, {"max_items", s.maxItems}} {
		if n.number != nil {
			g.lengths = slices.DeleteFunc(g.lengths, func(old limit) bool { return old.name == n.name })
			g.lengths = append(g.lengths, limit{n.name, *n.number, f})
		}
	}
	if s.pattern != nil {
		g.pattern, g.patternFile = s.pattern, f
	}
	if s.required != nil {
		g.required, g.requiredAt, g.requiredFile = s.required, s.name.Pos, f
	}
}
