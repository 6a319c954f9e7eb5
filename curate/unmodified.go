package curate

import (
	"gopkg.in/yaml.v3"

	"toolpress/generate"
	"toolpress/generate/schema"
)

// Unmodified says that a change is made only where what is changed is still as the
// model read it, by the time of its last change. WordPress's REST API has no such
// condition (RFC 9110, section 13.1.4, If-Unmodified-Since): it is toolpress's own,
// looked at before the call and never sent.
type Unmodified struct {
	// Argument is what the model gives the time as.
	Argument string
	// Required says that no call goes without it.
	Required bool
	// Field is the property of the site's answers that has the time, in UTC.
	Field string
}

// argument is what a model gives the time as: as an answer has it, in UTC.
func (u *Unmodified) argument() generate.Arg {
	return generate.Arg{Name: u.Argument, Required: u.Required, Schema: &schema.Schema{
		Types: []string{"string"}, Pattern: `^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}Z?$`, Example: "2026-01-31T09:30:00",
		Description: "The " + u.Field + " that you read with what is changed here. If somebody has changed it since, nothing is sent.",
	}}
}

// ReadAt is the time that checked arguments of the tool say it was read at; empty
// where they say none.
func (t *Tool) ReadAt(arguments []byte) string {
	if t.Unmodified == nil {
		return ""
	}
	given, _ := object(arguments) // checked before
	at, _ := given[t.Unmodified.Argument].(string)
	return at
}

func (r *reader) unmodified(s *settings, key, n *yaml.Node) {
	u := &Unmodified{Required: true}
	r.mapping(n, "if_unmodified", keys{
		"argument": func(_, v *yaml.Node) { u.Argument = r.argumentName(v) },
		"required": func(_, v *yaml.Node) {
			if required, ok := r.boolean(v, "required"); ok {
				u.Required = required
			}
		},
	})
	if u.Argument == "" && r.resolve(n).Kind == yaml.MappingNode {
		r.fail(n, "write argument: modified_gmt", "if_unmodified has no argument: what the model gives the time as")
	}
	s.unmodified, s.unmodifiedPos = u, r.pos(key)
}

// takeUnmodified takes the condition of a change: only what is changed by its path,
// and whose answers say when it was, has one.
func (b *toolBuilder) takeUnmodified() {
	f, u, ok := last(b.sets, pointed(func(s *settings) *Unmodified { return s.unmodified }))
	if !ok {
		return
	}
	op := b.candidate.op
	_, at, _ := last(b.sets, func(s *settings) (Pos, bool) { return s.unmodifiedPos, s.unmodified != nil })
	switch u.Field = op.Object.Modified; {
	case op.Annotations.ReadOnly:
		b.fail(f, at, "leave it out", "%s only reads", b.tool.Name)
	case !op.IsItem() || u.Field == "":
		b.fail(f, at, "leave it out", "nothing says when what %s changes was changed last: its route has no item with modified_gmt", b.tool.Name)
	default:
		b.ownArgument(f, at, u.Argument)
	}
	b.tool.Unmodified = &u
}
