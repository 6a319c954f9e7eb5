package curate

import (
	"fmt"

	"toolpress/generate"
	"toolpress/generate/schema"
)

// defaultMaxBytes bounds a result where nothing is said: about 6,000 tokens.
const defaultMaxBytes = 24 << 10

// fold takes everything the layers say of a candidate. What is wrong with it is
// found here, whether or not it is served.
func (a *application) fold(c *candidate) *toolBuilder {
	t := &Tool{
		Name: c.name.Value, Title: c.title(), Description: c.op.Description, Annotations: c.op.Annotations,
		Operation: c.op.ID, Aliases: c.called, Result: ResultShape{MaxBytes: defaultMaxBytes}, op: c.op, method: a.methodOf(c.op), dialect: schema.Common,
	}
	b := &toolBuilder{application: a, candidate: c, tool: t, confirm: "destructive", sets: a.settingsOf(c)}
	a.recordNames(&t.record, c)
	for _, l := range b.sets {
		b.fields(l)
		t.record.noteAll(l)
	}
	b.settleResult()
	b.annotate()
	b.arguments()
	b.use()
	b.checkName()
	return b
}

// title is the one that a tool has where no layer says another.
func (c *candidate) title() string {
	if c.op.Route != "" && c.op.Name != c.name.Value {
		return generate.Title(c.name.Value) // the operation's would speak of another name
	}
	return c.op.Title
}

// build makes the tool, or withholds it with a finding; nil when it is withheld.
func (b *toolBuilder) build() *Tool {
	t, c := b.tool, b.candidate
	f, at := b.place()
	if err := t.compile(append(b.visible, t.ownArguments()...), b.extra); err != nil {
		b.withhold(c.op.ID, t.Name, err.Error())
		b.find(f, "schema", SeverityError, at, "", "%s is withheld: %v", t.Name, err)
		return nil
	}
	t.Name = b.server.Prefix.Value + t.Name
	return t
}

// checkName reports a name that the server's prefix makes too long.
func (b *toolBuilder) checkName() {
	if whole := b.server.Prefix.Value + b.tool.Name; !toolName.MatchString(whole) {
		f, at := b.place()
		b.fail(f, at, fmt.Sprintf("shorten the name or the prefix, at %s; a proposed name is shortened by naming it below tools: short: { from: %q }", b.server.Prefix.Pos, b.candidate.op.ID),
			"%s has %d characters with the prefix, and a name at most 64", whole, len(whole))
	}
}

// toolBuilder folds the layers of one tool.
type toolBuilder struct {
	*application
	candidate *candidate
	tool      *Tool
	confirm   string
	sets      []layered // everything that sets fields, weakest first
	visible   []generate.Arg
	extra     *schema.Schema
	barred    []string // names that rules hide and the operation does not list
	picks     []placed
	drops     []placed
	renames   []placedRename
	words     *waiting // of presets; nil: it has none, or nothing is locked
	failed    bool
	wrong     []string // what failed, with its place
}

// fields takes the settings that are whole values; a later layer wins.
func (b *toolBuilder) fields(l layered) {
	if l.set.title != nil {
		b.tool.Title = l.set.title.Value
	}
	if l.set.description != nil {
		b.tool.Description = l.set.description.Value
	}
	b.result(l)
	if l.set.dialect != nil {
		b.tool.dialect = schema.Dialect(l.set.dialect.Value)
	}
	if l.set.confirm != nil {
		b.confirm = l.set.confirm.Value
	}
}

// place is where the candidate was last spoken of.
func (b *toolBuilder) place() (*file, Pos) { return b.placeOf(b.candidate) }

// placeOf is where a candidate was written, or what exposed it.
func (a *application) placeOf(c *candidate) (*file, Pos) {
	return a.fileOf(c.name.Pos), c.name.Pos
}

func (b *toolBuilder) fail(f *file, at Pos, hint, format string, args ...any) {
	b.failed = true
	b.wrong = append(b.wrong, at.String()+": "+fmt.Sprintf(format, args...))
	b.find(f, "tool", SeverityError, at, hint, format, args...)
}
