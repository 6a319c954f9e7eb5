package curate

import (
	"encoding/json"
	"slices"
	"time"

	"gopkg.in/yaml.v3"

	"toolpress/generate"
	"toolpress/generate/schema"
)

// Idempotency says that a call made twice with one key is made once. WordPress
// knows no such key: it is toolpress's own, and never sent.
type Idempotency struct {
	// Argument is what the model gives the key as; empty: the key is made of the
	// call itself.
	Argument string
	// Window is how long a key is remembered.
	Window time.Duration
}

// key is the argument that a model gives the key as: 1 to 128 visible characters.
// The common dialect would spell bounds of the length out, for every model to read.
func (i *Idempotency) key() generate.Arg {
	return generate.Arg{Name: i.Argument, Required: true, Schema: &schema.Schema{
		Types: []string{"string"}, Pattern: "^[!-~]{1,128}$", Example: "5f0c2a4e-7d1b-4c3a-9e86-1b2d3f4a5c6d",
		Description: "Names this one intent, such as a new UUID. To repeat a call give the same: it is done once. For anything new give a new one.",
	}}
}

// Key is the key that checked arguments of the tool give; empty where it has no
// argument for one.
func (t *Tool) Key(arguments json.RawMessage) string {
	if t.Idempotency == nil || t.Idempotency.Argument == "" {
		return ""
	}
	given, _ := object(arguments) // checked before
	key, _ := given[t.Idempotency.Argument].(string)
	return key
}

func (r *reader) idempotency(s *settings, key, n *yaml.Node) {
	i := &Idempotency{}
	windowed := false
	r.mapping(n, "idempotency", keys{
		"argument": func(_, v *yaml.Node) {
			t, ok := r.text(v, "argument")
			if ok && !argumentName.MatchString(t.Value) {
				r.fail(v, argumentNameHint, "%q is no name of an argument", short(t.Value))
			}
			i.Argument = t.Value
		},
		"window": func(_, v *yaml.Node) {
			windowed = true
			if w := r.span(v, "window", time.Minute, 30*24*time.Hour, "from 1m to 720h"); w != nil {
				i.Window = w.value
			}
		},
	})
	if !windowed && r.resolve(n).Kind == yaml.MappingNode {
		r.fail(n, "write window: 24h", "idempotency has no window: how long a key is remembered")
	}
	s.idempotency, s.idempotencyPos = i, r.pos(key)
}

// takeIdempotency takes what makes a repeated call one. What only reads may be
// repeated as it is, and an answer that is given again would grow old.
func (b *toolBuilder) takeIdempotency() {
	f, i, ok := last(b.sets, pointed(func(s *settings) *Idempotency { return s.idempotency }))
	if !ok {
		return
	}
	t := b.tool
	_, at, _ := last(b.sets, func(s *settings) (Pos, bool) { return s.idempotencyPos, s.idempotency != nil })
	taken := b.candidate.op.Arg(i.Argument) != nil || slices.ContainsFunc(b.visible, func(a generate.Arg) bool { return a.Name == i.Argument })
	switch {
	case b.candidate.op.Annotations.ReadOnly:
		b.fail(f, at, "leave it out", "%s only reads, and may be repeated as it is", t.Name)
	case i.Argument == ConfirmationArgument:
		b.fail(f, at, "call it another name", "%s is the argument that two_step takes its code in", i.Argument)
	case i.Argument != "" && taken:
		b.fail(f, at, "call it another name", "%s has an argument %s already", t.Name, i.Argument)
	}
	t.Idempotency = &i
}
