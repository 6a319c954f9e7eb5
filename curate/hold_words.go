package curate

import (
	"slices"
	"strings"

	"toolpress/curate/change"
	"toolpress/generate/schema"
)

// holdWords puts approved words in the place of those that a preset says now. A
// curation's own words need nobody's approval; the site's are those of its
// operation.
func (b *toolBuilder) holdWords(folded []*argument) {
	if b.held == nil {
		return
	}
	said := presetTexts{}
	f, title, _ := last(b.sets, pointed(func(s *settings) *Text { return s.title }))
	said.take(f, "title", title.Value)
	f, description, _ := last(b.sets, pointed(func(s *settings) *Text { return s.description }))
	said.take(f, "description", description.Value)
	described := map[string]*argument{}
	everyPart(folded, func(g *argument) {
		if g.describedIn != nil {
			field := "args." + g.path + ".describe"
			described[field] = g
			said.take(g.describedIn, field, g.Schema.Description)
		}
	})
	if len(said.texts) == 0 {
		return
	}
	w, approved := b.preset("tools."+b.candidate.first(), said)
	if b.words = w; !b.held.holds || len(w.Preset) == 0 {
		return
	}
	for field := range said.texts {
		text, kept := approved.Texts[field]
		switch g := described[field]; {
		case g != nil && kept:
			g.Schema.Description = text
		case g != nil:
			g.Schema.Description = g.original.Schema.Description
		case field == "title" && kept:
			b.tool.Title = text
		case field == "title":
			b.tool.Title = b.candidate.title()
		case kept:
			b.tool.Description = text
		default:
			b.tool.Description = b.candidate.op.Description
		}
		if text != said.texts[field] {
			b.tool.record.keep(field, b.held.file+", approved on "+approved.Date)
		}
	}
}

// first is the name that a candidate had in the layer that made it.
func (c *candidate) first() string {
	if len(c.former) > 0 {
		return c.former[0].Value
	}
	return c.name.Value
}

// everyPart calls f for arguments and for every part of them that a layer opened.
func everyPart(args []*argument, f func(*argument)) {
	for _, g := range args {
		f(g)
		everyPart(g.parts, f)
	}
}

// presetTexts are the words of presets that one entry has, by field.
type presetTexts struct {
	texts   map[string]string
	presets []string
}

// take adds a text where a preset said it; f is nil where no layer did.
func (p *presetTexts) take(f *file, field, text string) {
	if f == nil || !f.preset {
		return
	}
	if p.texts == nil {
		p.texts = map[string]string{}
	}
	p.texts[field] = text
	if !slices.Contains(p.presets, f.reader.name) {
		p.presets = append(p.presets, f.reader.name)
	}
}

// preset compares the words of presets with those that were approved, of which it
// returns those that come nearest.
func (a *application) preset(key string, said presetTexts) (*waiting, approvedWords) {
	w := &waiting{Words: key, Presets: said.presets, texts: said.texts}
	known := a.held.words[key]
	if w.PresetNew = len(known) == 0; w.PresetNew {
		return w, approvedWords{}
	}
	best, most := approvedWords{}, -1
	for _, k := range known {
		if k.says(said.texts) {
			if k.Preset != strings.Join(said.presets, " ") {
				w.moved = k.Preset
			}
			return w, k
		}
		alike := 0
		for field, text := range said.texts {
			if k.Texts[field] == text {
				alike++
			}
		}
		if alike > most {
			best, most = k, alike
		}
	}
	w.Preset = compareWords(best.Texts, said.texts)
	return w, best
}

// compareWords is what changed of the words of one entry.
func compareWords(before, after map[string]string) []change.Change {
	tool := func(texts map[string]string) change.Tool {
		args := map[string]any{}
		t := change.Tool{Title: texts["title"], Description: texts["description"] + texts["describe"] + texts["instructions"]}
		for field := range after {
			if path, is := strings.CutPrefix(field, "args."); is {
				args[strings.TrimSuffix(path, ".describe")] = map[string]string{"description": texts[field]}
			}
		}
		t.InputSchema, _ = schema.Encode(map[string]any{"properties": args}) // texts
		return t
	}
	kept := map[string]string{}
	for field := range after {
		kept[field] = before[field]
	}
	changes, _ := change.Tools(tool(kept), tool(after)) // both are schemas
	return changes
}

// heldText is a text of a preset that is no tool's, as a group's: as it was
// approved, or nothing where none was.
func (a *application) heldText(key, field string, f *file, text string) string {
	said := presetTexts{}
	if said.take(f, field, text); a.held == nil || len(said.texts) == 0 || text == "" {
		return text
	}
	w, approved := a.preset(key, said)
	if !slices.ContainsFunc(a.waits, func(other *waiting) bool { return other.Words == key }) {
		a.waits = append(a.waits, w)
		a.tellPreset(a.layers[len(a.layers)-1], a.held.at, key, "look at it and accept it: toolpress approve "+key, w)
	}
	if w.nothing() || !a.held.holds {
		return text
	}
	return approved.Texts[field]
}
