package curate

import (
	"encoding/json"
	"testing"

	"toolpress/discover"
	"toolpress/generate"
)

// A model learns everything that is wrong with a call at once: what the schema
// refuses, what no path or query carries, and what a property below one of
// several forms was meant to be.
func TestFaultsComeTogether(t *testing.T) {
	site := &discover.Site{Routes: []discover.Route{{
		Path: "/t/v1/files/{name}", Pattern: `/t/v1/files/(?P<name>[\w]+(?:-draft)?)`, Namespace: "t/v1",
		Params: []discover.PathParam{{Name: "name", Pattern: `[\w]+(?:-draft)?`}},
		Endpoints: []discover.Endpoint{{Methods: []string{"GET"}, Args: map[string]any{
			"limit": map[string]any{"type": "integer"},
			"any":   map[string]any{"required": true},
			"terms": map[string]any{"type": []any{"object", "array"}, "oneOf": []any{
				map[string]any{"type": "array", "items": map[string]any{"type": "integer"}},
				map[string]any{"type": "object", "properties": map[string]any{"operator": map[string]any{"type": "string"}}, "additionalProperties": false},
			}},
		}}},
	}}}
	c, err := Parse("c.yaml", []byte("version: 1\ntools: { read_file: { from: \"GET /t/v1/files/{name}\", args: { name: { rename: file } } } }"), nil)
	if err != nil {
		t.Fatal(err)
	}
	catalog, findings := c.Apply(generate.FromSite(site), nil)
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	_, err = catalog.Profiles[DefaultProfile].Tool("read_file").Request(json.RawMessage(`{"file":"../x","limit":"many","any":null,"name":"y","terms":{"operatr":"AND"}}`))
	const want = `any cannot be sent: null cannot be sent in a query; ` +
		`file must match ^(?:[\w]+(?:-draft)?)$; limit must be a whole number, not text; ` +
		`name is not an argument of this tool; its arguments are file, any, limit, terms; ` +
		`terms.operatr is not a property the tool takes; did you mean operator?`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// A tool that profiles narrow is folded again for each, and what is wrong with it
// is said once.
func TestFaultsAreSaidOnce(t *testing.T) {
	_, findings := apply(t, `
version: 1
private: [{ match: { ability: shop/hours }, fields: [owner] }]
tools: { hours: { from: "ability:shop/hours", result: { pick: [id, owner] } } }
profiles:
  a: { tools: { hours: { title: A } } }
  b: { tools: { hours: { title: B } } }
`)
	if len(findings) != 1 || findings[0].ID != "private" {
		t.Error(findings)
	}
}
