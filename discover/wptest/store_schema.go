package wptest

import (
	"maps"
	"slices"
)

const metaFields = `
meta_data array | Whatever plugins keep.
	items object
		id integer @ve ro
		key string @ve
		value mixed @ve
`

const priceFields = `
price string @ve ro | What it costs now.
regular_price string @ve | What it costs when it is not reduced.
sale_price string @ve | What it costs reduced.
`

const stockFields = ` @ve | Whether the shop counts it.
stock_quantity integer @ve | How many there are.
stock_status string @ve default=instock enum=instock,outofstock,onbackorder | Whether it can be had.
`

// The plugin's "mixed" and "date-time" are its own types of schemas.
var (
	productResource = &resource{title: "product", fields: fields(`
id integer @ve ro | Its number.
name string @ve | What it is called.
permalink string @ve ro format=uri | Its address.
` + priceFields + `manage_stock boolean default=false` + stockFields)}

	variationResource = &resource{title: "product_variation", fields: fields(`
id integer @ve ro | Its number.
` + priceFields + `manage_stock boolean,string default=false` + stockFields)}

	productCategoryResource = &resource{title: "product_cat", fields: fields(`
id integer @ve ro | Its number.
name string @ve req | What it is called.
parent integer @ve | The number of the category above it.
count integer @ve ro | How many published products it has.
`)}

	orderResource = &resource{title: "shop_order", fields: fields(`
id integer @ve ro | Its number.
number string @ve ro | Its number as people see it.
order_key string @ve ro | Opens the order's page.
status string @ve default=pending enum=auto-draft,pending,processing,on-hold,completed,cancelled,refunded,failed,checkout-draft | Its state.
currency string @ve ro | The currency of its amounts.
total string @ve ro | What it comes to.
customer_id integer @ve default=0 | The user who ordered; 0 for a guest.
customer_note string @ve | What the customer wrote.
billing object @ve | Who pays.
` + addressFields + `
	email string,null @ve format=email
	phone string @ve
shipping object @ve | Where it goes.
` + addressFields + `
payment_method string @ve | How it is paid.
payment_method_title string @ve | What people call that.
transaction_id string @ve | The payment's number.
` + metaFields + lineFields + freightFields + feeFields + `
set_paid boolean @e default=false | Whether it is paid: it moves on.
`)}

	orderNoteResource = &resource{title: "order_note", fields: fields(`
id integer @ve ro | Its number.
author string @ve ro | Who wrote it.
date_created date-time @ve ro | When it was written.
note string @ve | What it says.
customer_note boolean @ve default=false | Whether the customer sees it.
`)}

	couponResource = &resource{title: "shop_coupon", fields: fields(`
id integer @ve ro | Its number.
code string @ve | What a customer enters.
amount number,string @ve | What it takes off.
discount_type string @ve default=fixed_cart enum=percent,fixed_cart,fixed_product | How it takes it off.
usage_count integer @ve ro | How often it was used.
email_restrictions array @ve of=string | Who may use it.
used_by array @ve ro of=integer | Who used it.
`)}

	salesResource = &resource{title: "sales_report", fields: fields(`
total_sales string @v ro | Gross sales.
net_sales string @v ro | Net sales.
total_orders integer @v ro | How many orders there were.
`)}

	topSellersResource = &resource{title: "top_sellers_report", fields: fields(`
name string @v ro | What it is called.
product_id integer @v ro | Its number.
quantity integer @v ro | How many were sold.
`)}
)

const addressFields = `
	first_name string @ve
	last_name string @ve
	company string @ve
	address_1 string @ve
	address_2 string @ve
	city string @ve
	state string @ve
	postcode string @ve
	country string @ve`

const itemMeta = `
		meta_data array @ve
			items object
				id integer @ve ro
				key string @ve
				value mixed @ve
`

const lineFields = `
line_items array @ve | What is ordered.
	items object
		id integer @ve ro
		name mixed @ve
		parent_name string @ve
		product_id mixed @ve
		variation_id integer @ve
		quantity integer @ve
		tax_class string @ve
		subtotal string @ve
		subtotal_tax string @ve ro
		total string @ve
		total_tax string @ve ro
		taxes array @ve ro
			items object
				id integer @ve
				total string @ve
				subtotal string @ve` + itemMeta + `
				display_key string @ve
				display_value string @ve
		sku string @ve ro
		global_unique_id string @ve ro
		price number @ve ro
		image object @ve ro
			id integer @ve
			src string @ve format=uri
`

const freightFields = `
shipping_lines array @ve | How it is sent.
	items object
		id integer @ve ro
		method_title mixed @ve
		method_id mixed @ve
		instance_id string @ve
		total string @ve
		total_tax string @ve ro
		taxes array @ve ro
			items object
				id integer @ve ro
				total string @ve ro` + itemMeta

const feeFields = `
fee_lines array @ve | What is charged besides.
	items object
		id integer @ve ro
		name mixed @ve
		tax_class string @ve
		tax_status string @ve enum=taxable,none
		total string @ve
		total_tax string @ve ro
		taxes array @ve ro
			items object
				id integer @ve ro
				total string @ve ro
				subtotal string @ve ro` + itemMeta

// storeArgs are the arguments of a writing endpoint, in the types that core has
// (WC_REST_Controller::adjust_wp_5_5_datatype_compatibility).
func storeArgs(of *resource, create bool, without ...string) []field {
	var args []field
	for _, f := range of.written(create) {
		if !slices.Contains(without, f.name) {
			f.schema = coreTypes(f.schema).(map[string]any)
			args = append(args, f)
		}
	}
	return args
}

func coreTypes(v any) any {
	schema, ok := v.(map[string]any)
	if !ok {
		return v
	}
	schema = maps.Clone(schema)
	for name, below := range schema {
		schema[name] = coreTypes(below)
	}
	switch schema["type"] {
	case "mixed":
		schema["type"] = strs("null", "object", "string", "number", "boolean", "integer", "array")
	case "date-time":
		schema["type"] = strs("null", "string")
	}
	return schema
}
