package curate

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"toolpress/generate"
)

// argument is one argument with everything the layers set on it.
type argument struct {
	generate.Arg              // as the model sees it
	original     generate.Arg // as the operation has it
	hidden       bool
	renamed      *Text
	renamedIn    *file
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
		g := &argument{Arg: a, original: a}
		g.Schema = a.Schema.Clone()
		folded = append(folded, g)
	}
	for i, l := range b.sets {
		// The entry's own settings come last, and are strict from where the
		// operation was named.
		strict := i >= len(b.sets)-len(b.candidate.sets)+b.candidate.since
		b.layer(folded, l, strict)
	}
	b.extra = op.Extra
	if slices.ContainsFunc(b.sets, func(l layered) bool { return l.set.hideOthers }) {
		b.extra = nil
	}
	if b.extra != nil {
		b.tool.reserved = slices.Clone(generate.Globals)
	}
	for _, g := range folded {
		b.finish(g)
	}
	b.namesakes(folded)
}

// namesakes reports visible arguments of one name, at the rename that made them.
func (b *toolBuilder) namesakes(folded []*argument) {
	seen := map[string]bool{}
	for _, v := range b.visible {
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
			if !renamed[s.name.Value] && !slices.ContainsFunc(slices.Concat(op.Args, extra), s.speaksOf) {
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

// speaksOf reports that settings name an argument: by its name, by the site's,
// or by its raw form.
func (s argSettings) speaksOf(a generate.Arg) bool {
	return s.name.Value == a.Name || s.name.Value == a.Wire || (a.Raw && s.name.Value == a.Name+".raw")
}

// layer takes one layer's settings. Naming an argument shows it, unless hide or
// fix says otherwise; "*" speaks of what the layer does not name. An argument
// may be named as an earlier layer renamed it.
func (b *toolBuilder) layer(folded []*argument, l layered, strict bool) {
	spoken := map[*argument]bool{}
	for i := range l.set.args {
		s := &l.set.args[i]
		at := slices.IndexFunc(folded, func(g *argument) bool { return s.speaksOf(g.original) })
		if at < 0 {
			at = slices.IndexFunc(folded, func(g *argument) bool { return g.Name == s.name.Value })
		}
		switch {
		case at < 0 && strict:
			b.unknownArgument(folded, l.file, s)
		case at < 0: // a rule, a default, or an entry for another operation
		case spoken[folded[at]]:
			b.fail(l.file, s.name.Pos, "say it once", "%s is spoken of twice in one entry", folded[at].original.Name)
		default:
			spoken[folded[at]] = true
			folded[at].set(s, l.file)
			if s.fix != nil && !b.candidate.preset && (s.def != nil || s.rename != nil || s.describe != nil || s.required != nil || s.enum != nil) {
				b.find(l.file, "fixed", SeverityWarning, s.name.Pos, "leave the other keys out, or fix", "%s is fixed: the model never sees it, and nothing else said of it has an effect", s.name.Value)
			}
		}
	}
	for _, g := range folded {
		if !spoken[g] {
			g.hidden = g.hidden || l.set.hideOthers
		}
	}
}

// unknownArgument reports what is set on an argument the operation lacks.
func (b *toolBuilder) unknownArgument(folded []*argument, f *file, s *argSettings) {
	var names []string
	for _, g := range folded {
		names = append(names, g.original.Name)
	}
	hint := didYouMean(s.name.Value, names)
	if hint == "" && len(names) > 0 {
		hint = "its arguments are " + strings.Join(names, ", ")
	}
	if top, _, nested := strings.Cut(s.name.Value, "."); nested && slices.Contains(names, top) {
		hint = "arguments below another are not supported yet; name " + top + " itself"
	}
	b.fail(f, s.name.Pos, hint, "%s has no argument %q", b.tool.Operation, s.name.Value)
}

// set takes what one layer says of the argument, field by field.
func (g *argument) set(s *argSettings, f *file) {
	g.hidden = s.hide != nil && *s.hide
	if s.hide != nil && !*s.hide {
		g.fix = nil
	}
	if s.rename != nil {
		g.Name, g.renamed, g.renamedIn = s.rename.Value, s.rename, f
	}
	if s.describe != nil {
		g.Schema.Description = s.describe.Value
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

// finish decides what becomes of an argument: fixed, gone, or shown.
func (b *toolBuilder) finish(g *argument) {
	name := g.original.Name
	shown := g.fix == nil && !g.hidden
	if !shown || g.Name != name {
		b.tool.reserved = append(b.tool.reserved, name)
	}
	if g.fix != nil {
		if v, ok := b.value(g, g.original.Schema, *g.fix); ok {
			b.tool.fixed = append(b.tool.fixed, fixedValue{name, v})
		}
		return
	}
	b.narrow(g)
	b.settleDefault(g)
	if g.hidden {
		if g.original.Required && g.def == nil {
			f, at := b.place()
			b.fail(f, at, fmt.Sprintf("show it, or give it a value: %s: { fix: … }", name), "%s hides %s, which the site requires", b.tool.Name, name)
		}
		return
	}
	if g.required != nil {
		if !*g.required && g.original.Required && g.def == nil {
			b.fail(g.requiredFile, g.requiredAt, "", "%s cannot be optional: the site requires it", name)
		}
		g.Required = *g.required
	}
	if g.Schema.Description == "" {
		g.Schema.Description = g.Schema.Title
	}
	g.Schema.Title = ""
	b.visible = append(b.visible, g.Arg)
	b.tool.renamed = append(b.tool.renamed, [2]string{g.Name, name})
}

// settleDefault decides what an absent argument means: the value the curation
// gives, or the site's own where the narrowed schema still takes it. Where it
// does not, the nearest value it takes is sent; where there is none, the model
// has to say.
func (b *toolBuilder) settleDefault(g *argument) {
	name := g.original.Name
	switch {
	case g.def != nil:
		v, ok := b.value(g, g.Schema, *g.def)
		if !ok {
			return
		}
		g.Schema.Default, g.Schema.HasDefault, g.Required = v, true, false
		b.tool.defaults = append(b.tool.defaults, fixedValue{name, v})
	case g.hidden || !g.Schema.HasDefault || g.Schema.Takes(g.Schema.Default):
	default:
		v, ok := nearestTaken(g.Schema, g.Schema.Default)
		g.Schema.Default, g.Schema.HasDefault = v, ok
		if g.Required = !ok; ok {
			b.tool.defaults = append(b.tool.defaults, fixedValue{name, v})
		}
	}
}
