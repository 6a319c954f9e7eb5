package wptest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

func listOrders(r *request) (*answer, *fault) {
	var found []*order
	for _, o := range r.store.orders {
		if r.wantsOrder(o) {
			found = append(found, o)
		}
	}
	include, direction := r.integers("include"), -1
	if r.str("order") == "asc" {
		direction = 1
	}
	slices.SortStableFunc(found, func(a, b *order) int {
		switch r.str("orderby") {
		case "id", "title", "slug": // an order has no other title than its number
			return direction * cmp.Compare(a.id, b.id)
		case "modified":
			return direction * a.modified.Compare(b.modified)
		case "include":
			return cmp.Compare(slices.Index(include, a.id), slices.Index(include, b.id))
		}
		return direction * cmp.Or(a.created.Compare(b.created), cmp.Compare(a.id, b.id))
	})
	part, p := cut(r, found)
	items := []any{}
	for _, o := range part {
		items = append(items, r.showOrder(o))
	}
	return r.paged(items, p), nil
}

// wantsOrder tells whether the request asks for an order. Words are looked for in
// its number, its addresses and its items; any is any state but those that no
// list shows.
func (r *request) wantsOrder(o *order) bool {
	where := []string{fmt.Sprint(o.id)}
	for _, address := range []map[string]any{o.billing, o.shipping} {
		for _, v := range address {
			where = append(where, text(v))
		}
	}
	wanted := !r.given("product")
	for _, l := range o.lines {
		where = append(where, l.name)
		wanted = wanted || l.product == r.integer("product") || l.variation == r.integer("product")
	}
	states := r.words("status")
	inState := slices.Contains(states, o.status) || slices.Contains(states, "any") && !slices.Contains([]string{"trash", "auto-draft", "checkout-draft"}, o.status)
	return wanted && inState && r.numbered(o.id) && r.dated(o.created) && r.mentioned(where...) &&
		(!r.given("customer") || r.integer("customer") == o.customer)
}

func readOrder(r *request) (*answer, *fault) {
	o := r.store.order(r.integer("id"))
	if o == nil {
		return nil, noSuch(r, "shop_order")
	}
	return &answer{data: r.showOrder(o)}, nil
}

// sums are what an order's lines come to, before and after discounts, and what is
// charged besides.
func (o *order) sums() (items, discounted, freight, fees int) {
	for _, l := range o.lines {
		items, discounted = items+l.subtotal, discounted+l.total
	}
	sum := func(list []any) (all int) {
		for _, one := range list {
			amount, _ := cents(one.(map[string]any)["total"])
			all += amount
		}
		return all
	}
	return items, discounted, sum(o.freights), sum(o.fees)
}

func (o *order) total() int {
	_, discounted, freight, fees := o.sums()
	return discounted + freight + fees
}

func (r *request) showOrder(o *order) map[string]any {
	items, discounted, freight, _ := o.sums()
	shown := map[string]any{
		"id": o.id, "parent_id": 0, "number": fmt.Sprint(o.id), "order_key": o.key, "created_via": o.via, "version": "10.5.0", "status": o.status,
		"currency": "USD", "currency_symbol": "$", "prices_include_tax": false, "discount_total": money(items - discounted), "discount_tax": "0.00",
		"shipping_total": money(freight), "shipping_tax": "0.00", "cart_tax": "0.00", "total": money(o.total()), "total_tax": "0.00",
		"customer_id": o.customer, "customer_ip_address": o.ip, "customer_user_agent": o.agent, "customer_note": o.remark,
		"billing": filled(o.billing), "shipping": filled(o.shipping), "payment_method": o.method, "payment_method_title": o.methodTitle,
		"transaction_id": o.transaction, "cart_hash": "", "meta_data": listed(o.meta), "line_items": r.showLines(o), "tax_lines": []any{},
		"shipping_lines": listed(o.freights), "fee_lines": listed(o.fees), "coupon_lines": listed(o.coupons), "refunds": listed(o.refund),
		"payment_url": fmt.Sprintf("%s/checkout/order-pay/%d/?pay_for_order=true&key=%s", r.home, o.id, o.key),
		"is_editable": o.status == "pending" || o.status == "on-hold", "needs_payment": o.status == "pending" || o.status == "failed",
		"needs_processing": true,
	}
	moments(shown, "date_created", o.created)
	moments(shown, "date_modified", o.modified)
	moments(shown, "date_paid", o.paid)
	moments(shown, "date_completed", o.completed)
	return r.linked(shown, "/wc/v3/orders")
}

func (r *request) showLines(o *order) []any {
	list := []any{}
	for _, l := range o.lines {
		list = append(list, map[string]any{
			"id": l.id, "name": l.name, "product_id": l.product, "variation_id": l.variation, "quantity": l.quantity, "tax_class": l.taxClass,
			"subtotal": money(l.subtotal), "subtotal_tax": "0.00", "total": money(l.total), "total_tax": "0.00", "taxes": []any{}, "meta_data": listed(l.meta),
			"sku": l.sku, "global_unique_id": "", "price": float64(l.total) / float64(100*max(l.quantity, 1)), "image": map[string]any{"id": "", "src": ""},
			"parent_name": nil,
		})
	}
	return list
}

// listed writes no list as an empty one.
func listed(list []any) []any {
	if list == nil {
		return []any{}
	}
	return list
}

// filled is an address with all its fields.
func filled(address map[string]any) map[string]any {
	all := map[string]any{}
	for name := range strings.FieldsSeq("first_name last_name company address_1 address_2 city state postcode country email phone") {
		all[name] = ""
	}
	maps.Copy(all, address)
	return all
}

func listNotes(r *request) (*answer, *fault) {
	o := r.store.order(r.integer("order_id"))
	if o == nil {
		return nil, notFoundOrder()
	}
	items := []any{}
	for _, n := range slices.Backward(o.notes) {
		if kind := r.str("type"); kind == "any" || (kind == "customer") == n.toCustomer {
			shown := map[string]any{"id": n.id, "author": n.author, "note": n.text, "customer_note": n.toCustomer}
			moments(shown, "date_created", n.date)
			items = append(items, r.linked(shown, fmt.Sprintf("/wc/v3/orders/%d/notes", o.id)))
		}
	}
	return &answer{data: items}, nil
}
