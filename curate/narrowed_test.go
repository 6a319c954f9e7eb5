package curate

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"toolpress/discover/wp"
	"toolpress/generate"
	"toolpress/generate/schema"
)

// described is what the tests read of a document's operation.
type described struct {
	OperationID string `json:"operationId"`
	Identity    string `json:"x-wp-operation"`
	Summary     string
	Description string
	Parameters  []map[string]any
	RequestBody *struct {
		Required bool
		Content  map[string]struct{ Schema map[string]any }
	}
}

// parameters are the names of parameters, with ! after a required one.
func (d described) parameters() []string {
	names := []string{}
	for _, p := range d.Parameters {
		name := p["in"].(string) + " " + p["name"].(string)
		if p["required"] == true {
			name += "!"
		}
		names = append(names, name)
	}
	return names
}

// body is the schema of the body; nil where there is none.
func (d described) body() map[string]any {
	if d.RequestBody == nil {
		return nil
	}
	return d.RequestBody.Content["application/json"].Schema
}

// document is the validated document of a catalog's tools, by tool.
func document(t interface{ Fatal(...any) }, s *generate.Surface, c *Catalog) (map[string]described, []byte) {
	text, err := generate.CuratedOpenAPI(s, c.Profiles[DefaultProfile].Operations())
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err == nil {
		err = doc.Validate(context.Background())
	}
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		Paths   map[string]map[string]described
		Omitted map[string]string `json:"x-wp-omitted"`
	}
	if err := json.Unmarshal(text, &read); err != nil || read.Omitted != nil {
		t.Fatal(err, read.Omitted)
	}
	byName := map[string]described{}
	for _, item := range read.Paths {
		for _, d := range item {
			byName[d.OperationID] = d
		}
	}
	return byName, text
}

// What becomes of an argument that is shown, narrowed, renamed, hidden, fixed,
// or has a default of the curation's own.
func TestNarrowed(t *testing.T) {
	catalog, findings := apply(t, `
version: 1
defaults: { confirm: { when: never } }
tools:
  items:
    from: GET /shop/v1/items
    title: Look at items
    description: Items, all of them.
    args:
      s: { rename: words, required: true, max_length: 9, describe: What to look for. }
      n: { fix: 7 }
      b: { fix: false }
      l: { fix: [3, 4] }
      o: { fix: { k: 1.5 } }
      any: hidden
      per_page: { default: 5, maximum: 20 }
  found:
    from: GET /wp/v2/posts
    args: { "*": hidden, per_page: { default: 10 }, page: { hide: true, default: 2 }, categories: { fix: [] } }
  draft:
    from: POST /wp/v2/posts
    args: { title: { required: true }, content: { fix: Text. }, status: { fix: draft } }
  order:
    from: POST /shop/v1/orders
    args:
      "*": hidden
      "line_items[].*": hidden
      "line_items[].product_id": { rename: product }
      "line_items[].total": { fix: "0" }
      "customer.address.country": { fix: PT }
      "meta.footnotes": { rename: notes }
  open:
    from: "ability:shop/open"
    args: { flag: { fix: true }, note: { rename: text } }
  price: { from: "ability:shop/price", args: { input: { fix: 21 } } }
  search: { from: "ability:shop/search", args: { limit: { fix: 2 } } }
`)
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	found, _ := document(t, shop(t), catalog)
	if d := found["items"]; d.Identity != "GET /shop/v1/items" || d.Summary != "Look at items" || d.Description != "Items, all of them." {
		t.Errorf("%+v", d)
	}
	got := map[string]any{}
	for name, d := range found {
		schemas := []any{}
		for _, p := range d.Parameters {
			schemas = append(schemas, p["schema"])
		}
		got[name] = []any{d.parameters(), schemas, d.body()}
	}
	var want map[string]any
	if err := json.Unmarshal([]byte(`{
		"items": [
			["query b!", "query l[]!", "query n!", "query o!", "query per_page!", "query s!"],
			[{"type":"integer","enum":[0],"default":0}, {"type":"array","items":{"type":"integer"},"enum":[[3,4]],"default":[3,4]}, {"type":"integer","enum":[7],"default":7},
			 {"type":"object","properties":{"k":{"type":"number","enum":[1.5],"default":1.5}},"required":["k"],"additionalProperties":false,"default":{"k":1.5}},
			 {"type":"integer","maximum":20,"default":5}, {"type":"string","maxLength":9}], null],
		"found": [
			["query page!", "query per_page"],
			[{"type":"integer","enum":[2],"default":2,"minimum":1}, {"type":"integer","minimum":1,"maximum":100,"default":10}], null],
		"draft": [[], [], {"type":"object","additionalProperties":false,"required":["content","status","title"],"properties":{
			"content":{"type":"object","required":["raw"],"properties":{"raw":{"type":"string","description":"The text.","enum":["Text."],"default":"Text."}}},
			"status":{"type":"string","description":"The status.","enum":["draft"],"default":"draft"},
			"title":{"type":"object","required":["raw"],"properties":{"raw":{"type":"string","description":"The title."}}}}}],
		"order": [[], [], {"type":"object","additionalProperties":false,"required":["customer"],"properties":{
			"customer":{"type":"object","additionalProperties":false,"default":{"address":{"country":"PT"}},"required":["address"],"properties":{
				"address":{"type":"object","additionalProperties":false,"default":{"country":"PT"},"required":["country"],"properties":{
					"country":{"type":"string","description":"The country.","enum":["PT"],"default":"PT"}}}}},
			"line_items":{"type":"array","description":"What is ordered.","items":{"type":"object","additionalProperties":false,"required":["product_id","total"],"properties":{
				"product_id":{"type":"integer","description":"The product's id."},
				"total":{"type":"string","description":"The total.","enum":["0"],"default":"0"}}}},
			"meta":{"type":"object","description":"The meta.","additionalProperties":false,"properties":{"footnotes":{"type":"string","description":"The footnotes."}}}}}],
		"open": [[], [], {"type":"object","additionalProperties":false,"required":["input"],"properties":{
			"input":{"type":"object","additionalProperties":{},"required":["flag"],"properties":{"flag":{"enum":[true],"default":true},"note":{}}}}}],
		"price": [["query input!"], [{"type":"integer","enum":[21],"default":21}], null],
		"search": [["query input!"], [{"type":"object","additionalProperties":false,"required":["limit","q"],"properties":{"limit":{"type":"integer","description":"How many at most.","maximum":50,"enum":[2],"default":2},"q":{"type":"string","description":"Words of the name."}}}], null]
	}`), &want); err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(got)
	got = nil
	_ = json.Unmarshal(text, &got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// For any curation of the shop the document is valid and has each tool once,
// and a client that goes by it sends what the tool sends.
func TestNarrowedLaw(t *testing.T) {
	surface := shop(t)
	rapid.Check(t, func(t *rapid.T) {
		c, err := Parse("curation.yaml", []byte(drawCuration(t, surface)), nil)
		if err != nil {
			t.Fatal(err)
		}
		catalog, _ := c.Apply(surface, nil)
		found, _ := document(t, surface, catalog)
		for _, tool := range catalog.Profiles[DefaultProfile].Tools {
			if found[tool.Name].Identity != tool.Operation {
				t.Fatalf("%s is %+v", tool.Name, found[tool.Name])
			}
			checkNarrowed(t, tool)
		}
		if len(found) != len(catalog.Profiles[DefaultProfile].Tools) {
			t.Fatalf("%d operations in the document", len(found))
		}
	})
}

// checkNarrowed compares a tool's request with that of a client which sends the
// same arguments, by the site's names, and what else is required.
func checkNarrowed(t *rapid.T, tool *Tool) {
	arguments, values := map[string]any{}, map[string]any{}
	for _, pair := range tool.renamed {
		if p := tool.schema.Property(pair[0]); p.Required || rapid.Bool().Draw(t, "given") {
			v := rapid.SampledFrom([]any{json.Number("0"), json.Number("4"), "draft", "a text", true, []any{"draft"}, []any{json.Number("1")}, drawOrderPart(t)}).Draw(t, "value")
			arguments[pair[0]] = v
		}
	}
	text, _ := schema.Encode(arguments)
	want, err := tool.Request(text)
	if err != nil {
		return
	}
	coerced, err := tool.check.Coerce(arguments)
	if err != nil {
		t.Fatal(err)
	}
	read := coerced.(map[string]any)
	for _, pair := range tool.renamed {
		if v, there := read[pair[0]]; there {
			values[pair[1]] = tool.inner[pair[1]].send(v)
		}
	}
	narrowed := tool.Narrowed()
	for _, a := range narrowed.Args {
		if _, given := values[a.Name]; !given && a.Required {
			values[a.Name] = a.Schema.Default
		}
	}
	check, err := generate.InputSchema(narrowed.Args, narrowed.Extra).Compile()
	if err == nil {
		err = check.Validate(values)
	}
	if err != nil {
		t.Fatalf("%s sends %v: %v", tool.Name, values, err)
	}
	got, err := narrowed.Request(values)
	if err != nil && strings.Contains(err.Error(), "would arrive in a query as an empty text") {
		return // an empty value where the tool has a default of its own
	}
	if err != nil {
		t.Fatal(err)
	}
	// The site's own default may be sent or not.
	for _, d := range tool.defaults {
		if a := tool.op.Arg(d.arg); a != nil && takenFor(a.Schema, d.value) {
			for _, r := range []*wp.Request{&want, &got} {
				r.Query = slices.DeleteFunc(r.Query, func(p wp.Param) bool { return p.Name == a.Wire })
			}
		}
	}
	if diff := cmp.Diff(byName(want), byName(got)); diff != "" {
		t.Fatalf("%s of %s: the tool's request (-) is not the client's (+):\n%s", tool.Name, text, diff)
	}
}

func byName(r wp.Request) wp.Request {
	slices.SortFunc(r.Query, func(a, b wp.Param) int { return strings.Compare(a.Name, b.Name) })
	if len(r.Query) == 0 {
		r.Query = nil
	}
	return r
}
