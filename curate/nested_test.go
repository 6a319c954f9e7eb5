package curate

import (
	"encoding/json"
	"strings"
	"testing"

	"toolpress/generate"
)

// orderIntent is the tool of the language's own example: nobody but the shop
// says what something costs.
const orderIntent = `
version: 1
defaults: { confirm: { when: never } }
tools:
  order_intent:
    from: ROUTE
    args:
      "*": hidden
      line_items: { required: true, max_items: 5 }
      "line_items[].*": hidden
      "line_items[].product_id": { required: true }
      "line_items[].quantity": { required: true, minimum: 1, maximum: 20 }
      status: { fix: pending }
      set_paid: { fix: false }
`

// applyTo applies a curation to a surface; route is the one that ROUTE stands for.
func applyTo(t *testing.T, s *generate.Surface, text, route string) (*Catalog, Findings) {
	t.Helper()
	c, err := Parse("curation.yaml", []byte(strings.ReplaceAll(text, "ROUTE", "POST "+route)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return c.Apply(s, nil)
}

// calls compares what each call of a tool becomes.
func calls(t *testing.T, tool *Tool, want [][2]string) {
	t.Helper()
	if tool == nil {
		t.Fatal("no such tool")
	}
	for _, c := range want {
		r, err := tool.Request(json.RawMessage(c[0]))
		if got := shown(r, err); got != c[1] {
			t.Errorf("%s\n got %s\nwant %s", c[0], got, c[1])
		}
	}
}

// A model orders, and cannot set a price: not in an item, not beside it.
func TestOrderIntent(t *testing.T) {
	for name, surface := range map[string]func(*testing.T) *generate.Surface{
		"/shop/v1/orders": func(t *testing.T) *generate.Surface { return shop(t) },
		"/wc/v3/orders":   func(t *testing.T) *generate.Surface { return generate.FromSite(recordedSite(t, "woocommerce-10.5")) },
	} {
		t.Run(name, func(t *testing.T) {
			catalog, findings := applyTo(t, surface(t), orderIntent, name)
			if len(findings) > 0 {
				t.Fatal(findings)
			}
			wanted := [][2]string{
				{`{"line_items":[{"product_id":7,"quantity":2},{"product_id":8,"quantity":1}]}`, "POST " + name + ` {"line_items":[{"product_id":7,"quantity":2},{"product_id":8,"quantity":1}],"set_paid":false,"status":"pending"}`},
				{`{"line_items":"[{\"product_id\":7,\"quantity\":\"2\"}]"}`, "POST " + name + ` {"line_items":[{"product_id":7,"quantity":2}],"set_paid":false,"status":"pending"}`},
				{`{}`, "faults: line_items is required"},
				{`{"line_items":[{"product_id":7}]}`, "faults: line_items[0].quantity is required"},
				{`{"line_items":[{"product_id":7,"quantity":21}]}`, "faults: line_items[0].quantity must be 20 or less"},
				{`{"line_items":{"product_id":7,"quantity":1}}`, "faults: line_items must be a list, not an object"},
			}
			for _, price := range []string{"price", "total", "subtotal", "meta_data", "tax_class", "name", "_price", "Total"} {
				wanted = append(wanted, [2]string{
					`{"line_items":[{"product_id":7,"quantity":1,"` + price + `":"0.01"}]}`,
					"faults: line_items[0]." + price + " is not a property the tool takes; line_items[0] may have product_id, quantity",
				})
			}
			for _, beside := range []string{"fee_lines", "coupon_lines", "shipping_lines", "set_paid", "status", "meta_data", "total"} {
				r, err := catalog.Profiles[DefaultProfile].Tool("order_intent").Request(json.RawMessage(`{"line_items":[{"product_id":7,"quantity":1}],"` + beside + `":[]}`))
				if want := "faults: " + beside + " is not an argument of this tool; its arguments are line_items"; shown(r, err) != want {
					t.Errorf("%s, want %s", shown(r, err), want)
				}
			}
			calls(t, catalog.Profiles[DefaultProfile].Tool("order_intent"), wanted)
		})
	}
}

// What nested settings make of a call, each with what is sent.
func TestNestedCalls(t *testing.T) {
	for _, c := range []struct {
		args  string
		calls [][2]string
	}{
		{`"line_items[].total": { fix: "0" }, "line_items[].product_id": { rename: product }`, [][2]string{ // fixed in every item, and only there
			{`{"line_items":[{"product":1},{"product":2,"quantity":3}]}`, `{"line_items":[{"product_id":1,"total":"0"},{"product_id":2,"quantity":3,"total":"0"}]}`},
			{`{"line_items":[]}`, `{"line_items":[]}`},
			{`{}`, ``},
			{`{"line_items":[{"product":1,"total":"9"}]}`, `faults: line_items[0].total is not a property the tool takes; line_items[0] may have product, gift_note, meta_data, quantity, subtotal`},
			{`{"line_items":[{"product":1,"product_id":9}]}`, `faults: line_items[0].product_id is not a property the tool takes; line_items[0] may have product, gift_note, meta_data, quantity, subtotal`},
			{`{"line_items":[{"product":1,"anything":9}]}`, `faults: line_items[0].anything is not a property the tool takes; line_items[0] may have product, gift_note, meta_data, quantity, subtotal`},
		}},
		{`"line_items[].gift_note": hidden`, [][2]string{ // by neither of its names
			{`{"line_items":[{"product_id":1,"gift-note":"x"}]}`, `faults: line_items[0].gift-note is not a property the tool takes; line_items[0] may have product_id, meta_data, quantity, subtotal, total`},
			{`{"line_items":[{"product_id":1,"gift_note":"x"}]}`, `faults: line_items[0].gift_note is not a property the tool takes; line_items[0] may have product_id, meta_data, quantity, subtotal, total`},
		}},
		{`"line_items[].gift-note": { rename: note }`, [][2]string{{`{"line_items":[{"product_id":1,"note":"x"}]}`, `{"line_items":[{"gift-note":"x","product_id":1}]}`}}},
		{`"*": hidden, "customer.address.country": { fix: PT }`, [][2]string{ // its parents are made
			{`{}`, `{"customer":{"address":{"country":"PT"}}}`},
			{`{"customer":{"name":"Ana"}}`, `faults: customer is not an argument of this tool, which takes none`},
		}},
		{`"*": hidden, customer: {}, "customer.address.country": { fix: PT }`, [][2]string{
			{`{"customer":{"name":"Ana","address":{"city":"Porto"}}}`, `{"customer":{"address":{"city":"Porto","country":"PT"},"name":"Ana"}}`},
			{`{"customer":{"name":"Ana"}}`, `{"customer":{"address":{"country":"PT"},"name":"Ana"}}`},
			{`{"customer":null}`, `{"customer":{"address":{"country":"PT"}}}`},
			{`{}`, `{"customer":{"address":{"country":"PT"}}}`},
		}},
		{`customer: hidden, "customer.name": {}`, [][2]string{{`{"customer":{"name":"x"}}`, `faults: customer is not an argument of this tool; its arguments are delivery, line_items, meta, payment, set_paid, status, tags`}}},
		{`"*": hidden, "customer.*": hidden, "customer.name": { rename: full_name, required: true, min_length: 2 }`, [][2]string{
			{`{"customer":{"full_name":"Ana"}}`, `{"customer":{"name":"Ana"}}`},
			{`{"customer":{}}`, `faults: customer.full_name is required`},
			{`{"customer":{"full_name":"A"}}`, `faults: customer.full_name must have at least 2 characters`},
			{`{"customer":{"full_name":"Ana","email":"a@b.c"}}`, `faults: customer.email is not a property the tool takes; customer may have full_name`},
		}},
		{`"line_items[].quantity": { default: 2, maximum: 5 }`, [][2]string{ // a default goes into the items there are
			{`{"line_items":[{"product_id":1},{"product_id":1,"quantity":3}]}`, `{"line_items":[{"product_id":1,"quantity":2},{"product_id":1,"quantity":3}]}`},
			{`{}`, ``},
		}},
		{`"line_items[].quantity": { minimum: 4 }`, [][2]string{{`{"line_items":[{"product_id":1}]}`, `{"line_items":[{"product_id":1,"quantity":4}]}`}}}, // the site's own default is outside
		{`"line_items[].meta_data[].key": { enum: [colour, size] }, "line_items[].meta_data[].value": { rename: is }`, [][2]string{
			{`{"line_items":[{"product_id":1,"meta_data":[{"key":"size","is":"L"}]}]}`, `{"line_items":[{"meta_data":[{"key":"size","value":"L"}],"product_id":1}]}`},
			{`{"line_items":[{"product_id":1,"meta_data":[{"key":"_price","is":"0"}]}]}`, `faults: line_items[0].meta_data[0].key must be one of "colour","size", not "_price"`},
		}},
		{`"meta.footnotes": { rename: notes }, "meta.acme-colour": { enum: [red] }`, [][2]string{ // an open object takes what is named, and then no more
			{`{"meta":{"notes":"n","acme_colour":"red"}}`, `{"meta":{"acme-colour":"red","footnotes":"n"}}`},
			{`{"meta":{"notes":"n","other":"red"}}`, `faults: meta.other is not a property the tool takes; meta may have acme_colour, notes`},
		}},
		{`"meta.colour": { max_length: 3 }`, [][2]string{
			{`{"meta":{"colour":"red","other":"x"}}`, `{"meta":{"colour":"red","other":"x"}}`},
			{`{"meta":{"colour":"green"}}`, `faults: meta.colour must have at most 3 characters, and has 5`},
		}},
		{`"tags[]": { max_length: 3, pattern: "^[a-z]+$" }`, [][2]string{{`{"tags":["abcd"]}`, `faults: tags[0] must have at most 3 characters, and has 4`}}},
		{`"customer.name": { fix: Ana }, "customer.address.city": { required: true }, "customer.address": { required: true }`, [][2]string{ // what has to be filled has to be given
			{`{}`, `faults: customer is required`},
			{`{"customer":{"address":{"city":"Faro"}}}`, `{"customer":{"address":{"city":"Faro"},"name":"Ana"}}`},
		}},
	} {
		catalog, findings := apply(t, "version: 1\ndefaults: { confirm: { when: never } }\ntools: { t: { from: POST /shop/v1/orders, args: { "+c.args+" } } }")
		if len(findings) > 0 {
			t.Errorf("%s: %v", c.args, findings)
			continue
		}
		for i, one := range c.calls {
			if len(one[1]) == 0 {
				c.calls[i][1] = "POST /shop/v1/orders"
			} else if one[1][0] == '{' {
				c.calls[i][1] = "POST /shop/v1/orders " + one[1]
			}
		}
		calls(t, catalog.Profiles[DefaultProfile].Tool("t"), c.calls)
	}
}
