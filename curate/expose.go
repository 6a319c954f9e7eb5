package curate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"toolpress/generate"
)

// expose makes candidates of what a layer's expose entries choose, under the
// proposed names.
func (a *application) expose(f *file, own bool) {
	for i := range f.expose {
		e := &f.expose[i]
		var tally tally
		for _, o := range a.surface.Operations {
			if !e.matches(o) {
				continue
			}
			tally.matched++
			_, excluded := a.excluded[o.ID]
			switch {
			case excluded:
				tally.excluded++
			case o.AgentOptOut:
				tally.optedOut++
				a.pass("", o.ID, o.Name, "its author marks it as not for agents (mcp.public: false); %s exposes it, and naming it below tools would serve it", e.pos)
			case o.Plumbing != "" && !e.namesRoute(o):
				tally.plumbing = append(tally.plumbing, o)
				a.pass("", o.ID, o.Name, "it is plumbing: %s; %s chooses it, and does not name its route itself", o.Plumbing, e.pos)
			case !o.Annotations.ReadOnly && !e.writes:
				tally.writes++
				a.pass("", o.ID, o.Name, "it writes, and %s does not say writes: true", e.pos)
			default:
				tally.taken++
				a.propose(f, e, o, own)
			}
		}
		if why, hint := tally.nothing(); why != "" && !f.preset {
			if tally.matched == 0 {
				hint = a.nearestSelection(e.selector)
			}
			a.find(f, "exposes-nothing", SeverityWarning, e.pos, hint, "this exposes nothing: %s", why)
		}
	}
}

// tally counts what became of what an entry chooses.
type tally struct {
	matched, excluded, optedOut, writes, taken int
	plumbing                                   []*generate.Operation
}

// nothing says why an entry exposes nothing; empty when it does expose.
func (t tally) nothing() (why, hint string) {
	switch {
	case t.taken > 0:
		return "", ""
	case t.matched == 0:
		return "the site has no operation that it chooses", ""
	case t.writes > 0:
		return "what it chooses writes", "add writes: true to the entry if that is meant"
	case len(t.plumbing) > 0:
		one := t.plumbing[len(t.plumbing)-1]
		return fmt.Sprintf("what it chooses is plumbing (%s: %s)", one.ID, one.Plumbing), fmt.Sprintf("name the routes one by one, such as route: %q, if you want them all the same", one.Route)
	case t.optedOut > 0:
		return "what it chooses is marked as not for agents by its author (mcp.public: false)", "name it below tools if you want it all the same"
	}
	return "all that it chooses is excluded", "remove the entry, or the exclusion"
}

// propose adds an exposed operation. Two proposed names alike: the one that the
// lock knows by the name keeps it; else both are withheld, and the rest is served.
func (a *application) propose(f *file, e *expose, o *generate.Operation, own bool) {
	c, there := a.candidates[o.Name]
	fresh := &candidate{name: Text{o.Name, e.pos}, op: o, from: e.pos, own: own, preset: f.preset, groups: e.groups}
	switch {
	case !there:
		a.candidates[o.Name] = fresh
	case c.op == o:
		c.own, c.preset = c.own || own, c.preset && f.preset
		c.groups = append(slices.Clone(c.groups), e.groups...)
	case c.written:
		a.collide(f, e.pos, o, fmt.Sprintf("%s would be called %s, which is the name written at %s", o.ID, o.Name, c.name.Pos), o)
	case a.keeps(o, c):
		for _, other := range slices.Concat(c.rivals, []*generate.Operation{c.op}) {
			if other != nil {
				a.collide(f, e.pos, other, fmt.Sprintf("%s would be called %s, which the lock has as %s", other.ID, o.Name, o.ID), other)
			}
		}
		a.candidates[o.Name] = fresh
	case c.op != nil && a.keeps(c.op, &candidate{op: o}):
		a.collide(f, e.pos, o, fmt.Sprintf("%s would be called %s, which the lock has as %s", o.ID, o.Name, c.op.ID), o)
	case c.op != nil:
		a.withhold(c.op.ID, o.Name, "two operations would be called "+o.Name)
		a.collide(f, e.pos, o, fmt.Sprintf("%s and %s would both be called %s", c.op.ID, o.ID, o.Name), c.op, o)
		c.op, c.rivals = nil, []*generate.Operation{c.op, o} // holds the name, serves nothing
	case slices.Contains(c.rivals, o): // chosen by another entry too
	default:
		c.rivals = append(c.rivals, o)
		a.collide(f, e.pos, o, fmt.Sprintf("%s would be called %s, like others", o.ID, o.Name), o)
	}
}

// keeps reports that a proposed name is an operation's by the lock, and not that of
// those that hold it.
func (a *application) keeps(o *generate.Operation, held *candidate) bool {
	name := a.server.Prefix.Value + o.Name
	if a.held == nil || !a.held.calls(name, o.ID) {
		return false
	}
	return !slices.ContainsFunc(slices.Concat(held.rivals, []*generate.Operation{held.op}), func(other *generate.Operation) bool { return other != nil && a.held.calls(name, other.ID) })
}

// collide withholds an operation whose name is taken; the hint has the lines
// to paste.
func (a *application) collide(f *file, at Pos, o *generate.Operation, why string, rename ...*generate.Operation) {
	a.withhold(o.ID, o.Name, why)
	if f.preset {
		return
	}
	var hint strings.Builder
	hint.WriteString("name it below tools:")
	for i, one := range rename {
		fmt.Fprintf(&hint, "\n    %s_%d: { from: %q }", one.Name, i+1, one.ID)
	}
	a.find(f, "name-collision", SeverityWarning, at, hint.String(), "%s", why)
}

// prefer leaves out of an endpoint what is only exposed and does what an ability
// of it does. Naming the route below tools keeps both.
func (a *application) prefer(e *endpoint) []made {
	served := map[string]bool{}
	for _, m := range e.made {
		served[m.tool.Operation] = true
	}
	return slices.DeleteFunc(e.made, func(m made) bool {
		c := m.candidate
		if c.written || !served[c.op.SameAs] {
			return false
		}
		a.withhold(c.op.ID, c.name.Value, c.op.SameAs+" is served and does the same")
		a.pass(e.name.Value, c.op.ID, c.name.Value, "%s is served and does the same", c.op.SameAs)
		if f, at := a.placeOf(c); !c.preset {
			a.share(f, at, fmt.Sprintf("%s (%s)", c.op.ID, c.op.SameAs), "overlap",
				fmt.Sprintf("exclude it, or have both by naming it below tools:\n    %s: { from: %q }", c.name.Value, c.op.ID), "left out, since an ability that is served does the same")
		}
		return true
	})
}

// shadow drops what is exposed under a proposed name and named below tools too:
// one operation is one tool, unless several entries name it. What the file itself
// exposes it has under these names, also where a preset wrote them.
func (a *application) shadow() {
	named := map[string][]string{}
	names := slices.Sorted(maps.Keys(a.candidates))
	for _, name := range names {
		if c := a.candidates[name]; c.written {
			named[c.op.ID] = append(named[c.op.ID], name)
		}
	}
	for _, name := range names {
		c := a.candidates[name]
		if c.written || c.op == nil || named[c.op.ID] == nil {
			continue
		}
		for _, other := range named[c.op.ID] {
			a.candidates[other].own = a.candidates[other].own || c.own
		}
		a.pass("", c.op.ID, name, "it is named below tools, as %s%s", a.server.Prefix.Value, strings.Join(named[c.op.ID], ", "+a.server.Prefix.Value))
		delete(a.candidates, name)
	}
}
