package curate

import (
	"maps"
	"slices"
)

// members say how the values of one object reach the site: those that the model
// gives, under the names it was given, and those that are sent without being
// asked for. A tool's arguments are such an object, and so is every object below
// them of which a curation names a part. Of a list only items is set.
type members struct {
	// renamed pairs the model's name of each visible member with the
	// operation's; fixed and defaults are values by the operation's name.
	renamed         [][2]string
	fixed, defaults []fixedValue
	// reserved are the operation's names that the model does not see: what is
	// hidden, fixed or renamed cannot be sent under them.
	reserved []string
	// inner are what is below members, by the operation's names.
	inner map[string]*members
	items *members
}

// fixedValue is a value that is sent without being asked for.
type fixedValue struct {
	arg   string
	value any
}

// send gives a value of the model the operation's names, and what is sent
// without being asked for; nil members change nothing. v is not changed.
func (m *members) send(v any) any {
	if m == nil {
		return v
	}
	switch v := v.(type) {
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = m.items.send(v[i])
		}
		return list
	case map[string]any:
		return m.object(v)
	}
	return v
}

func (m *members) object(given map[string]any) map[string]any {
	sent, others := map[string]any{}, maps.Clone(given)
	for _, d := range m.defaults {
		sent[d.arg] = d.value
	}
	for _, pair := range m.renamed {
		if v, there := given[pair[0]]; there {
			sent[pair[1]] = m.inner[pair[1]].send(v)
			delete(others, pair[0])
		}
	}
	for name, v := range others { // only what is open has any
		if !slices.Contains(m.reserved, name) {
			sent[name] = v
		}
	}
	for _, f := range m.fixed {
		sent[f.arg] = f.value
	}
	for name, in := range m.inner {
		if _, there := sent[name]; !there && in.made() {
			sent[name] = in.object(nil)
		}
	}
	return sent
}

// made reports an object that is sent where the model gives none: something in
// it is fixed. What is fixed in the items of a list goes into those there are.
func (m *members) made() bool {
	if m == nil {
		return false
	}
	for _, in := range m.inner {
		if in.made() {
			return true
		}
	}
	return len(m.fixed) > 0
}
