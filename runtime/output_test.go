package runtime

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"toolpress/curate"
	"toolpress/discover"
	"toolpress/discover/wp"
	"toolpress/generate"
)

// W35–W37, G45, G46, G47: the output schema describes what is picked, and takes
// whatever a site answers.
func TestOutputSchema(t *testing.T) {
	route := func(path string, args map[string]any) discover.Route {
		return discover.Route{Path: path, Pattern: path, Namespace: "t/v1", Endpoints: []discover.Endpoint{{Methods: []string{"GET"}, Args: args}}}
	}
	site := &discover.Site{Routes: []discover.Route{
		route("/t/v1/things", map[string]any{"per_page": map[string]any{"type": "integer"}}), route("/t/v1/thing", nil),
	}}
	c, err := curate.Parse("curation.yaml", []byte(`version: 1
tools:
  things: { from: GET /t/v1/things, result: { pick: [id, title.rendered, title.raw, meta.a, meta] } }
  thing: { from: GET /t/v1/thing, result: { pick: [id, title.rendered] } }
  whole: { from: GET /t/v1/thing }
  own: { from: GET /t/v1/things, result: { pick: [total] } }
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	made, findings := c.Apply(generate.FromSite(site), nil)
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	for name, want := range map[string]string{
		"things": `{"type":"object","properties":{"items":{"type":"array","items":{"properties":{"id":{},"title":{"properties":{"rendered":{},"raw":{}}},"meta":{}}}},"total":{"type":"integer"},"total_pages":{"type":"integer"},"next_page":{"type":"integer"},"next":{"type":"object","properties":{}},"truncated":{"type":"string"}}}`,
		"thing":  `{"type":"object","properties":{"id":{},"title":{"properties":{"rendered":{}}}}}`,
		"whole":  ``,
		"own":    ``,
	} {
		tool := made.Profiles[curate.DefaultProfile].Tool(name)
		if string(tool.OutputSchema) != want {
			t.Errorf("%s: %s, want %s", name, tool.OutputSchema, want)
		}
		if want == "" {
			continue
		}
		check := compiled(t, tool.OutputSchema)
		for _, answer := range []string{
			`[{"id":1,"title":{"rendered":"a"},"meta":[]}]`, `[{"id":null,"title":false,"meta":{"a":1}},7,null]`, `[]`, `{"id":"x","title":[],"code":5}`, `"ok"`, `null`, `true`, `{}`,
			`{"items":"none","total":"12"}`,
		} {
			value, err := shape(wp.Request{Method: "GET"}, &wp.Response{Header: map[string][]string{"X-Wp-Total": {"13"}, "X-Wp-Totalpages": {"2"}}, JSON: json.RawMessage(answer)}, tool.Result, wanted{})
			if err != nil {
				t.Fatal(err)
			}
			v, _ := jsonschema.UnmarshalJSON(bytes.NewReader(value))
			if err := check.Validate(v); err != nil {
				t.Errorf("%s: %s is refused: %v", name, value, err)
			}
		}
		if v, _ := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(`{"items":[{"id":1}],"total":"many"}`))); name == "things" && check.Validate(v) == nil {
			t.Error("the schema says nothing")
		}
	}
}

func compiled(t *testing.T, text json.RawMessage) *jsonschema.Schema {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mem:output", v); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("mem:output")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}
