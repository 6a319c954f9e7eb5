package curate

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"toolpress/generate"
	"toolpress/generate/schema"
)

// everyTool serves all that the preset has, to whom nobody is asked about.
const everyTool = "version: 1\nextends: [preset:woocommerce@1]\ndefaults: { confirm: { when: never } }\nprofiles: { default: {} }\n"

// shopTools are the tools of a curation on the recorded shop, by name.
func shopTools(t *testing.T, curation string) (*generate.Surface, map[string]*Tool) {
	t.Helper()
	c, err := Parse("curation.yaml", []byte(curation), nil)
	if err != nil {
		t.Fatal(err)
	}
	surface := generate.FromSite(recordedSite(t, "woocommerce-10.5"))
	catalog, findings := c.Apply(surface, nil)
	if errs := findings.Errors(); len(errs) > 0 {
		t.Fatal(errs)
	}
	tools := map[string]*Tool{}
	for _, tool := range catalog.Profiles[DefaultProfile].Tools {
		tools[tool.Name] = tool
	}
	return surface, tools
}

// costs are names of what says what something costs, whether it is paid, and by whom.
var costs = regexp.MustCompile(`(?i)price|total|fee|tax|amount|discount|coupon|currency|cost|paid|payment|transaction|refund|shipping|billing|customer_id|meta_data|sku|^name$|method`)

// path is a way to a value within arguments; "[]" is an item of a list.
type argumentPath []string

// with puts a value at a path into arguments that have what the tool requires.
func (p argumentPath) with(base map[string]any, value any) map[string]any {
	var build func(at any, rest []string) any
	build = func(at any, rest []string) any {
		if len(rest) == 0 {
			return value
		}
		if rest[0] == "[]" {
			list, _ := at.([]any)
			if len(list) == 0 {
				list = []any{nil}
			}
			list = slices.Clone(list)
			list[0] = build(list[0], rest[1:])
			return list
		}
		members, _ := at.(map[string]any)
		copied := map[string]any{}
		maps.Copy(copied, members)
		copied[rest[0]] = build(copied[rest[0]], rest[1:])
		return copied
	}
	return build(base, p).(map[string]any)
}

// pathsOf are all paths below an argument, as the site describes it.
func pathsOf(name string, s *schema.Schema, depth int) []argumentPath {
	paths := []argumentPath{{name}}
	if depth == 0 || s == nil {
		return paths
	}
	for _, sub := range append([]*schema.Schema{s}, s.AnyOf...) {
		for _, p := range sub.Properties {
			for _, below := range pathsOf(p.Name, p.Schema, depth-1) {
				paths = append(paths, append(argumentPath{name}, below...))
			}
		}
		if sub.Items != nil {
			for _, below := range pathsOf("[]", sub.Items, depth-1) {
				paths = append(paths, append(argumentPath{name}, below...))
			}
		}
	}
	return paths
}

// leastCalls are arguments that each writing tool of the preset takes.
var leastCalls = map[string]string{
	"cancel_order": `{"id":7}`, "refund_order": `{"id":7}`, "update_order_status": `{"id":7,"status":"completed"}`,
	"order_intent":      `{"line_items":[{"product_id":7,"quantity":1}],"idempotency_key":"k"}`,
	"set_product_stock": `{"id":7,"stock_quantity":1}`, "set_variation_stock": `{"product_id":7,"id":8,"stock_quantity":1}`,
}

// No tool of the preset sets a price, a total, a fee, a tax or who pays, by any path
// that the shop's routes have: such a call is refused, and sends nothing of it.
func TestPresetSetsNoPrice(t *testing.T) {
	surface, tools := shopTools(t, everyTool)
	tried := 0
	for name, tool := range tools {
		op := surface.Operation(tool.Operation)
		if op.Method == "GET" {
			continue
		}
		var base map[string]any
		if err := json.Unmarshal([]byte(leastCalls[name]), &base); err != nil {
			t.Errorf("%s writes, and no case calls it: %v", name, err)
			continue
		}
		if _, err := tool.Request(json.RawMessage(leastCalls[name])); err != nil {
			t.Errorf("%s does not take %s: %v", name, leastCalls[name], err)
		}
		for _, a := range op.Args {
			for _, path := range pathsOf(a.Name, a.Schema, 5) {
				if !slices.ContainsFunc(path, costs.MatchString) {
					continue
				}
				for _, value := range []any{"31.4159", json.Number("31.4159"), true, []any{"31.4159"}, map[string]any{"value": "31.4159"}} {
					tried++
					arguments, _ := json.Marshal(path.with(base, value))
					if r, err := tool.Request(arguments); err == nil {
						t.Errorf("%s takes %s: %v", name, arguments, r.Body)
					}
				}
			}
		}
		for _, spot := range []string{"line_items[0][total]", "line_items[].total", "fee_lines", "set_paid", "regular_price", "Regular_Price", "price", "_method", "total", "amount", "meta_data"} {
			arguments, _ := json.Marshal(argumentPath{spot}.with(base, "31.4159"))
			if _, err := tool.Request(arguments); err == nil {
				t.Errorf("%s takes %s", name, arguments)
			}
		}
	}
	if len(tools) != 16 || tried < 900 {
		t.Errorf("%d tools, %d calls tried", len(tools), tried)
	}
}

// Whoever cancels or refunds asks a person, whatever the defaults say; also in a tool
// of one's own on the routes that give money back.
func TestCancelAndRefundAsk(t *testing.T) {
	_, tools := shopTools(t, everyTool+`tools:
  give_back: { from: "POST /wc/v3/orders/{order_id}/refunds" }
  drop_refund: { from: "DELETE /wc/v3/orders/{order_id}/refunds/{id}" }
  old_give_back: { from: "POST /wc/v2/orders/{order_id}/refunds" }
  see_refunds: { from: "GET /wc/v3/orders/{order_id}/refunds" }
`)
	for name, want := range map[string]bool{
		"cancel_order": true, "refund_order": true, "give_back": true, "drop_refund": true, "old_give_back": true, "see_refunds": false, "set_product_stock": false,
	} {
		if tool := tools[name]; tool == nil || tool.Asks() != want {
			t.Errorf("%s asks a person: want %v", name, want)
		}
	}
	for _, name := range []string{"cancel_order", "refund_order"} {
		if c := tools[name].Confirm; !strings.Contains(c.Ask, "{id}") || !strings.Contains(c.Ask, "{site}") || c.WithoutElicitation != "" {
			t.Errorf("%s: %+v", name, c)
		}
	}
	for status, want := range map[string]string{"refunded": "must be one of", "cancelled": "must be one of"} {
		if _, err := tools["update_order_status"].Request(json.RawMessage(`{"id":7,"status":"` + status + `"}`)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s by another tool: %v", status, err)
		}
	}
}

// Where the site knows the state any, orders are listed by it, and in any state where
// nothing is said.
func TestOrdersInAnyState(t *testing.T) {
	surface, tools := shopTools(t, everyTool)
	status := tools["find_orders"].ArgumentSchema("status")
	if status == nil || status.Items == nil || !slices.Contains(status.Items.Enum, any("any")) || !slices.Contains(status.Items.Enum, any("refunded")) {
		t.Fatalf("%+v", status)
	}
	if got := fmt.Sprint(status.Default); got != "[any]" {
		t.Errorf("where nothing is said: %s", got)
	}
	for arguments, want := range map[string]string{`{"status":["any"]}`: "any", `{"status":"any"}`: "any", `{"status":["on-hold","any"]}`: "on-hold any"} {
		r, err := tools["find_orders"].Request(json.RawMessage(arguments))
		if err != nil {
			t.Fatal(err)
		}
		root, _ := url.Parse(surface.Root)
		u, err := r.URL(root)
		if err != nil {
			t.Fatal(err)
		}
		var sent []string
		for name, values := range u.Query() {
			if strings.HasPrefix(name, "status") {
				sent = append(sent, strings.Split(strings.Join(values, ","), ",")...)
			}
		}
		slices.Sort(sent)
		if got := strings.Join(sent, " "); got != strings.Join(slices.Sorted(slices.Values(strings.Fields(want))), " ") {
			t.Errorf("%s sends %s", arguments, u.RawQuery)
		}
	}
}

// Money is text with a dot, in tools of one's own too, whatever the site takes: what
// is not is refused with its form, and what is goes out with the digits it has.
func TestMoneyIsText(t *testing.T) {
	_, tools := shopTools(t, everyTool+`tools:
  set_price: { from: "POST /wc/v3/products/{id}", args: { "*": hidden, id: {}, regular_price: {}, sale_price: {} }, confirm: { when: never } }
  fixed_price: { from: "POST /wc/v3/products/{id}", args: { "*": hidden, id: {}, regular_price: { fix: 12.50 }, sale_price: { fix: 0.10 } } }
  add_coupon: { from: POST /wc/v3/coupons, args: { "*": hidden, code: {}, amount: {}, minimum_amount: {} } }
  give_back: { from: "POST /wc/v3/orders/{order_id}/refunds", args: { "*": hidden, order_id: {}, amount: {} } }
`)
	const form = `must match ^[0-9]+(\.[0-9]+)?$`
	for _, c := range [][3]string{
		{"find_products", `{"min_price":12.5}`, `min_price must be text, not a number: write "12.5"`},
		{"find_products", `{"max_price":12.50}`, `max_price must be text, not a number: write "12.50"`},
		{"find_products", `{"min_price":"12,50"}`, "min_price " + form + `, not "12,50"`},
		{"find_products", `{"min_price":"€ 12"}`, "min_price " + form},
		{"find_products", `{"min_price":"1e3"}`, "min_price " + form},
		{"find_products", `{"min_price":"-1"}`, "min_price " + form},
		{"find_products", `{"min_price":"1.234,50"}`, "min_price " + form},
		{"find_products", `{"min_price":1e3}`, "min_price must be text, not a number"},
		{"find_products", `{"min_price":""}`, "min_price " + form},
		{"set_price", `{"id":7,"regular_price":"12,50"}`, `regular_price must match`},
		{"set_price", `{"id":7,"regular_price":12.10}`, `write "12.10"`},
		{"add_coupon", `{"code":"x","amount":10.00}`, `amount must be text, not a number: write "10.00"`},
		{"give_back", `{"order_id":7,"amount":"0,01"}`, "amount " + form},
	} {
		_, err := tools[c[0]].Request(json.RawMessage(c[1]))
		if err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s %s: %v\nwant %s", c[0], c[1], err, c[2])
		}
	}
	for _, c := range [][3]string{
		{"set_price", `{"id":7,"regular_price":"0.10","sale_price":""}`, `{"regular_price":"0.10","sale_price":""}`},
		{"set_price", `{"id":7,"regular_price":"12345678901234567890.123456789012345678"}`, `{"regular_price":"12345678901234567890.123456789012345678"}`},
		{"fixed_price", `{"id":7}`, `{"regular_price":"12.50","sale_price":"0.10"}`},
		{"add_coupon", `{"code":"x","amount":"10.00"}`, `{"amount":"10.00","code":"x"}`},
		{"give_back", `{"order_id":7,"amount":"29.90"}`, `{"amount":"29.90"}`},
	} {
		r, err := tools[c[0]].Request(json.RawMessage(c[1]))
		if err != nil {
			t.Errorf("%s %s: %v", c[0], c[1], err)
			continue
		}
		if body, _ := schema.Encode(r.Body); string(body) != c[2] {
			t.Errorf("%s %s sends %s, want %s", c[0], c[1], body, c[2])
		}
	}
}
