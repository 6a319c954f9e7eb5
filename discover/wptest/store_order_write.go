package wptest

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
)

// orderLabels are the states as people read them.
var orderLabels = map[string]string{
	"pending": "Pending payment", "processing": "Processing", "on-hold": "On hold", "completed": "Completed", "cancelled": "Cancelled",
	"refunded": "Refunded", "failed": "Failed", "auto-draft": "Draft", "checkout-draft": "Draft",
}

func createOrder(r *request) (*answer, *fault) {
	o := &order{id: r.store.nextOrder, status: "pending", created: now(), via: "rest-api", key: fmt.Sprintf("wc_order_%013x", 7919*r.store.nextOrder)}
	if f := r.unknown(); f != nil {
		return nil, f
	}
	for _, given := range listOf(r.get("line_items")) {
		l, f := r.newLine(asMap(given))
		if f != nil {
			return nil, f
		}
		o.lines = append(o.lines, l)
	}
	for name, into := range map[string]*[]any{"shipping_lines": &o.freights, "fee_lines": &o.fees} {
		for _, given := range listOf(r.get(name)) {
			one := asMap(given)
			amount, _ := cents(one["total"])
			line := map[string]any{"id": r.store.item(), "total_tax": "0.00", "taxes": []any{}, "meta_data": []any{}}
			maps.Copy(line, one)
			line["total"] = money(amount)
			*into = append(*into, line)
		}
	}
	if f := r.fillOrder(o); f != nil {
		return nil, f
	}
	r.store.nextOrder++
	r.store.orders = append(r.store.orders, o)
	return created(r.showOrder(o), r.rest("/wc/v3/orders/"+strconv.Itoa(o.id))), nil
}

// newLine is an item of a new order at the product's price, or at the one that is
// given: whoever may write orders may set prices
// (WC_REST_Orders_Controller::prepare_line_items).
func (r *request) newLine(given map[string]any) (*orderLine, *fault) {
	id, _ := number(given["product_id"])
	if variation, _ := number(given["variation_id"]); variation != 0 {
		id = variation
	}
	if id == 0 {
		return nil, failed(http.StatusBadRequest, "woocommerce_rest_required_product_reference", "An item needs a product.")
	}
	p := r.store.product(int(id))
	if p == nil {
		return nil, failed(http.StatusBadRequest, "woocommerce_rest_invalid_product_id", "There is no such product.")
	}
	l := &orderLine{id: r.store.item(), product: p.id, name: p.name, sku: p.sku, quantity: 1, taxClass: text(given["tax_class"])}
	if p.parent != 0 {
		l.product, l.variation = p.parent, p.id
	}
	if n, ok := number(given["quantity"]); ok {
		l.quantity = int(n)
	}
	l.subtotal = slices.Min(r.store.prices(p)) * l.quantity
	l.total = l.subtotal
	for name, into := range map[string]*int{"subtotal": &l.subtotal, "total": &l.total} {
		if amount, ok := cents(given[name]); ok {
			*into = amount
		}
	}
	if given["name"] != nil {
		l.name = text(given["name"])
	}
	l.meta = r.store.withMeta(nil, given["meta_data"])
	return l, nil
}

// withMeta puts what is given into meta data: the same key replaces.
func (s *store) withMeta(list []any, given any) []any {
	for _, g := range listOf(given) {
		one := asMap(g)
		list = slices.DeleteFunc(list, func(old any) bool { return asMap(old)["key"] == one["key"] })
		list = append(list, map[string]any{"id": s.item(), "key": one["key"], "value": one["value"]})
	}
	return list
}

// fillOrder takes what may be said of a new order and of an old one.
func (r *request) fillOrder(o *order) *fault {
	if id := r.integer("customer_id"); id != 0 && r.userBy(id) == nil {
		return failed(http.StatusBadRequest, "woocommerce_rest_invalid_customer_id", "There is no such customer.")
	}
	if r.given("customer_id") {
		o.customer = r.integer("customer_id")
	}
	for name, into := range map[string]*string{
		"customer_note": &o.remark, "payment_method": &o.method, "payment_method_title": &o.methodTitle, "transaction_id": &o.transaction,
	} {
		if r.given(name) {
			*into = r.str(name)
		}
	}
	for name, into := range map[string]*map[string]any{"billing": &o.billing, "shipping": &o.shipping} {
		address := filled(*into)
		maps.Copy(address, asMap(r.get(name)))
		*into = address
	}
	o.meta = r.store.withMeta(o.meta, r.get("meta_data"))
	if r.given("status") {
		r.move(o, r.str("status"))
	}
	if r.truth("set_paid") {
		r.move(o, "processing")
	}
	o.modified = now()
	return nil
}

// move changes an order's state, with what follows: a note, the dates, the stock
// (WC_Order::set_status, wc_maybe_reduce_stock_levels).
func (r *request) move(o *order, to string) {
	if o.status == to {
		return
	}
	o.notes = append(o.notes, orderNote{
		id: r.store.item(), author: "system", date: now(),
		text: fmt.Sprintf("Order status changed from %s to %s.", orderLabels[o.status], orderLabels[to]),
	})
	o.status = to
	switch to {
	case "completed", "processing", "on-hold":
		r.store.take(o, true)
	case "cancelled", "pending":
		r.store.take(o, false)
	}
	if o.paid.IsZero() && (to == "completed" || to == "processing") {
		o.paid = now()
	}
	switch to {
	case "completed":
		o.completed = now()
	case "refunded":
		r.refund(o)
	}
}

// refund writes down what is left of an order's total as given back. Nobody is paid
// (wc_order_fully_refunded).
func (r *request) refund(o *order) {
	left := o.total()
	for _, one := range o.refund {
		amount, _ := cents(asMap(one)["total"])
		left += amount // it is less than nothing
	}
	if left == 0 {
		return
	}
	o.refund = append(o.refund, map[string]any{"id": r.store.item(), "reason": "Order fully refunded.", "total": money(-left)})
	o.notes = append(o.notes, orderNote{id: r.store.item(), author: "system", date: now(), text: "Order status set to refunded. The money is still to be returned."})
}

// take takes an order's items out of stock, or puts them back, once.
func (s *store) take(o *order, out bool) {
	if o.taken == out {
		return
	}
	o.taken = out
	for _, l := range o.lines {
		p := s.product(cmp.Or(l.variation, l.product))
		if p == nil || !p.managed {
			continue
		}
		if out {
			p.stock -= l.quantity
		} else {
			p.stock += l.quantity
		}
	}
}

func updateOrder(r *request) (*answer, *fault) {
	o := r.store.order(r.integer("id"))
	if o == nil {
		return nil, noSuch(r, "shop_order")
	}
	if f := r.unknown(); f != nil {
		return nil, f
	}
	if f := r.fillOrder(o); f != nil {
		return nil, f
	}
	return &answer{data: r.showOrder(o)}, nil
}
