package curate

import (
	"cmp"
	"encoding/json"
	"math/big"
	"regexp/syntax"
	"slices"
	"strings"

	"toolpress/discover/wp"
	"toolpress/generate/schema"
)

// exampleDepth is how deep an example goes into what may be absent.
const exampleDepth = 3

// Example is a call of the tool: arguments that its schema takes, drawn from the
// schema alone, and the request that they become. All arguments are in it, or,
// where they do not go together, only those that a call has to have. A value that
// would be a secret is [NotShown]. The error says why the site would refuse even
// those; the request is then empty.
func (t *Tool) Example() (json.RawMessage, wp.Request, error) {
	var text json.RawMessage
	var err error
	for _, all := range []bool{true, false} {
		if text, err = schema.Encode(t.withOneFile(exampleObject(t.schema, all, exampleDepth))); err != nil {
			return nil, wp.Request{}, err
		}
		var r wp.Request
		if r, err = t.Request(text); err == nil {
			return text, redactRequest(r, nil), nil
		}
	}
	return text, wp.Request{}, err
}

// Redacted is a request of the tool without what may be a secret, by its name,
// and without what is private, for people and logs.
func (t *Tool) Redacted(r wp.Request) wp.Request { return redactRequest(r, t.Result.Private) }

func redactRequest(r wp.Request, private Fields) wp.Request {
	r.Query = slices.Clone(r.Query)
	for i, p := range r.Query {
		r.Query[i].Value = redacted(p.Name, p.Value, private.Below(p.Name))
	}
	r.Body = redacted("", r.Body, private)
	return r
}

// redacted is a value without the secrets in it; name is the member it is, private
// are the patterns of what is private in it.
func redacted(name string, v any, private Fields) any {
	if private.Whole() && v != nil {
		return NotShown
	}
	switch v := v.(type) {
	case string:
		if v != "" && secretName.MatchString(name) {
			return NotShown
		}
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = redacted(name, v[i], private)
		}
		return list
	case map[string]any:
		object := map[string]any{}
		for member, inner := range v {
			object[member] = redacted(member, inner, private.Below(member))
		}
		return object
	}
	return v
}

func exampleObject(s *schema.Schema, all bool, depth int) map[string]any {
	object := map[string]any{}
	for _, p := range s.Properties {
		if !p.Required && !(all && depth > 0) {
			continue
		}
		if v := example(p.Name, p.Schema, all, depth-1); p.Required || p.Schema.Takes(v) {
			object[p.Name] = v
		}
	}
	return object
}

// example is a value that a schema takes: its default, the first of its enum, its
// own example, or the least within its bounds.
func example(name string, s *schema.Schema, all bool, depth int) any {
	switch {
	case secretName.MatchString(name) && s.Allows("string") && s.Enum == nil:
		return NotShown
	case s.HasDefault && s.Default != nil && !empty(s.Default) && s.Takes(s.Default):
		return s.Default
	case len(s.Enum) > 0:
		return s.Enum[max(slices.IndexFunc(s.Enum, s.Takes), 0)]
	case s.Example != nil && s.Takes(s.Example):
		return s.Example
	case len(s.AnyOf) > 0:
		return exampleVariant(name, s, all, depth)
	case s.Allows("string") && len(s.Types) > 0 && !s.Is("array"):
		return exampleText(name, s)
	case s.Allows("integer") || s.Allows("number"):
		return exampleNumber(s)
	case s.Allows("boolean"):
		return true
	case s.Allows("array"):
		list := []any{}
		for len(list) < least(s.MinItems, 1) && s.Items != nil {
			list = append(list, example(strings.TrimSuffix(name, "s"), s.Items, all, depth))
		}
		return list
	case s.Allows("object"):
		return exampleObject(s, all, depth)
	}
	return nil
}

// exampleVariant is one of the first variant that the whole schema takes, which
// may bound a text or a number besides.
func exampleVariant(name string, s *schema.Schema, all bool, depth int) any {
	var first any
	for i, v := range s.AnyOf {
		bounded := *v
		bounded.MinLength, bounded.MaxLength = cmp.Or(v.MinLength, s.MinLength), cmp.Or(v.MaxLength, s.MaxLength)
		bounded.Pattern = cmp.Or(v.Pattern, s.Pattern)
		bounded.Minimum, bounded.Maximum = cmp.Or(v.Minimum, s.Minimum), cmp.Or(v.Maximum, s.Maximum)
		value := example(name, &bounded, all, depth)
		if s.Takes(value) {
			return value
		}
		if i == 0 {
			first = value
		}
	}
	return first
}

// empty reports a default that shows nothing.
func empty(v any) bool {
	switch v := v.(type) {
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

func least(bound *int, otherwise int) int {
	if bound != nil && *bound > otherwise {
		return min(*bound, 100)
	}
	return otherwise
}

func exampleNumber(s *schema.Schema) any {
	for _, text := range []json.Number{"1", s.Minimum, s.Maximum, s.MultipleOf, "0"} {
		if text != "" && s.Takes(text) {
			return text
		}
	}
	if low, ok := new(big.Rat).SetString(s.ExclusiveMinimum.String()); ok {
		return json.Number(low.Add(low, big.NewRat(1, 1)).RatString())
	}
	return json.Number("1")
}

// formatted are texts of the formats that JSON Schema defines.
var formatted = map[string]string{
	"date-time": "2026-01-31T09:00:00Z", "date": "2026-01-31", "email": "ana@example.com", "uri": "https://example.com/", "uuid": "123e4567-e89b-42d3-a456-426614174000",
	"ip": "192.0.2.1", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "hostname": "example.com",
}

func exampleText(name string, s *schema.Schema) string {
	text := formatted[s.Format]
	if s.Pattern != "" && !s.Takes(text) {
		if re := schema.ParsePattern(s.Pattern); re != nil {
			text = matching(re)
		}
	}
	if text == "" {
		text = name
	}
	// A pattern seldom takes the name, and often more of the same.
	for _, more := range []string{"-" + name, text[len(text)-min(len(text), 1):], text} {
		if fitting := sized(text, more, s); s.Takes(fitting) {
			return fitting
		}
	}
	return sized(text, "-"+name, s)
}

// sized is a text with more of something until it is long enough, and cut.
func sized(text, more string, s *schema.Schema) string {
	for more != "" && len(text) < least(s.MinLength, 0) {
		text += more
	}
	if s.MaxLength != nil && len(text) > *s.MaxLength {
		text = text[:*s.MaxLength]
	}
	return text
}

// matching is a short text that a pattern matches.
func matching(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCharClass:
		return classed(re.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "a"
	case syntax.OpCapture:
		return matching(re.Sub[0])
	case syntax.OpPlus:
		return strings.Repeat(matching(re.Sub[0]), 2)
	case syntax.OpRepeat:
		times := re.Min
		if times == 0 && re.Max != 0 {
			times = 1
		}
		return strings.Repeat(matching(re.Sub[0]), min(times, 100))
	case syntax.OpConcat:
		var b strings.Builder
		for _, part := range re.Sub {
			b.WriteString(matching(part))
		}
		return b.String()
	case syntax.OpAlternate:
		return matching(re.Sub[0])
	}
	return "" // what may be absent is
}

// classed is a character of a class: a letter or digit where it has one.
func classed(pairs []rune) string {
	for _, c := range "a1A" {
		for i := 0; i+1 < len(pairs); i += 2 {
			if pairs[i] <= c && c <= pairs[i+1] {
				return string(c)
			}
		}
	}
	return string(pairs[0])
}
