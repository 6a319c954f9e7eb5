package curate

import (
	"cmp"
	"slices"

	"toolpress/generate"
)

// checkFields reports what an entry says of fields that the schema of its route
// does not name: what is misspelt is never there, and nothing else says so. A rule's
// is left alone: it speaks of many operations.
func (b *toolBuilder) checkFields() {
	said := slices.Concat(b.picks, b.drops)
	for _, r := range b.renames {
		said = append(said, r.placed)
	}
	for _, p := range said {
		if !p.entry || p.file.preset {
			continue
		}
		if known, unnamed := b.candidate.op.Unnamed(p.path); unnamed {
			b.find(p.file, "unknown-field", SeverityWarning, p.pos, nearestField(p.path, known), "the schema of %s names no field %s", b.candidate.op.ID, p.path)
		}
	}
}

// named are the paths that the schema of the route names, or may.
func (b *toolBuilder) named(paths []string) []string {
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool {
		_, unnamed := b.candidate.op.Unnamed(p)
		return unnamed
	})
}

// unknownPrivate reports what an entry of private names and none of the operations
// that it matches does, where the fields of all of them are known: what is misspelt
// hides nothing.
func (a *application) unknownPrivate(f *file, p private) {
	var matched []*generate.Operation
	for _, o := range a.surface.Operations {
		if p.match.matches(o) {
			matched = append(matched, o)
		}
	}
	for _, t := range p.fields {
		var all []string
		named := len(matched) == 0
		for _, o := range matched {
			known, unnamed := o.Unnamed(t.Value)
			named = named || !unnamed
			all = append(all, known...)
		}
		if !named {
			slices.Sort(all)
			a.find(f, "unknown-field", SeverityWarning, t.Pos, nearestField(t.Value, slices.Compact(all)), "%s is private, and no schema of what the entry matches names it: it hides nothing that is known", t.Value)
		}
	}
}

// nearestField is the hint for a field that is not known.
func nearestField(path string, known []string) string {
	return cmp.Or(didYouMean(path, known), "the schema names "+some(known)+"; what a plugin adds without a schema is accepted below allow")
}
