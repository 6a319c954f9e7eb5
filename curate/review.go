package curate

import (
	"slices"
	"strings"

	"toolpress/generate"
	"toolpress/generate/schema"
	"toolpress/generate/words"
)

// reviewRule is one thing that makes a tool hard to choose, to use or to trust.
type reviewRule struct {
	id, hint, text string
	// of is what the rule speaks of, and with it where the finding is: the
	// tool's description where it is that, else the tool.
	of subject
	// broken tells what of a tool breaks the rule: nil, nothing does; a name or a
	// phrase each; "" for the tool as such.
	broken func(w *wording) []string
}

// subject is what a rule speaks of.
type subject int

const (
	ofTool subject = iota
	ofDescription
)

// isReview reports that an id is one that only a review finds.
func isReview(id string) bool {
	return slices.ContainsFunc(reviewRules(), func(r reviewRule) bool { return r.id == id })
}

// wording is one tool of an endpoint as a review looks at it.
type wording struct {
	tool *Tool
	// written is the description's place, where a layer writes one.
	written *Text
	// unwritten: nobody says what the tool does, and its description is made of
	// its name.
	unwritten bool
	english   bool
	// alike is an earlier tool of the endpoint with the same description.
	alike string
	// claimed: a layer says of the tool what it may do.
	claimed bool
	// beside are all tools of the endpoint.
	beside []made
	// upstream are the texts that the site itself has for the operation.
	upstream map[string]bool
}

// review looks at the words of every tool that is served. What a preset says is
// not told: nobody who reads the finding could mend it. What the site says to the
// model is, whoever serves it.
func (a *application) review(endpoints []*endpoint) {
	rules := reviewRules()
	for _, e := range endpoints {
		said := map[string]string{}
		for _, m := range e.made {
			w := a.wording(e, m)
			key := strings.ToLower(strings.Join(strings.Fields(w.tool.Description), " "))
			if w.alike = said[key]; w.alike == "" {
				said[key] = w.tool.Name
			}
			for _, r := range rules {
				a.reviewed(r, w, m)
			}
		}
	}
}

// reviewed applies one rule to one tool.
func (a *application) reviewed(r reviewRule, w *wording, m made) {
	what := r.broken(w)
	if len(what) == 0 {
		return
	}
	f, at := a.placeOf(m.candidate)
	if r.of == ofDescription && w.written != nil {
		f, at = a.fileOf(w.written.Pos), w.written.Pos
	}
	if f.preset && r.id != speaksToModel {
		return
	}
	label := w.tool.Name
	if what[0] != "" {
		label += " (" + strings.Join(what, ", ") + ")"
	}
	a.share(f, at, label, r.id, r.hint, r.text)
}

func (a *application) wording(e *endpoint, m made) *wording {
	op := m.candidate.op
	sets := a.settingsOf(m.candidate)
	if mine := e.entry(m.candidate.name.Value); mine != nil {
		sets = append(sets, layered{e.file, &mine.set})
	}
	w := &wording{tool: m.tool, beside: e.made, english: words.English(a.server.Lang.Value), upstream: siteTexts(op)}
	if _, said, ok := last(sets, pointed(func(s *settings) *Text { return s.description })); ok {
		w.written = &said
	}
	w.unwritten = w.written == nil && (op.Route != "" || op.Description == op.Title+".")
	_, _, w.claimed = last(sets, func(s *settings) (bool, bool) { return true, s.readOnly != nil || s.destructive != nil })
	return w
}

// siteTexts are all texts the site has for an operation.
func siteTexts(op *generate.Operation) map[string]bool {
	texts := map[string]bool{op.Title: true, op.Description: true}
	add := func(_ string, s *schema.Schema) {
		for _, text := range words.Prose(s) {
			texts[text] = true
		}
	}
	for _, arg := range op.Args {
		words.Walk("", arg.Schema, add)
	}
	words.Walk("", op.Extra, add)
	return texts
}
