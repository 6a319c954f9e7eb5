package main

// shopCalls are a call and more of every tool of preset:woocommerce@1, on one shop
// from top to bottom, with the whole result of each; "some" is before members that
// it has among others.
var shopCalls = []struct{ tool, arguments, want string }{
	{
		"find_products", `{"query":"haiku"}`,
		`{"items":[{"id":102,"name":"Collected Haiku","type":"simple","price":"12.00","on_sale":true,"stock_status":"instock","stock_quantity":3,"link":"/product/collected-haiku/"}],"total":1,"total_pages":1}`,
	},
	{ // what is a draft is not there
		"find_products", `{"category":"31","max_price":"12.5"}`,
		`{"items":[{"id":102,"name":"Collected Haiku","type":"simple","price":"12.00","on_sale":true,"stock_status":"instock","stock_quantity":3,"link":"/product/collected-haiku/"}],"total":1,"total_pages":1}`,
	},
	{
		"find_products", `{"stock_status":"outofstock","min_price":"30"}`,
		`{"items":[{"id":107,"name":"Atlas of Quiet Places","type":"simple","price":"34.00","on_sale":false,"stock_status":"outofstock","stock_quantity":0,"link":"/product/atlas-of-quiet-places/"}],"total":1,"total_pages":1}`,
	},
	{
		"find_products", `{"on_sale":false,"per_page":1,"page":2}`,
		`{"items":[{"id":107,"name":"Atlas of Quiet Places","type":"simple","price":"34.00","on_sale":false,"stock_status":"outofstock","stock_quantity":0,"link":"/product/atlas-of-quiet-places/"}],"total":4,"total_pages":4,"next_page":3}`,
	},
	{
		"read_product", `{"id":103}`,
		`{"id":103,"name":"Maple Street Tote Bag","status":"publish","type":"variable","sku":"MSB-103","price":"14.00","regular_price":"","sale_price":"","on_sale":false,"manage_stock":false,"stock_quantity":null,"stock_status":"instock","categories":[{"id":34,"name":"Gifts"}],"attributes":[{"name":"Colour","options":["Green","Red","Blue"]}],"average_rating":"0.00","rating_count":0,"link":"/product/maple-street-tote-bag/","summary":"Holds nine paperbacks.","text":"Holds nine paperbacks."}`,
	},
	{
		"read_product", `{"id":101}`,
		`some {"text":"A novel in *logbook* entries."}`,
	},
	{
		"list_variations", `{"product_id":103}`,
		`{"items":[{"id":106,"attributes":[{"name":"Colour","option":"Blue"}],"sku":"MSB-103-B","price":"16.00","regular_price":"16.00","on_sale":false,"manage_stock":false,"stock_quantity":null,"stock_status":"instock"},{"id":105,"attributes":[{"name":"Colour","option":"Red"}],"sku":"MSB-103-R","price":"14.00","regular_price":"14.00","on_sale":false,"manage_stock":true,"stock_quantity":0,"stock_status":"outofstock"},{"id":104,"attributes":[{"name":"Colour","option":"Green"}],"sku":"MSB-103-G","price":"14.00","regular_price":"14.00","on_sale":false,"manage_stock":true,"stock_quantity":5,"stock_status":"instock"}],"total":3,"total_pages":1}`,
	},
	{
		"list_product_categories", `{}`,
		`{"items":[{"id":31,"name":"Books","parent":0,"count":1},{"id":32,"name":"Fiction","parent":31,"count":1},{"id":34,"name":"Gifts","parent":0,"count":2},{"id":33,"name":"Poetry","parent":31,"count":1}],"total":4,"total_pages":1}`,
	},
	{"list_product_categories", `{"query":"poet"}`, `{"items":[{"id":33,"name":"Poetry","parent":31,"count":1}],"total":1,"total_pages":1}`},
	{
		"find_orders", `{"status":["processing","on-hold"]}`,
		`{"items":[{"id":204,"number":"204","status":"on-hold","date_created":"2025-11-21T13:10:00","total":"57.50","currency":"USD","customer_id":4},{"id":202,"number":"202","status":"processing","date_created":"2025-11-05T19:02:00","total":"25.20","currency":"USD","customer_id":0}],"total":2,"total_pages":1}`,
	},
	{
		"find_orders", `{"customer":6,"after":"2025-10-01T00:00:00","before":"2025-11-01T00:00:00"}`,
		`{"items":[{"id":201,"number":"201","status":"completed","date_created":"2025-10-02T11:20:00","total":"47.45","currency":"USD","customer_id":6}],"total":1,"total_pages":1}`,
	},
	{
		"find_orders", `{"query":"featherstonehaugh","per_page":1}`,
		`{"items":[{"id":203,"number":"203","status":"pending","date_created":"2025-11-20T08:45:00","total":"25.00","currency":"USD","customer_id":6}],"total":3,"total_pages":3,"next_page":2}`,
	},
	{
		"read_order", `{"id":201}`,
		`{"id":201,"number":"201","status":"completed","currency":"USD","total":"47.45","total_tax":"0.00","shipping_total":"4.95","discount_total":"0.00","customer_id":6,"date_created":"2025-10-02T11:20:00","date_paid":"2025-10-02T11:21:00","date_completed":"2025-10-04T16:00:00","line_items":[{"product_id":101,"variation_id":0,"name":"The Lighthouse Keeper's Ledger","sku":"MSB-101","quantity":1,"total":"18.50"},{"product_id":102,"variation_id":0,"name":"Collected Haiku","sku":"MSB-102","quantity":2,"total":"24.00"}],"shipping_lines":[{"method_title":"Flat rate"}],"fee_lines":[],"coupon_lines":[],"refunds":[]}`,
	},
	{"read_order", `{"id":202}`, `some {"coupon_lines":[{"code":"welcome10","discount":"2.80"}],"discount_total":"2.80","total":"25.20"}`},
	{"read_order", `{"id":206}`, `some {"refunds":[{"total":"-34.00"}],"total":"34.00","date_completed":null}`},
	{
		"find_coupons", `{}`,
		`{"items":[{"id":302,"code":"summer5","discount_type":"fixed_cart","amount":"5.00","minimum_amount":"20.00","date_expires":"2025-09-01T00:00:00","usage_count":0,"usage_limit":50},{"id":301,"code":"welcome10","discount_type":"percent","amount":"10.00","minimum_amount":"0.00","date_expires":null,"usage_count":2,"usage_limit":null}],"total":2,"total_pages":1}`,
	},
	{"find_coupons", `{"query":"welcome","per_page":1}`, `{"items":[{"id":301,"code":"welcome10","discount_type":"percent","amount":"10.00","minimum_amount":"0.00","date_expires":null,"usage_count":2,"usage_limit":null}],"total":1,"total_pages":1}`},
	{
		"report_sales", `{"date_min":"2025-11-20","date_max":"2025-11-21"}`,
		`{"items":[{"total_sales":"57.50","net_sales":"57.50","average_sales":"28.75","total_orders":1,"total_items":3,"total_tax":"0.00","total_shipping":"0.00","total_refunds":0,"total_discount":"0.00","totals_grouped_by":"day","totals":{"2025-11-20":{"sales":"0.00","orders":0,"items":0},"2025-11-21":{"sales":"57.50","orders":1,"items":3}}}]}`,
	},
	{"list_top_sellers", `{}`, `{"items":[]}`}, // nothing was sold this month yet
	{
		"order_intent", `{"line_items":[{"product_id":101,"quantity":2},{"product_id":103,"variation_id":106,"quantity":1}],"idempotency_key":"one"}`,
		`{"id":210,"number":"210","status":"pending","total":"53.00","currency":"USD","line_items":[{"name":"The Lighthouse Keeper's Ledger","quantity":2,"total":"37.00"},{"name":"Maple Street Tote Bag - Blue","quantity":1,"total":"16.00"}]}`,
	},
	{"update_order_status", `{"id":210,"status":"processing"}`, `{"id":210,"status":"processing","date_paid":"NOW","date_completed":null}`},
	{
		"list_top_sellers", `{"period":"week"}`,
		`{"items":[{"product_id":101,"name":"The Lighthouse Keeper's Ledger","quantity":2},{"product_id":103,"name":"Maple Street Tote Bag","quantity":1}]}`,
	},
	{"read_product", `{"id":101}`, `some {"stock_quantity":10}`},
	{"cancel_order", `{"id":210}`, `{"id":210,"status":"cancelled","total":"53.00","currency":"USD","date_paid":"NOW"}`},
	{"read_product", `{"id":101}`, `some {"stock_quantity":12}`},
	{"refund_order", `{"id":202}`, `{"id":202,"status":"refunded","total":"25.20","currency":"USD","refunds":[{"total":"-25.20"}]}`},
	{"refund_order", `{"id":206}`, `some {"status":"refunded","refunds":[{"total":"-34.00"}]}`}, // it was before
	{"find_orders", `{"status":["any"],"per_page":50}`, `some {"total":7}`},
	{"find_orders", `{"status":"refunded"}`, `some {"total":2}`},
	{
		"list_order_notes", `{"order_id":210}`,
		`{"items":[{"id":5011,"date_created":"NOW","note":"Order status changed from Processing to Cancelled.","customer_sees_it":false},{"id":5010,"date_created":"NOW","note":"Order status changed from Pending payment to Processing.","customer_sees_it":false}]}`,
	},
	{"set_product_stock", `{"id":107,"stock_quantity":4}`, `{"id":107,"name":"Atlas of Quiet Places","manage_stock":true,"stock_quantity":4,"stock_status":"instock"}`},
	{"set_product_stock", `{"id":108,"stock_status":"onbackorder"}`, `{"id":108,"name":"Gift Card","manage_stock":false,"stock_quantity":null,"stock_status":"onbackorder"}`},
	{"set_variation_stock", `{"product_id":103,"id":105,"stock_quantity":7}`, `{"id":105,"manage_stock":true,"stock_quantity":7,"stock_status":"instock"}`},
	{"set_variation_stock", `{"product_id":103,"id":106,"stock_status":"outofstock"}`, `{"id":106,"manage_stock":false,"stock_quantity":null,"stock_status":"outofstock"}`},
}
