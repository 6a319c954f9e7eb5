package schema

import (
	"strings"
	"testing"
)

// checkOf compiles the check of a schema as a site writes it.
func checkOf(t testing.TB, schema string) *Check {
	t.Helper()
	var c Compiler
	c.About(decode(t, schema))
	s, err := c.Compile(c.document, "v")
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	check, err := s.Compile()
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	return check
}

// What WordPress reads as another type becomes that type, and what it does not
// read stays and is refused (W17, G42). "no" in front says refused.
func TestCoerce(t *testing.T) {
	list := `{"type":"array","items":{"type":"integer"}}`
	object := `{"type":"object","properties":{"n":{"type":"integer"},"must":{"type":"string","required":true},"maybe":{"type":["string","null"]},"in":{"type":"object","properties":{"b":{"type":"boolean"}}}},"additionalProperties":{"type":"integer"}}`
	for _, c := range []struct{ schema, value, want string }{
		{`{"type":"integer"}`, `12`, `12`},
		{`{"type":"integer"}`, `"12"`, `12`},
		{`{"type":"integer"}`, `" +012\n"`, `12`},
		{`{"type":"integer"}`, `"-0"`, `-0`},
		{`{"type":"integer"}`, `12.0`, `12.0`}, // its digits stay
		{`{"type":"integer"}`, `"1.2e1"`, `1.2e1`},
		{`{"type":"integer"}`, `9007199254740993`, `9007199254740993`},
		{`{"type":"integer"}`, `"12.5"`, `no "12.5"`},
		{`{"type":"integer"}`, `"0x1A"`, `no "0x1A"`},
		{`{"type":"integer"}`, `true`, `no true`},
		{`{"type":"integer"}`, `""`, `no ""`},
		{`{"type":"integer","minimum":5}`, `"3"`, `no 3`},
		{`{"type":"number"}`, `".5"`, `0.5`},
		{`{"type":"number"}`, `"5."`, `5`},
		{`{"type":"number"}`, `"1e999999"`, `no "1e999999"`},
		{`{"type":"number"}`, `"."`, `no "."`},
		{`{"type":"boolean"}`, `"TRUE"`, `true`},
		{`{"type":"boolean"}`, `"0"`, `false`},
		{`{"type":"boolean"}`, `1`, `true`},
		{`{"type":"boolean"}`, `1.0`, `no 1.0`},
		{`{"type":"boolean"}`, `"yes"`, `no "yes"`},
		{`{"type":"string"}`, `12`, `no 12`}, // is_string
		{`{"type":"string"}`, `"[1]"`, `"[1]"`},
		{list, `"1, 2,,3"`, `[1,2,3]`},
		{list, `"[1, 2]"`, `[1,2]`},
		{list, `7`, `[7]`},
		{list, `true`, `no true`},
		{list, `" ,"`, `no " ,"`},
		{list, `""`, `[]`},
		{list, `{}`, `[]`},
		{list, `["1","x"]`, `no [1,"x"]`},
		{list, `{"0":1}`, `no {"0":1}`},
		{list, `"null"`, `no "null"`},
		{list, `"[1,2"`, `no ["[1",2]`},
		{`{"type":"array"}`, `5`, `["5"]`},
		{object, `{"must":"","n":"7","more":"8"}`, `{"more":8,"must":"","n":7}`},
		{object, `"{\"must\":\"x\",\"in\":\"{\\\"b\\\":1}\"}"`, `{"in":{"b":true},"must":"x"}`},
		{object, `{"must":"x","n":null,"in":{"b":null},"more":null,"maybe":null}`, `{"in":{},"maybe":null,"must":"x"}`},
		{object, `{"must":null}`, `no {"must":null}`},
		{object, `{"must":"x","in":""}`, `{"in":{},"must":"x"}`},
		{object, `{"must":"x","in":[]}`, `{"in":{},"must":"x"}`},
		{object, `{"must":"x","in":[1]}`, `no {"in":[1],"must":"x"}`},
		{`{"type":["integer","string"]}`, `"12"`, `12`},
		{`{"type":["string","integer"]}`, `"12"`, `"12"`},
		{`{"type":["array","string"]}`, `"a b"`, `["a","b"]`},
		{`{"type":["array","string"]}`, `""`, `""`},
		{`{"type":["array","string"]}`, `"null"`, `["null"]`},
		{`{"type":["object","string"]}`, `"{\"a\":1}"`, `"{\"a\":1}"`}, // the text may be meant
		{`{"type":["boolean","integer"]}`, `1`, `true`},
		{`{"type":["integer","null"]}`, `null`, `null`},
		{`{"anyOf":[{"type":"object","properties":{"n":{"type":"integer","required":true}}},{"type":"array","items":{"type":"boolean"}}]}`, `"true,0"`, `[true,false]`},
		{`{"anyOf":[{"type":"object","properties":{"n":{"type":"integer","required":true}}},{"type":"array","items":{"type":"boolean"}}]}`, `{"n":"3"}`, `{"n":3}`},
		{`{"anyOf":[{"type":"object"},{"type":"string"}]}`, `"{}"`, `"{}"`},
		{`{"anyOf":[{"type":"object"},{"type":"integer"}]}`, `"{}"`, `{}`},
		{`{"type":"array","items":{"oneOf":[{"type":"integer","minimum":5},{"type":"string"}]}}`, `["7","3"]`, `[7,"3"]`},
		{`{"type":["integer","string"],"anyOf":[{"minimum":5},{"maxLength":2}]}`, `"7"`, `7`}, // variants have their parent's type
		{`{"type":"object","anyOf":[{"additionalProperties":{"type":"integer"}}]}`, `"{\"a\":\"1\"}"`, `{"a":1}`},
		{`{}`, `"12"`, `"12"`},
		{`{"type":"string","format":"date-time"}`, `"2026-01-01T10:00:00"`, `"2026-01-01T10:00:00"`}, // G44
		{`{"type":"string","allOf":[{"maxLength":1}]}`, `"long"`, `"long"`},
	} {
		check := checkOf(t, c.schema)
		given := decode(t, c.value)
		before, _ := Encode(given)
		coerced, err := check.Coerce(given)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := Encode(coerced)
		got := string(text)
		if check.Validate(coerced) != nil {
			got = "no " + got
		}
		if got != c.want {
			t.Errorf("%s %s: %s, want %s", c.schema, c.value, got, c.want)
		}
		if after, _ := Encode(given); string(after) != string(before) {
			t.Errorf("%s: the value given became %s", c.value, after)
		}
	}
}

// What would cost a check more than it is worth is said before (T11).
func TestExcess(t *testing.T) {
	deep := strings.Repeat("[", 300) + strings.Repeat("]", 300)
	for value, want := range map[string]string{
		`1e308`: "", `-1.5e-300`: "", `[{"a":12345678901234567890}]`: "", `"` + strings.Repeat("9", 1000) + `"`: "",
		`1e309`: "a number that is too long", `[{"a":1e-1000000}]`: "a number that is too long", strings.Repeat("9", 401): "a number that is too long",
		deep: "values nested deeper than 256 levels", `[[` + strings.Repeat("1,", 4997) + `1]]`: "", `{"a":[` + strings.Repeat("1,", 4998) + `1]}`: "more than 5000 values",
	} {
		if got := Excess(decode(t, value)); got != want {
			t.Errorf("%.40s: %q, want %q", value, got, want)
		}
	}
	// JSON in a text is bounded alike.
	text, _ := Encode(deep)
	if v, err := checkOf(t, `{"type":"array","items":{"type":"array"}}`).Coerce(decode(t, string(text))); err != nil || Excess(v) != "" {
		t.Error("300 levels came out of a text")
	}
}

// Takes is about what is published: no coercion, every keyword.
func TestTakes(t *testing.T) {
	most := 3
	short := &Schema{Types: []string{"string"}, AllOf: []*Schema{{MaxLength: &most}}}
	if !short.Takes("abc") || short.Takes("abcd") || (&Schema{Types: []string{"integer"}}).Takes("12") {
		t.Error("a schema takes what it does not publish")
	}
}
