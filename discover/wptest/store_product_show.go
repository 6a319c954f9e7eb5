package wptest

import (
	"maps"
	"slices"
	"strconv"
)

// showProduct is a product or a variation as the plugin shows it.
func (r *request) showProduct(p *product) map[string]any {
	o := schemaJSON(eitherRest)
	maps.Copy(o, map[string]any{
		"id": p.id, "parent_id": p.parent, "type": p.kind, "name": p.name, "status": p.status, "sku": p.sku, "description": inParagraph(p.about),
		"price": money(slices.Min(r.store.prices(p))), "regular_price": price(p.regular), "sale_price": price(p.sale), "on_sale": r.store.onSale(p),
		"manage_stock": p.managed, "stock_quantity": nil, "stock_status": r.store.stockStatus(p), "purchasable": p.status == "publish",
		"permalink": r.home + "/product/" + slugOf(p.name) + "/",
		"meta_data": []any{map[string]any{"id": 9000 + p.id, "key": "_supplier", "value": "Ottilie Brandvold, +1-555-0166"}},
	})
	if p.managed {
		o["stock_quantity"] = p.stock
	}
	moments(o, "date_created", p.date)
	moments(o, "date_modified", p.modified)
	if p.kind != "variation" {
		maps.Copy(o, schemaJSON(productRest))
		r.store.describe(o, p)
		return r.linked(o, "/wc/v3/products")
	}
	o["attributes"], o["image"] = []any{map[string]any{"id": 0, "name": r.store.product(p.parent).attribute, "option": p.option}}, nil
	return r.linked(o, "/wc/v3/products/"+strconv.Itoa(p.parent)+"/variations")
}

// describe adds what a variation does not have: its categories, its own variations
// and what they differ in.
func (s *store) describe(o map[string]any, p *product) {
	options, ids, in, attributes := []any{}, []any{}, []any{}, []any{}
	for _, v := range s.variations(p) {
		options, ids = append(options, v.option), append(ids, v.id)
	}
	if p.attribute != "" {
		attributes = append(attributes, map[string]any{"id": 0, "name": p.attribute, "position": 0, "visible": true, "variation": true, "options": options})
	}
	for _, c := range s.categories {
		if slices.Contains(p.categories, c.id) {
			in = append(in, map[string]any{"id": c.id, "name": c.name, "slug": slugOf(c.name)})
		}
	}
	maps.Copy(o, map[string]any{
		"attributes": attributes, "variations": ids, "categories": in, "slug": slugOf(p.name), "short_description": o["description"], "total_sales": p.sold,
	})
}

func inParagraph(text string) string {
	if text == "" {
		return ""
	}
	return "<p>" + text + "</p>\n"
}

// eitherRest is what nothing on sale in this shop differs in, productRest what no
// product does.
const (
	eitherRest = `{"global_unique_id":"","date_on_sale_from":null,"date_on_sale_from_gmt":null,"date_on_sale_to":null,"date_on_sale_to_gmt":null,
		"virtual":false,"downloadable":false,"downloads":[],"download_limit":-1,"download_expiry":-1,"tax_status":"taxable","tax_class":"","backorders":"no",
		"backorders_allowed":false,"backordered":false,"low_stock_amount":null,"weight":"","dimensions":{"length":"","width":"","height":""},
		"shipping_class":"","shipping_class_id":0,"menu_order":0}`
	productRest = `{"featured":false,"catalog_visibility":"visible","external_url":"","button_text":"","sold_individually":false,"shipping_required":true,
		"shipping_taxable":true,"reviews_allowed":true,"average_rating":"0.00","rating_count":0,"upsell_ids":[],"cross_sell_ids":[],"purchase_note":"",
		"brands":[],"tags":[],"images":[],"default_attributes":[],"grouped_products":[],"price_html":"","related_ids":[],"has_options":false,
		"post_password":""}`
)
