package wire

import (
	"encoding/json"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"toolpress/generate/schema"
)

// letters are characters that mean something to a URL, to PHP, to JSON or to
// WordPress, and some that mean something to people.
var letters = []rune("ab Z09+&=%#;[]{}()<>?/\\.,:!*'\"`~^|$@_-\n\r\té日本ßλ😀\u00a0\u200b\u2028")

// sayings are texts that are taken for something else somewhere.
var sayings = []string{
	"", " ", "a b", " lead", "trail ", "a+b", "a&b=c", "50%", "%41", "%zz", "#x", ";", "[x]", "a,b", "'\"\\", "\\'", "\\\\n", "line\nline\r\nline", "\t", "😀👍🏽", "日本語", "é", "<script>x</script>", "<!-- wp:p -->", "&amp;&#39;",
	"null", "true", "0", "1.0", "012", "[]", "{}", "[1]", "{\"a\":1}", "../../x", "http://127.0.0.1/?a=b#c", "\u2028", "a\x00b", "_method=DELETE", "&_method=DELETE", "x&rest_route=/",
}

var (
	wholes    = []string{"0", "1", "-1", "42", "9007199254740993", "-9007199254740995", "9223372036854775807", "-9223372036854775808"}
	fractions = []string{"0", "1.0", "0.5", "-2.25", "1e30", "1.5E-7", "12", "100.10", "-0.0", "123456789.125"}
)

// keys of objects that both JSON and a query carry, and those that only JSON does.
var (
	keys     = []string{"a", "b.c", "d e", "é", "x=y&z", "[", "0", "1", "-1", "007", "%5D", "a[b", "_method", "#", "'"}
	jsonKeys = append([]string{"]", "a]b", " ", "", "a\x00b"}, keys...)
)

// arguments draws what a model may mean: of the schema's types, with everything
// that has to survive. What a query cannot carry is not drawn for one.
type drawing struct {
	t       *rapid.T
	inQuery bool
}

func (d drawing) oneOf(name string, list []string) string {
	return rapid.SampledFrom(list).Draw(d.t, name)
}

func (d drawing) text() string {
	if rapid.Bool().Draw(d.t, "saying") {
		return d.oneOf("text", sayings)
	}
	return rapid.StringOfN(rapid.RuneFrom(letters), 0, 20, -1).Draw(d.t, "text")
}

func (d drawing) value(s *schema.Schema, depth int) any {
	switch {
	case s == nil || len(s.Types) == 0:
		return d.anything(depth)
	case s.Is("integer"):
		if !d.inQuery && slices.Contains(s.Types, "null") && rapid.Bool().Draw(d.t, "null") {
			return nil
		}
		return json.Number(d.oneOf("integer", wholes))
	case s.Is("number"):
		return json.Number(d.oneOf("number", fractions))
	case s.Is("boolean"):
		return rapid.Bool().Draw(d.t, "boolean")
	case s.Is("array"):
		list := []any{}
		for range rapid.IntRange(0, 4).Draw(d.t, "items") {
			list = append(list, d.value(s.Items, depth-1))
		}
		return list
	case s.Is("object"):
		return d.object(s, depth)
	}
	return d.text()
}

// object draws some of the properties, and others where the object is open.
func (d drawing) object(s *schema.Schema, depth int) map[string]any {
	object := map[string]any{}
	for _, p := range s.Properties {
		if p.Required || rapid.Bool().Draw(d.t, p.Name) {
			object[p.Name] = d.value(p.Schema, depth-1)
		}
	}
	if !s.Closed && depth > 0 {
		for range rapid.IntRange(0, 3).Draw(d.t, "others") {
			if name := d.key(); s.Property(name) == nil {
				object[name] = d.value(s.Additional, depth-1)
			}
		}
	}
	return object
}

func (d drawing) key() string {
	if d.inQuery {
		return d.oneOf("key", keys)
	}
	return d.oneOf("key", jsonKeys)
}

// anything draws JSON to a depth. In a query nothing tells an empty list from a
// text there, and there is no null.
func (d drawing) anything(depth int) any {
	kind := rapid.IntRange(0, 5).Draw(d.t, "kind")
	switch {
	case kind == 0:
		return json.Number(d.oneOf("number", slices.Concat(wholes, fractions, []string{"12345678901234567890"})))
	case kind == 1:
		return rapid.Bool().Draw(d.t, "boolean")
	case kind == 2 && !d.inQuery:
		return nil
	case kind == 3 && depth > 0:
		list := []any{}
		for range rapid.IntRange(d.least(), 3).Draw(d.t, "items") {
			list = append(list, d.anything(depth-1))
		}
		return list
	case kind == 4 && depth > 0:
		object := map[string]any{}
		for range rapid.IntRange(d.least(), 3).Draw(d.t, "members") {
			object[d.key()] = d.anything(depth - 1)
		}
		return object
	}
	return d.text()
}

func (d drawing) least() int {
	if d.inQuery {
		return 1
	}
	return 0
}

// segment draws a path argument that is one segment.
func (d drawing) segment() string {
	good := func(s string) bool {
		lower := strings.ToLower(s)
		return strings.Trim(s, ".") != "" && lower != "typed" && !strings.ContainsAny(s, "/\\\n\r\t\x00") &&
			!strings.Contains(lower, "%2f") && !strings.Contains(lower, "%5c") && !strings.Contains(lower, "%2e")
	}
	return rapid.StringOfN(rapid.RuneFrom(letters), 1, 12, -1).Filter(good).Draw(d.t, "segment")
}
