package curate

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"gopkg.in/yaml.v3"

	"toolpress/generate"
	"toolpress/generate/schema"
)

// partArgument asks for a part where the curation gives it no other name.
const partArgument = "part"

// part is the argument that a model asks for a part with.
func (r ResultShape) part() generate.Arg {
	return generate.Arg{Name: r.Parts, Schema: &schema.Schema{
		Types: []string{"integer"}, Minimum: "1", Description: cmp.Or(r.PartsText, "Part of a long answer, from 1."),
	}}
}

// Part is the part that checked arguments of the tool ask for, from 1.
func (t *Tool) Part(arguments json.RawMessage) int {
	if t.Result.Parts == "" {
		return 1
	}
	given, _ := object(arguments) // checked before
	read, err := t.check.Coerce(given)
	if err != nil {
		return 1
	}
	args, _ := read.(map[string]any)
	n, said := args[t.Result.Parts].(json.Number)
	if !said {
		return 1
	}
	part, _ := n.Float64() // 2.0 is 2
	return int(min(part, math.MaxInt32))
}

// Offers is what the model calls an argument of the site, where it may give it
// that number; ok is false where it may not.
func (t *Tool) Offers(wire string, n int) (name string, ok bool) {
	for _, a := range t.op.Args {
		if a.Wire != wire || a.In != generate.InQuery || !t.shows(a.Name) {
			continue
		}
		name = t.modelName(a.Name)
		p := t.schema.Property(name)
		// Whether it takes a number for certain costs more than its bounds.
		return name, p != nil && within(p.Schema, n) && p.Schema.Takes(json.Number(strconv.Itoa(n)))
	}
	return "", false
}

// within reports that a number is not beyond the bounds of a schema that are
// integers.
func within(s *schema.Schema, n int) bool {
	low, errLow := strconv.Atoi(s.Minimum.String())
	high, errHigh := strconv.Atoi(s.Maximum.String())
	return (errLow != nil || n >= low) && (errHigh != nil || n <= high)
}

// PerPage is how many items a page has where a call does not say; 0 where that is
// not known.
func (t *Tool) PerPage() int {
	a := t.op.Arg("per_page")
	if a == nil || !a.Schema.HasDefault {
		return 0
	}
	n, _ := a.Schema.Default.(json.Number)
	per, _ := strconv.Atoi(n.String())
	return per
}

// partsSettings are what a layer says of parts; no argument, and there are none.
type partsSettings struct {
	argument Text
	describe string
}

// parts reads true, which is the usual argument, false, or what it is called and
// how it is described.
func (r *reader) parts(key, n *yaml.Node) *partsSettings {
	s := &partsSettings{argument: Text{Value: partArgument, Pos: r.pos(key)}}
	if r.resolve(n).Kind != yaml.MappingNode {
		if on, ok := r.boolean(n, "parts"); ok && !on {
			s.argument.Value = ""
		}
		return s
	}
	r.mapping(n, "parts", keys{
		"argument": func(_, v *yaml.Node) {
			if t, ok := r.text(v, "argument"); ok {
				s.argument.Value = t.Value
				if !argumentName.MatchString(t.Value) {
					r.fail(v, argumentNameHint, "%q is no name of an argument", short(t.Value))
				}
			}
		},
		"describe": func(_, v *yaml.Node) {
			if t := r.words(v, "describe"); t != nil {
				s.describe = t.Value
			}
		},
	})
	return s
}

// takeParts checks what asks for parts: a write cannot be asked again, and a list
// has pages.
func (b *toolBuilder) takeParts() {
	said := pointed(func(s *settings) *partsSettings { return s.result.parts })
	f, parts, _ := last(b.sets, said)
	at := parts.argument
	t, op := b.tool, b.candidate.op
	if t.Result.Parts == "" {
		return
	}
	if _, _, named := last(b.candidate.sets, said); !named && (!op.Annotations.ReadOnly || op.Arg("per_page") != nil) {
		t.Result.Parts = "" // said of many tools at once, and meant for those it fits
		return
	}
	taken := op.Arg(at.Value) != nil || slices.ContainsFunc(b.visible, func(a generate.Arg) bool { return a.Name == at.Value }) ||
		at.Value == ConfirmationArgument
	switch {
	case !op.Annotations.ReadOnly:
		b.fail(f, at.Pos, "leave it out", "%s may change the site: it cannot be called again for the next part of its answer", t.Name)
	case op.Arg("per_page") != nil:
		b.fail(f, at.Pos, "leave it out", "%s answers with a list, which has pages", t.Name)
	case taken:
		b.fail(f, at.Pos, "write parts: { argument: … } with another name", "%s has an argument %s already", t.Name, at.Value)
	}
}
