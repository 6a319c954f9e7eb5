package wptest

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// WooCommerce gives the site a small shop under wc/v3: products, orders, coupons
// and reports, a manager of the shop and a customer. It is WooCommerce 10.5 as its
// REST controllers answer (includes/rest-api/Controllers), with the arguments that
// the shop acts on and no others: a write that names another is refused instead of
// losing it. Prices are in dollars without tax.
func WooCommerce() Option {
	return func(s *Site) {
		s.store = &store{}
		s.fillStore()
	}
}

// storeRoles are what the plugin adds to core's roles (WC_Install::create_roles).
var storeRoles = map[string]map[string]bool{
	"shop_manager": capSet(editorCaps + " manage_woocommerce view_woocommerce_reports"),
	"customer":     capSet("read"),
}

// keepsStore tells whether a user has the plugin's capabilities: the manager of
// the shop and the administrator have them all.
func (u *user) keepsStore() bool {
	return u != nil && (slices.Contains(u.roles, "administrator") || slices.Contains(u.roles, "shop_manager"))
}

// store is what the plugin keeps.
type store struct {
	products   []*product
	categories []productCategory
	orders     []*order
	coupons    []coupon
	nextOrder  int // one count for orders and for what is in them
	nextItem   int
}

// product is a product or a variation of one. Prices are cents.
type product struct {
	id, parent     int
	kind           string // simple, variable or variation
	name, status   string
	sku, about     string
	regular, sale  int // 0: none
	managed        bool
	stock          int    // where it is managed
	state          string // instock, outofstock or onbackorder, where it is not
	categories     []int
	attribute      string // of a variable product: what its variations differ in
	option         string // of a variation
	sold           int
	date, modified time.Time
}

type productCategory struct {
	id, parent int
	name       string
}

// order is an order. What it comes to follows from its lines.
type order struct {
	id, customer                    int
	status                          string
	created, modified               time.Time
	paid, completed                 time.Time // zero: not yet
	billing, shipping               map[string]any
	method, methodTitle             string
	transaction, remark, key        string
	ip, agent, via                  string
	lines                           []*orderLine
	freights, fees, coupons, refund []any
	meta                            []any
	notes                           []orderNote
	taken                           bool // out of stock
}

// orderLine is a product in an order; subtotal and total are cents.
type orderLine struct {
	id, product, variation, quantity int
	name, sku, taxClass              string
	subtotal, total                  int
	meta                             []any
}

type orderNote struct {
	id         int
	author     string
	date       time.Time
	text       string
	toCustomer bool
}

type coupon struct {
	id                        int
	code, kind, about         string
	amount, least, used, most int // amounts are cents, also of a percentage
	only, by                  []any
	date                      time.Time
	end                       string
}

// money writes cents as the plugin writes amounts, as text.
func money(cents int) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	return fmt.Sprintf("%s%d.%02d", sign, cents/100, cents%100)
}

// price is money, empty where there is none.
func price(cents int) string {
	if cents == 0 {
		return ""
	}
	return money(cents)
}

// cents reads an amount; ok is false where it is none.
func cents(v any) (amount int, ok bool) {
	n, ok := number(v)
	return int(math.Round(n * 100)), ok
}

func (s *store) product(id int) *product {
	at := slices.IndexFunc(s.products, func(p *product) bool { return p.id == id })
	if at < 0 {
		return nil
	}
	return s.products[at]
}

func (s *store) order(id int) *order {
	at := slices.IndexFunc(s.orders, func(o *order) bool { return o.id == id })
	if at < 0 {
		return nil
	}
	return s.orders[at]
}

// item is the next number of what is in an order.
func (s *store) item() int {
	s.nextItem++
	return s.nextItem
}
