package curate

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"toolpress/discover"
	"toolpress/generate"
)

// Apply makes the catalog of a surface. It never fails: what cannot be served
// is withheld, and the findings say what and why.
func (c *Curation) Apply(s *generate.Surface) (*Catalog, Findings) {
	a := &application{layers: c.layers, surface: s, excluded: map[string]Pos{}, candidates: map[string]*candidate{}, together: map[sharing]*shared{}}
	a.exclude()
	for i, f := range a.layers {
		a.name(f, i == len(a.layers)-1)
	}
	for i, f := range a.layers {
		a.expose(f, i == len(a.layers)-1)
	}
	a.unused()
	catalog := a.catalog()
	a.tell()
	slices.SortStableFunc(a.findings, func(x, y Finding) int {
		return cmp.Or(cmp.Compare(x.Pos.File, y.Pos.File), cmp.Compare(x.Pos.Line, y.Pos.Line), cmp.Compare(x.Pos.Col, y.Pos.Col), cmp.Compare(x.ID, y.ID))
	})
	return catalog, a.findings
}

// application is one Apply on its way.
type application struct {
	layers     []*file
	surface    *generate.Surface
	excluded   map[string]Pos // operation → the entry that excludes it
	candidates map[string]*candidate
	// patches are entries without from that no earlier layer answers; an
	// expose entry may.
	patches  []patch
	findings Findings
	withheld []Withheld
	// together are findings that many tools of one entry share.
	together map[sharing]*shared
}

// sharing is what makes findings one: their place and their kind.
type sharing struct {
	at Pos
	id string
}

// shared is one finding about several tools.
type shared struct {
	file       *file
	hint, text string
	tools      []string
}

// share reports something of a tool together with the others of its entry.
func (a *application) share(f *file, at Pos, tool, id, hint, text string) {
	key := sharing{at, id}
	if a.together[key] == nil {
		a.together[key] = &shared{file: f, hint: hint, text: text}
	}
	a.together[key].tools = append(a.together[key].tools, tool)
}

// tell turns what was shared into findings.
func (a *application) tell() {
	for key, s := range a.together {
		a.find(s.file, key.id, SeverityWarning, key.at, s.hint, "%s: %s", strings.Join(s.tools, ", "), s.text)
	}
}

// candidate is one tool in the making.
type candidate struct {
	name    Text
	op      *generate.Operation
	written bool // by a tools entry, not by a proposed name
	own     bool // the outermost file exposes or names it
	preset  bool // nothing but presets speak of it
	groups  []Text
	sets    []layered // from tools entries, in the order of the layers
}

// layered are settings and the file that holds them.
type layered struct {
	file *file
	set  *settings
}

type patch struct {
	file  *file
	entry *entry
	own   bool
}

func (a *application) find(f *file, id string, severity Severity, at Pos, hint, format string, args ...any) {
	a.findings = append(a.findings, Finding{
		ID: id, Severity: severity, Pos: at, Message: fmt.Sprintf(format, args...), Hint: hint, Source: f.reader.line(at.Line),
	})
}

// exclude adds up the exclusions of all layers.
func (a *application) exclude() {
	for _, f := range a.layers {
		for _, s := range f.exclude {
			matched := false
			for _, o := range a.surface.Operations {
				if s.matches(o) {
					matched = true
					if _, there := a.excluded[o.ID]; !there {
						a.excluded[o.ID] = s.pos
					}
				}
			}
			if !matched && !f.preset {
				a.find(f, "never-matched", SeverityWarning, s.pos, "", "this excludes nothing the site has")
			}
		}
	}
}

// name takes the tools entries of a layer.
func (a *application) name(f *file, own bool) {
	for i := range f.tools {
		e := &f.tools[i]
		earlier := a.candidates[e.name.Value]
		switch {
		case e.drop && earlier != nil:
			delete(a.candidates, e.name.Value)
		case len(e.from) == 0 && earlier == nil:
			a.patches = append(a.patches, patch{file: f, entry: e, own: own})
		case len(e.from) == 0:
			earlier.sets = append(earlier.sets, layered{f, &e.set})
			earlier.own, earlier.preset = earlier.own || own, earlier.preset && f.preset
		default:
			if o := a.from(f, e); o != nil {
				next := &candidate{name: e.name, op: o, written: true, own: own, preset: f.preset}
				if earlier != nil {
					next.sets = earlier.sets
				}
				next.sets = append(next.sets, layered{f, &e.set})
				a.candidates[e.name.Value] = next
			}
		}
	}
}

// from finds the first of an entry's operations that the site has.
func (a *application) from(f *file, e *entry) *generate.Operation {
	for _, id := range e.from {
		if o := a.surface.Operation(id.Value); o != nil {
			if at, excluded := a.excluded[o.ID]; excluded {
				a.withhold(o.ID, e.name.Value, "excluded at "+at.String())
				if !f.preset {
					a.find(f, "excluded", SeverityError, id.Pos, "remove the entry, or the exclusion", "%q is excluded at %s", id.Value, at)
				}
				return nil
			}
			return o
		}
	}
	if f.preset {
		return nil
	}
	for _, id := range e.from {
		why, hint := a.missing(id.Value)
		a.find(f, "never-matched", SeverityError, id.Pos, hint, "%s", why)
	}
	return nil
}

// placeholders are the parts of a path that stand for a value, and what people
// write in their place.
var placeholders = regexp.MustCompile(`\{[^{}]*\}|:\w+|\b\d+\b`)

// missing says why an identity names nothing on this site.
func (a *application) missing(id string) (why, hint string) {
	if reason := a.surface.Refusal(id); reason != "" {
		return fmt.Sprintf("%q cannot be a tool: %s", id, reason), ""
	}
	ability, isAbility := strings.CutPrefix(id, "ability:")
	if isAbility {
		switch a.surface.AbilitiesAPI {
		case discover.AbilitiesAbsent:
			return fmt.Sprintf("no ability %q: this WordPress has no Abilities API", ability), "it came with WordPress 6.9"
		case discover.AbilitiesNotPermitted:
			return fmt.Sprintf("no ability %q: this user may not list abilities", ability), "use a credential of a user who can read the site"
		}
	}
	method, route, _ := strings.Cut(id, " ")
	if rest, is := strings.CutPrefix(route, "/wp-json/"); is {
		return fmt.Sprintf("no operation matches %q", id), fmt.Sprintf("leave /wp-json out: %q", method+" /"+rest)
	}
	var ids, same []string
	for _, o := range a.surface.Operations {
		if (o.Ability != "") != isAbility {
			continue
		}
		ids = append(ids, o.ID)
		if !isAbility && (o.Method == method || slices.Contains(o.Spellings, method)) {
			same = append(same, method+" "+o.Route)
			if placeholders.ReplaceAllString(o.Route, "{}") == placeholders.ReplaceAllString(route, "{}") {
				return fmt.Sprintf("no operation matches %q", id), fmt.Sprintf("did you mean %q?", method+" "+o.Route)
			}
		}
	}
	if hint = didYouMean(id, same); hint == "" {
		hint = didYouMean(id, ids)
	}
	if i := slices.IndexFunc(same, func(other string) bool { return strings.HasPrefix(other, id+"/{") }); i >= 0 {
		hint = fmt.Sprintf("did you mean %q?", same[i])
	}
	if parts := strings.Split(strings.Trim(route, "/"), "/"); !isAbility && hint == "" && len(parts) > 1 {
		namespace := strings.Join(parts[:2], "/")
		if !slices.ContainsFunc(a.surface.Namespaces, func(n string) bool { return route == "/"+n || strings.HasPrefix(route, "/"+n+"/") }) {
			return fmt.Sprintf("no operation matches %q: the namespace %s is not there", id, namespace), "is its plugin active?"
		}
	}
	return fmt.Sprintf("no operation matches %q", id), hint
}

// expose makes candidates of what a layer's expose entries choose, under the
// proposed names.
func (a *application) expose(f *file, own bool) {
	named := map[string]bool{}
	for _, c := range a.candidates {
		if c.written {
			named[c.op.ID] = true
		}
	}
	for _, e := range f.expose {
		matched, writing, taken := 0, 0, 0
		for _, o := range a.surface.Operations {
			if !e.matches(o) {
				continue
			}
			matched++
			_, excluded := a.excluded[o.ID]
			switch {
			case excluded, o.AgentOptOut, named[o.ID]:
			case !o.Annotations.ReadOnly && !e.writes:
				writing++
			default:
				taken++
				a.propose(f, &e, o, own)
			}
		}
		switch {
		case f.preset || taken > 0:
		case matched == 0:
			a.find(f, "never-matched", SeverityWarning, e.pos, a.nearestSelection(e.selector), "this exposes nothing: the site has no operation that it chooses")
		case writing > 0:
			a.find(f, "writes-not-exposed", SeverityWarning, e.pos, "add writes: true to the entry if they are meant", "this exposes nothing: every operation it chooses writes")
		}
	}
}

// nearestSelection is a hint for a pattern that chooses nothing: the nearest
// name, or beginning of one, that the site has.
func (a *application) nearestSelection(s selector) string {
	var names []string
	for _, o := range a.surface.Operations {
		names = append(names, o.Category)
		for name := o.Ability + o.Route; strings.Trim(name, "/") != ""; name = name[:max(strings.LastIndexByte(name, '/'), 0)] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return didYouMean(strings.TrimRight(s.String(), "/*"), slices.Compact(names))
}

// propose adds an exposed operation. Two proposed names alike: both are
// withheld, and the rest is served.
func (a *application) propose(f *file, e *expose, o *generate.Operation, own bool) {
	c, there := a.candidates[o.Name]
	switch {
	case !there:
		a.candidates[o.Name] = &candidate{name: Text{o.Name, e.pos}, op: o, own: own, preset: f.preset, groups: e.groups}
		return
	case c.op == o:
		c.own, c.preset = c.own || own, c.preset && f.preset
		c.groups = append(slices.Clone(c.groups), e.groups...)
		return
	case c.written:
		a.collide(f, e, o, fmt.Sprintf("%s would be called %s, which is the name written at %s", o.ID, o.Name, c.name.Pos), o)
		return
	}
	if c.op != nil {
		a.withhold(c.op.ID, o.Name, "two operations would be called "+o.Name)
		a.collide(f, e, o, fmt.Sprintf("%s and %s would both be called %s", c.op.ID, o.ID, o.Name), c.op, o)
		c.op = nil // holds the name, serves nothing
		return
	}
	a.collide(f, e, o, fmt.Sprintf("%s would be called %s, like others", o.ID, o.Name), o)
}

// collide withholds an operation whose name is taken; the hint has the lines
// to paste.
func (a *application) collide(f *file, e *expose, o *generate.Operation, why string, rename ...*generate.Operation) {
	a.withhold(o.ID, o.Name, why)
	if f.preset {
		return
	}
	var hint strings.Builder
	hint.WriteString("name it below tools:")
	for i, one := range rename {
		fmt.Fprintf(&hint, "\n    %s_%d: { from: %q }", one.Name, i+1, one.ID)
	}
	a.find(f, "name-collision", SeverityWarning, e.pos, hint.String(), "%s", why)
}

func (a *application) withhold(operation, tool, reason string) {
	a.withheld = append(a.withheld, Withheld{Operation: operation, Tool: tool, Reason: reason})
}

// unused applies entries without from to what an expose entry called by that
// name, and reports those that patch or drop nothing.
func (a *application) unused() {
	names := slices.Sorted(maps.Keys(a.candidates))
	for _, p := range a.patches {
		name := p.entry.name
		c := a.candidates[name.Value]
		switch {
		case c != nil && p.entry.drop:
			delete(a.candidates, name.Value)
		case c != nil:
			c.sets = append(c.sets, layered{p.file, &p.entry.set})
			c.own = c.own || p.own
		case p.file.preset:
		case p.entry.drop:
			a.find(p.file, "never-matched", SeverityWarning, name.Pos, didYouMean(name.Value, names), "there is no tool %q to drop", name.Value)
		default:
			hint := didYouMean(name.Value, names)
			if hint == "" {
				hint = `say what it calls: from: "GET /wp/v2/posts"`
			}
			a.find(p.file, "never-matched", SeverityError, name.Pos, hint, "%q says no from, and no earlier layer has a tool of that name", name.Value)
		}
	}
}
