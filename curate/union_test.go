package curate

import (
	"encoding/json"
	"testing"

	"toolpress/discover"
	"toolpress/generate"
	"toolpress/generate/schema"
)

// T07: a limit on an argument of several types leaves the types it speaks of: what
// it does not bind is not sent. A value may be written by the site's own names.
func TestLimitsCutUnions(t *testing.T) {
	var args map[string]any
	if err := json.Unmarshal([]byte(`{
		"amount": {"type": ["number", "string"]}, "title": {"type": ["string", "object"], "properties": {"raw": {"type": "string"}, "x": {}}},
		"ids": {"type": ["string", "array"], "items": {"type": "integer"}}, "status": {"oneOf": [{"type": "array", "items": {"type": "string"}}, {"type": "string"}]},
		"any": {}, "n": {"type": ["integer", "null"]}, "meta": {"type": "object", "properties": {"a-b": {"type": "integer"}}}}`), &args); err != nil {
		t.Fatal(err)
	}
	site := &discover.Site{Routes: []discover.Route{{Path: "/t/v1/x", Pattern: "/t/v1/x", Namespace: "t/v1", Endpoints: []discover.Endpoint{{Methods: []string{"POST"}, Args: args}}}}}
	for curation, calls := range map[string]map[string]string{
		`amount: { maximum: 50 }`:            {`{"amount":"$100"}`: "", `{"amount":60}`: "", `{"amount":50}`: `{"amount":50}`},
		`title: { max_length: 5 }`:           {`{"title":{"raw":"longer"}}`: "", `{"title":"short"}`: `{"title":"short"}`},
		`ids: { max_items: 2 }`:              {`{"ids":[1,2,3]}`: "", `{"ids":"1,2,3"}`: "", `{"ids":[1]}`: `{"ids":[1]}`},
		`status: { pattern: "^publish$" }`:   {`{"status":["private"]}`: "", `{"status":"private"}`: "", `{"status":"publish"}`: `{"status":"publish"}`},
		`status: { enum: [publish, draft] }`: {`{"status":["private"]}`: "", `{"status":"draft"}`: `{"status":"draft"}`},
		`any: { max_length: 2 }`:             {`{"any":12345}`: "", `{"any":["zzz"]}`: "", `{"any":"ab"}`: `{"any":"ab"}`},
		`n: { maximum: 5 }`:                  {`{"n":6}`: "", `{"n":null}`: `{"n":null}`, `{"n":5}`: `{"n":5}`},
		`meta: { fix: { a-b: 5 } }`:          {`{}`: `{"meta":{"a-b":5}}`},
		`meta: { fix: { a_b: 6 } }`:          {`{}`: `{"meta":{"a-b":6}}`},
	} {
		c, err := Parse("c.yaml", []byte("version: 1\ntools: { x: { from: POST /t/v1/x, confirm: { when: never }, args: { "+curation+" } } }"), nil)
		if err != nil {
			t.Fatalf("%s: %v", curation, err)
		}
		catalog, findings := c.Apply(generate.FromSite(site), nil)
		if len(findings) > 0 {
			t.Fatalf("%s: %v", curation, findings)
		}
		tool := catalog.Profiles[DefaultProfile].Tool("x")
		for arguments, want := range calls {
			r, err := tool.Request(json.RawMessage(arguments))
			got := ""
			if err == nil {
				text, _ := schema.Encode(r.Body)
				got = string(text)
			}
			if got != want {
				t.Errorf("%s %s: sent %q, %v, want %q", curation, arguments, got, err, want)
			}
		}
	}
}
