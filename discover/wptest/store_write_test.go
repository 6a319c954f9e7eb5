package wptest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"toolpress/discover"
)

// An order's total is the products' prices, or what whoever writes it says
// instead; nothing that is said is lost.
func TestStoreOrder(t *testing.T) {
	site, at := startStore(t)
	manager := client(t, site, at, "manager")
	item := func(product, quantity any, more ...any) map[string]any {
		o := map[string]any{"product_id": product, "quantity": quantity}
		for i := 0; i < len(more); i += 2 {
			o[more[i].(string)] = more[i+1]
		}
		return o
	}
	lines := func(items ...any) map[string]any { return map[string]any{"line_items": items} }
	for _, c := range []struct {
		body map[string]any
		want string // total, discount, shipping, state
	}{
		{lines(item(101, 2), item(102, 1)), "49.00 0.00 0.00 pending"},
		{lines(item(103, 1, "variation_id", 106)), "16.00 0.00 0.00 pending"},
		{lines(item(106, 3)), "48.00 0.00 0.00 pending"},
		{lines(item(101, 2, "total", "1.00")), "1.00 36.00 0.00 pending"},
		{map[string]any{"line_items": []any{item(108, 1)}, "fee_lines": []any{map[string]any{"name": "Haste", "total": "3"}}, "shipping_lines": []any{map[string]any{"method_id": "flat_rate", "total": "4.5"}}, "set_paid": true}, "32.50 0.00 4.50 processing"},
	} {
		o := one(t, manager, "POST", "orders", c.body)
		if got := fmt.Sprintf("%v %v %v %v", o["total"], o["discount_total"], o["shipping_total"], o["status"]); got != c.want {
			t.Errorf("%v: %s, want %s", c.body, got, c.want)
		}
		if read := one(t, manager, "GET", fmt.Sprintf("orders/%v", o["id"]), nil); read["total"] != o["total"] {
			t.Errorf("read again: %v", read["total"])
		}
	}
	kept := one(t, manager, "POST", "orders", map[string]any{
		"customer_id": 6, "customer_note": "Thanks", "billing": map[string]any{"city": "Ely"}, "meta_data": []any{map[string]any{"key": "k", "value": 1}},
		"payment_method": "cod", "line_items": []any{item(101, 1, "name", "A book", "tax_class", "zero", "meta_data", []any{map[string]any{"key": "x", "value": "y"}})},
	})
	text := fmt.Sprint(kept)
	for _, want := range []string{"customer_id:6", "customer_note:Thanks", "city:Ely", "key:k value:1", "payment_method:cod", "name:A book", "tax_class:zero", "key:x value:y"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is lost: %s", want, text)
		}
	}
	before := len(list(t, manager, "orders?per_page=100"))
	for want, body := range map[string]map[string]any{
		"woocommerce_rest_required_product_reference": lines(map[string]any{"quantity": 1}),
		"woocommerce_rest_invalid_product_id":         lines(item(999, 1)),
		"woocommerce_rest_invalid_customer_id":        {"customer_id": 99},
		"wptest_not_imitated":                         {"coupon_lines": []any{map[string]any{"code": "welcome10"}}},
		"rest_invalid_param":                          {"status": "shipped"},
	} {
		if got := refused(t, manager, "POST", "wc/v3/orders", body); got != want {
			t.Errorf("%v: %s, want %s", body, got, want)
		}
	}
	if after := len(list(t, manager, "orders?per_page=100")); after != before {
		t.Errorf("%d orders more", after-before)
	}
}

// stock is how many there are of a product, as the shop shows it.
func stock(t *testing.T, root *discover.Root, path string) string {
	t.Helper()
	p := one(t, root, "GET", path, nil)
	return fmt.Sprintf("%v %v", p["stock_quantity"], p["stock_status"])
}

// A state that changes leaves a note and a date, and moves the stock once.
func TestStoreStatus(t *testing.T) {
	site, at := startStore(t)
	manager := client(t, site, at, "manager")
	o := one(t, manager, "POST", "orders", map[string]any{"line_items": []any{map[string]any{"product_id": 102, "quantity": 3}}})
	path := fmt.Sprintf("orders/%v", o["id"])
	for _, c := range [][2]string{
		{"processing", "0 outofstock"}, {"completed", "0 outofstock"}, {"cancelled", "3 instock"}, {"cancelled", "3 instock"},
	} {
		moved := one(t, manager, "PUT", path, map[string]any{"status": c[0]})
		if got := stock(t, manager, "products/102"); got != c[1] || moved["status"] != c[0] || moved["date_paid"] == nil {
			t.Errorf("%v: stock %s, paid %v", c, got, moved["date_paid"])
		}
	}
	var notes []string
	for _, n := range list(t, manager, path+"/notes") {
		notes = append(notes, n["note"].(string))
	}
	if want := []string{
		"Order status changed from Completed to Cancelled.", "Order status changed from Processing to Completed.", "Order status changed from Pending payment to Processing.",
	}; !slices.Equal(notes, want) {
		t.Errorf("%q", notes)
	}
}

// Where the shop counts, the number decides; where it does not, the state.
func TestStoreStock(t *testing.T) {
	site, at := startStore(t)
	manager := client(t, site, at, "manager")
	for _, c := range []struct {
		path, want string
		body       map[string]any
	}{
		{"products/107", "4 instock", map[string]any{"stock_quantity": 4}},
		{"products/107", "0 outofstock", map[string]any{"stock_quantity": 0, "stock_status": "instock"}},
		{"products/108", "<nil> outofstock", map[string]any{"stock_quantity": 4, "stock_status": "outofstock"}},
		{"products/108", "9 instock", map[string]any{"manage_stock": true, "stock_quantity": 9}},
		{"products/103/variations/105", "2 instock", map[string]any{"stock_quantity": 2}},
		{"products/103/variations/106", "<nil> outofstock", map[string]any{"stock_status": "outofstock"}},
	} {
		one(t, manager, "POST", c.path, c.body)
		if got := stock(t, manager, c.path); got != c.want {
			t.Errorf("%s %v: %s, want %s", c.path, c.body, got, c.want)
		}
	}
	if got := one(t, manager, "PATCH", "products/101", map[string]any{"sale_price": "10"}); got["price"] != "10.00" || got["regular_price"] != "18.50" || got["on_sale"] != true {
		t.Errorf("%v %v", got["price"], got["regular_price"])
	}
	if got := refused(t, manager, "POST", "wc/v3/products/101", map[string]any{"weight": "2"}); got != "wptest_not_imitated" {
		t.Errorf("%s", got)
	}
}

// Reports count what was sold between two days, both included.
func TestStoreReports(t *testing.T) {
	site, at := startStore(t)
	manager := client(t, site, at, "manager")
	month := list(t, manager, "reports/sales?date_min=2025-11-05&date_max=2025-11-21")[0]
	for name, want := range map[string]any{
		"total_sales": "82.70", "net_sales": "82.70", "total_orders": 2.0, "total_items": 5.0, "totals_grouped_by": "day", "total_discount": "2.80",
	} {
		if month[name] != want {
			t.Errorf("%s: %v, want %v", name, month[name], want)
		}
	}
	days := month["totals"].(map[string]any)
	if len(days) != 17 || days["2025-11-21"].(map[string]any)["sales"] != "57.50" || days["2025-11-20"].(map[string]any)["orders"] != float64(0) {
		t.Errorf("%v", days)
	}
	if year := list(t, manager, "reports/sales?date_min=2025-01-01&date_max=2025-12-31")[0]; year["totals_grouped_by"] != "month" || year["total_orders"] != float64(4) || year["total_shipping"] != "4.95" || year["net_sales"] != "159.20" {
		t.Errorf("%v", year)
	}
	var sold []string
	for _, p := range list(t, manager, "reports/top_sellers?date_min=2025-10-01&date_max=2025-11-30") {
		sold = append(sold, fmt.Sprint(p["product_id"], "×", p["quantity"]))
	}
	if got := strings.Join(sold, " "); got != "101×4 102×2 103×2" {
		t.Errorf("%s", got)
	}
}
