package schema

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every repair, on the input that needs it and nothing else. W01–W14, G07–G17.
func TestRepairs(t *testing.T) {
	for name, c := range map[string]struct{ in, want, rules string }{
		"W01 empty list for properties":  {`{"type":"object","properties":{"a":{"type":"object","properties":[]}}}`, `{"type":"object","properties":{"a":{"type":"object","properties":{}}}}`, "properties-to-object"},
		"W02 object without properties":  {`{"type":"object"}`, `{"type":"object","properties":{}}`, ""},
		"W03 array in a union":           {`{"type":["null","string","array"]}`, `{"type":["null","string","array"],"items":{}}`, "items-added"},
		"W04 required is an object":      {`{"type":"object","properties":{},"required":{}}`, `{"type":"object","properties":{}}`, "required-dropped"},
		"W05 required on the property":   {`{"type":"object","properties":{"q":{"type":"string","required":false},"id":{"type":"integer","required":true}}}`, `{"type":"object","properties":{"id":{"type":"integer"},"q":{"type":"string"}},"required":["id"]}`, "required-lifted"},
		"W06 date-time as a type":        {`{"type":["date-time","null"]}`, `{"type":["string","null"],"format":"date-time"}`, "type-to-format"},
		"W06 mixed":                      {`{"type":"mixed"}`, `{}`, "type-opened"},
		"W06 action":                     {`{"type":"action"}`, `{"type":"object","properties":{}}`, "type-renamed"},
		"W06 unknown":                    {`{"type":"sausage"}`, `{}`, "type-dropped"},
		"W07 unions stay":                {`{"type":["integer","null"]}`, `{"type":["integer","null"]}`, ""},
		"W08 callbacks go":               {`{"type":"string","sanitize_callback":{"0":{"a":{"a":1}},"1":"clean"},"context":["view"],"arg_options":[]}`, `{"type":"string"}`, ""},
		"W09 default list of an object":  {`{"type":"object","default":[]}`, `{"type":"object","default":{},"properties":{}}`, "default-to-object"},
		"W13 draft-04 exclusive":         {`{"type":"integer","minimum":1,"exclusiveMinimum":true}`, `{"type":"integer","minimum":2}`, "exclusive-bound"},
		"W13 exclusive number":           {`{"type":"number","maximum":1.5,"exclusiveMaximum":true}`, `{"type":"number","exclusiveMaximum":1.5}`, "exclusive-bound"},
		"W13 format":                     {`{"type":"string","format":"hex-color","description":"Colour."}`, `{"type":"string","description":"Colour. (hex-color)"}`, "format-to-description"},
		"W14 text for a schema":          {`{"type":"object","properties":{"a":"string","description":{"type":"string"},"properties":{"type":"string"}}}`, `{"type":"object","properties":{"description":{"type":"string"},"properties":{"type":"string"}}}`, "property-dropped"},
		"G14 exclusive 2020 integer":     {`{"type":"integer","exclusiveMinimum":0}`, `{"type":"integer","minimum":1}`, "exclusive-bound"},
		"enum as an object":              {`{"enum":{"3":"b","1":"a","10":"c"}}`, `{"enum":["a","b","c"]}`, "enum-to-list"},
		"enum empty":                     {`{"type":"string","enum":[]}`, `{"type":"string"}`, "enum-dropped"},
		"enum doubled":                   {`{"enum":["a","b","a"]}`, `{"enum":["a","b"]}`, "enum-duplicate"},
		"default not in enum":            {`{"type":"string","enum":["a"],"default":"b"}`, `{"type":"string","enum":["a"]}`, "default-dropped"},
		"default of another type":        {`{"type":"integer","default":"ten"}`, `{"type":"integer"}`, "default-dropped"},
		"default null":                   {`{"type":"integer","default":null}`, `{"type":"integer"}`, ""},
		"numbers keep their digits":      {`{"type":"number","minimum":1.0,"default":9007199254740993}`, `{"type":"number","default":9007199254740993,"minimum":1.0}`, ""},
		"readonly is no input":           {`{"type":"object","properties":{"a":{"readonly":true},"b":{"type":"string"}}}`, `{"type":"object","properties":{"b":{"type":"string"}}}`, ""},
		"a pattern only PCRE reads":      {`{"type":"string","pattern":"^(?!x)a++$"}`, `{"type":"string"}`, "pattern-dropped"},
		"a pattern ECMAScript refuses":   {`{"type":"string","pattern":"[\\w-]+"}`, `{"type":"string"}`, "pattern-dropped"},
		"a pattern all read":             {`{"type":"string","pattern":"^[a-z]{2}$"}`, `{"type":"string","pattern":"^[a-z]{2}$"}`, ""},
		"items as text":                  {`{"type":"array","items":"string"}`, `{"type":"array","items":{}}`, "items-added,part-dropped"},
		"unknown keyword":                {`{"type":"string","minLenght":3}`, `{"type":"string"}`, "keyword-dropped"},
		"type from properties":           {`{"properties":{"a":{}}}`, `{"type":"object","properties":{"a":{}}}`, "type-inferred"},
		"a property clients refuse":      {`{"type":"object","properties":{"a/b":{"type":"string"}}}`, `{"type":"object","properties":{"a_b":{"type":"string"}}}`, "property-renamed"},
		"G12 two of one safe name":       {`{"type":"object","properties":{"a/b":{},"a_b":{"type":"string"}}}`, `{"type":"object","properties":{"a_b":{"type":"string"},"a_b_c14cddc0":{}}}`, "property-renamed"},
		"values by the site's names":     {`{"type":"object","properties":{"a/b":{"type":"integer"}},"default":{"a/b":1,"a_b":2}}`, `{"type":"object","default":{"a_b":1},"properties":{"a_b":{"type":"integer"}}}`, "property-renamed"},
		"a hash that is taken":           {`{"type":"object","properties":{"a-b":{"type":"string"},"a_b":{},"a_b_d44362d6":{}}}`, `{"type":"object","properties":{"a_b":{},"a_b_9aa38f2e":{"type":"string"},"a_b_d44362d6":{}}}`, "property-renamed"},
		"one name across variants":       {`{"anyOf":[{"type":"object","properties":{"a-b":{"type":"integer"}}},{"type":"object","properties":{"a_b":{"type":"string"}}}]}`, `{"anyOf":[{"type":"object","properties":{"a_b_d44362d6":{"type":"integer"}}},{"type":"object","properties":{"a_b":{"type":"string"}}}]}`, "property-renamed"},
		"readonly, and required":         {`{"type":"object","properties":{"a":{"type":"string","readonly":true},"b":{"readonly":true}},"required":["a"]}`, `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, ""},
		"both exclusive, the looser":     {`{"type":"integer","minimum":10,"exclusiveMinimum":4}`, `{"type":"integer","minimum":10}`, "exclusive-bound"},
		"PHP's list deep in a default":   {`{"type":"object","properties":{"b":{"type":"object"}},"default":{"b":[]}}`, `{"type":"object","default":{"b":{}},"properties":{"b":{"type":"object","properties":{}}}}`, "default-to-object"},
		"W14 a name JavaScript owns":     {`{"type":"object","properties":{"__proto__":{"type":"string"}}}`, `{"type":"object","properties":{"proto":{"type":"string"}}}`, "property-renamed"},
		"required and not described":     {`{"type":"object","properties":{"a":{"type":"string"}},"required":["b"]}`, `{"type":"object","properties":{"b":{},"a":{"type":"string"}},"required":["b"]}`, "property-added"},
		"required, and closed":           {`{"type":"object","properties":{},"required":["b"],"additionalProperties":false}`, `{"type":"object","properties":{},"additionalProperties":false}`, "required-dropped"},
		"draft-03 divisibleBy":           {`{"type":"integer","divisibleBy":5}`, `{"type":"integer","multipleOf":5}`, "keyword-renamed"},
		"draft-03 type of schemas":       {`{"type":["string",{"type":"object"}]}`, `{"type":"string"}`, "type-dropped"},
		"draft-04 items by place":        {`{"type":"array","items":[{"type":"string"},{"type":"integer"}]}`, `{"type":"array","items":{}}`, "items-opened"},
		"a type in capitals":             {`{"type":"String"}`, `{"type":"string"}`, "type-renamed"},
		"mixed with a form":              {`{"type":"mixed","items":{"type":"string"},"properties":{"a":{}}}`, `{}`, "type-opened"},
		"G17 nullable":                   {`{"type":"string","nullable":true}`, `{"type":"string"}`, ""},
		"both exclusive and inclusive":   {`{"type":"integer","minimum":0,"exclusiveMinimum":4}`, `{"type":"integer","minimum":5}`, "exclusive-bound"},
		"patternProperties alone":        {`{"type":"object","patternProperties":{"^a":{"type":"string"}},"additionalProperties":false}`, `{"type":"object","properties":{},"additionalProperties":{"type":"string"}}`, "properties-opened"},
		"patternProperties of two kinds": {`{"type":"object","patternProperties":{"^a":{"type":"string"},"^b":{"type":"integer"}},"additionalProperties":false}`, `{"type":"object","properties":{},"additionalProperties":{"anyOf":[{"type":"string"},{"type":"integer"}]}}`, "properties-opened"},
		"const":                          {`{"const":"x"}`, `{"enum":["x"]}`, ""},
		"number as text":                 {`{"type":"integer","minimum":"1"}`, `{"type":"integer","minimum":1}`, "number-from-text"},
		"text is cleaned":                {`{"description":"A <b>bold</b>\u202e\u200b &amp; \n\u001b[31mred"}`, `{"description":"A bold & [31mred"}`, ""},
		"G17 combinators below the root": {`{"oneOf":[{"type":"string"},"x",{"type":"array"}]}`, `{"anyOf":[{"type":"string"},{"type":"array","items":{}}]}`, "items-added,one-of-to-any-of,part-dropped"},
		"numbers no client holds":        {`{"type":"number","minimum":1e999,"multipleOf":0,"default":1e400,"enum":[1e999,1]}`, `{"type":"number","enum":[1]}`, "default-dropped,enum-value-dropped,keyword-dropped"},
		"exclusive at the end of int64":  {`{"type":"integer","exclusiveMinimum":9223372036854775807}`, `{"type":"integer","exclusiveMinimum":9223372036854775807}`, ""},
		"default against the bounds":     {`{"type":"integer","minimum":1,"default":0}`, `{"type":"integer","minimum":1}`, "default-dropped"},
		"default against the items":      {`{"type":"array","items":{"type":"integer"},"default":["a"]}`, `{"type":"array","items":{"type":"integer"}}`, "default-dropped"},
		"default of a list":              {`{"type":"array","items":{"type":"string","enum":["publish"]},"default":"publish"}`, `{"type":"array","default":["publish"],"items":{"type":"string","enum":["publish"]}}`, "default-to-list"},
		"enum from array_keys":           {`{"type":"string","enum":[10,"x",20],"default":"10"}`, `{"type":"string","enum":["10","x","20"],"default":"10"}`, "enum-cast"},
		"enum of another type":           {`{"type":"integer","enum":["a",1]}`, `{"type":"integer","enum":[1]}`, "enum-value-dropped"},
		"values that are not seen":       {`{"type":"string","enum":["a","b\u202e"],"default":"\u001b[2J"}`, `{"type":"string","enum":["a"]}`, "default-dropped,enum-value-dropped"},
		"patternProperties":              {`{"type":"object","patternProperties":{"^a":{}},"additionalProperties":false}`, `{"type":"object","properties":{},"additionalProperties":{}}`, "properties-opened"},
		"flags in a pattern":             {`{"type":"string","pattern":"(?i)^abc$"}`, `{"type":"string"}`, "pattern-dropped"},
		"posix classes":                  {`{"type":"string","pattern":"[[:alpha:]]+"}`, `{"type":"string"}`, "pattern-dropped"},
		"a brace that is no count":       {`{"type":"string","pattern":"^a{,3}$"}`, `{"type":"string"}`, "pattern-dropped"},
		"a bracket alone":                {`{"type":"string","pattern":"a]"}`, `{"type":"string"}`, "pattern-dropped"},
	} {
		t.Run(name, func(t *testing.T) {
			var c1 Compiler
			s, err := c1.Compile(decode(t, c.in), "x")
			if err != nil {
				t.Fatal(err)
			}
			got, _ := Encode(s)
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Error(diff)
			}
			if got := rules(c1.Repairs); got != c.rules {
				t.Errorf("repairs: %s, want %s", got, c.rules)
			}
			var c2 Compiler
			again, err := c2.Compile(decode(t, string(got)), "x")
			if err != nil {
				t.Fatal(err)
			}
			if twice, _ := Encode(again); !bytes.Equal(got, twice) {
				t.Errorf("compiled again it is %s", twice)
			}
		})
	}
}

func rules(repairs []Repair) string {
	var names []string
	for _, r := range repairs {
		names = append(names, r.Rule)
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ",")
}

// decode reads test JSON as a site's answer is read.
func decode(t testing.TB, text string) any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}
