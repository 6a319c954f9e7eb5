package wptest

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

func listCoupons(r *request) (*answer, *fault) {
	var found []coupon
	for _, c := range r.store.coupons {
		if r.numbered(c.id) && r.dated(c.date) && r.mentioned(c.code, c.about) && (r.str("code") == "" || strings.EqualFold(r.str("code"), c.code)) {
			found = append(found, c)
		}
	}
	direction := -1
	if r.str("order") == "asc" {
		direction = 1
	}
	slices.SortStableFunc(found, func(a, b coupon) int {
		switch r.str("orderby") {
		case "title", "slug":
			return direction * cmp.Compare(a.code, b.code)
		}
		return direction * cmp.Compare(a.id, b.id) // in the order of their dates
	})
	part, p := cut(r, found)
	items := []any{}
	for _, c := range part {
		items = append(items, r.showCoupon(c))
	}
	return r.paged(items, p), nil
}

func (r *request) showCoupon(c coupon) map[string]any {
	o := map[string]any{
		"id": c.id, "code": c.code, "amount": money(c.amount), "status": "publish", "discount_type": c.kind, "description": c.about, "usage_count": c.used,
		"individual_use": false, "product_ids": []any{}, "excluded_product_ids": []any{}, "usage_limit": nil, "usage_limit_per_user": nil,
		"limit_usage_to_x_items": nil, "free_shipping": false, "product_categories": []any{}, "excluded_product_categories": []any{},
		"exclude_sale_items": false, "minimum_amount": money(c.least), "maximum_amount": "0.00", "email_restrictions": listed(c.only),
		"used_by": listed(c.by), "meta_data": []any{},
	}
	if c.most > 0 {
		o["usage_limit"] = c.most
	}
	moments(o, "date_created", c.date)
	moments(o, "date_modified", c.date)
	moments(o, "date_expires", at(c.end))
	return r.linked(o, "/wc/v3/coupons")
}

func listProductCategories(r *request) (*answer, *fault) {
	counts := map[int]int{}
	for _, p := range r.store.products {
		for _, id := range p.categories {
			if p.status == "publish" {
				counts[id]++
			}
		}
	}
	var found []productCategory
	for _, c := range r.store.categories {
		if r.numbered(c.id) && r.mentioned(c.name) && (!r.truth("hide_empty") || counts[c.id] > 0) && (!r.given("parent") || r.integer("parent") == c.parent) {
			found = append(found, c)
		}
	}
	direction := 1
	if r.str("order") == "desc" {
		direction = -1
	}
	slices.SortStableFunc(found, func(a, b productCategory) int {
		switch r.str("orderby") {
		case "id", "include", "term_group":
			return direction * cmp.Compare(a.id, b.id)
		case "count":
			return direction * cmp.Compare(counts[a.id], counts[b.id])
		}
		return direction * cmp.Compare(a.name, b.name)
	})
	part, p := cut(r, found)
	items := []any{}
	for _, c := range part {
		items = append(items, r.linked(map[string]any{
			"id": c.id, "name": c.name, "slug": slugOf(c.name), "parent": c.parent, "description": "", "display": "default", "image": nil, "menu_order": 0,
			"count": counts[c.id],
		}, "/wc/v3/products/categories"))
	}
	return r.paged(items, p), nil
}

// span is the days a report is about, both ends included
// (WC_REST_Report_Sales_V1_Controller::setup_report).
func (r *request) span() (first, last time.Time) {
	today := now().Truncate(24 * time.Hour)
	month := today.AddDate(0, 0, 1-today.Day())
	first, last = today.AddDate(0, 0, -6), today
	switch r.str("period") {
	case "month":
		first = month
	case "last_month":
		first, last = month.AddDate(0, -1, 0), month.AddDate(0, 0, -1)
	case "year":
		first = month.AddDate(0, 1-int(month.Month()), 0)
	}
	if day, err := time.Parse(time.DateOnly, r.str("date_min")); err == nil {
		first, last = day, today
	}
	if day, err := time.Parse(time.DateOnly, r.str("date_max")); err == nil {
		last = day
	}
	return first, last
}

// sold are the orders of a report that count as sales.
func (r *request) sold(first, last time.Time) (list []*order) {
	for _, o := range r.store.orders {
		if slices.Contains([]string{"completed", "processing", "on-hold", "refunded"}, o.status) && !o.created.Before(first) && o.created.Before(last.AddDate(0, 0, 1)) {
			list = append(list, o)
		}
	}
	return list
}

// day is what is summed up in a report.
type day struct{ sales, orders, items, shipping, discount int }

func (d *day) add(o *order) {
	before, after, freight, _ := o.sums()
	d.sales, d.orders, d.shipping, d.discount = d.sales+o.total(), d.orders+1, d.shipping+freight, d.discount+before-after
	for _, l := range o.lines {
		d.items += l.quantity
	}
}

// reportSales is one report in a list. A year is told by month.
func reportSales(r *request) (*answer, *fault) {
	first, last := r.span()
	layout, by := time.DateOnly, "day"
	if last.Sub(first) > 62*24*time.Hour {
		layout, by = "2006-01", "month"
	}
	days, all := map[string]*day{}, day{}
	for at := first; !at.After(last); at = at.AddDate(0, 0, 1) {
		days[at.Format(layout)] = &day{}
	}
	for _, o := range r.sold(first, last) {
		all.add(o)
		days[o.created.Format(layout)].add(o)
	}
	totals := map[string]any{}
	for name, d := range days {
		totals[name] = map[string]any{
			"sales": money(d.sales), "orders": d.orders, "items": d.items, "tax": "0.00", "shipping": money(d.shipping), "discount": money(d.discount), "customers": 0,
		}
	}
	return &answer{data: []any{map[string]any{
		"total_sales": money(all.sales), "net_sales": money(all.sales - all.shipping), "average_sales": money((all.sales - all.shipping) / len(days)),
		"total_orders": all.orders, "total_items": all.items, "total_tax": "0.00", "total_shipping": money(all.shipping), "total_refunds": 0,
		"total_discount": money(all.discount), "totals_grouped_by": by, "totals": totals, "total_customers": 0,
		"_links": map[string]any{"about": link(r.rest("/wc/v3/reports"))},
	}}}, nil
}

func listTopSellers(r *request) (*answer, *fault) {
	quantities := map[int]int{}
	for _, o := range r.sold(r.span()) {
		for _, l := range o.lines {
			quantities[l.product] += l.quantity
		}
	}
	ids := slices.SortedFunc(maps.Keys(quantities), func(a, b int) int { return cmp.Or(cmp.Compare(quantities[b], quantities[a]), cmp.Compare(a, b)) })
	items := []any{}
	for _, id := range ids[:min(len(ids), 12)] {
		items = append(items, map[string]any{
			"name": r.store.product(id).name, "product_id": id, "quantity": quantities[id],
			"_links": map[string]any{"about": link(r.rest("/wc/v3/reports")), "product": link(r.rest("/wc/v3/products/" + strconv.Itoa(id)))},
		})
	}
	return &answer{data: items}, nil
}
