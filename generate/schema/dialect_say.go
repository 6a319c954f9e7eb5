package schema

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"toolpress/generate/clients"
)

// sayExtra says which properties an object takes beside the named ones.
func (s *Schema) sayExtra() {
	if !clients.Refused("additionalProperties") {
		return
	}
	extra := s.Additional
	s.Additional, s.Closed = nil, false
	switch {
	case extra == nil:
	case len(s.Properties) == 0 && len(extra.Types) == 1:
		s.remark("any names are taken, each " + TypeWord(extra.Types[0]))
	case len(extra.Types) == 1:
		s.remark("any other names are taken, each " + TypeWord(extra.Types[0]))
	case len(s.Properties) == 0:
		s.remark("any names are taken")
	default:
		s.remark("any other names are taken")
	}
}

// sayValues keeps an enum of texts, and says any other.
func (s *Schema) sayValues() {
	texts, others := []any{}, []string{}
	seen := map[string]bool{}
	for _, v := range s.Enum {
		text, _ := Encode(v)
		if seen[string(text)] {
			continue
		}
		seen[string(text)] = true
		shown, _ := json.Marshal(v) // markup in it stays to be seen, escaped
		others = append(others, string(shown))
		if t, isText := v.(string); isText && t != "" {
			texts = append(texts, v)
		}
	}
	switch {
	case s.Enum == nil:
	case s.Is("string") && len(texts) == len(others):
		s.Enum = texts
	case s.Is("string") && len(texts) > 0 && len(texts) == len(others)-1 && seen[`""`]:
		s.Enum = texts
		s.remark("or empty")
	default:
		s.Enum = nil
		s.remark("one of " + strings.Join(others, ", "))
	}
	if s.HasDefault && !s.publishes(s.Default) {
		if text, err := json.Marshal(s.Default); err == nil && s.Default != nil && string(text) != `""` {
			s.remark("default " + string(text))
		}
		s.Default, s.HasDefault = nil, false
	}
}

// publishes reports that a default, which the schema took before, is still of
// the forms that it now says.
func (s *Schema) publishes(v any) bool {
	want, _ := Encode(v)
	if !s.fits(v) || s.Enum != nil && !slices.ContainsFunc(s.Enum, func(e any) bool {
		text, _ := Encode(e)
		return string(text) == string(want)
	}) {
		return false
	}
	switch v := v.(type) {
	case []any:
		return !slices.ContainsFunc(v, func(item any) bool { return !s.Items.publishes(item) })
	case map[string]any:
		for _, p := range s.Properties {
			if inner, there := v[p.Name]; there && !p.Schema.publishes(inner) || !there && p.Required {
				return false
			}
		}
	}
	return true
}

// sayBounds says the limits whose keywords a client refuses.
func (s *Schema) sayBounds() {
	say := func(keyword, format string, there bool, value any, drop func()) {
		if there && clients.Refused(keyword) {
			s.remark(fmt.Sprintf(format, value))
			drop()
		}
	}
	if s.ExclusiveMinimum != "" && clients.Refused("exclusiveMinimum") && (s.Minimum == "" || tighter(s.ExclusiveMinimum, s.Minimum, 1)) {
		s.Minimum = s.ExclusiveMinimum
	}
	if s.ExclusiveMaximum != "" && clients.Refused("exclusiveMaximum") && (s.Maximum == "" || tighter(s.ExclusiveMaximum, s.Maximum, -1)) {
		s.Maximum = s.ExclusiveMaximum
	}
	say("exclusiveMinimum", "more than %v", s.ExclusiveMinimum != "", s.ExclusiveMinimum, func() { s.ExclusiveMinimum = "" })
	say("exclusiveMaximum", "less than %v", s.ExclusiveMaximum != "", s.ExclusiveMaximum, func() { s.ExclusiveMaximum = "" })
	say("multipleOf", "a multiple of %v", s.MultipleOf != "", s.MultipleOf, func() { s.MultipleOf = "" })
	for _, n := range []struct {
		keyword, format string
		count           **int
	}{
		{"minLength", "at least %d characters", &s.MinLength},
		{"maxLength", "at most %d characters", &s.MaxLength},
		{"minItems", "at least %d items", &s.MinItems},
		{"maxItems", "at most %d items", &s.MaxItems},
		{"minProperties", "at least %d names", &s.MinProperties},
		{"maxProperties", "at most %d names", &s.MaxProperties},
	} {
		if *n.count == nil {
			continue
		}
		words := fmt.Sprintf(n.format, **n.count)
		if n.keyword == "minLength" && **n.count == 1 {
			words = "not empty"
		}
		say(n.keyword, "%s", true, words, func() { *n.count = nil })
	}
	say("uniqueItems", "%s", s.UniqueItems, "each once", func() { s.UniqueItems = false })
	say("pattern", "matches %v", s.Pattern != "", s.Pattern, func() { s.Pattern = "" })
}

// forms are how a model writes a format.
var forms = map[string]string{
	"date-time": "such as 2026-01-31T09:00:00", "date": "such as 2026-01-31", "time": "such as 09:00:00", "uri": "a URL", "email": "an email address",
}

// sayFormat says a format that a client refuses. date-time is one that none does,
// and that means something else to all of them: RFC 3339 asks for an offset, and
// WordPress's dates have none (wp-includes/rest-api.php, rest_parse_date).
func (s *Schema) sayFormat() {
	if s.Format == "" || s.Format != "date-time" && !clients.Refused("format:"+s.Format) {
		return
	}
	form := forms[s.Format]
	if form == "" {
		form = s.Format
	}
	s.Format = ""
	if !written.MatchString(s.Description) {
		s.remark(form)
	}
}

// sayEncoding says how a text holds bytes: Gemini has no field for the keyword.
func (s *Schema) sayEncoding() {
	if s.ContentEncoding != "" && !strings.Contains(s.Description, s.ContentEncoding) {
		s.remark("in " + s.ContentEncoding)
	}
	s.ContentEncoding = ""
}

// written is a date that a description gives as an example.
var written = regexp.MustCompile(`\d{4}-\d\d-\d\d`)
