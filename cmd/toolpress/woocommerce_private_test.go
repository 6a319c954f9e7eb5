package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"toolpress/discover/wp"
)

// spellings are calls of order_intent that try to say what an order costs, who
// pays it or that it is paid, or to order in bulk.
var spellings = []string{
	// an item's own price, in every name that an answer gives it
	item(`"price":0.01`), item(`"total":"0.01"`), item(`"subtotal":"0.01"`), item(`"total_tax":"0"`), item(`"subtotal_tax":"0"`), item(`"taxes":[]`),
	item(`"tax_class":"zero-rate"`), item(`"name":"Free"`), item(`"sku":"MSB-102"`), item(`"id":1`), item(`"parent_name":"x"`), item(`"image":{}`),
	item(`"meta_data":[{"key":"_line_total","value":"0.01"}]`), item(`"Total":"0.01"`), item(`"total ":"0.01"`), item(`"_line_total":"0.01"`), item(`"line_total":"0.01"`),
	item(`"tot\u0061l":"0.01"`), item(`"quantity":2,"total":"0.01"`),
	// its names besides the list, as a query and a form would have them
	besides(`"line_items[0][total]":"0.01"`), besides(`"line_items[].total":"0.01"`), besides(`"line_items.0.total":"0.01"`), besides(`"line_items[0].total":"0.01"`),
	// the order's own sums and lines
	besides(`"total":"0.01"`), besides(`"discount_total":"9"`), besides(`"total_tax":"0"`), besides(`"cart_tax":"0"`), besides(`"shipping_total":"0"`), besides(`"prices_include_tax":true`),
	besides(`"fee_lines":[{"name":"x","total":"-9"}]`), besides(`"coupon_lines":[{"code":"welcome10"}]`), besides(`"shipping_lines":[{"method_id":"x","total":"-9"}]`), besides(`"tax_lines":[]`),
	besides(`"meta_data":[{"key":"_order_total","value":"0.01"}]`), besides(`"currency":"IRR"`), besides(`"line_item":[]`), besides(`"lineItems":[]`),
	// who pays, and whether
	besides(`"set_paid":true`), besides(`"status":"completed"`), besides(`"status":"pending"`), besides(`"payment_method":"cod"`), besides(`"transaction_id":"1"`), besides(`"customer_id":6`),
	besides(`"billing":{"email":"x@example.com"}`), besides(`"shipping":{}`), besides(`"customer_note":"x"`), besides(`"created_via":"checkout"`), besides(`"parent_id":201`), besides(`"manual_update":true`),
	// another request
	besides(`"id":201`), besides(`"_method":"DELETE"`), besides(`"_fields":"order_key"`), besides(`"context":"edit"`), besides(`"rest_route":"/wc/v3/orders/batch"`),
	// what is no item, too few and too many
	`{}`, `{"line_items":null}`, `{"line_items":"101"}`, `{"line_items":{"product_id":101,"quantity":1,"total":"0.01"}}`, `{"line_items":[[{"total":"0.01"}]]}`, `{"line_items":[101]}`,
	`{"line_items":[{"quantity":1}]}`, `{"line_items":[{"product_id":101}]}`, `{"line_items":[{"product_id":{"id":101,"total":"0.01"},"quantity":1}]}`, `{"line_items":[{"product_id":[101],"quantity":1}]}`,
	`{"line_items":[{"product_id":"101","quantity":1,"total":"0.01"}]}`, `{"line_items":[{"product_id":101,"quantity":0}]}`, `{"line_items":[{"product_id":101,"quantity":-3}]}`,
	`{"line_items":[{"product_id":101,"quantity":21}]}`, `{"line_items":[{"product_id":101,"quantity":1.5}]}`, `{"line_items":[{"product_id":101,"quantity":1e9}]}`, `{"line_items":[{"product_id":-101,"quantity":1}]}`,
	`{"line_items":[` + strings.Repeat(`{"product_id":101,"quantity":1},`, 5) + `{"product_id":101,"quantity":1}]}`,
	`{"line_items":[{"product_id":101,"quantity":1}],"line_items":[{"product_id":101,"quantity":1,"total":"0.01"}]}`,
}

func item(more string) string { return `{"line_items":[{"product_id":101,"quantity":1,` + more + `}]}` }

func besides(more string) string {
	return `{"line_items":[{"product_id":101,"quantity":1}],` + more + `}`
}

// A model places a pending order at the shop's prices, and says nothing else of it,
// however it spells it: such a call is refused here and nothing is ordered.
func TestOrderIntentTakesNoPrice(t *testing.T) {
	c := openShop(t, bothPresets)
	for _, arguments := range spellings {
		arguments = strings.Replace(strings.Replace(arguments, "{", `{"idempotency_key":"k",`, 1), ",}", "}", 1)
		if text, failed := c.call(t, "editor", "order_intent", arguments); !failed || !strings.Contains(text, "Nothing was sent") || strings.Contains(text, "idempotency_key is") {
			t.Errorf("%s: %s", arguments, text)
		}
	}
	if w := c.written(); len(w) > 0 {
		t.Errorf("%q reached the site", w)
	}
	if n := strings.Count(string(c.raw(t, "orders?per_page=100")), `"order_key"`); n != 6 {
		t.Errorf("%d orders", n)
	}
	if text, failed := c.call(t, "editor", "order_intent", `{"line_items":[{"product_id":102,"quantity":2}],"idempotency_key":"k"}`); failed || !strings.Contains(text, `"total":"24.00"`) {
		t.Errorf("%s", text)
	}
	const want = `POST /wp-json/wc/v3/orders {"line_items":[{"product_id":102,"quantity":2}],"set_paid":false,"status":"pending"}`
	if w := c.written(); len(w) != 1 || w[0] != want {
		t.Errorf("%q\nwant %s", w, want)
	}
}

// raw is what the site itself answers to the manager.
func (c *counter) raw(t *testing.T, path string) json.RawMessage {
	t.Helper()
	path, query, _ := strings.Cut(path, "?")
	r := wp.Request{Method: "GET", Segments: append([]string{"wc", "v3"}, strings.Split(path, "/")...)}
	if name, value, ok := strings.Cut(query, "="); ok {
		r.Query = wp.Query{{Name: name, Value: value}}
	}
	answer, err := c.root.Client().Do(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return answer.JSON
}

// canaries are what the shop's answers hold of its customers: every text in a
// private place. The shorter ones, such as a country, are in other words too.
func (c *counter) canaries(t *testing.T) []string {
	t.Helper()
	private := strings.Fields("billing shipping order_key payment_url transaction_id payment_method_title customer_ip_address customer_user_agent customer_note meta_data email_restrictions used_by reason")
	var found []string
	var walk func(v any, secret bool)
	walk = func(v any, secret bool) {
		switch v := v.(type) {
		case map[string]any:
			for name, below := range v {
				walk(below, secret || slices.Contains(private, name))
			}
		case []any:
			for _, below := range v {
				walk(below, secret)
			}
		case string:
			if v = strings.ReplaceAll(v, c.site(), ""); secret && len(v) >= 4 && !slices.Contains(found, v) {
				found = append(found, v)
			}
		}
	}
	for _, path := range []string{"orders?per_page=100", "coupons", "products?per_page=100"} {
		var v any
		if err := json.Unmarshal(c.raw(t, path), &v); err != nil {
			t.Fatal(err)
		}
		walk(v, false)
	}
	if n := len(found); n < 50 || !slices.ContainsFunc(found, func(s string) bool { return strings.Contains(s, "@") }) {
		t.Fatalf("%d canaries: %q", n, found)
	}
	return found
}

// leaks are the canaries in a text.
func leaks(canaries []string, text string) (out []string) {
	for _, secret := range canaries {
		if strings.Contains(strings.ToLower(text), strings.ToLower(secret)) {
			out = append(out, secret)
		}
	}
	return out
}

// T21: nothing of who ordered, how it was paid or what opens an order is in any
// result of any tool, but for the notes, which who writes may read.
func TestCustomersStayPrivate(t *testing.T) {
	c := openShop(t, bothPresets)
	canaries := c.canaries(t)
	for _, profile := range c.catalog.ProfileNames() {
		for _, call := range shopCalls {
			if c.catalog.Profiles[profile].Tool(call.tool) == nil {
				continue
			}
			text, _ := c.call(t, profile, call.tool, call.arguments)
			if out := leaks(canaries, text); len(out) > 0 {
				t.Errorf("%s: %s tells %q", profile, call.tool, out)
			}
		}
		for id := 201; id <= 206; id++ {
			text, failed := c.call(t, profile, "read_order", fmt.Sprintf(`{"id":%d}`, id))
			if out := leaks(canaries, text); failed || len(out) > 0 {
				t.Errorf("%s: order %d tells %q: %s", profile, id, out, text)
			}
		}
	}
	notes, _ := c.call(t, "editor", "list_order_notes", `{"order_id":202}`)
	if out := leaks(canaries, notes); !slices.Contains(out, "88 Kingfisher Wharf") || !slices.Contains(out, "+1 555 0198") || !strings.Contains(notes, `"customer_sees_it":true`) {
		t.Errorf("%q of %s", out, notes)
	}
}

// T21: what the preset says is private keeps what no tool picks, also where
// somebody exposes the whole namespace and picks nothing.
func TestCustomersStayPrivateUnpicked(t *testing.T) {
	c := openShop(t, bothPresets[:strings.Index(bothPresets, "profiles:")]+`
expose: [{ namespace: wc/v3, writes: true }]
rules: [{ match: { namespace: wc/v3 }, set: { result: { raw: true, max_bytes: 512KiB } } }]
tools:
  find_orders:  { from: GET /wc/v3/orders, result: { raw: true } }
  read_order:   { from: "GET /wc/v3/orders/{id}", result: { raw: true } }
  find_coupons: { from: GET /wc/v3/coupons, result: { raw: true } }
  read_product: { from: "GET /wc/v3/products/{id}", result: { raw: true } }
  add_order:    { from: POST /wc/v3/orders, result: { raw: true } }
`)
	canaries := c.canaries(t)
	const address = `{"first_name":"Nora","address_1":"14 Sparrowhawk Crescent","email":"nora.featherstonehaugh@canary.example"}`
	for tool, arguments := range map[string]string{
		"find_orders": `{}`, "read_order": `{"id":202}`, "find_coupons": `{}`, "read_product": `{"id":103}`,
		"add_order": `{"customer_note":"Ring twice; Philippa is hard of hearing.","billing":` + address + `,"shipping":` + address + `,"line_items":[{"product_id":101,"quantity":1}]}`,
	} {
		text, failed := c.call(t, "default", tool, arguments)
		if out := leaks(canaries, text); failed || len(out) > 0 || !strings.Contains(text, `"_links"`) {
			t.Errorf("%s tells %q: %s", tool, out, text[:min(len(text), 400)])
		}
	}
}
