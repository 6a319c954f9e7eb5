package curate

import (
	"fmt"
	"slices"
	"strings"

	"toolpress/curate/change"
	"toolpress/generate"
)

// holding is what a lock does to one Apply.
type holding struct {
	*Approvals
	file string // the lock's
	at   Pos    // where the curation names it
	// holds: what was not approved does not reach a client. Else it is served and
	// said.
	holds bool
	// drifted are the operations that are not as any approved form, by identity.
	drifted map[string]drifted
}

// drifted is an operation as it was approved, in one of its forms, and as the site
// describes it now.
type drifted struct {
	form          approvedForm
	approved, now *generate.Operation
}

// hold puts the approved forms in the place of the operations that have changed
// since: whatever chooses, names or describes a tool reads those.
func (a *application) hold(c *Curation) {
	l, said := c.Lock()
	if !said {
		return
	}
	if c.approved == nil && !c.approves {
		a.find(a.layers[len(a.layers)-1], "no-lock", SeverityWarning, l.File.Pos, "toolpress approve shows what models read, and writes it", "%s is not there yet: what the site says is served as it is", l.File.Value)
		return
	}
	h := &holding{c.approved.clone(), l.File.Value, l.File.Pos, l.Drift == "hold" && !c.approves, map[string]drifted{}}
	a.held = h
	surface := *a.surface
	surface.Operations = slices.Clone(surface.Operations)
	for i, o := range surface.Operations {
		known, there := h.operations[o.ID]
		if !there {
			continue
		}
		now, ok := formOf(o)
		if ok && known.matches(now) {
			continue
		}
		form := known.nearest(now)
		h.drifted[o.ID] = drifted{form, form.restore(o), o}
		if h.holds {
			surface.Operations[i] = h.drifted[o.ID].approved
		}
	}
	a.surface = &surface
}

// methodOf is what calls of an operation are sent by: the site takes an ability's by
// no method but the one that follows from what it says now, whatever was approved.
func (a *application) methodOf(o *generate.Operation) string {
	if a.held != nil && a.held.drifted[o.ID].approved == o {
		return a.held.drifted[o.ID].now.Method
	}
	return o.Method
}

// locked is why the lock keeps a tool from every profile; empty where it does not.
// What waits is noted and said either way.
func (a *application) locked(b *toolBuilder, in []*endpoint) (reason string) {
	if a.held == nil {
		return ""
	}
	w := a.waitsFor(b)
	a.waits = append(a.waits, w)
	if w.nothing() {
		return ""
	}
	if reason = a.tellWaiting(b, w); reason == "" {
		return ""
	}
	for _, e := range in {
		for _, called := range append([]string{w.Tool}, b.candidate.called...) {
			e.unapproved = append(e.unapproved, Withheld{Operation: w.Operation, Tool: called, Reason: reason})
		}
	}
	return reason
}

// tellWaiting says what of a tool was not approved, and returns why that keeps it
// back; empty where it is served all the same.
func (a *application) tellWaiting(b *toolBuilder, w *waiting) (reason string) {
	f, at := a.placeOf(b.candidate)
	if f.preset { // its reader can mend nothing
		f, at = a.layers[len(a.layers)-1], a.held.at
	}
	name := b.candidate.name.Value
	hint := "look at it and accept it: toolpress approve " + w.Tool
	if len(w.wrong) > 0 {
		hint = "mend the curation first, and then: toolpress approve " + w.Tool
	}
	switch {
	case w.New && a.held.holds:
		a.share(f, at, name, "not-approved", "toolpress approve shows what a model would read, and accepts it", "not in the lock: withheld until it is approved")
		return NotApproved
	case w.New:
		a.share(f, at, name, "not-approved", "toolpress approve shows what a model reads, and accepts it", "not in the lock, and served all the same (drift: warn)")
	case change.Gravest(w.Site) == change.Breaking && a.held.holds:
		a.find(f, "drift-breaking", SeverityError, at, hint, "%s is held back: since it was approved, the site has changed it: %s", name, summary(w.Site))
		reason = ChangedSince
	case len(w.Site) > 0 && a.held.holds:
		a.find(f, "drift", SeverityWarning, at, hint, "%s stays as it was approved: since then the site has changed it: %s", name, summary(w.Site))
	case len(w.Site) > 0:
		a.find(f, "drift", SeverityWarning, at, hint, "%s is served as the site has it now (drift: warn): since it was approved, the site has changed it: %s", name, summary(w.Site))
	}
	if said := a.tellPreset(f, at, name, hint, w); reason == "" {
		reason = said
	}
	return reason
}

// tellPreset is tellWaiting for the words of a preset.
func (a *application) tellPreset(f *file, at Pos, name, hint string, w *waiting) (reason string) {
	presets := strings.Join(w.Presets, " and ")
	switch {
	case w.New:
	case w.PresetNew && a.held.holds:
		a.share(f, at, name, "not-approved", hint, "the words of "+presets+" are not in the lock: withheld until they are approved")
		return "the words of " + presets + " are not approved yet"
	case w.PresetNew:
		a.share(f, at, name, "not-approved", hint, "the words of "+presets+" are not in the lock, and served all the same (drift: warn)")
	case len(w.Preset) > 0 && a.held.holds:
		a.find(f, "drift-preset", SeverityWarning, at, hint, "%s keeps the words that were approved: %s has changed them: %s", name, presets, summary(w.Preset))
	case len(w.Preset) > 0:
		a.find(f, "drift-preset", SeverityWarning, at, hint, "%s has words that were not approved (drift: warn): %s has changed them: %s", name, presets, summary(w.Preset))
	}
	return ""
}

// maxListed bounds the changes that one finding tells.
const maxListed = 6

// summary is changes in one sentence.
func summary(changes []change.Change) string {
	var all []string
	for _, c := range changes[:min(len(changes), maxListed)] {
		text := c.Message
		if c.Path != "" {
			text = c.Path + ": " + text
		}
		all = append(all, text)
	}
	text := strings.Join(all, "; ")
	if more := len(changes) - maxListed; more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return text
}
