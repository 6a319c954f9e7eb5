package schema

import (
	"encoding/json"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// judge tells whether schemas take values, with the verdict of [Schema.Takes] but
// at a cost that follows the value: Takes compiles everything a schema has, also
// what nothing in the value is about. The zero value is ready for use.
type judge struct {
	patterns map[string]*regexp.Regexp // compiled before; none of them but those of a [Check] is shared
	// left is how many steps may be taken, where bounded: a value held against a
	// schema, or against some values of an enum, is one. Without any left nothing
	// is admitted.
	left    int
	bounded bool
}

// spend takes steps, and reports that there were so many.
func (j *judge) spend(steps int) bool {
	if j.bounded {
		j.left -= steps
		return j.left >= 0
	}
	return true
}

func (j *judge) spent() bool { return j.bounded && j.left < 0 }

// enter takes the steps of holding one value against a schema.
func (j *judge) enter(s *Schema) bool { return j.spend(1 + (len(s.Enum)+len(s.Properties))/8) }

// hasType reports that a value is exactly of one of the schema's types.
func (s *Schema) hasType(v any) bool {
	return len(s.Types) == 0 || slices.ContainsFunc(s.Types, func(t string) bool { return isExactly(v, t) })
}

// admits reports that a schema takes a value without [Excess] as it is, in every
// keyword that is published but format.
func (j *judge) admits(s *Schema, v any) bool {
	if !j.enter(s) || !s.hasType(v) {
		return false
	}
	if s.Enum != nil && !slices.ContainsFunc(s.Enum, func(e any) bool { return same(v, e) }) {
		return false
	}
	ok := true
	switch v := v.(type) {
	case string:
		ok = j.admitsText(s, v)
	case json.Number:
		ok = s.holds(v)
	case []any:
		ok = j.admitsList(s, v)
	case map[string]any:
		ok = j.admitsObject(s, v)
	}
	for _, part := range s.AllOf {
		ok = ok && j.admits(part, v)
	}
	return ok && (len(s.AnyOf) == 0 || slices.ContainsFunc(s.AnyOf, func(variant *Schema) bool { return j.admits(variant, v) }))
}

func (j *judge) admitsText(s *Schema, text string) bool {
	if s.MinLength != nil || s.MaxLength != nil {
		if !j.spend(len(text)/1024) || !between(utf8.RuneCountInString(text), s.MinLength, s.MaxLength) {
			return false
		}
	}
	return s.Pattern == "" || j.spend(len(text)/64) && j.matches(s.Pattern, text)
}

func (j *judge) admitsList(s *Schema, list []any) bool {
	if !between(len(list), s.MinItems, s.MaxItems) {
		return false
	}
	if s.Items != nil && slices.ContainsFunc(list, func(item any) bool { return !j.admits(s.Items, item) }) {
		return false
	}
	seen := map[string]bool{}
	for _, item := range list {
		if !s.UniqueItems {
			break
		}
		text := plain(item)
		if seen[text] {
			return false
		}
		seen[text] = true
	}
	return true
}

func (j *judge) admitsObject(s *Schema, object map[string]any) bool {
	if !between(len(object), s.MinProperties, s.MaxProperties) {
		return false
	}
	named := 0
	for _, p := range s.Properties {
		inner, there := object[p.Name]
		if there && !j.admits(p.Schema, inner) || !there && p.Required {
			return false
		}
		if there {
			named++
		}
	}
	if s.Additional == nil && !s.Closed || named == len(object) {
		return true
	}
	if s.Closed {
		return false
	}
	for name, inner := range object {
		j.spend(len(s.Properties) / 64)
		if s.Property(name) == nil && !j.admits(s.Additional, inner) {
			return false
		}
	}
	return true
}

// matches reports that a text matches a pattern; one that RE2 cannot read is left
// to the site.
func (j *judge) matches(pattern, text string) bool {
	re, known := j.patterns[pattern]
	if !known {
		re, _ = regexp.Compile(pattern)
		if j.patterns == nil {
			j.patterns = map[string]*regexp.Regexp{}
		}
		j.patterns[pattern] = re
	}
	return re == nil || re.MatchString(text)
}

func between(n int, least, most *int) bool {
	return (least == nil || n >= *least) && (most == nil || n <= *most)
}

// holds reports that a number lies within the schema's bounds.
func (s *Schema) holds(n json.Number) bool {
	for _, b := range []struct {
		bound json.Number
		fits  func(order int) bool
	}{
		{s.Minimum, func(order int) bool { return order >= 0 }},
		{s.Maximum, func(order int) bool { return order <= 0 }},
		{s.ExclusiveMinimum, func(order int) bool { return order > 0 }},
		{s.ExclusiveMaximum, func(order int) bool { return order < 0 }},
	} {
		if b.bound != "" && !b.fits(exact(n).Cmp(exact(b.bound))) {
			return false
		}
	}
	return s.MultipleOf == "" || new(big.Rat).Quo(exact(n), exact(s.MultipleOf)).IsInt()
}

// exact is the value of a number without [Excess].
func exact(n json.Number) *big.Rat {
	r, ok := new(big.Rat).SetString(n.String())
	if !ok {
		return new(big.Rat)
	}
	return r
}

// isExactly reports that a value is of a type of JSON Schema, with nothing read
// into it.
func isExactly(v any, name string) bool {
	switch v := v.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case json.Number:
		return name == "number" || name == "integer" && isWhole(v)
	case []any:
		return name == "array"
	case map[string]any:
		return name == "object"
	}
	return false
}

// same reports that two values are one to JSON Schema: 1 and 1.0 are.
func same(a, b any) bool {
	switch a := a.(type) {
	case string:
		text, isText := b.(string)
		return isText && a == text
	case json.Number:
		number, isNumber := b.(json.Number)
		return isNumber && (a == number || exact(a).Cmp(exact(number)) == 0)
	case []any, map[string]any:
		return plain(a) == plain(b)
	}
	return isScalar(b) && a == b
}

func isScalar(v any) bool {
	switch v.(type) {
	case []any, map[string]any:
		return false
	}
	return true
}

// plain is a value as a text that is the same for the same values.
func plain(v any) string {
	var b strings.Builder
	write(&b, v)
	return b.String()
}

func write(b *strings.Builder, v any) {
	switch v := v.(type) {
	case json.Number:
		b.WriteString(exact(v).RatString())
	case []any:
		b.WriteByte('[')
		for _, item := range v {
			write(b, item)
			b.WriteByte(',')
		}
		b.WriteByte(']')
	case map[string]any:
		b.WriteByte('{')
		for _, name := range firstNames(v, len(v)) {
			write(b, name)
			b.WriteByte(':')
			write(b, v[name])
		}
		b.WriteByte('}')
	default:
		text, _ := Encode(v)
		b.Write(text)
	}
}
