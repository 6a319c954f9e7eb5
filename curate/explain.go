package curate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"toolpress/generate"
)

// Explanation is what became of a tool, or of an operation.
type Explanation struct {
	// Served are the tools it is, one for each form that profiles serve it in.
	Served []Served
	// Withheld is why it is not served, or not in all profiles. Of what is
	// unknown it is empty.
	Withheld []Withheld
	// Unknown says why nothing of the site is meant, and Hint what may have been;
	// both are empty where something is.
	Unknown, Hint string
}

// Served is a tool and the profiles that serve it in this form.
type Served struct {
	Profiles []string
	Tool     *Tool
}

// Explain says what became of a tool, by its name, an old one or the one that it
// would have been proposed under, or of an operation, by its identity. The surface
// is the one that the catalog was made of.
func (c *Catalog) Explain(s *generate.Surface, asked string) Explanation {
	var e Explanation
	ids := []string{}
	for _, name := range c.ProfileNames() {
		p := c.Profiles[name]
		if t := p.Called(asked); t != nil {
			e.serve(name, t)
			ids = append(ids, t.Operation)
		}
	}
	if o := s.Operation(asked); o != nil {
		ids = append(ids, o.ID)
		for _, name := range c.ProfileNames() {
			for _, t := range c.Profiles[name].Tools {
				if t.Operation == o.ID {
					e.serve(name, t)
				}
			}
		}
	}
	for _, w := range slices.Concat(c.Withheld, c.passed) {
		switch {
		case len(e.Served) == 0 && w.Profile == "" && (slices.Contains(ids, w.Operation) || w.Tool == asked):
		case w.Profile != "" && (w.Tool == asked || e.has(w) || len(e.Served) == 0 && slices.Contains(ids, w.Operation)):
		default:
			continue
		}
		if !slices.ContainsFunc(e.Withheld, func(o Withheld) bool {
			return o.Operation == w.Operation && o.Profile == w.Profile && o.Reason == w.Reason
		}) {
			e.Withheld = append(e.Withheld, w)
		}
	}
	e.Withheld = slices.DeleteFunc(e.Withheld, func(w Withheld) bool { return w.Profile == "" && e.leftOut(w) == len(c.Profiles) })
	if len(e.Served) > 0 || len(e.Withheld) > 0 {
		return e
	}
	if c.prefix != "" && !strings.HasPrefix(asked, c.prefix) && !strings.ContainsAny(asked, "/: ") {
		if e := c.Explain(s, c.prefix+asked); e.Unknown == "" {
			return e // a curation writes names without it
		}
	}
	c.notNamed(s, asked, &e)
	return e
}

// leftOut counts the profiles that have a reason of their own not to serve a
// tool.
func (e *Explanation) leftOut(w Withheld) int {
	n := 0
	for _, other := range e.Withheld {
		if other.Profile != "" && other.Tool == w.Tool && other.Operation == w.Operation {
			n++
		}
	}
	return n
}

// has reports that what a profile leaves out is one of the served tools.
func (e *Explanation) has(w Withheld) bool {
	return slices.ContainsFunc(e.Served, func(s Served) bool { return s.Tool.Name == w.Tool && s.Tool.Operation == w.Operation })
}

// serve adds a tool as a profile serves it.
func (e *Explanation) serve(profile string, t *Tool) {
	for i := range e.Served {
		if s := &e.Served[i]; s.Tool == t {
			if !slices.Contains(s.Profiles, profile) {
				s.Profiles = append(s.Profiles, profile)
			}
			return
		}
	}
	e.Served = append(e.Served, Served{[]string{profile}, t})
}

// notNamed explains what no layer speaks of: an operation of the site, by its
// identity or the name it is proposed under, or nothing.
func (c *Catalog) notNamed(s *generate.Surface, asked string, e *Explanation) {
	var names []string
	for _, o := range s.Operations {
		if asked != o.ID && (o.Name == asked || c.prefix+o.Name == asked) {
			*e = c.Explain(s, o.ID)
			return
		}
		if s.Operation(asked) == o {
			reason := "nothing exposes it or names it"
			if o.Plumbing != "" {
				reason += "; it is plumbing: " + o.Plumbing
			}
			if o.AgentOptOut {
				reason += "; it is marked by its author as not for agents (meta.mcp.public: false)"
			}
			e.Withheld = append(e.Withheld, Withheld{Operation: o.ID, Tool: o.Name, Reason: reason})
		}
		names = append(names, o.Name)
	}
	if len(e.Withheld) > 0 {
		also := ""
		if s.Operation(asked).AgentOptOut {
			also = " all the same"
		}
		e.Hint = fmt.Sprintf("to serve it%s, name it below tools:\n    %s: { from: %q }", also, e.Withheld[0].Tool, e.Withheld[0].Operation)
		return
	}
	if routeID.MatchString(asked) || abilityID.MatchString(asked) {
		e.Unknown, e.Hint = missing(s, asked)
		return
	}
	e.Unknown = fmt.Sprintf("there is no tool %q, and no operation", asked)
	for _, p := range c.Profiles {
		for _, t := range p.Tools {
			names = append(append(names, t.Name, strings.TrimPrefix(t.Name, c.prefix)), t.Aliases...)
		}
	}
	for _, w := range slices.Concat(c.Withheld, c.passed) {
		names = append(names, w.Tool, strings.TrimPrefix(w.Tool, c.prefix))
	}
	slices.Sort(names)
	near := nearestFew(asked, slices.Compact(names))
	switch {
	case strings.ContainsAny(asked, "/: "):
		e.Hint = cmp.Or(near, spelling(asked))
	case near != "":
		e.Hint = near
	default:
		e.Hint = "toolpress check lists the tools, toolpress discover --summary what the site offers"
	}
}

// nearestFew is a hint with up to three names that a word may have been meant to
// be; empty when none is near.
func nearestFew(word string, names []string) string {
	var near []string
	for len(near) < 3 {
		n := nearest(word, names)
		if n == "" {
			break
		}
		near = append(near, fmt.Sprintf("%q", n))
		names = slices.DeleteFunc(names, func(other string) bool { return other == n })
	}
	if len(near) == 0 {
		return ""
	}
	return "did you mean " + strings.Join(near, " or ") + "?"
}

// pass notes why an operation is not served under a name; where it is elsewhere,
// or was never asked for, nobody is told unless they ask.
func (a *application) pass(profile, operation, tool, format string, args ...any) {
	w := Withheld{Operation: operation, Tool: a.server.Prefix.Value + tool, Profile: profile, Reason: fmt.Sprintf(format, args...)}
	if !a.said[w] {
		a.said[w] = true
		a.passed[operation] = append(a.passed[operation], w)
	}
}

// passedOver are all that was noted, in the order of the operations.
func (a *application) passedOver() []Withheld {
	var all []Withheld
	for _, id := range slices.Sorted(maps.Keys(a.passed)) {
		all = append(all, a.passed[id]...)
	}
	return all
}
