package curate

import (
	"regexp"
	"slices"
	"time"

	"toolpress/generate"
	"toolpress/generate/schema"
)

// Confirm says what a person is asked before a call.
type Confirm struct {
	// When is never, destructive, writes or always.
	When string
	// Ask is the question, with {argument} and {site}; may be empty.
	Ask string
	// Fields are what the person fills in; a flat form (MCP, elicitation).
	Fields []Field
	// WithoutElicitation is what to do for a client that cannot ask: refuse or
	// [TwoStep]. Empty: refuse.
	WithoutElicitation string
}

// TwoStep gives a client that cannot ask a code with the first call, and does
// what was asked for with the second. The model holds the code: it slows down
// and is nobody's consent.
const TwoStep = "two_step"

// ConfirmationArgument is the argument that the code comes back in.
const ConfirmationArgument = "confirmation"

// Asks reports whether a person is asked before a call.
func (t *Tool) Asks() bool {
	switch t.Confirm.When {
	case "always":
		return true
	case "writes":
		return !t.Annotations.ReadOnly
	case "destructive":
		return t.Annotations.Destructive
	}
	return false
}

// ownArguments are those that are not the site's.
func (t *Tool) ownArguments() []generate.Arg {
	var own []generate.Arg
	if t.Asks() && t.Confirm.WithoutElicitation == TwoStep {
		own = append(own, generate.Arg{Name: ConfirmationArgument, Schema: &schema.Schema{
			Types: []string{"string"}, Description: "Leave it out first: the answer then has a code for it, to be used only when the user agrees.",
		}})
	}
	if t.Idempotency != nil && t.Idempotency.Argument != "" {
		own = append(own, t.Idempotency.key())
	}
	if t.Unmodified != nil {
		own = append(own, t.Unmodified.argument())
	}
	if t.Result.Parts != "" {
		own = append(own, t.Result.part())
	}
	t.own = nil
	for _, a := range own {
		t.own = append(t.own, a.Name)
	}
	return own
}

// Field is one field of a form.
type Field struct {
	Name, Describe string
	// Type is string, number, integer or boolean.
	Type string
	// Enum are the choices of a string; nil: any.
	Enum     []string
	Required bool
}

// claim is true or false, and where it was written.
type claim struct {
	value bool
	pos   Pos
}

// span is a time, and where it was written.
type span struct {
	value time.Duration
	pos   Pos
}

// policy is what a layer says of how a tool may be used. A nil field is not
// said.
type policy struct {
	readOnly, destructive, idempotent, openWorld *claim

	scopes         []Text
	idempotency    *Idempotency
	idempotencyPos Pos
	unmodified     *Unmodified
	unmodifiedPos  Pos
	calls          *Rate
	cache, timeout *span

	ask, withoutElicitation *Text
	fields                  []Field
}

// last finds the strongest layer that says something, and what it says; false
// where none does.
func last[T any](sets []layered, said func(s *settings) (T, bool)) (file *file, what T, ok bool) {
	for _, l := range slices.Backward(sets) {
		if what, ok = said(l.set); ok {
			return l.file, what, true
		}
	}
	return nil, what, false
}

// pointed reads a field that is a pointer.
func pointed[T any](field func(s *settings) *T) func(s *settings) (T, bool) {
	return func(s *settings) (what T, ok bool) {
		if p := field(s); p != nil {
			return *p, true
		}
		return what, false
	}
}

// annotate takes what the layers say of the tool's effect. Nothing but the
// curation's own files may claim less danger than the site does.
func (b *toolBuilder) annotate() {
	h := &b.tool.Annotations
	said := map[string]bool{}
	for _, a := range []struct {
		name   string
		field  func(s *settings) *claim
		into   *bool
		danger bool // the value that claims more of it
	}{
		{"read_only", func(s *settings) *claim { return s.readOnly }, &h.ReadOnly, false},
		{"destructive", func(s *settings) *claim { return s.destructive }, &h.Destructive, true},
		{"idempotent", func(s *settings) *claim { return s.idempotent }, &h.Idempotent, false},
		{"open_world", func(s *settings) *claim { return s.openWorld }, &h.OpenWorld, true},
	} {
		f, v, ok := last(b.sets, pointed(a.field))
		if !ok {
			continue
		}
		if f.preset && v.value != a.danger && *a.into == a.danger {
			b.fail(f, v.pos, "only a curation's own file may", "%s: %v claims less danger than the site says of %s", a.name, v.value, b.tool.Operation)
			continue
		}
		*a.into, said[a.name] = v.value, true
	}
	switch {
	case h.ReadOnly && h.Destructive && said["read_only"] && said["destructive"]:
		f, v, _ := last(b.sets, pointed(func(s *settings) *claim { return s.readOnly }))
		b.fail(f, v.pos, "say one of them", "%s cannot only read and be destructive", b.tool.Name)
	case said["read_only"] && h.ReadOnly:
		h.Destructive = false
	case said["destructive"] && h.Destructive:
		h.ReadOnly = false
	}
}

// use takes what the layers say of how the tool may be used, and checks it.
func (b *toolBuilder) use() {
	t := b.tool
	b.takeScopes()
	b.takeIdempotency()
	b.takeUnmodified()
	b.takeParts()
	if _, calls, ok := last(b.sets, pointed(func(s *settings) *Rate { return s.calls })); ok {
		t.Calls = calls
	}
	if _, timeout, ok := last(b.sets, pointed(func(s *settings) *span { return s.timeout })); ok {
		t.Timeout = timeout.value
	}
	if f, cache, ok := last(b.sets, pointed(func(s *settings) *span { return s.cache })); ok {
		if t.Cache = cache.value; !b.candidate.op.Annotations.ReadOnly || !t.Annotations.ReadOnly {
			b.fail(f, cache.pos, "leave it out", "%s may change the site: an answer that is kept would not", t.Name)
		}
	}
	b.takeConfirm()
	b.takeHeaders()
}

// takeScopes adds the scopes of the tool's groups to its own: a scope can only
// narrow.
func (b *toolBuilder) takeScopes() {
	_, list, _ := last(b.sets, func(s *settings) ([]Text, bool) { return s.scopes, s.scopes != nil })
	groups := b.groupsOf(b.candidate)
	for _, f := range b.layers {
		for _, g := range f.groups {
			if slices.Contains(groups, g.name.Value) {
				list = append(slices.Clone(list), g.scopes...)
				for _, s := range g.scopes {
					b.tool.record.note("scopes", true, s.Pos)
				}
			}
		}
	}
	for _, s := range list {
		b.tool.Scopes = append(b.tool.Scopes, s.Value)
	}
	slices.Sort(b.tool.Scopes)
	b.tool.Scopes = slices.Compact(b.tool.Scopes)
}

var inBraces = regexp.MustCompile(`\{([^{}]*)\}`)

// takeConfirm takes what a person is asked. A question below tools may speak of
// the tool's arguments only.
func (b *toolBuilder) takeConfirm() {
	c := &b.tool.Confirm
	c.When = b.confirm
	if f, how, ok := last(b.sets, pointed(func(s *settings) *Text { return s.withoutElicitation })); ok {
		c.WithoutElicitation = how.Value
		if len(b.tool.ownArguments()) > 0 && slices.ContainsFunc(b.visible, func(a generate.Arg) bool { return a.Name == ConfirmationArgument }) {
			b.fail(f, how.Pos, "rename the argument", "%s has an argument %s, which two_step needs for its code", b.tool.Name, ConfirmationArgument)
		}
	}
	_, c.Fields, _ = last(b.sets, func(s *settings) ([]Field, bool) { return s.fields, s.fields != nil })
	f, ask, ok := last(b.sets, pointed(func(s *settings) *Text { return s.ask }))
	if !ok {
		return
	}
	c.Ask = ask.Value
	if !slices.ContainsFunc(b.candidate.sets[b.candidate.since:], func(l layered) bool { return l.set.ask != nil }) {
		return
	}
	var names []string
	for _, a := range b.candidate.op.Args {
		names = append(names, a.Name, b.tool.modelName(a.Name))
	}
	names = append(names, "site")
	for _, m := range inBraces.FindAllStringSubmatch(ask.Value, -1) {
		if !slices.Contains(names, m[1]) {
			b.fail(f, ask.Pos, didYouMean(m[1], names), "{%s} is no argument of %s", short(m[1]), b.tool.Name)
		}
	}
}
