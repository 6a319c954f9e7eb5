package curate

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"toolpress/discover"
	"toolpress/generate"
	"toolpress/generate/schema"
)

// orders is a tool with nested arguments, some of them as strange as plugins'.
func orders(t *testing.T) *Tool {
	t.Helper()
	var args map[string]any
	dec := json.NewDecoder(strings.NewReader(`{
		"status": {"type": "string", "enum": ["pending", "completed"]},
		"note": {"type": "string", "maxLength": 5},
		"date": {"type": "string", "format": "date-time"},
		"code": {"type": "string", "pattern": "^[a-z]+$"},
		"per_page": {"type": "integer", "minimum": 1, "maximum": 100},
		"total": {"type": "number", "minimum": 0, "exclusiveMinimum": true, "multipleOf": 0.5},
		"tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": true, "minItems": 2},
		"country": {"type": "string", "enum": [` + countries() + `]},
		"line_items": {"type": "array", "items": {"type": "object", "required": ["product_id"], "additionalProperties": false, "properties": {
			"product_id": {"type": "integer"}, "quantity": {"type": "integer", "minimum": 1}, "sku": {"type": ["string", "null"]},
			"meta": {"type": "object", "additionalProperties": {"type": "boolean"}}}}},
		"when": {"oneOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]},
		"target": {"anyOf": [{"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}, {"type": "string", "maxLength": 3}]}
	}`))
	dec.UseNumber()
	if err := dec.Decode(&args); err != nil {
		t.Fatal(err)
	}
	args["id"] = map[string]any{"type": "integer", "required": true}
	site := &discover.Site{Routes: []discover.Route{{Path: "/t/v1/orders", Pattern: "/t/v1/orders", Namespace: "t/v1", Endpoints: []discover.Endpoint{{Methods: []string{"POST"}, Args: args}}}}}
	c, err := Parse("c.yaml", []byte("version: 1\ntools: { order: { from: POST /t/v1/orders, confirm: { when: never }, args: { per_page: { rename: limit } } } }"), nil)
	if err != nil {
		t.Fatal(err)
	}
	catalog, findings := c.Apply(generate.FromSite(site), nil)
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	return catalog.Profiles[DefaultProfile].Tool("order")
}

// countries are more values than a fault lists.
func countries() string {
	var words []string
	for i := range 50 {
		words = append(words, fmt.Sprintf(`"land-%02d"`, i))
	}
	return strings.Join(words, ",")
}

// Every fault says where, in the model's names, and what would be right.
func TestFaults(t *testing.T) {
	tool := orders(t)
	for given, want := range map[string]string{
		`"status":"complete"`:  `status must be one of "pending","completed", not "complete"`,
		`"country":"land-3"`:   `country must be one of "land-03","land-00",`,
		`"country":"x"`:        `"land-19" and 30 more, not "x"`,
		`"total":0`:            "total must be more than 0",
		`"total":0.3`:          "total must be a multiple of 1/2",
		`"tags":["a"]`:         "tags must have at least 2 items",
		`"tags":["a","b","a"]`: "tags must not hold an item twice: items 0 and 2 are alike",
		`"tags":"a,a"`:         "tags must not hold an item twice: items 0 and 1 are alike",
		`"limit":"many"`:       "limit must be a whole number, not text",
		`"limit":101`:          "limit must be 100 or less",
		`"per_page":1`:         "per_page is not an argument of this tool; its arguments are",
		`"noote":"x"`:          "noote is not an argument of this tool; did you mean note?",
		`"line_items":[{"qty":1,"product_id":"x"},{}]`: "line_items[0].product_id must be a whole number, not text; line_items[0].qty is not a property the tool takes; " +
			"line_items[0] may have product_id, meta, quantity, sku; line_items[1].product_id is required",
		`"line_items":[{"quantitty":1,"product_id":1}]`:        "line_items[0].quantitty is not a property the tool takes; did you mean quantity?",
		`"line_items":[{"product_id":1,"meta":{"a":"maybe"}}]`: "line_items[0].meta.a must be true or false, not text",
		`"line_items":"[{\"product_id\":1,\"quantity\":0}]"`:   "line_items[0].quantity must be 1 or more",
		`"line_items":[{"product_id":null}]`:                   "line_items[0].product_id must be a whole number, not null",
		`"when":{"a":1}`:                                       "when must be a whole number or a list, not an object",
		`"when":["x"]`:                                         "when[0] must be a whole number, not text",
		`"target":{"idd":1}`:                                   "target.id is required",
		`"target":"long"`:                                      "target must have at most 3 characters, and has 4",
		`"target":7`:                                           "target must be an object or text, not a number",
		`"note":"too long","code":"A","total":-1`:              "code must match ^[a-z]+$, not \"A\"; note must have at most 5 characters, and has 8; total must be more than 0",
		`"line_items":[{"product_id":1e999}]`:                  "line_items holds a number that is too long",
		`"line_items":[{"product_id":1,"meta":` + strings.Repeat(`[`, 300) + strings.Repeat(`]`, 300) + `}]`: "line_items holds values nested deeper than 256 levels",
		// G42: the text "null", where it cannot be meant.
		`"limit":"null"`:  `limit must be a whole number, not the text "null"; leave it out instead`,
		`"status":"null"`: `status must be one of "pending","completed", not "null"; leave it out instead`,
		`"tags":"null"`:   `tags must be a list, not the text "null"; leave it out instead`,
		`"line_items":[{"product_id":"null","quantity":"null"}]`: `line_items[0].product_id must be a whole number, not the text "null"; line_items[0].quantity must be a whole number, not the text "null"; leave it out instead`,
	} {
		_, err := tool.Request(json.RawMessage(`{"id":1,` + given + `}`))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n got %v\nwant %s", given, err, want)
		}
	}
}

// What means the same to WordPress is taken, and sent as the type it is meant
// to be; null for what may be left out is absence at any depth (G42, G44).
func TestTaken(t *testing.T) {
	tool := orders(t)
	for given, want := range map[string]string{
		`"limit":null,"note":null,"line_items":null`:                                             `{"id":1}`,
		`"line_items":[{"product_id":"5","quantity":null,"sku":null,"meta":{"a":null,"b":"1"}}]`: `{"id":1,"line_items":[{"meta":{"b":true},"product_id":5,"sku":null}]}`,
		`"line_items":"[{\"product_id\":1}]"`:                                                    `{"id":1,"line_items":[{"product_id":1}]}`,
		`"note":"null"`:                                                                          `{"id":1,"note":"null"}`, // may be meant
		`"note":"[1]"`:                                                                           `{"id":1,"note":"[1]"}`,
		`"date":"2026-01-01T10:00:00"`:                                                           `{"date":"2026-01-01T10:00:00","id":1}`,
		`"total":9007199254740993.0`:                                                             `{"id":1,"total":9007199254740993.0}`,
		`"when":"1,2"`:                                                                           `{"id":1,"when":[1,2]}`,
		`"limit":1,"limit":7`:                                                                    `{"id":1,"per_page":7}`, // T12: the last, checked and sent
		`"line_items":[{"product_id":1,"product_id":2}]`:                                         `{"id":1,"line_items":[{"product_id":2}]}`,
	} {
		r, err := tool.Request(json.RawMessage(`{"id":"1",` + given + `}`))
		if body, _ := schema.Encode(r.Body); err != nil || string(body) != want {
			t.Errorf("%s: %s, %v; want %s", given, body, err, want)
		}
	}
	for _, twice := range []string{`{"id":1,"limit":7,"limit":101}`, `{"id":1,"LIMIT":7}`, `{"id":1,"Limit":7,"limit":7}`} { // T12
		if r, err := tool.Request(json.RawMessage(twice)); err == nil {
			t.Errorf("%s: %+v", twice, r)
		}
	}
}
