package curate

import (
	"maps"
	"slices"
	"strings"

	"toolpress/curate/change"
	"toolpress/generate"
)

// Showing is what one site shows: staging, production, or a recording of one.
type Showing struct {
	Surface *generate.Surface
	// Rights are as [Curation.Apply] takes them.
	Rights Rights
}

// Approval is all that a person is asked about: what the sites show and the lock
// does not have.
type Approval struct {
	// Subjects are what is accepted or not as a whole, in the order of their names.
	Subjects []*Subject
	// Unfit are tools that nobody is asked about, by name, each with what the curation
	// says that does not fit the site any more: that is to be mended first.
	Unfit map[string][]string

	before *Approvals
	sites  []Showing
	seen   sight
}

// A Subject is one operation with the tools that call it, or an entry of words
// that are no tool's. Nothing of it is set where nothing waits.
type Subject struct {
	// Name is the first of the tools, the entry of the words as in groups.NAME, or
	// the operation where no tool calls it any more.
	Name string
	// Tools are by name; Operation is what they call.
	Tools     []string
	Operation string
	// New is an operation that is not in the lock; Shown are then its tools, as a
	// model would read them.
	New   bool
	Shown []*Tool
	// Site is what the site has changed of the tools.
	Site []change.Change
	// Leaves are tools that the curation does not serve any more with that: it may
	// have chosen them by what they did.
	Leaves []string
	// Presets are whose words there are, Preset what these have changed, PresetNew
	// says that they are new, and Texts are then the words by field.
	Presets   []string
	Preset    []change.Change
	PresetNew bool
	Texts     map[string]string
	// Curation are tools, as profile/name, that the curation publishes in another
	// form than was approved, or for the first time. Nothing of that is held back.
	// Moved are presets whose words are the same and whose version is another, as
	// "preset:x@2 instead of preset:x@1": the form may be theirs.
	Curation []string
	Moved    []string
	// Drops are what pruning would take out of the lock: forms that no site shows.
	Drops []string

	words []string // keys of presets' words
}

// waits reports that there is something to accept.
func (s *Subject) waits(prune bool) bool {
	return s.New || s.PresetNew || len(s.Site)+len(s.Preset)+len(s.Curation) > 0 || prune && len(s.Drops) > 0
}

// Approve compares what sites show with what was approved ([Curation.With]). With
// prune, what none of them shows is asked about too.
func (c *Curation) Approve(sites []Showing, prune bool) *Approval {
	a := &Approval{Unfit: map[string][]string{}, before: c.approved.clone(), sites: sites, seen: newSight()}
	subjects := map[string]*Subject{}
	for _, site := range sites {
		all := c.With(c.approved)
		all.approves = true
		catalog, _ := all.Apply(site.Surface, site.Rights)
		held, _ := c.With(c.approved.clone()).Apply(site.Surface, site.Rights)
		// What is held may be chosen by what the site said before. What does not
		// fit the site any more is for the curation to mend.
		waits := slices.DeleteFunc(slices.Concat(catalog.waits, held.waits), func(w *waiting) bool {
			if len(w.wrong) > 0 {
				a.Unfit[w.Tool] = w.wrong
			}
			return len(w.wrong) > 0
		})
		a.seen.add(catalog, waits)
		for _, w := range waits {
			subjectOf(subjects, w).add(w, catalog)
		}
		a.republished(subjects, held)
	}
	a.remembered(subjects)
	for _, s := range subjects {
		s.settle()
		if s.waits(prune) {
			a.Subjects = append(a.Subjects, s)
		}
	}
	slices.SortFunc(a.Subjects, func(x, y *Subject) int {
		return strings.Compare(x.Name+" "+x.Operation, y.Name+" "+y.Operation)
	})
	return a
}

// subjectOf is the subject of an operation, or of an entry of words.
func subjectOf(subjects map[string]*Subject, w *waiting) *Subject {
	key := w.Operation
	if key == "" {
		key = w.Words
	}
	if subjects[key] == nil {
		subjects[key] = &Subject{Operation: w.Operation, Name: key}
	}
	return subjects[key]
}

// add takes what one site has of a tool.
func (s *Subject) add(w *waiting, catalog *Catalog) {
	s.New, s.PresetNew = s.New || w.New, s.PresetNew || w.PresetNew
	s.Site, s.Preset = append(s.Site, w.Site...), append(s.Preset, w.Preset...)
	t := catalog.tool(w.Tool)
	switch {
	case w.Tool == "":
	case t == nil:
		s.Leaves = append(s.Leaves, w.Tool)
	case w.New && !slices.Contains(s.Tools, w.Tool):
		s.Shown = append(s.Shown, t)
	}
	if w.Tool != "" {
		s.Tools = append(s.Tools, w.Tool)
	}
	if w.Words != "" {
		s.words = append(s.words, w.Words)
	}
	if w.PresetNew || len(w.Preset) > 0 {
		s.Presets = append(s.Presets, w.Presets...)
	}
	if w.moved != "" {
		s.Moved = append(s.Moved, strings.Join(w.Presets, " ")+" instead of "+w.moved)
	}
	if w.PresetNew {
		if s.Texts == nil {
			s.Texts = map[string]string{}
		}
		maps.Copy(s.Texts, w.texts)
	}
}

// tool is a served tool, in the first profile that has it.
func (c *Catalog) tool(name string) *Tool {
	for _, profile := range c.ProfileNames() {
		if t := c.Profiles[profile].Tool(name); t != nil {
			return t
		}
	}
	return nil
}

// republished finds tools that are published otherwise although site and presets
// are held to what was approved: that is the curation's doing.
func (a *Approval) republished(subjects map[string]*Subject, held *Catalog) {
	for profile, p := range held.Profiles {
		for _, t := range p.Tools {
			key := profile + "/" + t.Name
			if s := subjects[t.Operation]; s != nil && !slices.Contains(a.before.tools[key][t.Operation], t.published()) {
				s.Curation = append(s.Curation, key)
			}
		}
	}
}

// settle puts what was gathered of several sites in order, each thing once.
func (s *Subject) settle() {
	for _, list := range []*[]string{&s.Tools, &s.Leaves, &s.Presets, &s.Curation, &s.Moved, &s.words, &s.Drops} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	s.Site, s.Preset = change.Merge(s.Site), change.Merge(s.Preset)
	if len(s.Tools) > 0 {
		s.Name = s.Tools[0]
	}
	slices.SortFunc(s.Shown, func(x, y *Tool) int { return strings.Compare(x.Name, y.Name) })
}

// Called finds the subject that a person names: by a tool, an operation or an
// entry of words; nil where there is none.
func (a *Approval) Called(name string) *Subject {
	for _, s := range a.Subjects {
		if s.Name == name || s.Operation == name || slices.Contains(s.Tools, name) {
			return s
		}
	}
	return nil
}
