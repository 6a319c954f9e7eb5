package curate

import (
	"maps"
	"slices"
	"strings"
)

// Setting is one field of a tool, and what set it.
type Setting struct {
	// Field is its path, as a curation writes it: args.per_page.maximum. The
	// field of an argument itself is shown, hidden or fixed.
	Field string `json:"field"`
	// Value is what holds, as encoding/json writes it. What is kept secret is
	// [NotShown].
	Value any `json:"value"`
	// From is what set it: places, as [Pos] writes them, [FromSite] or
	// [FromToolpress], or the lock and the day of the approval. A list that layers
	// add to has several.
	From []string `json:"from"`
}

// What sets a field where no layer does.
const (
	FromSite      = "the site"
	FromToolpress = "toolpress"
)

// NotShown stands for the value of an argument that holds a secret.
const NotShown = "(not shown)"

// Settings are all fields of the tool and what set each of them, as the layers
// were folded: its name and texts, its arguments at any depth, its result, what
// is private, and how it may be used.
func (t *Tool) Settings() []Setting {
	s := settingList{record: &t.record}
	worded := FromSite
	if t.op.Route != "" { // no route says what it is for
		worded = FromToolpress
	}
	s.add("name", t.Name, FromToolpress)
	s.add("from", t.Operation, FromSite)
	s.add("title", t.Title, worded)
	s.add("description", t.Description, worded)
	for _, g := range t.record.args {
		s.list = append(s.list, g.settings()...)
		if header := t.Headers[g.Name]; header != "" && !g.hidden && g.fix == nil {
			s.list = append(s.list, Setting{"args." + g.path + ".header", header, g.from("header")})
		}
	}
	if _, said := t.record.fields["args.*"]; said {
		s.add("args.*", "hidden", "")
	}
	for _, field := range s.new {
		s.list = append(s.list, Setting{field, "hidden", nil})
	}
	s.result(t.Result)
	s.use(t)
	for i := range s.list {
		if by := s.held[s.list[i].Field]; by != "" {
			s.list[i].From = []string{by}
		}
	}
	return s.list
}

// settingList gathers settings.
type settingList struct {
	*record
	list []Setting
}

// add adds a field that the layers set, or, where none does, what otherwise
// sets it.
func (s *settingList) add(field string, value any, otherwise string) {
	from := []string{otherwise}
	if at := s.fields[field]; len(at) > 0 {
		from = placesOf(at)
	}
	s.list = append(s.list, Setting{field, value, from})
}

// said adds a field that is only there where a layer says it.
func (s *settingList) said(field string, value any) {
	if len(s.fields[field]) > 0 {
		s.add(field, value, "")
	}
}

func placesOf(at []Pos) []string {
	var list []string
	for _, p := range at {
		if text := p.String(); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

func (s *settingList) result(r ResultShape) {
	var drops []string
	for _, p := range r.Drop {
		drops = append(drops, strings.Join(p, "."))
	}
	if r.Raw {
		s.said("result.raw", true)
	} else {
		s.said("result.pick", r.Pick)
		s.said("result.drop", drops)
		for _, one := range r.Rename {
			s.said("result.rename."+one.Path, one.Name)
		}
		s.said("result.html", r.HTML)
		s.said("result.max_text", r.MaxText)
	}
	s.add("result.max_bytes", r.MaxBytes, FromToolpress)
	s.said("result.parts", r.Parts)
	for _, field := range slices.Sorted(maps.Keys(s.fields)) {
		if pattern, is := strings.CutPrefix(field, "private."); is {
			s.add(field, pattern, "")
		}
	}
}

// use adds how the tool may be used.
func (s *settingList) use(t *Tool) {
	if len(s.groups) > 0 {
		s.add("groups", s.groups, FromToolpress)
	}
	s.add("annotations.read_only", t.Annotations.ReadOnly, FromSite)
	s.add("annotations.destructive", t.Annotations.Destructive, FromSite)
	s.add("annotations.idempotent", t.Annotations.Idempotent, FromSite)
	s.add("annotations.open_world", t.Annotations.OpenWorld, FromSite)
	s.add("confirm.when", t.Confirm.When, FromToolpress)
	s.said("confirm.ask", t.Confirm.Ask)
	s.said("confirm.without_elicitation", t.Confirm.WithoutElicitation)
	var fields []string
	for _, f := range t.Confirm.Fields {
		fields = append(fields, f.Name)
	}
	s.said("confirm.fields", fields)
	s.said("scopes", t.Scopes)
	if t.Idempotency != nil {
		s.said("idempotency", map[string]any{"argument": t.Idempotency.Argument, "window": t.Idempotency.Window.String()})
	}
	if t.Unmodified != nil {
		s.said("if_unmodified", map[string]any{"argument": t.Unmodified.Argument, "required": t.Unmodified.Required})
	}
	s.said("calls", t.Calls.String())
	s.said("cache", t.Cache.String())
	s.said("timeout", t.Timeout.String())
	s.add("dialect", string(t.dialect), FromToolpress)
	s.said("aliases", t.Aliases)
}
