package schema

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// compiled compiles a schema as a site writes it.
func compiled(written any) (*Schema, *Compiler, error) {
	var c Compiler
	c.About(written)
	s, err := c.Compile(written, "x")
	return s, &c, err
}

// T14: what a schema says costs nodes, so that a reference to much of it costs as
// much as writing it: the operation is withheld.
func TestReferencesCostWhatTheyName(t *testing.T) {
	unknown, enum := map[string]any{"type": "string"}, []any{}
	for i := range 1000 {
		unknown["x-"+strconv.Itoa(i)] = i
		enum = append(enum, strconv.Itoa(i))
	}
	for name, big := range map[string]any{
		"keywords":    unknown,
		"enum":        map[string]any{"type": "string", "enum": enum},
		"description": map[string]any{"type": "string", "description": strings.Repeat("&lt;x ", 160_000)},
		"name":        map[string]any{"type": "object", "properties": map[string]any{strings.Repeat("long", 100_000): map[string]any{}}},
		"required":    map[string]any{"type": "object", "required": enum, "additionalProperties": false},
	} {
		named := func(n int) any {
			properties := map[string]any{}
			for i := range n {
				properties["p"+strconv.Itoa(i)] = map[string]any{"$ref": "#/$defs/big"}
			}
			return map[string]any{"type": "object", "properties": properties, "$defs": map[string]any{"big": big}}
		}
		if _, _, err := compiled(named(1)); err != nil {
			t.Errorf("%s, named once: %v", name, err)
		}
		if _, _, err := compiled(named(300)); err == nil || !strings.Contains(err.Error(), "more than 5000 nodes") {
			t.Errorf("%s, named 300 times: %v", name, err)
		}
	}
}

// T14: of an operation's repairs 200 are listed, and the others counted.
func TestRepairsAreCounted(t *testing.T) {
	properties := map[string]any{}
	for i := range 300 {
		properties[fmt.Sprintf("p%03d", i)] = map[string]any{"type": "int"}
	}
	_, c, err := compiled(map[string]any{"type": "object", "properties": properties})
	if err != nil || len(c.Repairs) != 200 {
		t.Fatalf("%v, %d repairs", err, len(c.Repairs))
	}
	if got, want := c.Repairs[198], (Repair{Path: "x.p198", Rule: "type-renamed", Before: `"int"`, After: `"integer"`}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got, want := c.Repairs[199], (Repair{Path: "x.p299", Rule: "repairs-counted", After: "101 more"}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// T14: variants of variants multiply, and what multiplies too far is withheld.
func TestFormsOfOneValue(t *testing.T) {
	binary := func(depth int) any {
		defs := map[string]any{"d0": map[string]any{"type": "integer"}}
		for i := range depth {
			list := map[string]any{"type": "array", "items": map[string]any{"$ref": fmt.Sprintf("#/$defs/d%d", i)}}
			defs[fmt.Sprintf("d%d", i+1)] = map[string]any{"anyOf": []any{list, list}}
		}
		return map[string]any{"type": "object", "properties": map[string]any{"v": map[string]any{"$ref": fmt.Sprintf("#/$defs/d%d", depth)}}, "$defs": defs}
	}
	if s, _, err := compiled(binary(5)); err != nil || s.forms() != 63 {
		t.Errorf("%v, %d forms", err, s.forms())
	}
	if _, _, err := compiled(binary(7)); err == nil || !strings.Contains(err.Error(), "more than 128 forms of one value") {
		t.Errorf("%v", err)
	}
}

// T14: a number that no site holds is no bound, and no default.
func TestNumbersThatNobodyHolds(t *testing.T) {
	s, c, err := compiled(decode(t, `{"type":"array","items":{"type":"number","minimum":1e-999999,"maximum":1e308,"enum":[1,2e-999999]},"default":[1e-999999]}`))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(must(Encode(s))), `{"type":"array","items":{"type":"number","enum":[1],"maximum":1e308}}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := rules(c.Repairs); got != "default-dropped,enum-value-dropped,keyword-dropped" {
		t.Error(got)
	}
}

// A note shows the beginning of a value, and no more than that is written for it.
func TestBrief(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := wildSchema(2).Draw(t, "value")
		text, _ := Encode(v)
		if got, want := Brief(v), CleanText(string(text), 40); len(text) < maxBrief/2 && got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	})
	names, list := map[string]any{}, []any{}
	for i := range 10_000 {
		names[fmt.Sprintf("n%05d", i)] = strings.Repeat("é", 1000)
		list = append(list, map[string]any{"a": list})
	}
	for want, v := range map[string]any{
		`{"n00000":"ééééééééééééé…`: names, `"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…`: strings.Repeat("x", 1_000_000), `[{"a":[]},{"a":[{"a":[]}]},{"a":[{"a"…`: list,
	} {
		left := maxBrief
		if n := len(must(Encode(beginningOf(v, &left)))); n > 3*maxBrief {
			t.Errorf("%s: %d bytes are written", want, n)
		}
		if got := Brief(v); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// Tags and comments go as an expression for them says, without what the
// expression costs; of a long text the beginning is read.
func TestMarkup(t *testing.T) {
	expression := regexp.MustCompile(`(?s)<!--.*?-->|<[a-zA-Z/!][^>]*>`)
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"<", ">", "<!--", "-->", "--", "a", "/", "!", " ", "ä"}), 0, 12).Draw(t, "text"), "")
		if got, want := withoutTags(text), expression.ReplaceAllString(text, " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	})
	if got := CleanText(strings.Repeat("<b>", 1000)+"words"+strings.Repeat("x", 5000), MaxText); !strings.HasPrefix(got, "wordsxxx") {
		t.Errorf("behind 3,000 bytes of markup: %q", got)
	}
	if got := CleanText(strings.Repeat("<b title='long'>", 100_000)+"words", MaxText); got != "" {
		t.Errorf("behind a megabyte of markup: %q", got)
	}
}

// T14: what a call costs to check is bounded, whatever forms a schema has; a call
// that costs more is refused, and an ordinary one is not.
func TestStepsOfACheck(t *testing.T) {
	words := func(n int) string { return `"` + strings.Repeat("zz,", n) + `"` }
	deep := `{"type":"integer"}`
	for range 10 {
		deep = `{"anyOf":[{"type":"array","items":` + deep + `},{"type":"array","items":{"type":"boolean"}}]}`
	}
	inner := `{"type":"integer"}`
	for range 60 {
		inner = `{"anyOf":[` + inner + `,{"type":"boolean"}]}`
	}
	objects := []string{}
	for i := range 100 {
		objects = append(objects, fmt.Sprintf(`{"type":"object","properties":{"p%d":{"type":"string"}},"required":["p%d"],"additionalProperties":false}`, i, i))
	}
	choice := []string{}
	for i := range 1000 {
		choice = append(choice, fmt.Sprintf(`"v%d"`, i))
	}
	list := func(item string, n int) string { return "[" + strings.Repeat(item+",", n-1) + item + "]" }
	for name, c := range map[string]struct{ schema, value, want string }{
		"a list of many":                {`{"type":"array","items":{"type":"integer"}}`, list(`"1"`, 4900), "<nil>"},
		"a list of many, some variants": {`{"type":"array","items":{"anyOf":[{"type":"integer"},{"type":"string"}]}}`, list(`"zz"`, 4900), "<nil>"},
		"a list of few, 100 variants":   {`{"type":"array","items":{"anyOf":[` + strings.Join(objects, ",") + `]}}`, list(`{"p99":"a"}`, 200), "<nil>"},
		"a list of many, 100 variants":  {`{"type":"array","items":{"anyOf":[` + strings.Join(objects, ",") + `]}}`, list(`{"q":1}`, 2400), ErrTooMuch.Error()},
		"ten levels":                    {deep, strings.Repeat("[", 10) + `"7"` + strings.Repeat("]", 10), "<nil>"},
		"ten levels, many":              {deep, strings.Repeat("[", 9) + list(`"zz"`, 4900) + strings.Repeat("]", 9), ErrTooMuch.Error()},
		"words of an enum":              {`{"type":"array","items":{"enum":[` + strings.Join(choice, ",") + `]}}`, words(4900), ErrTooMuch.Error()},
		"too many words":                {`{"type":"array","items":{"type":"string"}}`, words(5001), ErrTooMuch.Error()},
		"as many words as may be":       {`{"type":"array","items":{"type":"string"}}`, words(5000), "<nil>"},
		"words that may be a text":      {`{"anyOf":[{"type":"array","items":{"type":"string"}},{"type":"string"}]}`, words(9000), "<nil>"},
		"a long text in 60 variants":    {inner, `"` + strings.Repeat(" ", 500_000) + `[1]"`, "no"},
		"a call of 60 variants":         {inner, `"1"`, "<nil>"},
	} {
		check := checkOf(t, c.schema)
		v, err := check.Coerce(decode(t, c.value))
		if err == nil {
			if err = check.Validate(v); err != nil && c.want == "no" {
				continue
			}
		}
		if fmt.Sprint(err) != c.want {
			t.Errorf("%s: %.200v, want %s", name, err, c.want)
		}
	}
	// What is not coerced, as values of a curation are not, is bounded too.
	if err := checkOf(t, deep).Validate(decode(t, strings.Repeat("[", 9)+list(`1`, 2400)+strings.Repeat("]", 9))); err != nil {
		t.Errorf("one form of each: %v", err)
	}
	if err := checkOf(t, `{"type":"array","items":{"anyOf":[`+strings.Join(objects, ",")+`]}}`).Validate(decode(t, list(`{"q":1}`, 2400))); !errors.Is(err, ErrTooMuch) {
		t.Errorf("%v", err)
	}
}
