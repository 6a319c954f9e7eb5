package curate

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"toolpress/generate"
)

// defaultMaxBytes bounds a result where nothing is said: about 6,000 tokens.
const defaultMaxBytes = 24 << 10

// build makes the tool of a candidate, or withholds it with a finding.
func (a *application) build(c *candidate) *Tool {
	t := &Tool{
		Name: c.name.Value, Title: c.op.Title, Description: c.op.Description, Annotations: c.op.Annotations,
		Operation: c.op.ID, Result: ResultShape{MaxBytes: defaultMaxBytes}, op: c.op,
	}
	if c.op.Route != "" && c.op.Name != t.Name {
		t.Title = generate.Title(t.Name) // the operation's would speak of another name
	}
	b := &toolBuilder{application: a, candidate: c, tool: t, confirm: "destructive"}
	for _, l := range a.settingsOf(c) {
		b.fields(l)
	}
	if b.asksConfirmation() {
		a.withhold(c.op.ID, t.Name, "it needs a confirmation, which this version cannot ask for")
		f, at := b.place()
		if !c.preset {
			a.share(f, at, t.Name, "needs-confirmation", "to serve one without asking anybody, name it below tools, with confirm: { when: never }",
				"withheld, since it may "+effect(c.op.Annotations)+" and this version cannot ask a person first")
		}
		return nil
	}
	b.arguments()
	if b.failed {
		a.withhold(c.op.ID, t.Name, "its entry has errors")
		return nil
	}
	if err := t.compile(b.visible, b.extra); err != nil {
		a.withhold(c.op.ID, t.Name, err.Error())
		f, at := b.place()
		a.find(f, "schema", SeverityError, at, "", "%s is withheld: %v", t.Name, err)
		return nil
	}
	return t
}

func effect(h generate.Annotations) string {
	if h.Destructive {
		return "destroy or overwrite something"
	}
	return "change something"
}

// toolBuilder folds the layers of one tool.
type toolBuilder struct {
	*application
	candidate *candidate
	tool      *Tool
	confirm   string
	visible   []generate.Arg
	extra     *generate.Schema
	failed    bool
}

// fields takes the settings that are whole values; a later layer wins.
func (b *toolBuilder) fields(l layered) {
	if l.set.title != nil {
		b.tool.Title = l.set.title.Value
	}
	if l.set.description != nil {
		b.tool.Description = l.set.description.Value
	}
	if p := l.set.pick; p != nil {
		if !p.add {
			b.tool.Result.Pick = nil
		}
		for _, t := range p.paths {
			if !slices.Contains(b.tool.Result.Pick, t.Value) {
				b.tool.Result.Pick = append(b.tool.Result.Pick, t.Value)
			}
		}
	}
	if l.set.maxBytes != nil {
		b.tool.Result.MaxBytes = l.set.maxBytes.value
	}
	if l.set.confirm != nil {
		b.confirm = l.set.confirm.Value
	}
}

func (b *toolBuilder) asksConfirmation() bool {
	h := b.tool.Annotations
	switch b.confirm {
	case "always":
		return true
	case "writes":
		return !h.ReadOnly
	case "destructive":
		return h.Destructive
	}
	return false
}

// place is where the candidate was last spoken of.
func (b *toolBuilder) place() (*file, Pos) { return b.placeOf(b.candidate) }

// placeOf is where a candidate was written, or what exposed it.
func (a *application) placeOf(c *candidate) (*file, Pos) {
	for _, f := range a.layers {
		if f.reader.name == c.name.Pos.File {
			return f, c.name.Pos
		}
	}
	return a.layers[len(a.layers)-1], c.name.Pos
}

// argument is one argument with everything the layers set on it.
type argument struct {
	generate.Arg
	hidden bool
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
	sets := b.settingsOf(b.candidate)
	b.unknownArguments()
	for _, arg := range b.candidate.op.Args {
		g := &argument{Arg: arg}
		g.Schema = arg.Schema.Clone()
		for _, l := range sets {
			b.argument(g, l)
		}
		b.finish(g)
	}
	b.extra = b.candidate.op.Extra
	for _, l := range sets {
		if l.set.hideOthers {
			b.extra = nil
		}
	}
	seen := map[string]bool{}
	for _, v := range b.visible {
		if seen[v.Name] {
			f, at := b.place()
			b.fail(f, at, "rename one of them", "two arguments of %s are called %s", b.tool.Name, v.Name)
		}
		seen[v.Name] = true
	}
}

// unknownArguments reports what an entry sets on arguments the operation does
// not have; a rule's are ignored.
func (b *toolBuilder) unknownArguments() {
	var names []string
	for _, arg := range b.candidate.op.Args {
		names = append(names, arg.Name)
	}
	for _, l := range b.candidate.sets {
		for _, s := range l.set.args {
			if slices.ContainsFunc(b.candidate.op.Args, s.speaksOf) || b.candidate.op.Extra != nil {
				continue
			}
			hint := didYouMean(s.name.Value, names)
			if hint == "" && len(names) > 0 {
				hint = "its arguments are " + strings.Join(names, ", ")
			}
			if top, _, nested := strings.Cut(s.name.Value, "."); nested && slices.Contains(names, top) {
				hint = "arguments below another are not supported yet; name " + top + " itself"
			}
			b.fail(l.file, s.name.Pos, hint, "%s has no argument %q", b.tool.Operation, s.name.Value)
		}
	}
}

// speaksOf reports that settings name an argument: by its name, by the site's,
// or by its raw form.
func (s argSettings) speaksOf(a generate.Arg) bool {
	return s.name.Value == a.Name || s.name.Value == a.Wire || (a.Raw && s.name.Value == a.Name+".raw")
}

// argument takes one layer's settings. Naming an argument shows it, unless
// hide or fix says otherwise; "*" speaks of what the layer does not name.
func (b *toolBuilder) argument(g *argument, l layered) {
	i := slices.IndexFunc(l.set.args, func(s argSettings) bool { return s.speaksOf(g.Arg) })
	if i < 0 {
		g.hidden = g.hidden || l.set.hideOthers
		return
	}
	s := &l.set.args[i]
	g.hidden = s.hide != nil && *s.hide
	if s.hide != nil && !*s.hide {
		g.fix = nil
	}
	if s.rename != nil {
		g.Name = s.rename.Value
	}
	if s.describe != nil {
		g.Schema.Description = s.describe.Value
	}
	for _, v := range []struct {
		into **valued
		node *yaml.Node
	}{{&g.fix, s.fix}, {&g.def, s.def}, {&g.minimum, s.minimum}, {&g.maximum, s.maximum}} {
		if v.node != nil {
			*v.into = &valued{v.node, l.file}
		}
	}
	if s.enum != nil {
		g.enum = nil
		for _, n := range s.enum {
			g.enum = append(g.enum, valued{n, l.file})
		}
	}
	for name, n := range map[string]*number{"min_length": s.minLength, "max_length": s.maxLength, "max_items": s.maxItems} {
		if n != nil {
			g.lengths = slices.DeleteFunc(g.lengths, func(old limit) bool { return old.name == name })
			g.lengths = append(g.lengths, limit{name, *n, l.file})
		}
	}
	if s.pattern != nil {
		g.pattern, g.patternFile = s.pattern, l.file
	}
	if s.required != nil {
		g.required, g.requiredAt, g.requiredFile = s.required, s.name.Pos, l.file
	}
}

// finish decides what becomes of an argument: shown, fixed, or gone.
func (b *toolBuilder) finish(g *argument) {
	original := b.candidate.op.Arg(b.original(g)).Name
	if g.fix != nil {
		if v, ok := b.value(g, *g.fix); ok {
			b.tool.fixed = append(b.tool.fixed, fixedValue{original, v})
		}
		return
	}
	if g.def != nil {
		if v, ok := b.value(g, *g.def); ok {
			g.Schema.Default, g.Schema.HasDefault, g.Required = v, true, false
			b.tool.defaults = append(b.tool.defaults, fixedValue{original, v})
		}
	}
	if g.hidden {
		if g.Required {
			f, at := b.place()
			b.fail(f, at, fmt.Sprintf("show it, or give it a value: %s: { fix: … }", original), "%s hides %s, which the site requires", b.tool.Name, original)
		}
		return
	}
	b.narrow(g)
	if g.required != nil {
		if !*g.required && b.candidate.op.Arg(original).Required && g.def == nil {
			b.fail(g.requiredFile, g.requiredAt, "", "%s cannot be optional: the site requires it", original)
		}
		g.Required = *g.required
	}
	if g.Schema.Description == "" && g.Schema.Title != "" {
		g.Schema.Description = g.Schema.Title
	}
	g.Schema.Title = ""
	b.visible = append(b.visible, g.Arg)
	b.tool.renamed = append(b.tool.renamed, [2]string{g.Name, original})
}

// original is the operation's own name of an argument.
func (b *toolBuilder) original(g *argument) string {
	for _, a := range b.candidate.op.Args {
		if a.Wire == g.Wire && a.In == g.In {
			return a.Name
		}
	}
	return g.Name
}

func (b *toolBuilder) fail(f *file, at Pos, hint, format string, args ...any) {
	b.failed = true
	b.find(f, "tool", SeverityError, at, hint, format, args...)
}
