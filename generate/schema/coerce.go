package schema

import (
	"slices"
	"strings"
)

// Coerce gives a value the types the schema wants where WordPress would read it
// so (rest_sanitize_value_from_schema in wp-includes/rest-api.php): numbers and
// booleans from text, lists from a scalar or from text with commas, an empty
// list or object from "". Unlike WordPress it reads the text of a JSON object or
// list where one is wanted, and leaves out the null of a property that may be
// absent and is not nullable. A JSON number keeps its digits. Where nothing fits
// the value stays as it is, for [Check.Validate] to refuse. v is not changed.
//
// The result is what has to be sent: WordPress 6.9 and 7.0 hand the callbacks of
// abilities what arrives. The error is [ErrTooMuch].
func (c *Check) Coerce(v any) (any, error) {
	r := &reading{judge: judge{patterns: c.patterns, bounded: true, left: maxSteps}, spelled: map[string]any{}}
	coerced := r.coerce(c.schema, v, true)
	if r.spent() {
		return v, ErrTooMuch
	}
	return coerced, nil
}

// reading is one value that is being coerced.
type reading struct {
	judge
	spelled map[string]any // what texts spell in JSON
	trying  int            // variants, in one another
}

// coerce reads JSON out of text only with texts.
func (r *reading) coerce(s *Schema, v any, texts bool) any {
	if !r.enter(s) {
		return v
	}
	v = r.firstVariant(s, v, texts)
	types := s.Types
	if text, isText := v.(string); isText && texts && !slices.Contains(types, "string") {
		if inside := r.container(text); inside != nil && readsAs(inside, types) != "" {
			v = inside
		}
	}
	if len(types) == 0 {
		types = containerType(v)
	}
	switch readsAs(v, types) {
	case "array":
		return r.list(s, v, texts)
	case "object":
		return r.object(s, v, texts)
	case "integer", "number":
		return number(v)
	case "boolean":
		word := strings.ToLower(ScalarText(v))
		return word == "true" || word == "1"
	}
	return v
}

// firstVariant is the value as the first variant that takes it reads it. Text is
// read as JSON only where no variant takes the text.
func (r *reading) firstVariant(s *Schema, v any, texts bool) any {
	r.trying++
	defer func() { r.trying-- }()
	for _, inside := range []bool{false, true} {
		if inside && !texts {
			break
		}
		for _, variant := range s.AnyOf {
			if !r.couldBe(variant, v, inside) {
				continue
			}
			if w := r.coerce(variant, v, inside); r.admits(variant, w) {
				return w
			}
		}
	}
	return v
}

// couldBe reports that a value may be read as one of a schema's types.
func (r *reading) couldBe(s *Schema, v any, texts bool) bool {
	if len(s.Types) == 0 || readsAs(v, s.Types) != "" {
		return true
	}
	text, isText := v.(string)
	inside := r.container(text)
	return isText && texts && inside != nil && readsAs(inside, s.Types) != ""
}

// container is what a text spells in JSON, read once.
func (r *reading) container(text string) any {
	inside, read := r.spelled[text]
	if !read {
		inside = container(text)
		r.spelled[text] = inside
	}
	return inside
}

func (r *reading) list(s *Schema, v any, texts bool) any {
	items, fromText := []any{}, false
	switch v := v.(type) {
	case []any:
		items = v
	case map[string]any: // an empty one: PHP has one kind of empty array
	default:
		if inside, isList := r.container(ScalarText(v)).([]any); isList && texts {
			items = inside
			break
		}
		fromText = true
		for word := range strings.FieldsFuncSeq(ScalarText(v), betweenWords) {
			items = append(items, word)
			if len(items) > maxValues {
				return r.tooMany(s, v)
			}
		}
	}
	out := slices.Clone(items)
	for i := range out {
		if s.Items != nil {
			out[i] = r.coerce(s.Items, out[i], texts && !fromText)
		}
	}
	return out
}

// tooMany is a text of more words than a list may have items: no list, where it
// may be something else, and else too much.
func (r *reading) tooMany(s *Schema, text any) any {
	if r.trying == 0 && !slices.Contains(s.Types, "string") {
		r.left = -1
	}
	return text
}

func (r *reading) object(s *Schema, v any, texts bool) any {
	members, _ := v.(map[string]any) // "" and an empty list have none
	out := make(map[string]any, len(members))
	for name, value := range members {
		r.spend(len(s.Properties) / 64)
		sub, required := s.Additional, false
		if p := s.meant(name, members); p != nil {
			name, sub, required = p.Name, p.Schema, p.Required
		}
		switch {
		case sub == nil:
			out[name] = value
		case value == nil && !required && !sub.nullable(): // is how some clients leave it out
		default:
			out[name] = r.coerce(sub, value, texts)
		}
	}
	return out
}

// meant is the property of that name, or the one that the site calls so and that
// is not given by its own.
func (s *Schema) meant(name string, members map[string]any) *Property {
	if p := s.Property(name); p != nil {
		return p
	}
	for i, p := range s.Properties {
		if _, given := members[p.Name]; p.Wire == name && !given {
			return &s.Properties[i]
		}
	}
	return nil
}

// betweenWords reports what parts the items of a list written as text
// (wp_parse_list).
func betweenWords(r rune) bool { return r == ',' || strings.ContainsRune(phpSpace, r) }
