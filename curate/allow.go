package curate

import (
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// allowance accepts findings: those of its id whose message, or the line they
// are on, holds match.
type allowance struct {
	id, match Text
	why       string
	pos       Pos
}

func (r *reader) allowances(n *yaml.Node) []allowance {
	const hint = `an entry is { id: overlap, match: "GET /acme/v1/things", why: both are wanted }`
	var list []allowance
	for _, item := range r.items(n) {
		one := allowance{pos: r.pos(item)}
		before := len(r.findings)
		r.mapping(item, "an entry of allow", keys{
			"id":    func(_, v *yaml.Node) { one.id = r.said(v, "id", hint) },
			"match": func(_, v *yaml.Node) { one.match = r.said(v, "match", hint) },
			"why":   func(_, v *yaml.Node) { one.why = r.said(v, "why", hint).Value },
		})
		if len(r.findings) == before && (one.id.Value == "" || one.match.Value == "" || one.why == "") {
			r.fail(item, hint, "an entry of allow says id, match and why")
		}
		list = append(list, one)
	}
	return list
}

// said reads a text that may not be empty.
func (r *reader) said(n *yaml.Node, what, hint string) Text {
	t, ok := r.text(n, what)
	if t.Value = strings.TrimSpace(t.Value); ok && t.Value == "" {
		r.fail(n, hint, "%s is empty", what)
	}
	return t
}

// accept marks the findings that the layers allow, each with its reason. What
// allows nothing is a finding itself: it would hide a later one.
func (a *application) accept() {
	found := len(a.findings)
	var ids []string
	for _, f := range a.findings {
		ids = append(ids, f.ID)
	}
	for _, f := range a.layers {
		for _, one := range f.allow {
			used := false
			for i := range a.findings[:found] {
				if at := &a.findings[i]; at.ID == one.id.Value && (strings.Contains(at.Message, one.match.Value) || strings.Contains(at.Source, one.match.Value)) {
					at.Allowed, used = one.why, true
				}
			}
			if !used && !f.preset && (a.reviews || !isReview(one.id.Value)) {
				hint := "remove the entry"
				if !slices.Contains(ids, one.id.Value) && nearest(one.id.Value, ids) != "" {
					hint = didYouMean(one.id.Value, ids)
				}
				a.find(f, "never-matched", SeverityWarning, one.pos, hint, "this allows nothing that was found")
			}
		}
	}
}
