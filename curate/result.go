package curate

import (
	"slices"
	"strconv"
	"strings"
)

// ResultShape trims an answer before a model sees it. What is private goes
// first, then what is not picked; then fields are dropped and renamed, and what
// is left of the texts is written and shortened.
type ResultShape struct {
	// Private are the fields that never leave, whatever else is said.
	Private Fields
	// Raw keeps the rest as the site answered it.
	Raw bool
	// Pick are the dotted paths kept of an object, or of each item of a list.
	// Empty keeps everything.
	Pick []string
	// Drop are fields left out of what is picked.
	Drop Fields
	// Rename are fields that get another name.
	Rename []Renamed
	// HTML says what becomes of texts with markup.
	HTML HTML
	// MaxText bounds each text, in characters; 0 is no bound.
	MaxText int
	// MaxBytes bounds the JSON of the result.
	MaxBytes int
	// Parts is the argument that asks for one part of an object that is larger
	// than MaxBytes, from 1; empty: its long texts are shortened instead.
	Parts string
	// PartsText describes that argument; empty: in toolpress's own words.
	PartsText string `json:"-"`
}

// Renamed is a field that gets another name: the value at the dotted path Path
// becomes the member Name of the object, or of the item of a list, that it is in.
type Renamed struct{ Path, Name string }

// Unasked reports names of what goes unless a path of [ResultShape.Pick] has them:
// addresses of the REST API, which a model cannot call, and what plugins have ready
// for the head of a page.
func Unasked(name string) bool {
	return name == "_links" || strings.HasPrefix(name, "yoast_head") || strings.HasPrefix(name, "aioseo_head")
}

// HTML is what becomes of texts with markup. Texts under the name raw stay: they
// are what an editor writes back.
type HTML string

// What becomes of markup.
const (
	KeepHTML HTML = "keep"
	TextHTML HTML = "text"
	Markdown HTML = "markdown"
)

// resultSettings are what a layer says of a result. A nil field is not said.
type resultSettings struct {
	pick, drop        *pick
	rename            []renamedField
	html              *Text
	maxText, maxBytes *number
	raw               *bool
	parts             *partsSettings
}

// renamedField is one field's other name; path is where it is in the answer.
type renamedField struct{ path, name Text }

// pick is a list of paths or patterns; add appends to an earlier layer's.
type pick struct {
	paths []Text
	add   bool
}

// result takes what a layer says of the result. Lists replace, renames merge.
func (b *toolBuilder) result(l layered) {
	s, shape := &l.set.result, &b.tool.Result
	entry := slices.Contains(b.candidate.sets[b.candidate.since:], l)
	if s.trims() {
		shape.Raw = false
	}
	if s.raw != nil {
		shape.Raw = *s.raw
	}
	if s.pick != nil {
		b.picks = s.pick.over(b.picks, l.file, entry)
	}
	if s.drop != nil {
		b.drops = s.drop.over(b.drops, l.file, entry)
	}
	for _, one := range s.rename {
		b.renames = slices.DeleteFunc(b.renames, func(old placedRename) bool { return old.path == one.path.Value })
		b.renames = append(b.renames, placedRename{placed{one.path.Value, one.path.Pos, l.file, entry}, one.name.Value})
	}
	if s.html != nil {
		shape.HTML = HTML(s.html.Value)
	}
	if s.maxText != nil {
		shape.MaxText = s.maxText.value
	}
	if s.maxBytes != nil {
		shape.MaxBytes = s.maxBytes.value
	}
	if s.parts != nil {
		shape.Parts, shape.PartsText = s.parts.argument.Value, s.parts.describe
	}
}

// placed is a path and where it was written.
type placed struct {
	path string
	pos  Pos
	file *file
	// entry is true of an entry's for this operation; a rule speaks of many.
	entry bool
}

// placedRename is a rename and where it was written.
type placedRename struct {
	placed
	name string
}

// over is a layer's list over those of the layers before it.
func (p *pick) over(earlier []placed, f *file, entry bool) []placed {
	if !p.add {
		earlier = nil
	}
	list := slices.Clone(earlier)
	for _, t := range p.paths {
		if !slices.ContainsFunc(list, func(o placed) bool { return o.path == t.Value }) {
			list = append(list, placed{t.Value, t.Pos, f, entry})
		}
	}
	return list
}

// settleResult gathers what the layers say of the result, and reports what has
// no effect.
func (b *toolBuilder) settleResult() {
	shape := &b.tool.Result
	shape.Private = b.privateOf(b.candidate.op, &b.tool.record)
	for _, p := range b.picks {
		shape.Pick = append(shape.Pick, p.path)
		if !p.file.preset && shape.Private.covers(p.path) {
			b.find(p.file, "private", SeverityWarning, p.pos, "leave it out", "%s is picked and private: it will not be there", p.path)
		}
	}
	var drops []string
	for _, p := range b.drops {
		drops = append(drops, p.path)
	}
	shape.Drop = fieldsOf(drops)
	for _, r := range b.renames {
		shape.Rename = append(shape.Rename, Renamed{r.path, r.name})
		b.tool.record.note("result.rename."+r.path, false, r.pos)
	}
	b.checkRenames()
	if !shape.Raw {
		b.checkFields()
	}
	if shape.Raw {
		*shape = ResultShape{Private: shape.Private, Raw: true, MaxBytes: shape.MaxBytes, Parts: shape.Parts, PartsText: shape.PartsText}
	}
	b.tool.trim = b.tool.op.Trim(shape.asked())
}

// asked are the paths that have to come from the site: what is picked, without what
// is taken out again.
func (r ResultShape) asked() []string {
	return slices.DeleteFunc(slices.Clone(r.Pick), func(p string) bool { return r.Private.covers(p) || r.Drop.covers(p) })
}

// checkRenames reports renames that would give one name to two fields, and those
// of what is not picked.
func (b *toolBuilder) checkRenames() {
	shape := b.tool.Result
	for i, r := range b.renames {
		clash := slices.ContainsFunc(b.renames[:i], func(o placedRename) bool { return o.name == r.name })
		reaches := len(shape.Pick) == 0
		for _, p := range shape.Pick {
			within, whole := strings.HasPrefix(p+".", r.path+"."), strings.HasPrefix(r.path+".", p+".")
			reaches = reaches || within || whole
			first, _, _ := strings.Cut(p, ".")
			renamed := slices.ContainsFunc(b.renames, func(o placedRename) bool { return strings.HasPrefix(p+".", o.path+".") })
			clash = clash || first == r.name && !renamed
		}
		switch {
		case clash:
			b.fail(r.file, r.pos, "give it another name", "two fields of the result would be called %s", r.name)
		case !reaches && !r.file.preset: // a preset's rename goes with its own pick
			hint := ""
			if near := nearest(r.path, b.named(shape.Pick)); near != "" {
				hint = "did you mean " + strconv.Quote(near) + "?"
			}
			b.find(r.file, "not-picked", SeverityWarning, r.pos, hint, "%s is renamed and not picked: it will not be there", r.path)
		}
	}
}
