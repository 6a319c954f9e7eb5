package wire

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"toolpress/discover/wp"
)

// difference is one way in which toolpress and WordPress disagree, and why that
// is right. docs/validation.md lists them. An example proves each.
type difference struct {
	way, what, why string
	schema, value  string
	is             func(j judged) bool
}

var differences = []difference{
	{
		refused, "A value for a type that WordPress does not know, or a schema with `properties` or `items` and no `type`",
		"WordPress then checks nothing. The type is read as what it means: `bool` is a boolean, `date-time` a text",
		`{"type":"bool"}`, `"maybe"`,
		func(j judged) bool { return anywhere(j.schema, oddType) },
	},
	{
		refused, "A value against `const`, or against a numeric `exclusiveMinimum` or `exclusiveMaximum`",
		"WordPress does not read them, but whoever wrote the schema meant them",
		`{"type":"number","exclusiveMinimum":2}`, `2`,
		func(j judged) bool {
			return anywhere(j.schema, func(s map[string]any) bool {
				_, low := s["exclusiveMinimum"].(json.Number)
				_, high := s["exclusiveMaximum"].(json.Number)
				return low || high || s["const"] != nil
			})
		},
	},
	{
		refused, "A list where an object is wanted, or an object with numbers for names where a list is",
		"To PHP they are the same; to a model they are not. Empty ones are taken for each other",
		`{"type":"object"}`, `[1]`,
		func(j judged) bool {
			return j.fails(func(e *jsonschema.ValidationError) bool {
				k, is := e.ErrorKind.(*kind.Type)
				return is && (k.Got == "array" && slices.Contains(k.Want, "object") || k.Got == "object" && slices.Contains(k.Want, "array"))
			})
		},
	},
	{
		refused, "`true`, `false`, commas alone or the text `null` as a list",
		"WordPress reads lists of one word or none. Nobody means that",
		`{"type":"array","items":{"type":"string"}}`, `"null"`,
		func(j judged) bool {
			return j.fails(func(e *jsonschema.ValidationError) bool {
				k, is := e.ErrorKind.(*kind.Type)
				return is && (k.Got == "boolean" || k.Got == "string") && slices.Contains(k.Want, "array")
			})
		},
	},
	{
		refused, "A text of JSON for a list, where what it spells does not fit",
		"WordPress would take it apart at its commas: `[]` is a list of one word, `[]`",
		`{"type":"array","items":{"type":"string"},"minItems":1}`, `"[]"`,
		func(j judged) bool { return holds(j.value, spellsJSON) },
	},
	{
		refused, "A number written as `1.0` for a list of booleans",
		"PHP takes a number for a list of its text, which is `1`; here its digits stay",
		`{"type":"array","items":{"type":"boolean"}}`, `1.0`,
		func(j judged) bool { return holds(j.value, respelt) && anywhere(j.schema, listOfSpelt) },
	},
	{
		refused, "A property that the site only writes (`readonly`), in an object that is closed",
		"It is not shown, so it cannot be said",
		`{"type":"object","properties":{"a":{"type":"integer"},"r":{"type":"string","readonly":true}},"additionalProperties":false}`, `{"r":"x"}`,
		func(j judged) bool {
			return j.fails(func(e *jsonschema.ValidationError) bool {
				_, is := e.ErrorKind.(*kind.AdditionalProperties)
				return is
			}) && saysUnshown(j.schema, j.value)
		},
	},
	{
		refused, "An object without a property that is marked `required: true`, beside a list of `required` names",
		"WordPress reads the list and not the mark; both are held to",
		`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer","required":true}},"required":["a"]}`, `{"a":1}`,
		func(j judged) bool {
			return j.fails(func(e *jsonschema.ValidationError) bool {
				_, is := e.ErrorKind.(*kind.Required)
				return is
			}) && anywhere(j.schema, requiredTwice)
		},
	},
	{
		refused, "A number whose digits go beyond what PHP calculates with: a fraction or a multiple far beyond 2^53, 1e400",
		"WordPress compares what PHP has rounded",
		`{"type":"integer"}`, `"9007199254740993.5"`,
		func(j judged) bool { return holds(j.value, long) },
	},
	{
		refused, "A text whose letters, digits or spaces are beyond ASCII, or that ends in a line break, against a `pattern`",
		"PCRE's `\\w`, `\\d` and `\\s` mean Unicode in WordPress, and its `$` lies before a last line break; RE2's and the clients' do not",
		`{"type":"string","pattern":"^\\w+$"}`, `"é"`,
		func(j judged) bool {
			return j.fails(func(e *jsonschema.ValidationError) bool {
				_, is := e.ErrorKind.(*kind.Pattern)
				return is
			}) && holds(j.value, func(v any) bool {
				text, _ := v.(string)
				return strings.HasSuffix(text, "\n") || strings.ContainsFunc(text, func(r rune) bool { return r > 127 })
			})
		},
	},

	{
		left, "A `format`: dates, e-mail and IP addresses, UUIDs, colours",
		"The site knows its own forms, such as a date without an offset",
		`{"type":"string","format":"date-time"}`, `"tomorrow"`,
		func(j judged) bool { return j.sent.is("date", "email", "ip", "uuid", "hex_color") },
	},
	{
		left, "Which variants of `oneOf` fit: one of them is enough here",
		"Without what told them apart, such as a format, “exactly one” would refuse what the site takes",
		`{"oneOf":[{"type":"string","enum":["a"]},{"type":"string","enum":["a","b"]}]}`, `"a"`,
		func(j judged) bool { return j.sent.is("one_of_multiple_matches") },
	},
	{
		left, "A `pattern` that does not mean the same to PCRE, to RE2 and to clients, and what only PCRE takes for white space",
		"Such a pattern is not published",
		`{"type":"string","pattern":"^(?=a)\\w+$"}`, `"b"`,
		func(j judged) bool {
			return j.sent.is("invalid_pattern") && (anywhere(j.schema, oddPattern) || holds(j.value, func(v any) bool {
				text, _ := v.(string)
				return strings.ContainsFunc(text, func(r rune) bool { return r == '\v' || r > 127 })
			}))
		},
	},
	{
		left, "An `enum` with values of another type than the schema's, or too long or unseen ones",
		"WordPress compares with types: some of them no value can match. Texts are published as texts, others dropped",
		`{"type":"string","enum":[1,"b"]}`, `"1"`,
		func(j judged) bool { return j.sent.is("not_in_enum") && anywhere(j.schema, oddEnum) },
	},
	{
		left, "A property that the site only writes, in an object that is open",
		"It is sent as any other that the schema does not name",
		`{"type":"object","properties":{"r":{"type":"integer","readonly":true}}}`, `{"r":"x"}`,
		func(j judged) bool { return saysUnshown(j.schema, j.value) },
	},
	{
		left, "`patternProperties`",
		"They are not published",
		`{"type":"object","patternProperties":{"^n_":{"type":"integer"}},"additionalProperties":false}`, `{"x":1}`,
		func(j judged) bool {
			return anywhere(j.schema, func(s map[string]any) bool { return s["patternProperties"] != nil })
		},
	},
	{
		left, "A variant of `anyOf` or `oneOf` that one of the above rules out",
		"As above",
		`{"anyOf":[{"type":"string","format":"email"},{"type":"string","enum":[""]}]}`, `"x"`,
		func(j judged) bool {
			return j.sent.is("no_matching_schema") && anywhere(j.schema, func(s map[string]any) bool {
				return s["format"] != nil || oddPattern(s) || oddEnum(s) || len(wp.List(s["oneOf"])) > 0
			})
		},
	},
	{
		left, "`multipleOf` with fractions, and beyond 2^53",
		"Here it is exact; in PHP 0.3 is no multiple of 0.1",
		`{"type":"number","multipleOf":0.1}`, `0.3`,
		func(j judged) bool {
			return j.sent.is("invalid_multiple") && holds(j.value, func(v any) bool {
				n, isNumber := v.(json.Number)
				text, _ := v.(string)
				return long(v) || isNumber && strings.Contains(n.String(), ".") || strings.Contains(text, ".")
			})
		},
	},
	{
		left, "What is unique: an empty list and an empty object, and numbers beyond 2^53",
		"To PHP they are the same",
		`{"type":"array","uniqueItems":true}`, `[[],{}]`,
		func(j judged) bool {
			return j.sent.is("duplicate_items") && holds(j.value, func(v any) bool { return long(v) || emptyContainer(v) })
		},
	},
	{
		left, "A schema that is none, such as `\"items\": \"string\"`",
		"PHP stops with an error",
		`{"type":"array","items":"string"}`, `[1]`,
		func(j judged) bool { return j.sent.is("throws") },
	},

	{
		mended, "A list or an object as a text of JSON",
		"Many models write it so",
		`{"type":"object","properties":{"a":{"type":"integer"}}}`, `"{\"a\":\"1\"}"`,
		func(j judged) bool { return holds(j.value, spellsJSON) },
	},
	{
		mended, "`null` for a property that may be left out: it is left out, at any depth",
		"Some clients send every property",
		`{"type":"object","properties":{"in":{"type":"object","properties":{"a":{"type":"integer"}}}}}`, `{"in":{"a":null}}`,
		func(j judged) bool { return holds(j.value, func(v any) bool { return v == nil }) },
	},

	{
		mended, "Integers beyond 2^63 as text, where items have to be unique",
		"They are sent as numbers; PHP makes one and the same of every such text",
		`{"type":"array","items":{"type":"integer"},"uniqueItems":true}`, `"1e30,9223372036854775808"`,
		func(j judged) bool { return j.core.is("duplicate_items") && holds(j.value, long) },
	},

	{
		read, "A text of JSON where a list is wanted",
		"WordPress takes it apart at its commas; here it is the list it spells",
		`{"type":"array","items":{"type":"string"}}`, `"[\"a\",\"b\"]"`,
		func(j judged) bool { return holds(j.value, spellsJSON) },
	},
	{
		read, "A text with a format that the site cleans: a URL, a date, a line of text",
		"It is sent as it is, and the site cleans it",
		`{"type":"string","format":"uri"}`, `"example"`,
		func(j judged) bool {
			return anywhere(j.schema, func(s map[string]any) bool { return s["format"] != nil })
		},
	},
	{
		read, "An integer beyond 2^63",
		"It is sent with its digits; PHP makes another number of it",
		`{"type":"integer"}`, `1e30`,
		func(j judged) bool { return holds(j.value, long) },
	},
	{
		read, "A value for a type that WordPress does not know",
		"WordPress leaves it as it is; here it gets the type that is meant",
		`{"type":"bool"}`, `"true"`,
		func(j judged) bool { return anywhere(j.schema, oddType) },
	},
	{
		read, "`patternProperties`",
		"They are not known here, so their values stay as they are",
		`{"type":"object","patternProperties":{"^n_":{"type":"integer"}}}`, `{"n_a":"1"}`,
		func(j judged) bool {
			return anywhere(j.schema, func(s map[string]any) bool { return s["patternProperties"] != nil })
		},
	},
	{
		read, "A property that the site only writes",
		"It is sent as it is",
		`{"type":"object","properties":{"r":{"type":"integer","readonly":true}}}`, `{"r":"1"}`,
		func(j judged) bool { return saysUnshown(j.schema, j.value) },
	},
	{
		read, "`true` or `false` for a union of a list and a boolean",
		"WordPress reads a list where that is the first; here it stays what it is",
		`{"type":["array","boolean"]}`, `true`,
		func(j judged) bool {
			return holds(j.value, func(v any) bool { _, is := v.(bool); return is }) && anywhere(j.schema, listOrBoolean)
		},
	},
	{
		read, "A number for a list of texts, or for a union that begins with a list",
		"PHP writes numbers in its own way, and `2.0` as `2`; here the digits stay",
		`{"type":"array","items":{"type":"string"}}`, `2.0`,
		func(j judged) bool { return holds(j.value, respelt) && anywhere(j.schema, listOfSpelt) },
	},
}
