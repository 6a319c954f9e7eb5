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
	o := *t.sent()
	o.Name, o.Title, o.Description = t.Name, t.Title, t.Description
	o.Args, o.Extra = t.site(t.op.Args, t.op.Extra, t.schema), t.schema.Additional
	generate.SortArgs(o.Args)
	return &o
}

// site are the members for who sends them himself, of those that the operation
// has; shown is what the model sees.
func (m *members) site(own []generate.Arg, extra, shown *schema.Schema) []generate.Arg {
	seen, unasked := map[string]*schema.Property{}, map[string]any{}
	for _, pair := range m.renamed {
		seen[pair[1]] = shown.Property(pair[0])
	}
	for _, v := range slices.Concat(m.defaults, m.fixed) {
		unasked[v.arg] = v.value
	}
	var args []generate.Arg
	for _, a := range spokenOf(own, extra, seen, unasked) {
		v, sent := unasked[a.Name]
		sent = sent && !unsent(a, v)
		inner := m.inner[a.Name]
		switch p := seen[a.Name]; {
		case p != nil:
			a.Required = p.Required || sent && !takenFor(a.Schema, v) || inner.made()
			a.Schema = inner.siteSchema(a.Schema, p.Schema)
		case sent:
			a.Required, a.Schema = true, fixedTo(a.Schema, v)
		case inner.made():
			a.Required, a.Schema = true, inner.siteSchema(a.Schema, &schema.Schema{Types: []string{"object"}, Closed: true})
		default:
			continue
		}
		args = append(args, a)
	}
	return args
}

// siteSchema is the schema of a value for who sends it himself; own is the
// operation's, shown the model's.
func (m *members) siteSchema(own, shown *schema.Schema) *schema.Schema {
	switch {
	case m == nil:
		return shown
	case m.items != nil:
		list := *shown
		list.Items, list.Default = m.items.siteSchema(own.Items, shown.Items), m.send(shown.Default)
		return &list
	case !shown.Is("object"):
		return shown
	}
	var properties []generate.Arg
	for _, p := range own.Properties {
		properties = append(properties, generate.Arg{Name: p.Name, Wire: p.Wire, Required: p.Required, Schema: p.Schema})
	}
	properties = m.site(properties, own.Additional, shown)
	generate.SortArgs(properties)
	object := *shown
	object.Properties = nil
	for _, a := range properties {
		object.Properties = append(object.Properties, schema.Property{Name: a.Name, Wire: a.Wire, Required: a.Required, Schema: a.Schema})
	}
	switch {
	case m.made():
		object.Default = m.object(nil)
		object.HasDefault = object.Takes(object.Default)
	case object.HasDefault:
		object.Default = m.send(object.Default)
	}
	return &object
}

// spokenOf are an operation's arguments, and those of an open one that a
// curation made.
func spokenOf(own []generate.Arg, extra *schema.Schema, seen map[string]*schema.Property, unasked map[string]any) []generate.Arg {
	args := slices.Clone(own)
	names := slices.AppendSeq(slices.Collect(maps.Keys(seen)), maps.Keys(unasked))
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if !slices.ContainsFunc(own, func(a generate.Arg) bool { return a.Name == name }) {
			args = append(args, generate.Arg{Name: name, Wire: name, In: generate.InInput, Schema: extra})
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
