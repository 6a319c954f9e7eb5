package curate

import (
	"cmp"
	"fmt"
	"slices"

	"toolpress/discover"
	"toolpress/generate"
)

// Apply makes the catalog of a surface, without what the account of a profile
// may not call; nil rights know nothing and withhold nothing. It never fails:
// what cannot be served is withheld, and the findings say what and why.
func (c *Curation) Apply(s *generate.Surface, may Rights) (*Catalog, Findings) {
	return c.apply(s, may, false)
}

// Check is Apply, and reviews the words of what is served besides: whether a
// model can tell the tools and use them.
func (c *Curation) Check(s *generate.Surface, may Rights) (*Catalog, Findings) {
	return c.apply(s, may, true)
}

func (c *Curation) apply(s *generate.Surface, may Rights, reviews bool) (*Catalog, Findings) {
	s = s.From(c.sources())
	a := &application{reviews: reviews, layers: c.layers, server: c.Server(), surface: s, may: may, excluded: map[string]Pos{}, passed: map[string][]Withheld{}, candidates: map[string]*candidate{}, together: map[sharing]*shared{}, said: map[any]bool{}}
	a.hold(c)
	a.exclude()
	a.unenforced()
	a.foreign()
	for i, f := range a.layers {
		own := i == len(a.layers)-1
		a.expose(f, own)
		a.name(f, own)
	}
	a.shadow()
	a.settleAliases()
	catalog := a.catalog()
	a.tell()
	a.accept()
	slices.SortStableFunc(a.findings, func(x, y Finding) int {
		return cmp.Or(cmp.Compare(x.Pos.File, y.Pos.File), cmp.Compare(x.Pos.Line, y.Pos.Line), cmp.Compare(x.Pos.Col, y.Pos.Col), cmp.Compare(x.ID, y.ID))
	})
	return catalog, a.findings
}

// application is one Apply on its way.
type application struct {
	layers     []*file
	server     ServerSettings
	surface    *generate.Surface
	may        Rights
	excluded   map[string]Pos // operation → the entry that excludes it
	candidates map[string]*candidate
	reviews    bool       // the words of the tools too
	held       *holding   // nil: there is no lock
	waits      []*waiting // of what is served, or would be
	findings   Findings
	said       map[any]bool // of findings and passed, to leave out a doubled one
	withheld   []Withheld
	passed     map[string][]Withheld // by operation
	// together are findings that many tools of one entry share.
	together map[sharing]*shared
}

// candidate is one tool in the making.
type candidate struct {
	name    Text
	op      *generate.Operation   // nil: two operations wanted the name
	rivals  []*generate.Operation // which they are; nil for a tool
	written bool                  // by a tools entry, not by a proposed name
	own     bool                  // the outermost file exposes or names it
	preset  bool                  // nothing but presets speak of it
	from    Pos                   // where the operation is named or chosen
	groups  []Text
	sets    []layered // from tools entries, in the order of the layers
	aliases []Text
	former  []Text   // names that it was replaced under; callable too
	called  []string // of both, what reaches it
	// since is where in sets the operation was named: what was set before was
	// meant for another one.
	since int
}

// layered are settings and the file that holds them.
type layered struct {
	file *file
	set  *settings
}

func (a *application) find(f *file, id string, severity Severity, at Pos, hint, format string, args ...any) {
	found := Finding{ID: id, Severity: severity, Pos: at, Message: fmt.Sprintf(format, args...), Hint: hint, Source: f.reader.line(at)}
	// A tool that a profile narrows is folded again.
	if !a.said[found] {
		a.said[found] = true
		a.findings = append(a.findings, found)
	}
}

func (a *application) withhold(operation, tool, reason string) {
	a.withheld = append(a.withheld, Withheld{Operation: operation, Tool: a.server.Prefix.Value + tool, Reason: reason})
}

// exclude adds up the exclusions of all layers, and reports selectors that
// choose nothing: an exclusion that is misspelt excludes nothing.
func (a *application) exclude() {
	for _, f := range a.layers {
		for _, s := range f.exclude {
			matched := false
			for _, o := range a.surface.Operations {
				if s.matches(o) {
					matched = true
					if _, there := a.excluded[o.ID]; !there {
						a.excluded[o.ID] = s.pos
						a.pass("", o.ID, o.Name, "excluded at %s", s.pos)
					}
				}
			}
			if !matched && !f.preset {
				a.find(f, "never-matched", SeverityWarning, s.pos, a.nearestSelection(s), "this excludes nothing the site has")
			}
		}
		a.unmatchedPrivate(f)
		for _, r := range f.rules {
			if !f.preset && !slices.ContainsFunc(a.surface.Operations, r.match.matches) {
				a.find(f, "never-matched", SeverityWarning, r.match.pos, a.nearestSelection(r.match), "this rule matches nothing the site has")
			}
		}
	}
}

// unenforced says of each key that nothing enforces yet that it does nothing.
func (a *application) unenforced() {
	told := map[string]bool{}
	for _, f := range a.layers {
		for _, k := range f.reader.carried {
			if !f.preset && !told[k.Value] {
				told[k.Value] = true
				a.find(f, "not-enforced", SeverityWarning, k.Pos, "", "%s is carried, and not enforced by this version", k.Value)
			}
		}
	}
}

// foreign says that the site does not answer in the locale that is pinned.
func (a *application) foreign() {
	var pinned Text
	var by *file
	for _, f := range a.layers {
		if f.site.Locale.Value != "" {
			pinned, by = f.site.Locale, f
		}
	}
	const hint = "set the site's language under Settings → General, or let it answer toolpress in this one: docs/deploy/toolpress-locale.php"
	switch spoken := cmp.Or(a.surface.Spoken, a.surface.Locale); {
	case by == nil || discover.SameLocale(pinned.Value, spoken):
	case discover.SameLocale(pinned.Value, a.surface.Locale):
		a.find(by, "other-locale", SeverityWarning, pinned.Pos, hint, "the site answers in %s, and is to be in %s: its texts stay as they were before, and what is new keeps its own", spoken, pinned.Value)
	default:
		a.find(by, "other-locale", SeverityWarning, pinned.Pos, hint, "the site answers in %s, and is to be in %s", spoken, pinned.Value)
	}
}

// name takes the tools entries of a layer, after what it exposes.
func (a *application) name(f *file, own bool) {
	for i := range f.tools {
		e := &f.tools[i]
		name := e.name.Value
		earlier := a.candidates[name]
		switch {
		case e.drop && earlier != nil:
			if earlier.op != nil {
				a.pass("", earlier.op.ID, name, "dropped at %s", e.name.Pos)
			}
			delete(a.candidates, name)
		case e.replaces.Value != "":
			a.replace(f, e, own)
		case e.drop || len(e.from) == 0 && (earlier == nil || earlier.op == nil):
			a.nothingToPatch(f, e, earlier, own)
		case len(e.from) == 0:
			earlier.sets = append(earlier.sets, layered{f, &e.set})
			earlier.own, earlier.preset = earlier.own || own, earlier.preset && f.preset
			earlier.alias(e)
		default:
			if o, at := a.from(f, e); o != nil {
				next := &candidate{name: e.name, op: o, from: at, written: true, own: own, preset: f.preset}
				a.overwritten(earlier, next)
				if earlier != nil {
					next.sets, next.since = earlier.sets, len(earlier.sets)
				}
				next.sets = append(next.sets, layered{f, &e.set})
				next.alias(e)
				a.candidates[name] = next
			}
		}
	}
}

// overwritten withholds what is exposed under a name that an entry gives to
// another operation.
func (a *application) overwritten(earlier, next *candidate) {
	if earlier == nil || earlier.op == nil || earlier.op == next.op {
		return
	}
	if earlier.written {
		a.pass("", earlier.op.ID, next.name.Value, "%s gives the name to %s", next.name.Pos, next.op.ID)
		return
	}
	f, at := a.placeOf(earlier)
	a.collide(f, at, earlier.op, fmt.Sprintf("%s would be called %s, which is the name written at %s", earlier.op.ID, earlier.op.Name, next.name.Pos), earlier.op)
}

// nothingToPatch reports an entry without from that speaks of no tool. A drop of the
// outermost file's own is an error: a misspelt one would serve the tool again.
func (a *application) nothingToPatch(f *file, e *entry, held *candidate, own bool) {
	name := e.name.Value
	var names []string
	for other := range a.candidates {
		names = append(names, other)
	}
	slices.Sort(names)
	switch {
	case f.preset || e.optional:
	case a.formerly(name) != "":
		a.find(f, "never-matched", SeverityError, e.name.Pos, fmt.Sprintf("write it below %s", a.formerly(name)), "%q is replaced: the tool is called %s", name, a.formerly(name))
	case e.drop:
		severity := SeverityWarning
		if own {
			severity = SeverityError
		}
		a.find(f, "never-matched", severity, e.name.Pos, didYouMean(name, names), "there is no tool %q to drop", name)
	case held != nil:
		a.find(f, "never-matched", SeverityError, e.name.Pos, "say which one: from: …", "two operations would be called %q", name)
	default:
		hint := didYouMean(name, names)
		if hint == "" {
			hint = `say what it calls: from: "GET /wp/v2/posts"`
		}
		a.find(f, "never-matched", SeverityError, e.name.Pos, hint, "%q says no from, and no earlier layer has a tool of that name", name)
	}
}
