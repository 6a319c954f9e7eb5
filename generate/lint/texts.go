package lint

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"toolpress/discover"
	"toolpress/generate/schema"
	"toolpress/generate/words"
)

// descriptions are the abilities that have a description, by the description.
func descriptions(abilities []discover.Ability) map[string][]string {
	said := map[string][]string{}
	for _, a := range abilities {
		if text := folded(a.Description); text != "" {
			said[text] = append(said[text], a.Name)
		}
	}
	return said
}

// folded is a text by which two are the same.
func folded(text string) string {
	return strings.TrimSuffix(strings.ToLower(schema.Legible(text, len(text)+1)), ".")
}

// texts looks at what an ability says of itself, and at every text of its schemas.
func (r *report) texts(s *subject, english bool, said map[string][]string) {
	a := s.ability
	if folded(a.Label) == "" {
		r.add(s, "no-label", "label", "no label")
	}
	if folded(a.Category) == "" {
		r.add(s, "no-category", "category", "no category")
	}
	if a.OutputSchema == nil {
		r.add(s, "no-output-schema", "output_schema", "no schema")
	}
	r.description(s, english, said)
	r.hostile(s, "label", a.Label)
	r.hostile(s, "description", a.Description)
	schemaTexts("input_schema", a.InputSchema, func(path, text string) { r.hostile(s, path, text) })
	schemaTexts("output_schema", a.OutputSchema, func(path, text string) { r.hostile(s, path, text) })
}

func (r *report) description(s *subject, english bool, said map[string][]string) {
	a := s.ability
	text := folded(a.Description)
	if text == "" {
		r.add(s, "no-description", "description", "no description")
		return
	}
	if text == folded(a.Label) {
		r.add(s, "no-description", "description", "the label again")
		return
	}
	if n := utf8.RuneCountInString(strings.TrimSpace(a.Description)); n < words.ShortDescription || n > words.LongDescription {
		r.add(s, "description-length", "description", fmt.Sprintf("%d characters", n))
	}
	if first := words.NoVerb(a.Description); english && first != "" {
		r.add(s, "verb-first", "description", "it begins with "+first)
	}
	if mark := words.Markup(a.Description); mark != "" {
		r.add(s, "markup", "description", mark)
	}
	if part := words.RouteText(a.Description); part != "" {
		r.add(s, "route-text", "description", part)
	}
	if others := others(said[text], a.Name); len(others) > 0 {
		r.add(s, "same-description", "description", "also of "+strings.Join(others, ", "))
	}
}

func others(names []string, but string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == but })
}

// hostile looks at a text for what speaks to the model, and for what nobody sees.
func (r *report) hostile(s *subject, path, text string) {
	if order := words.Order(schema.CleanText(text, len(text)+1)); order != "" {
		r.add(s, "speaks-to-model", path, fmt.Sprintf("%q", order))
	}
	if hidden := unseen(text); len(hidden) > 0 {
		r.add(s, "invisible-characters", path, strings.Join(hidden, ", "), strings.Join(hidden, ", "))
	}
}

// unseen are the characters of a text that are not seen, each once, as U+200B. What
// joins letters of a script that needs it, or pictures, is none.
func unseen(text string) (found []string) {
	before := ' '
	for _, c := range text {
		joins := c == '\u200c' || c == '\u200d' || c >= '\ufe00' && c <= '\ufe0f'
		if shown := fmt.Sprintf("%U", c); schema.Unseen(c) && !unicode.IsSpace(c) && (!joins || before < utf8.RuneSelf) && !slices.Contains(found, shown) {
			found = append(found, shown)
		}
		before = c
	}
	return found
}

// schemaTexts visits every text of a schema as it is written, with its path.
func schemaTexts(path string, v any, visit func(path, text string)) {
	switch v := v.(type) {
	case string:
		visit(path, v)
	case []any:
		for _, item := range v {
			schemaTexts(path, item, visit)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			at := path + "." + key
			switch {
			case key == "items":
				at = path + "[]"
			case byName[key]:
				at = path
			}
			schemaTexts(at, v[key], visit)
		}
	}
}
