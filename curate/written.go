package curate

import (
	"cmp"
	"slices"
	"strings"

	"toolpress/generate"
	"toolpress/generate/schema"
)

// Holds reports that an answer may have a property which is also what a call
// sends, and whether every answer has it: of anything else an answer does not say
// what became of it (a password, force, set_paid).
func (t *Tool) Holds(property string) (may, always bool) {
	always, may = t.op.Object.Holds[property]
	return may, always
}

// Whole reports that an answer has most of the properties that every answer has.
func (t *Tool) Whole(has func(property string) bool) bool {
	all, there := 0, 0
	for name, always := range t.op.Object.Holds {
		if always {
			all++
			if has(name) {
				there++
			}
		}
	}
	return 2*there > all
}

// EditsBlocks reports that the tool changes a text that may be stored as blocks:
// the content of one post.
func (t *Tool) EditsBlocks() bool {
	return t.op.Object.Blocks && t.op.IsItem() && t.op.Method == "POST"
}

// ReadsSource reports that the tool gives such a text as it is stored, and whether
// it does so by itself: else the model has to give its context.
func (t *Tool) ReadsSource() (reads, itself bool) {
	const source = "content.raw"
	picked := t.Gives(source) || t.Gives("content") && !t.Result.Private.covers(source) && !t.Result.Drop.covers(source)
	edits := func(v fixedValue) bool { return v.arg == "context" && v.value == "edit" }
	itself = slices.ContainsFunc(slices.Concat(t.fixed, t.defaults), edits)
	return t.op.Object.Blocks && t.op.IsItem() && t.op.Method == "GET" && (itself || t.shows("context")) && picked, itself
}

// Gives reports that a result has what the site answers at a path, as it is.
func (t *Tool) Gives(path string) bool {
	how := t.Result
	return (len(how.Pick) == 0 || how.Raw || slices.Contains(how.Pick, path)) && !how.Private.covers(path) && !how.Drop.covers(path)
}

// SentName is what the model calls what the site has at a path of a call: text for
// content.raw. given is false where the tool sends it by itself: then the name is
// the site's, and the value is not shown.
func (t *Tool) SentName(path ...string) (name string, given bool) {
	at := slices.IndexFunc(t.op.Args, func(a generate.Arg) bool { return a.Wire == path[0] && a.In != generate.InPath })
	if at < 0 {
		return strings.Join(path, "."), true // an open object's own
	}
	a := t.op.Args[at]
	if a.Raw && len(path) > 1 && path[1] == "raw" {
		path = append([]string{path[0]}, path[2:]...)
	}
	in, s := &t.members, &schema.Schema{Properties: []schema.Property{{Name: a.Name, Wire: a.Wire, Schema: a.Schema}}}
	var names []string
	for _, wire := range path {
		own := wire
		var below *schema.Schema
		if s != nil {
			if i := slices.IndexFunc(s.Properties, func(p schema.Property) bool { return cmp.Or(p.Wire, p.Name) == wire }); i >= 0 {
				own, below = s.Properties[i].Name, s.Properties[i].Schema
			}
		}
		shown, ok := in.shown(own)
		if !ok {
			return strings.Join(path, "."), false
		}
		names = append(names, shown)
		if s = below; in != nil {
			in = in.inner[own]
		}
	}
	return strings.Join(names, "."), true
}

// shown is the model's name of a member; false where it is not the model's to give.
func (m *members) shown(name string) (string, bool) {
	if m == nil {
		return name, true
	}
	for _, pair := range m.renamed {
		if pair[1] == name {
			return pair[0], true
		}
	}
	return name, !slices.Contains(m.reserved, name)
}
