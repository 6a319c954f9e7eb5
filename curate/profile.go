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
		b := a.fold(c)
		if reason := a.unserved(b, asked); reason != "" {
			a.withhold(c.op.ID, name, reason)
		} else if t := b.build(); t != nil {
			p.Tools = append(p.Tools, t)
		}
	}
	p.Tools = a.prefer(p.Tools)
	a.checkGroups(asked, from, p)
	p.Instructions = a.instructions()
	slices.SortFunc(a.withheld, func(x, y Withheld) int {
		return cmp.Or(cmp.Compare(x.Operation, y.Operation), cmp.Compare(x.Tool, y.Tool))
	})
	return &Catalog{Site: a.surface.Site, Profiles: map[string]*Profile{p.Name: p}, Withheld: a.withheld}
}

// unserved says why a candidate that was folded is not served; empty when it
// may be.
func (a *application) unserved(b *toolBuilder, asked *profile) string {
	c := b.candidate
	f, at := a.placeOf(c)
	groups := a.groupsOf(c)
	switch {
	case b.failed:
		return "what is set on it has errors"
	case asked == nil && !c.own && !c.op.Annotations.ReadOnly:
		return "a preset's writes wait for a profile"
	case asked != nil && len(asked.groups) > 0 && !slices.ContainsFunc(asked.groups, func(g Text) bool { return slices.Contains(groups, g.Value) }):
		if c.own {
			a.share(f, at, c.name.Value, "not-in-profile", "add one of its groups, such as groups: ["+asked.groups[0].Value+"]", "in no group that the profile default serves")
		}
		return "it is in no group of the profile"
	case a.may[c.op.ID] == discover.Denied:
		if !c.preset {
			a.share(f, at, c.name.Value, "not-permitted", "give toolpress a user who may, or leave the tool out", NotPermitted)
		}
		return NotPermitted
	}
	return ""
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
	reported := map[Pos]bool{}
	if asked != nil {
		a.emptyGroups(asked, from, reported)
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
			if !described[g.Value] && !reported[g.Pos] {
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
func (a *application) emptyGroups(asked *profile, from *file, reported map[Pos]bool) {
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
			reported[g.Pos] = true
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

// instructions describe the site and the groups to the model; of two
// descriptions of a group the later layer's is taken.
func (a *application) instructions() string {
	texts := map[string]string{}
	for _, f := range a.layers {
		for _, g := range f.groups {
			if g.describe != "" {
				texts[g.name.Value] = strings.TrimSuffix(g.describe, ".")
			}
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Tools of the WordPress site %s.", a.surface.Site)
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		fmt.Fprintf(&b, " %s: %s.", name, texts[name])
	}
	return b.String()
}
