package wptest

const (
	storeContext = "context string enum=view,edit default=view | What the answer holds.\n"

	storePages = storeContext + `
page integer default=1 minimum=1 | Which page of the results.
per_page integer default=10 minimum=1 maximum=100 | How many results a page has.
search string | Only what holds these words.
exclude array of=integer default=[] | Not these numbers.
include array of=integer default=[] | Only these numbers.
offset integer | Leave out that many results.
`
	storeDates = `
after string format=date-time | Only what is dated after this.
before string format=date-time | Only what is dated before this.
order string default=desc enum=asc,desc | Ascending or descending.
`
	byDate  = "orderby string default=date enum=date,id,include,title,slug,modified"
	inStock = `
sku string | Only with this stock keeping unit.
on_sale boolean | Only what is reduced.
min_price string | Costing at least this.
max_price string | Costing at most this.
stock_status string enum=instock,outofstock,onbackorder | Only in this state of stock.
status string default=any enum=any,future,trash,draft,pending,private,publish | Only in this state.
`
	orderStates = "any,trash,auto-draft,pending,processing,on-hold,completed,cancelled,refunded,failed,checkout-draft"

	productID   = "product_id integer | The product's number.\n"
	variationID = productID + "id integer | The variation's number.\n"
	period      = `
context string enum=view default=view | What the answer holds.
period string enum=week,month,last_month,year | Which days.
date_min string format=date | The first day.
date_max string format=date | The last day.
`
)

// storeRoutes are wc/v3, what the shop has of it.
func storeRoutes() []*route {
	id := fields("id integer | Its number.\n")
	product := func(r *request) bool { return r.store.product(r.integer("id")) != nil }
	order := func(r *request) bool { return r.store.order(r.integer("id")) != nil }
	get := func(table string, allowed func(*request) *fault, handle func(*request) (*answer, *fault)) *endpoint {
		return &endpoint{methods: reads, args: fields(table), allowed: allowed, handle: handle}
	}
	change := func(keys, args []field, there func(*request) bool, handle func(*request) (*answer, *fault)) *endpoint {
		return &endpoint{methods: edits, args: append(keys, args...), allowed: keepers("edit", there), handle: handle}
	}
	view := keepers("view", nil)
	one := "id integer | Its number.\n" + storeContext
	return []*route{
		{pattern: "/coupons", resource: couponResource, endpoints: []*endpoint{
			get(storePages+storeDates+byDate+" | By what to order.\ncode string | Only the one with this code.\n", view, listCoupons),
		}},
		{pattern: `/orders/(?P<order_id>[\d]+)/notes`, resource: orderNoteResource, endpoints: []*endpoint{
			get("order_id integer | The order's number.\n"+storeContext+"type string default=any enum=any,customer,internal | Who sees them.\n", view, listNotes),
		}},
		{pattern: "/orders", resource: orderResource, endpoints: []*endpoint{
			get(storePages+storeDates+byDate+" | By what to order.\n"+`
status array default=any itemenum=`+orderStates+` | Only in these states.
customer integer | Only of this customer.
product integer | Only with this product.
`, view, listOrders),
			{methods: creates, args: storeArgs(orderResource, true), allowed: keepers("create", nil), handle: createOrder},
		}},
		{pattern: `/orders/(?P<id>[\d]+)`, resource: orderResource, endpoints: []*endpoint{
			get(one, keepers("view", order), readOrder),
			change(id, storeArgs(orderResource, false, "line_items", "shipping_lines", "fee_lines"), order, updateOrder),
		}},
		{pattern: "/products/categories", resource: productCategoryResource, endpoints: []*endpoint{
			get(storePages+`
order string default=asc enum=asc,desc | Ascending or descending.
orderby string default=name enum=id,include,name,slug,term_group,description,count | By what to order.
hide_empty boolean default=false | Leave out what no product has.
parent integer | Only below this number.
`, view, listProductCategories),
		}},
		{pattern: "/products", resource: productResource, endpoints: []*endpoint{
			get(storePages+storeDates+inStock+`
orderby string default=date enum=date,id,include,title,slug,modified,popularity,rating,post__in,price,sales,menu_order,random,popularity,rating,menu_order,price,popularity,rating | By what to order.
type string enum=simple,grouped,external,variable | Only of this kind.
category string | Only of these categories, by number, with commas between.
`, view, listProducts),
		}},
		{pattern: `/products/(?P<id>[\d]+)`, resource: productResource, endpoints: []*endpoint{
			get(one, keepers("view", product), readProduct),
			change(id, storeArgs(productResource, false), product, updateProduct),
		}},
		{pattern: `/products/(?P<product_id>[\d]+)/variations`, resource: variationResource, endpoints: []*endpoint{
			get(productID+storePages+storeDates+inStock+"orderby string default=date enum=date,id,include,title,slug,modified,menu_order | By what to order.\n", view, listVariations),
		}},
		{pattern: `/products/(?P<product_id>[\d]+)/variations/(?P<id>[\d]+)`, resource: variationResource, endpoints: []*endpoint{
			get(variationID+storeContext, keepers("view", product), readProduct),
			change(fields(variationID), storeArgs(variationResource, false), product, updateProduct),
		}},
		{pattern: "/reports/sales", resource: salesResource, endpoints: []*endpoint{get(period, view, reportSales)}},
		{pattern: "/reports/top_sellers", resource: topSellersResource, endpoints: []*endpoint{get(period, view, listTopSellers)}},
	}
}
