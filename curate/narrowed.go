package curate

import (
	"bytes"
	"maps"
	"slices"

	"toolpress/generate"
	"toolpress/generate/schema"
)

// Operations are the profile's tools as [generate.CuratedOpenAPI] takes them.
func (p *Profile) Operations() []*generate.Operation {
	var all []*generate.Operation
	for _, t := range p.Tools {
		all = append(all, t.Narrowed())
	}
	return all
}

// Narrowed is the tool's operation for a client that calls the site itself: the
// tool's name and words, and the arguments the model sees, as narrow, by the
// names of the site. What the tool sends without being asked such a client has
// to send: an argument whose value is fixed is required and takes that value
// only, and one whose default is not the site's own is required. What is hidden
// is not there.
func (t *Tool) Narrowed() *generate.Operation {
	o := *t.op
	o.Name, o.Title, o.Description = t.Name, t.Title, t.Description
	o.Args, o.Extra = nil, t.schema.Additional
	shown, unasked := map[string]*schema.Property{}, map[string]any{}
	for _, pair := range t.renamed {
		shown[pair[1]] = t.schema.Property(pair[0])
	}
	for _, v := range slices.Concat(t.defaults, t.fixed) {
		unasked[v.arg] = v.value
	}
	for _, a := range t.spokenOf(shown, unasked) {
		v, sent := unasked[a.Name]
		sent = sent && !unsent(a, v)
		switch p := shown[a.Name]; {
		case p != nil:
			a.Required = p.Required || sent && !takenFor(a.Schema, v)
			a.Schema = p.Schema
		case sent:
			a.Required, a.Schema = true, fixedTo(a.Schema, v)
		default:
			continue
		}
		o.Args = append(o.Args, a)
	}
	generate.SortArgs(o.Args)
	return &o
}

// spokenOf are the operation's arguments, and those of an open ability that a
// curation made.
func (t *Tool) spokenOf(shown map[string]*schema.Property, unasked map[string]any) []generate.Arg {
	args := slices.Clone(t.op.Args)
	names := slices.AppendSeq(slices.Collect(maps.Keys(shown)), maps.Keys(unasked))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if t.op.Arg(name) == nil {
			args = append(args, generate.Arg{Name: name, Wire: name, In: generate.InInput, Schema: t.op.Extra})
		}
	}
	return args
}

// fixedTo is a schema that takes one value. An object's is told of each of its
// members: few programs that write clients read an enum of objects.
func fixedTo(s *schema.Schema, v any) *schema.Schema {
	c := s.Clone()
	if object, is := v.(map[string]any); is {
		c = &schema.Schema{Types: []string{"object"}, Title: s.Title, Description: s.Description, Closed: true}
		for _, name := range slices.Sorted(maps.Keys(object)) {
			c.Properties = append(c.Properties, schema.Property{Name: name, Required: true, Schema: fixedTo(member(s, name, object[name]), object[name])})
		}
	} else {
		c.Enum = []any{v}
	}
	c.Default, c.HasDefault = v, true
	return c
}

// member is the schema of an object's member, as far as the object's names it.
func member(s *schema.Schema, name string, v any) *schema.Schema {
	if p := s.Property(name); p != nil {
		return p.Schema
	}
	for _, variant := range s.AnyOf {
		if p := variant.Property(name); p != nil && p.Schema.Takes(v) {
			return p.Schema
		}
	}
	return &schema.Schema{}
}

// unsent reports a value that goes in a query as nothing at all.
func unsent(a generate.Arg, v any) bool {
	list, isList := v.([]any)
	object, isObject := v.(map[string]any)
	return a.In == generate.InQuery && (isList && len(list) == 0 || isObject && len(object) == 0)
}

// takenFor reports that the site takes the absence of a value for v.
func takenFor(s *schema.Schema, v any) bool {
	own, err := schema.Encode(s.Default)
	given, errGiven := schema.Encode(v)
	return s.HasDefault && err == nil && errGiven == nil && bytes.Equal(own, given)
}
