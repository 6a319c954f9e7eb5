package curate

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"toolpress/curate/change"
	"toolpress/generate"
	"toolpress/generate/schema"
)

// waiting is what of one tool, or of one entry's words, was not approved.
type waiting struct {
	// Tool is its name; empty for words that are no tool's.
	Tool string
	// Operation is what it calls, Words where a preset's words of it stand: as in
	// tools.NAME.
	Operation, Words string
	// New is an operation that is not in the lock.
	New bool
	// Site is what the site has changed of the tool since it was approved.
	Site []change.Change
	// Preset is what a preset has, and PresetNew says that none of its words were
	// approved. Presets are whose words it has.
	Preset    []change.Change
	PresetNew bool
	Presets   []string
	// moved is the preset with the version that said these words before; empty
	// where it is the same.
	moved string

	// wrong is what the curation says that does not fit the site any more.
	wrong []string
	texts map[string]string // the preset's words
}

// nothing reports that nothing waits.
func (w *waiting) nothing() bool {
	return !w.New && !w.PresetNew && len(w.Site)+len(w.Preset) == 0
}

// waitsFor is what of a tool was not approved; b is the tool as it is served.
func (a *application) waitsFor(b *toolBuilder) *waiting {
	w := &waiting{Tool: a.server.Prefix.Value + b.candidate.name.Value, Operation: b.candidate.op.ID}
	if b.words != nil {
		w.Words, w.Preset, w.PresetNew, w.Presets = b.words.Words, b.words.Preset, b.words.PresetNew, b.words.Presets
		w.texts, w.moved = b.words.texts, b.words.moved
	}
	if a.held.operations[w.Operation].Approved == nil {
		w.New = true
	} else {
		w.Site, w.wrong = a.changed(b)
	}
	return w
}

// changed is what the site has changed of a tool since its operation was approved:
// of what the tool shows and sends, everything; of the rest nothing. wrong is what
// the curation says that the site has no place for now.
func (a *application) changed(b *toolBuilder) (changes []change.Change, wrong []string) {
	d, drifted := a.held.drifted[b.candidate.op.ID]
	if !drifted {
		return nil, nil
	}
	then, now := b, b
	if a.held.holds {
		now = a.aside(b.candidate, d.now)
	} else {
		then = a.aside(b.candidate, d.approved)
	}
	switch {
	case now.failed:
		for _, wrong := range now.wrong {
			changes = append(changes, change.Change{Rule: "schema-changed", Kind: change.Breaking, Message: wrong})
		}
		return changes, now.wrong
	case then.failed: // the curation asks for what was not approved
		return compareForms(d), nil
	}
	changes, err := change.Tools(then.compared(), now.compared())
	if err != nil {
		return compareForms(d), nil
	}
	changes = append(changes, sentOtherwise("", &then.tool.members, &now.tool.members)...)
	if !b.candidate.written && d.approved.Name != d.now.Name {
		changes = append(changes, renamedTool(d)...)
	}
	if a.held.holds {
		b.tool.record.keepAll(then.tool, now.tool, a.held.file+", approved on "+d.form.Date)
	}
	return change.Merge(changes), nil
}

// renamedTool is a name that the site's description would give to a tool.
func renamedTool(d drifted) []change.Change {
	changes, _ := change.Tools(change.Tool{Title: d.approved.Name}, change.Tool{Title: d.now.Name}) // without schemas
	for i := range changes {
		changes[i].Message = strings.Replace(changes[i].Message, "its title", "its name", 1)
	}
	return changes
}

// compareForms is what changed of an operation as a whole.
func compareForms(d drifted) []change.Change {
	now, _ := formOf(d.now)
	changes, _ := change.Tools(d.form.tool(), now.tool()) // both were written as schemas
	return changes
}

// aside folds a candidate over another form of its operation. What is found is not
// told.
func (a *application) aside(c *candidate, o *generate.Operation) *toolBuilder {
	quiet := *a
	quiet.findings, quiet.withheld = nil, nil
	quiet.passed, quiet.together, quiet.said = map[string][]Withheld{}, map[sharing]*shared{}, map[any]bool{}
	other := *c
	other.op = o
	return quiet.fold(&other)
}

// compared is a folded tool as it is compared: with everything its schema says,
// whatever a dialect leaves of it, and with what the site says of its effect, not
// what the curation does.
func (b *toolBuilder) compared() change.Tool {
	args := slices.Concat(b.visible, b.tool.ownArguments())
	generate.SortArgs(args)
	input, _ := schema.Encode(generate.InputSchema(args, b.extra)) // as every schema that was read
	op := b.candidate.op
	return change.Tool{Title: b.tool.Title, Description: b.tool.Description, InputSchema: input, Annotations: op.Annotations, Method: op.Method}
}

// sentOtherwise are values that are sent without being asked for, and are not the
// same as before.
func sentOtherwise(path string, then, now *members) []change.Change {
	var changes []change.Change
	if then == nil {
		then = &members{}
	}
	if now == nil {
		now = &members{}
	}
	before, after := then.unasked(), now.unasked()
	for _, name := range keysOf(before, after) {
		if old, is := before[name], after[name]; !reflect.DeepEqual(old, is) {
			was, _ := schema.Encode(old)
			will, _ := schema.Encode(is)
			changes = append(changes, change.Change{Rule: "default-changed", Kind: change.Breaking, Path: path + name, Message: fmt.Sprintf("it is sent as %s instead of %s", will, was)})
		}
	}
	for _, name := range keysOf(then.inner, now.inner) {
		changes = append(changes, sentOtherwise(path+name+".", then.inner[name], now.inner[name])...)
	}
	if then.items != nil || now.items != nil {
		changes = append(changes, sentOtherwise(strings.TrimSuffix(path, ".")+itemsPart+".", then.items, now.items)...)
	}
	return changes
}

// unasked are the values of members that are sent without being asked for.
func (m *members) unasked() map[string]any {
	all := map[string]any{}
	for _, v := range slices.Concat(m.defaults, m.fixed) {
		all[v.arg] = v.value
	}
	return all
}

// keysOf are the keys of two maps, each once and sorted.
func keysOf[V any](x, y map[string]V) []string {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(x)), maps.Keys(y))
	slices.Sort(keys)
	return slices.Compact(keys)
}
