package curate

import (
	"maps"
	"slices"
)

// replace gives a tool of an earlier layer another name. It keeps everything
// else, and can be called by the old name.
func (a *application) replace(f *file, e *entry, own bool) {
	old := a.candidates[e.replaces.Value]
	if taken := a.candidates[e.name.Value]; taken != nil {
		a.find(f, "name-collision", SeverityError, e.name.Pos, "call it another name, or drop the other in an earlier layer", "%q is a tool already, at %s", e.name.Value, taken.name.Pos)
		return
	}
	if old == nil || old.op == nil {
		if !f.preset && !e.optional {
			a.find(f, "never-matched", SeverityError, e.replaces.Pos, didYouMean(e.replaces.Value, slices.Sorted(maps.Keys(a.candidates))), "there is no tool %q to replace", e.replaces.Value)
		}
		return
	}
	delete(a.candidates, e.replaces.Value)
	next := *old
	next.name, next.written, next.own, next.preset = e.name, true, old.own || own, old.preset && f.preset
	next.sets = append(slices.Clone(old.sets), layered{f, &e.set})
	next.former = append(slices.Clone(old.former), Text{Value: e.replaces.Value, Pos: e.replaces.Pos})
	next.alias(e)
	a.candidates[e.name.Value] = &next
}

// alias takes the old names that an entry lists; they replace an earlier
// layer's.
func (c *candidate) alias(e *entry) {
	if e.aliases != nil {
		c.aliases = e.aliases
	}
}

// formerly is the tool that a replaced name means now; empty for none.
func (a *application) formerly(name string) string {
	for _, now := range slices.Sorted(maps.Keys(a.candidates)) {
		if slices.ContainsFunc(a.candidates[now].former, func(t Text) bool { return t.Value == name }) {
			return now
		}
	}
	return ""
}

// settleAliases decides which old names reach which tool. A name that is
// another tool's, or an alias of one before it, is an error and reaches nothing.
func (a *application) settleAliases() {
	taken := map[string]string{}
	for name, c := range a.candidates {
		if c.op != nil {
			taken[a.server.Prefix.Value+name] = name
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a.candidates)) {
		c := a.candidates[name]
		for _, alias := range slices.Concat(c.former, c.aliases) {
			switch other := taken[alias.Value]; other {
			case "":
				taken[alias.Value] = name
				c.called = append(c.called, alias.Value)
			case name:
			default:
				a.find(a.fileOf(alias.Pos), "name-collision", SeverityError, alias.Pos, "leave it out of one of them", "the alias %q of %s would reach %s", alias.Value, name, other)
			}
		}
		slices.Sort(c.called)
	}
}

// fileOf is the layer that a place is in.
func (a *application) fileOf(at Pos) *file {
	for _, f := range a.layers {
		if f.reader.name == at.File {
			return f
		}
	}
	return a.layers[len(a.layers)-1]
}
