package curate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// endpoint is a profile and what it serves so far.
type endpoint struct {
	profile
	file *file // nil where no layer writes a profile
	made []made
	// spoken are its entries that speak of a tool of its groups.
	spoken map[*entry]bool
	// denied are the operations it would call, if its account could.
	denied []string
	// unapproved are what it would serve, if it were approved.
	unapproved []Withheld
}

// made is a tool and what it was made of.
type made struct {
	candidate *candidate
	tool      *Tool
}

// catalog builds the candidates and gathers them into the profiles.
func (a *application) catalog() *Catalog {
	endpoints := a.endpoints()
	for _, name := range slices.Sorted(maps.Keys(a.candidates)) {
		if c := a.candidates[name]; c.op != nil {
			a.serve(a.fold(c), endpoints)
		}
	}
	catalog := &Catalog{Site: a.surface.Site, prefix: a.server.Prefix.Value, Profiles: map[string]*Profile{}}
	for _, e := range endpoints {
		e.made = a.prefer(e)
		p := e.served()
		p.Instructions = a.instructions(e)
		catalog.Profiles[p.Name] = p
	}
	a.checkGroups(endpoints)
	a.checkProfiles(endpoints, catalog.Profiles)
	if a.reviews {
		a.review(endpoints)
	}
	slices.SortFunc(a.withheld, func(x, y Withheld) int {
		return cmp.Or(cmp.Compare(x.Operation, y.Operation), cmp.Compare(x.Tool, y.Tool))
	})
	// What one profile leaves out for an ability, another may serve.
	catalog.Withheld = slices.DeleteFunc(slices.Compact(a.withheld), catalog.serves)
	catalog.passed, catalog.waits = a.passedOver(), a.waits
	return catalog
}

// endpoints are the profiles of the last layer that writes any; where none
// does, one of all that the file itself speaks of.
func (a *application) endpoints() []*endpoint {
	f := writesProfiles(a.layers)
	if f == nil {
		return []*endpoint{{profile: profile{name: Text{Value: DefaultProfile}}}}
	}
	var all []*endpoint
	for _, p := range f.profiles.list {
		all = append(all, &endpoint{profile: p, file: f, spoken: map[*entry]bool{}})
	}
	return all
}

// Profiles are the endpoints the curation asks for, in the order they are
// written, without their tools: those only a site can tell.
func (c *Curation) Profiles() []*Profile {
	var all []*Profile
	for _, e := range (&application{layers: c.layers}).endpoints() {
		all = append(all, e.served())
	}
	return all
}

// writesProfiles is the last layer that writes any; nil where none does.
func writesProfiles(layers []*file) *file {
	for _, f := range slices.Backward(layers) {
		if f.profiles != nil {
			return f
		}
	}
	return nil
}

// served is the endpoint's profile as the catalog has it.
func (e *endpoint) served() *Profile {
	p := &Profile{Name: e.name.Value, TokenEnv: e.tokenEnv, TokenFile: e.tokenFile, Auth: e.auth, NotPermitted: e.denied, NotApproved: e.unapproved}
	if e.maxTools != nil {
		p.MaxTools = e.maxTools.value
	}
	if e.maxTokens != nil {
		p.MaxTokens = e.maxTokens.value
	}
	for _, s := range e.requireScopes {
		p.RequireScopes = append(p.RequireScopes, s.Value)
	}
	for _, m := range e.made {
		p.Tools = append(p.Tools, m.tool)
	}
	return p
}

// serve gives a candidate that was folded to the endpoints it belongs to, or
// withholds it.
func (a *application) serve(b *toolBuilder, endpoints []*endpoint) {
	c := b.candidate
	in, reason := a.within(b, endpoints)
	switch {
	case b.failed:
		reason = "what is set on it has errors"
		for _, wrong := range b.wrong {
			a.pass("", c.op.ID, c.name.Value, "%s", wrong)
		}
	case len(in) == 0:
		a.outside(c, endpoints)
	default:
		if in, reason = a.permitted(c, in, endpoints); reason == "" {
			reason = a.locked(b, in)
		}
	}
	if reason != "" {
		a.withhold(c.op.ID, c.name.Value, reason)
		return
	}
	t := b.build()
	if t == nil {
		return
	}
	for _, e := range in {
		if mine := a.narrowed(b, e); mine != nil {
			e.made = append(e.made, made{c, mine})
		}
	}
}

// narrowed is the tool as an endpoint serves it: as it was built where the
// endpoint says nothing of it, else with what it says; nil when that has errors.
func (a *application) narrowed(base *toolBuilder, e *endpoint) *Tool {
	mine := e.entry(base.candidate.name.Value)
	if mine == nil {
		return base.tool
	}
	c := *base.candidate
	c.sets = append(slices.Clone(c.sets), layered{e.file, &mine.set})
	c.preset = c.preset && e.file.preset
	b := a.fold(&c)
	b.tool.record.held, b.tool.record.new = base.tool.record.held, base.tool.record.new
	if !b.failed {
		b.compareWith(base, mine)
	}
	if b.failed {
		a.withhold(c.op.ID, c.name.Value, "what the profile "+e.name.Value+" sets on it has errors")
		for _, wrong := range b.wrong {
			a.pass(e.name.Value, c.op.ID, c.name.Value, "%s", wrong)
		}
		return nil
	}
	t := b.build()
	if t == nil {
		a.pass(e.name.Value, c.op.ID, c.name.Value, "with what the profile sets at %s, %s", mine.name.Pos, a.withheld[len(a.withheld)-1].Reason)
	}
	return t
}

// readGroup is the group of what a preset serves where no layer writes a profile:
// the others hold writes, and what reads drafts for them.
const readGroup = "read"

// within are the endpoints that a candidate belongs to; the reason is why it
// belongs to no other.
func (a *application) within(b *toolBuilder, endpoints []*endpoint) (in []*endpoint, reason string) {
	c := b.candidate
	groups := a.groupsOf(c)
	reads := c.op.Annotations.ReadOnly && b.tool.Annotations.ReadOnly
	for _, e := range endpoints {
		mine, outside := e.entry(c.name.Value), ""
		switch {
		case e.file == nil && !c.own && (!reads || c.preset && !slices.Contains(groups, readGroup)):
			outside = "a preset's writes, and the reading that goes with them, wait for a profile"
		case !e.takes(groups):
			outside = "it is in no group of the profile"
		case e.readOnly && !reads:
			outside = "the profile " + e.name.Value + " only reads"
		case mine != nil && mine.drop:
			outside = "the profile " + e.name.Value + " leaves it out, at " + mine.name.Pos.String()
			e.spoken[mine] = true
		default:
			in = append(in, e)
			if mine != nil {
				e.spoken[mine] = true
			}
		}
		if outside != "" {
			reason = outside
			if !e.takes(groups) {
				outside = fmt.Sprintf("it is in no group of the profile: its own are [%s], and the profile takes [%s]", strings.Join(groups, ", "), strings.Join(textsOf(e.groups), ", "))
			}
			a.pass(e.name.Value, c.op.ID, c.name.Value, "%s", outside)
		}
	}
	return in, reason
}

// takes reports that the endpoint serves one of the groups.
func (e *endpoint) takes(groups []string) bool {
	return len(e.groups) == 0 || slices.ContainsFunc(e.groups, func(g Text) bool { return slices.Contains(groups, g.Value) })
}

// outside reports a candidate of the file itself that no endpoint takes.
func (a *application) outside(c *candidate, endpoints []*endpoint) {
	f, at := a.placeOf(c)
	groups, where := a.groupsOf(c), "a profile"
	effect := "change something"
	if c.op.Annotations.Destructive {
		effect = "destroy or overwrite something"
	}
	if len(endpoints) == 1 {
		where = "the profile " + endpoints[0].name.Value
	}
	switch in := slices.IndexFunc(endpoints, func(e *endpoint) bool { return e.takes(groups) }); {
	case !c.own || c.preset:
	case in < 0:
		a.share(f, at, c.name.Value, "not-in-profile", "add one of its groups, such as groups: ["+endpoints[0].groups[0].Value+"]", "in no group that "+where+" serves")
	case !slices.ContainsFunc(endpoints, func(e *endpoint) bool { return e.takes(groups) && !e.readOnly }):
		a.share(f, at, c.name.Value, "reads-only", "give it a group of a profile without read_only, or leave it out", "it may "+effect+", and its profiles are read_only")
	}
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
