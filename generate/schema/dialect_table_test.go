package schema

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// G15: what the common dialect makes of each thing that it cannot say: nothing that
// the site takes is unsaid.
func TestCommon(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"a union of a list and an object": {
			`{"type":["object","array"],"anyOf":[{"type":"array","items":{"type":"integer"}},{"type":"object","properties":{"terms":{"type":"array","items":{"type":"integer"}}}}]}`,
			`{"type":"object","description":"(or a list, each item a whole number)","properties":{"terms":{"type":"array","items":{"type":"integer"}}}}`,
		},
		"G24 a discriminator": {
			`{"oneOf":[{"type":"object","properties":{"kind":{"type":"string","enum":["a"]},"x":{"type":"integer"}},"required":["kind","x"]},{"type":"object","properties":{"kind":{"type":"string","enum":["b"]},"y":{"type":"string"}},"required":["kind"]}]}`,
			`{"type":"object","description":"(by kind, a: x; b: y)","properties":{"kind":{"type":"string","enum":["a","b"]},"x":{"type":"integer"},"y":{"type":"string"}},"required":["kind"]}`,
		},
		"one name of two types": {
			`{"anyOf":[{"type":"object","properties":{"v":{"type":"integer"}}},{"type":"object","properties":{"v":{"type":"array","items":{"type":"string"}}}}]}`,
			`{"type":"object","properties":{"v":{"type":"array","description":"(or a whole number)","items":{"type":"string"}}}}`,
		},
		"lists of two kinds": {
			`{"oneOf":[{"type":"array","items":{"type":"integer"}},{"type":"array","items":{"type":"string"}}]}`,
			`{"type":"array","items":{"type":"string","description":"(or a whole number)"}}`,
		},
		"what the parent only requires": {
			`{"type":"object","required":["type"],"oneOf":[{"properties":{"type":{"type":"string","enum":["flip"]}}},{"properties":{"type":{"type":"string","enum":["crop"]}}}]}`,
			`{"type":"object","properties":{"type":{"type":"string","enum":["flip","crop"]}},"required":["type"]}`,
		},
		"nullable by anyOf": {
			`{"description":"How many.","anyOf":[{"type":"integer","minimum":1,"maximum":100},{"type":"null"}]}`,
			`{"type":"integer","description":"How many. (or null)","minimum":1,"maximum":100}`,
		},
		"nullable, with what it requires": {
			`{"anyOf":[{"type":"object","properties":{"a":{"type":"string","pattern":"^a$"}},"required":["a"]},{"type":"null"}]}`,
			`{"type":"object","description":"(or null)","properties":{"a":{"type":"string","pattern":"^a$"}},"required":["a"]}`,
		},
		"bounds in allOf":                {`{"type":"string","description":"A code.","allOf":[{"maxLength":3},{"pattern":"^a"}]}`, `{"type":"string","description":"A code. (at most 3 characters)","pattern":"^a"}`},
		"null":                           {`{"type":["integer","null"]}`, `{"type":"integer","description":"(or null)"}`},
		"text or a number":               {`{"type":["number","integer","string"]}`, `{"type":"string","description":"(or a number)"}`},
		"anything":                       {`{}`, `{"type":"string","description":"(any JSON value)"}`},
		"numbers to choose from":         {`{"type":"integer","enum":[5,10],"default":5}`, `{"type":"integer","description":"(one of 5, 10)","default":5}`},
		"the empty text to choose":       {`{"type":"string","enum":["","a"]}`, `{"type":"string","description":"(or empty)","enum":["a"]}`},
		"markup to choose":               {`{"type":["string","boolean"],"enum":["<b>",true]}`, `{"type":"string","description":"(or true or false) (one of \"\\u003cb\\u003e\", true)"}`},
		"a default of another form":      {`{"type":["string","boolean"],"default":false}`, `{"type":"string","description":"(or true or false) (default false)"}`},
		"exclusive bounds":               {`{"type":"number","minimum":3,"exclusiveMinimum":5,"exclusiveMaximum":9.5}`, `{"type":"number","description":"(more than 5) (less than 9.5)","minimum":5,"maximum":9.5}`},
		"counts":                         {`{"type":"string","minLength":1,"maxLength":9}`, `{"type":"string","description":"(not empty) (at most 9 characters)"}`},
		"each once":                      {`{"type":"array","items":{"type":"integer"},"uniqueItems":true,"maxItems":3}`, `{"type":"array","description":"(each once)","maxItems":3,"items":{"type":"integer"}}`},
		"a date":                         {`{"type":"string","format":"date-time","description":"When."}`, `{"type":"string","description":"When. (such as 2026-01-31T09:00:00)"}`},
		"a date with an example":         {`{"type":"string","format":"date-time","description":"When, e.g. 2026-02-01."}`, `{"type":"string","description":"When, e.g. 2026-02-01."}`},
		"a URL":                          {`{"type":"string","format":"uri"}`, `{"type":"string","description":"(a URL)"}`},
		"any names":                      {`{"type":"object","additionalProperties":true}`, `{"type":"object","description":"(any names are taken)","properties":{}}`},
		"any names of a type":            {`{"type":"object","additionalProperties":{"type":"integer"}}`, `{"type":"object","description":"(any names are taken, each a whole number)","properties":{}}`},
		"other names":                    {`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":{}}`, `{"type":"object","description":"(any other names are taken)","properties":{"a":{"type":"string"}}}`},
		"no other names":                 {`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`, `{"type":"object","properties":{"a":{"type":"string"}}}`},
		"a multiple":                     {`{"type":"integer","multipleOf":5}`, `{"type":"integer","description":"(a multiple of 5)"}`},
		"text or a list is shown a list": {`{"type":["string","array"],"items":{"type":"string"}}`, `{"type":"array","description":"(or text)","items":{"type":"string"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			var c1 Compiler
			s, err := c1.Compile(decode(t, c.in), "x")
			if err != nil {
				t.Fatal(err)
			}
			before, _ := Encode(s)
			got, _ := Encode(s.In(Common))
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Error(diff)
			}
			if after, _ := Encode(s); string(after) != string(before) {
				t.Errorf("the schema itself became %s, and was %s", after, before)
			}
		})
	}
}

// A long description makes room for every remark.
func TestRemarksStay(t *testing.T) {
	text := "Long words. "
	for len(text) < 400 {
		text += text
	}
	var c Compiler
	s, err := c.Compile(decode(t, `{"type":["integer","null"],"enum":[5,10],"exclusiveMinimum":0,"multipleOf":5,"description":"`+text+`"}`), "x")
	if err != nil {
		t.Fatal(err)
	}
	const remarks = "… (or null) (one of 5, 10) (a multiple of 5)"
	if got := s.In(Common).Description; len(got) > MaxText || got[len(got)-len(remarks):] != remarks {
		t.Errorf("%d bytes: %s", len(got), got)
	}
}
