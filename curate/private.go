package curate

import (
	"slices"

	"gopkg.in/yaml.v3"

	"toolpress/generate"
)

// private is one entry of what never leaves.
type private struct {
	match  selector
	fields []Text
}

func (r *reader) privates(n *yaml.Node) []private {
	var list []private
	for _, item := range r.items(n) {
		var one private
		matched, listed := false, false
		r.mapping(item, "an entry of private", keys{
			"match":  func(_, v *yaml.Node) { one.match, matched = r.selector(v, "match", nil), true },
			"fields": func(_, v *yaml.Node) { one.fields, listed = r.fieldPatterns(v, "fields"), true },
		})
		if !(matched && listed) && r.resolve(item).Kind == yaml.MappingNode {
			r.fail(item, shapes["an entry of private"], "an entry of private needs match and fields")
			continue
		}
		list = append(list, one)
	}
	return list
}

// fieldPatterns reads patterns of places in an answer.
func (r *reader) fieldPatterns(n *yaml.Node, what string) []Text {
	list := r.texts(n, what)
	for _, t := range list {
		if !fieldPattern.MatchString(t.Value) {
			r.add(t.Pos, "names joined by dots, * for one name and ** for any number: billing.**; it goes through lists by itself", "%q is no pattern of fields", short(t.Value))
		}
	}
	return list
}

// privateOf are the patterns of what never leaves of an operation's answers:
// those of all layers. What a deletion answers holds the deleted under another
// name (WP_REST_Posts_Controller::delete_item).
func (a *application) privateOf(o *generate.Operation, into *record) Fields {
	var patterns []string
	for _, f := range a.layers {
		for _, p := range f.private {
			if !p.match.matches(o) {
				continue
			}
			for _, t := range p.fields {
				patterns = append(patterns, t.Value)
				into.note("private."+t.Value, true, t.Pos)
				if o.Method == "DELETE" {
					patterns = append(patterns, "previous."+t.Value)
				}
			}
		}
	}
	return fieldsOf(patterns)
}

// unmatchedPrivate reports entries that speak of nothing the site has: what is
// misspelt hides nothing.
func (a *application) unmatchedPrivate(f *file) {
	for _, p := range f.private {
		if f.preset {
			continue
		}
		a.unknownPrivate(f, p)
		if !slices.ContainsFunc(a.surface.Operations, p.match.matches) {
			a.find(f, "never-matched", SeverityWarning, p.match.pos, a.nearestSelection(p.match), "this is private in nothing the site has")
		}
	}
}
