package clients

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func schemaOf(t *testing.T, text string) any {
	t.Helper()
	if text == "" {
		return nil
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// Each rule, on the smallest tool that breaks it (G01–G17, G26–G30; of output
// schemas G05 and G06). A tool may
// break rules of other clients too: what one refuses, others do.
func TestEachRule(t *testing.T) {
	property := func(s string) string { return `{"type":"object","properties":{"a":` + s + `}}` }
	deep := strings.Repeat(`{"type":"object","properties":{"a":`, 11) + `{"type":"string"}` + strings.Repeat(`}}`, 11)
	broken := map[string]struct{ name, input, output, path string }{
		"Claude/root-object":              {input: `{"properties":{}}`, path: "inputSchema"},
		"Claude/root-combinator":          {input: `{"type":"object","properties":{},"anyOf":[{"required":["a"]}]}`, path: "inputSchema"},
		"Claude/property-name":            {input: `{"type":"object","properties":{"filter[x]":{"type":"string"}}}`, path: "inputSchema"},
		"Claude/tool-name":                {name: "content.list", path: "name"},
		"Claude/draft-2020-12":            {input: property(`{"type":"integer","minimum":1,"exclusiveMinimum":true}`), path: "inputSchema.a.exclusiveMinimum"},
		"Claude/reference":                {input: `{"type":"object","properties":{"b":{"type":"string"},"a":{"$ref":"#/properties/b"}}}`, path: "inputSchema.a"},
		"Claude/boolean-schema":           {input: property(`true`), path: "inputSchema.a"},
		"OpenAI/tool-name":                {name: strings.Repeat("a", 65), path: "name"},
		"OpenAI/root-keywords":            {input: `{"type":"object","properties":{},"not":{"required":["b"]}}`, path: "inputSchema"},
		"OpenAI/properties":               {input: `{"type":"object"}`, path: "inputSchema"},
		"OpenAI/items":                    {input: property(`{"type":["string","array"]}`), path: "inputSchema.a"},
		"OpenAI strict/type":              {input: property(`{"description":"Anything."}`), path: "inputSchema.a"},
		"OpenAI strict/format":            {input: property(`{"type":"string","format":"uri"}`), path: "inputSchema.a"},
		"OpenAI strict/combinators":       {input: property(`{"type":"object","properties":{},"if":{"required":["x"]}}`), path: "inputSchema.a"},
		"OpenAI strict/counts":            {input: property(`{"type":"string","maxLength":9}`), path: "inputSchema.a"},
		"OpenAI strict/open-object":       {input: property(`{"type":"object","properties":{},"additionalProperties":{"type":"string"}}`), path: "inputSchema.a"},
		"OpenAI strict/depth":             {input: deep, path: "inputSchema"},
		"Gemini/keywords":                 {input: property(`{"type":"integer","exclusiveMinimum":0}`), path: "inputSchema.a"},
		"Gemini/additional-properties":    {input: `{"type":"object","properties":{},"additionalProperties":false}`, path: "inputSchema"},
		"Gemini/one-type":                 {input: property(`{"type":["string","null"]}`), path: "inputSchema.a"},
		"Gemini/type":                     {input: property(`{}`), path: "inputSchema.a"},
		"Gemini/any-of-alone":             {input: property(`{"description":"d","anyOf":[{"type":"string"}]}`), path: "inputSchema.a"},
		"Gemini/enum":                     {input: property(`{"type":"integer","enum":[1,2]}`), path: "inputSchema.a"},
		"Gemini/enum-empty":               {input: property(`{"type":"string","enum":["a",""]}`), path: "inputSchema.a"},
		"Gemini/format":                   {input: property(`{"type":"string","format":"email"}`), path: "inputSchema.a"},
		"Gemini/items":                    {input: property(`{"type":"array"}`), path: "inputSchema.a"},
		"Gemini/required":                 {input: `{"type":"object","properties":{},"required":["a"]}`, path: "inputSchema"},
		"Gemini/tool-name":                {name: "2fa_login", path: "name"},
		"Gemini/property-name":            {input: `{"type":"object","properties":{"a-b":{"type":"string"}}}`, path: "inputSchema"},
		"VS Code/items":                   {input: property(`{"type":"array","items":{"type":"array"}}`), path: "inputSchema.a.items"},
		"VS Code/draft-07":                {input: `{"type":"object","properties":{},"required":"a"}`, path: "inputSchema.required"},
		"VS Code/tool-name":               {name: "列出", path: "name"},
		"Cursor/tool-name":                {name: "a.b", path: "name"},
		"Cursor/name-length":              {name: strings.Repeat("a", 60), path: "name"},
		"Cursor/null":                     {input: property(`{"type":["null","string"]}`), path: "inputSchema.a"},
		"TypeScript SDK 1.x/input":        {input: `{"type":"object","properties":{"a":"string"},"required":null}`, path: "inputSchema.a"},
		"TypeScript SDK 1.x/output":       {output: `{"description":"any"}`, path: "outputSchema"},
		"TypeScript SDK 1.x/output (Ajv)": {output: `{"type":"object","properties":{"a":{"type":"string","minLength":"1"}}}`, path: "outputSchema.a.minLength"},
	}
	for _, r := range Rules() {
		if _, there := broken[r.Client+"/"+r.ID]; !there {
			t.Errorf("%s/%s: nothing here breaks it", r.Client, r.ID)
		}
		if r.Refuses == "" || r.Source == "" || len(r.Keywords) == 0 && r.find == nil {
			t.Errorf("%s/%s: %+v", r.Client, r.ID, r)
		}
	}
	for id, c := range broken {
		if c.name == "" {
			c.name = "list_posts"
		}
		if c.input == "" {
			c.input = property(`{"type":"string"}`)
		}
		id, _, _ = strings.Cut(id, " (")
		if !slices.ContainsFunc(Check(Tool{"shop", c.name, schemaOf(t, c.input), schemaOf(t, c.output)}), func(r Refusal) bool {
			return r.Client+"/"+r.Rule == id && r.Path == c.path && r.What != ""
		}) {
			t.Errorf("%s: not found at %s: %+v", id, c.path, Check(Tool{"shop", c.name, schemaOf(t, c.input), schemaOf(t, c.output)}))
		}
	}
	fine := `{"type":"object","properties":{"properties":{"type":"array","items":{"type":"string"},"default":["a"]},"type":{"type":"object","properties":{"enum":{"type":"integer","minimum":1,"maximum":9}},"required":["enum"]},"s":{"type":"string","enum":["a"],"pattern":"^a$"}},"required":["type"]}`
	if broken := Check(Tool{"shop", "list_posts", schemaOf(t, fine), schemaOf(t, `{"type":"object","properties":{"items":{"type":"array"}}}`)}); broken != nil {
		t.Errorf("what all take is refused: %+v", broken)
	}
}

func TestRefused(t *testing.T) {
	for keyword, want := range map[string]bool{
		"maxLength": true, "exclusiveMinimum": true, "format:uri": true, "format:date-time": false, "minimum": false, "maxItems": false, "description": false,
	} {
		if Refused(keyword) != want {
			t.Errorf("%s: %t", keyword, !want)
		}
	}
}

// What a table of keywords alone would miss, and what it would take for a fault:
// all that is said of one property, a, of the rules of these clients.
func TestWhatIsRefused(t *testing.T) {
	const lists = `"type":"object","properties":{"n":{"type":"object","properties":{},"anyOf":[`
	for written, want := range map[string]string{
		// missed
		`{"type":"string","format":"hex-color"}`:                                                                               "Gemini/format OpenAI strict/format",
		`{"type":"string","format":"duration"}`:                                                                                "Gemini/format",
		`{"type":"string","format":"enum","enum":["a"]}`:                                                                       "OpenAI strict/format",
		`{"type":"string","context":["view"]}`:                                                                                 "Gemini/keywords",
		`{"type":"object","properties":{},"dependencies":{"b":["c"]}}`:                                                         "Gemini/keywords OpenAI strict/combinators",
		`{"anyOf":[true,{"type":"string"}]}`:                                                                                   "Claude/boolean-schema",
		`{"type":"array","items":true}`:                                                                                        "Claude/boolean-schema OpenAI/items Gemini/items VS Code/items",
		`{"type":"array","items":[{"enum":["a"],"$ref":"#"}]}`:                                                                 "Claude/draft-2020-12 Claude/reference Gemini/enum Gemini/items Gemini/keywords Gemini/type OpenAI strict/type OpenAI/items VS Code/items",
		`{"type":"object","properties":{},"unevaluatedProperties":{"$ref":"#"}}`:                                               "Claude/reference Gemini/keywords Gemini/type OpenAI strict/type",
		`{` + strings.Repeat(lists+`{`, 11) + `"type":"string"` + strings.Repeat(`}]}}`, 11) + `}`:                             "Gemini/any-of-alone OpenAI strict/depth",
		`{"$schema":"http://json-schema.org/draft-04/schema#","$id":"x","type":"integer","minimum":1,"exclusiveMinimum":true}`: "Claude/draft-2020-12 Gemini/keywords VS Code/draft-07",
		`{"type":"string","pattern":"(a"}`:                                                                                     "Claude/draft-2020-12 VS Code/draft-07",
		// no faults
		`{"type":"string","pattern":"^(?!x)a\\u0041(?<n>b)\\k<n>"}`: "",
		`{"type":["integer","string"]}`:                             "Gemini/one-type",
		`{"type":["integer","null"]}`:                               "Cursor/null Gemini/one-type",
		`{"anyOf":[{"type":"string"},{"type":"integer"}]}`:          "",
		`{"anyOf":[{"type":"string"}],"title":"T"}`:                 "Gemini/any-of-alone",
		`{"type":"string","nullable":true,"example":"a"}`:           "",
	} {
		var got []string
		for _, r := range Check(Tool{Server: "shop", Name: "list_posts", Input: schemaOf(t, `{"type":"object","properties":{"a":`+written+`}}`)}) {
			got = append(got, r.Client+"/"+r.Rule)
		}
		slices.Sort(got)
		wanted := strings.Split(strings.NewReplacer(" OpenAI/", "|OpenAI/", " OpenAI strict/", "|OpenAI strict/", " Gemini/", "|Gemini/", " VS Code/", "|VS Code/", " Claude/", "|Claude/").Replace(want), "|")
		slices.Sort(wanted)
		if got := strings.Join(slices.Compact(got), "|"); got != strings.Join(wanted, "|") {
			t.Errorf("%s:\n%s, want\n%s", written, got, strings.Join(wanted, "|"))
		}
	}
}

// A schema is held against the draft that clients read it by, whatever it says.
func TestDraftOfTheClient(t *testing.T) {
	written := schemaOf(t, `{"$schema":"http://json-schema.org/draft-04/schema#","type":"object","properties":{"$schema":{"type":"integer","minimum":1,"exclusiveMinimum":true}}}`)
	for _, r := range Check(Tool{Server: "s", Name: "t", Input: written}) {
		if r.Rule == "draft-2020-12" && r.Path == "inputSchema.$schema.exclusiveMinimum" {
			return
		}
	}
	t.Errorf("%+v", Check(Tool{Server: "s", Name: "t", Input: written}))
}

// Faults come in one order, whatever order Go's maps have.
func TestOneOrder(t *testing.T) {
	input := schemaOf(t, `{"type":"object","properties":{"a":{"minLength":"1","maxLength":"2","pattern":"(","items":{"type":"bool"}},"b":{"required":true,"minimum":"0","enum":"x"},"c":{"type":["text",3],"properties":[]}}}`)
	first := Check(Tool{Server: "s", Name: "t", Input: input})
	for range 100 {
		if again := Check(Tool{Server: "s", Name: "t", Input: input}); !slices.Equal(again, first) {
			t.Fatalf("%+v\n%+v", first, again)
		}
	}
	nowhere := schemaOf(t, `{"type":"object","properties":{"a":{"$ref":"#/x"},"b":{"$ref":"#/y"},"c":{"$ref":"x.json"},"d":{"$id":"mem:schema"},"e":{"$ref":"#/z"}}}`)
	first = Check(Tool{Server: "s", Name: "t", Input: nowhere})
	for range 100 {
		if again := Check(Tool{Server: "s", Name: "t", Input: nowhere}); !slices.Equal(again, first) {
			t.Fatalf("%+v\n%+v", first, again)
		}
	}
}

// The contested rules.
func TestContested(t *testing.T) {
	var got []string
	for _, r := range Rules() {
		if r.Contested {
			got = append(got, r.Client+"/"+r.ID)
		}
	}
	if want := []string{"Gemini/additional-properties", "Gemini/property-name", "OpenAI strict/counts", "OpenAI strict/open-object"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for _, r := range Check(Tool{Server: "s", Name: "t", Input: schemaOf(t, `{"type":"object","properties":{"a":{"type":"string","maxLength":3,"format":"uri"}}}`)}) {
		if want := r.Rule == "counts"; r.Contested != want {
			t.Errorf("%+v", r)
		}
	}
}

// T14: a number that no client holds is not computed with; what is beside it is
// still checked.
func TestNumbersThatNobodyHolds(t *testing.T) {
	for number, want := range map[string]string{"1e-999999": "7041800001", "1e999999": "7041800001", "-2.5E-400": "7041800001", strings.Repeat("9", 401): "7041800001", "0e9": "0e9", "1e-300": "1e-300", "-0.0": "-0.0"} {
		if got := holdable([]any{map[string]any{"a": json.Number(number)}}, new(int)).([]any)[0].(map[string]any)["a"]; got != json.Number(want) {
			t.Errorf("%.20s: %v, want %s", number, got, want)
		}
	}
	properties := map[string]any{"text": map[string]any{"type": "string", "minLength": "1"}}
	for i := range 300 {
		properties[strings.Repeat("p", i+1)] = map[string]any{"type": "number", "minimum": json.Number("1e-999999"), "enum": []any{json.Number("2e-999999"), json.Number("3e999999")}}
	}
	var got []string
	for _, r := range Check(Tool{Server: "s", Name: "t", Input: map[string]any{"type": "object", "properties": properties}}) {
		if r.Rule == "draft-07" {
			got = append(got, r.Path)
		}
	}
	if want := []string{"inputSchema.text.minLength"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A refusal says which keyword is meant, also of a property that is named like one.
func TestAt(t *testing.T) {
	input := schemaOf(t, `{"type":"object","properties":{"required":{"type":"string","maxLength":3},"b/c":{"type":"array","items":{"anyOf":[{"type":"object","properties":[]}]}},"d":{"type":"string","required":true},"e":"string"}}`)
	at := map[string]string{}
	for _, r := range Check(Tool{Server: "s", Name: "t", Input: input, Output: schemaOf(t, `{"type":"object","properties":{"a":{"minLength":"1"}}}`)}) {
		at[r.Client+"/"+r.Rule+" "+r.Path] = r.At
	}
	for refusal, want := range map[string]string{
		"OpenAI strict/counts inputSchema.required":                 "/properties/required/maxLength",
		"Claude/property-name inputSchema":                          "/properties/b~1c",
		"VS Code/draft-07 inputSchema.b/c.items.anyOf.0.properties": "/properties/b~1c/items/anyOf/0/properties",
		"OpenAI/properties inputSchema.b/c.items.anyOf[0]":          "/properties/b~1c/items/anyOf/0",
		"Claude/draft-2020-12 inputSchema.d.required":               "/properties/d/required",
		"TypeScript SDK 1.x/input inputSchema.e":                    "/properties/e",
		"TypeScript SDK 1.x/output outputSchema.a.minLength":        "/properties/a/minLength",
	} {
		if at[refusal] != want {
			t.Errorf("%s: %q, want %q of %v", refusal, at[refusal], want, at)
		}
	}
}
