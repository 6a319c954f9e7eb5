package curate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"toolpress/discover"
)

// catalog builds the candidates and gathers them into the profile.
func (a *application) catalog() *Catalog {
	p := &Profile{Name: DefaultProfile}
	asked, from := a.profiles()
	for _, name := range slices.Sorted(maps.Keys(a.candidates)) {
		c := a.candidates[name]
		if c.op == nil {
			continue
		}
		groups := a.groupsOf(c)
		if asked == nil && !c.own && !c.op.Annotations.ReadOnly {
			a.withhold(c.op.ID, name, "a preset's writes wait for a profile")
			continue
		}
		if asked != nil && len(asked.groups) > 0 && !slices.ContainsFunc(asked.groups, func(g Text) bool { return slices.Contains(groups, g.Value) }) {
			a.withhold(c.op.ID, name, "it is in no group of the profile")
			if f, at := a.placeOf(c); c.own {
				a.share(f, at, name, "not-in-profile", "add one of its groups, such as groups: ["+asked.groups[0].Value+"]", "in no group that the profile default serves")
			}
			continue
		}
		if a.may[c.op.ID] == discover.Denied {
			a.withhold(c.op.ID, name, NotPermitted)
			if f, at := a.placeOf(c); !c.preset {
				a.share(f, at, name, "not-permitted", "give toolpress a user who may, or leave the tool out", NotPermitted)
			}
			continue
		}
		if t := a.build(c); t != nil {
			p.Tools = append(p.Tools, t)
		}
	}
	a.checkGroups(asked, from, p)
	p.Instructions = a.instructions()
	slices.SortFunc(a.withheld, func(x, y Withheld) int {
		return cmp.Or(cmp.Compare(x.Operation, y.Operation), cmp.Compare(x.Tool, y.Tool))
	})
	return &Catalog{Site: a.surface.Site, Profiles: map[string]*Profile{p.Name: p}, Withheld: a.withheld}
}

// profiles returns the profile of the last layer that writes any; nil when
// none does.
func (a *application) profiles() (*profile, *file) {
	for _, f := range slices.Backward(a.layers) {
		if f.profiles != nil {
			return &f.profiles.def, f
		}
	}
	return nil, nil
}

// groupsOf are a candidate's groups: the expose entry's, the rules', its own.
func (a *application) groupsOf(c *candidate) []string {
	groups := c.groups
	for _, l := range a.settingsOf(c) {
		if l.set.groups != nil {
			groups = l.set.groups
		}
	}
	var names []string
	for _, g := range groups {
		names = append(names, g.Value)
	}
	return names
}

// settingsOf are everything that sets fields of a candidate, weakest first.
func (a *application) settingsOf(c *candidate) []layered {
	var all []layered
	for _, f := range a.layers {
		all = append(all, layered{f, &f.defaults})
	}
	for _, f := range a.layers {
		for i := range f.rules {
			if f.rules[i].match.matches(c.op) {
				all = append(all, layered{f, &f.rules[i].set})
			}
		}
	}
	return append(all, c.sets...)
}

// checkGroups reports groups nobody describes, profiles that serve nothing and
// budgets that are passed.
func (a *application) checkGroups(asked *profile, from *file, p *Profile) {
	if asked != nil {
		a.emptyGroups(asked, from)
	}
	described := map[string]bool{}
	for _, f := range a.layers {
		for _, g := range f.groups {
			described[g.name.Value] = true
		}
	}
	known := slices.Sorted(maps.Keys(described))
	for _, f := range a.layers {
		if f.preset || len(known) == 0 {
			continue
		}
		for _, g := range f.groupNames() {
			if !described[g.Value] {
				a.find(f, "unknown-group", SeverityWarning, g.Pos, didYouMean(g.Value, known), "the group %q is described nowhere below groups", g.Value)
			}
		}
	}
	outer := a.layers[len(a.layers)-1]
	if len(p.Tools) == 0 {
		at := Pos{File: outer.reader.name}
		a.find(outer, "no-tools", SeverityWarning, at, "expose something, or name a tool below tools", "nothing is served: no tool is left")
	}
	if asked == nil {
		return
	}
	if most := asked.maxTools; most != nil && len(p.Tools) > most.value {
		a.find(from, "over-budget", SeverityWarning, most.pos, "", "the profile serves %d tools, %d more than its max_tools", len(p.Tools), len(p.Tools)-most.value)
	}
	if most := asked.maxTokens; most != nil && p.Tokens() > most.value {
		a.find(from, "over-budget", SeverityWarning, most.pos, "", "the profile's tools take about %d tokens, more than its max_tokens", p.Tokens())
	}
}

// emptyGroups reports groups of the profile that no tool is in.
func (a *application) emptyGroups(asked *profile, from *file) {
	used := map[string]bool{}
	for _, c := range a.candidates {
		if c.op != nil {
			for _, g := range a.groupsOf(c) {
				used[g] = true
			}
		}
	}
	for _, g := range asked.groups {
		if !used[g.Value] && !from.preset {
			a.find(from, "empty-group", SeverityWarning, g.Pos, didYouMean(g.Value, slices.Sorted(maps.Keys(used))), "no tool is in the group %q", g.Value)
		}
	}
}

// groupNames are all groups a file speaks of.
func (f *file) groupNames() []Text {
	var names []Text
	for _, e := range f.expose {
		names = append(names, e.groups...)
	}
	for _, r := range f.rules {
		names = append(names, r.set.groups...)
	}
	for _, e := range f.tools {
		names = append(names, e.set.groups...)
	}
	if f.profiles != nil {
		names = append(names, f.profiles.def.groups...)
	}
	return names
}

// instructions describe the site and the groups to the model.
func (a *application) instructions() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Tools of the WordPress site %s.", a.surface.Site)
	for _, f := range a.layers {
		for _, g := range f.groups {
			if g.describe != "" {
				fmt.Fprintf(&b, " %s: %s.", g.name.Value, strings.TrimSuffix(g.describe, "."))
			}
		}
	}
	return b.String()
}
