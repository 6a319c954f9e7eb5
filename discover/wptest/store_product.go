package wptest

import (
	"cmp"
	"slices"
	"strings"
)

// variations are those of a product.
func (s *store) variations(of *product) []*product {
	var list []*product
	for _, p := range s.products {
		if p.parent == of.id {
			list = append(list, p)
		}
	}
	return list
}

// prices are what a product is sold at, each of its variations or its own.
func (s *store) prices(p *product) []int {
	if p.kind == "variable" {
		var all []int
		for _, v := range s.variations(p) {
			all = append(all, s.prices(v)...)
		}
		return all
	}
	if p.sale > 0 {
		return []int{p.sale}
	}
	return []int{p.regular}
}

// stockStatus follows the count where the shop counts, and of a variable product
// its variations.
func (s *store) stockStatus(p *product) string {
	switch {
	case p.kind == "variable":
		for _, v := range s.variations(p) {
			if s.stockStatus(v) == "instock" {
				return "instock"
			}
		}
		return "outofstock"
	case !p.managed:
		return p.state
	case p.stock > 0:
		return "instock"
	}
	return "outofstock"
}

func (s *store) onSale(p *product) bool {
	return p.sale > 0 || slices.ContainsFunc(s.variations(p), s.onSale)
}

func listProducts(r *request) (*answer, *fault) {
	return r.listProducts(func(p *product) bool { return p.kind != "variation" })
}

func listVariations(r *request) (*answer, *fault) {
	return r.listProducts(func(p *product) bool { return p.kind == "variation" && p.parent == r.integer("product_id") })
}

func (r *request) listProducts(among func(*product) bool) (*answer, *fault) {
	var found []*product
	for _, p := range r.store.products {
		if among(p) && r.wantsProduct(p) {
			found = append(found, p)
		}
	}
	r.orderProducts(found)
	part, p := cut(r, found)
	items := []any{}
	for _, p := range part {
		items = append(items, r.showProduct(p))
	}
	return r.paged(items, p), nil
}

// wantsProduct tells whether the request asks for a product. A variable one has
// the prices of its variations.
func (r *request) wantsProduct(p *product) bool {
	status, kind, state, sku := r.str("status"), r.str("type"), r.str("stock_status"), r.str("sku")
	least, hasLeast := cents(r.get("min_price"))
	most, hasMost := cents(r.get("max_price"))
	affordable := slices.ContainsFunc(r.store.prices(p), func(price int) bool {
		return (!hasLeast || price >= least) && (!hasMost || price <= most)
	})
	return r.numbered(p.id) && r.dated(p.date) && r.mentioned(p.name, p.about, p.sku) && affordable && r.inCategory(p) &&
		(status == "any" && p.status != "trash" || status == p.status) && (kind == "" || kind == p.kind) &&
		(state == "" || state == r.store.stockStatus(p)) && (sku == "" || sku == p.sku) &&
		(!r.given("on_sale") || r.truth("on_sale") == r.store.onSale(p))
}

// inCategory also finds what is in a category below.
func (r *request) inCategory(p *product) bool {
	wanted := r.integers("category")
	return len(wanted) == 0 || slices.ContainsFunc(p.categories, func(id int) bool {
		for id != 0 {
			if slices.Contains(wanted, id) {
				return true
			}
			id = r.store.categories[slices.IndexFunc(r.store.categories, func(c productCategory) bool { return c.id == id })].parent
		}
		return false
	})
}

func (r *request) orderProducts(found []*product) {
	include, direction := r.integers("include"), -1
	if r.str("order") == "asc" {
		direction = 1
	}
	slices.SortStableFunc(found, func(a, b *product) int {
		switch r.str("orderby") {
		case "id":
			return direction * cmp.Compare(a.id, b.id)
		case "title", "slug":
			return direction * cmp.Compare(strings.ToLower(a.name), strings.ToLower(b.name))
		case "price":
			return direction * cmp.Compare(slices.Min(r.store.prices(a)), slices.Min(r.store.prices(b)))
		case "popularity", "sales":
			return direction * cmp.Compare(a.sold, b.sold)
		case "modified":
			return direction * a.modified.Compare(b.modified)
		case "include", "post__in":
			return cmp.Compare(slices.Index(include, a.id), slices.Index(include, b.id))
		}
		return direction * cmp.Or(a.date.Compare(b.date), cmp.Compare(a.id, b.id))
	})
}

// findProduct is the product of the request, or the variation of its product.
func (r *request) findProduct() (*product, *fault) {
	p, what, parent := r.store.product(r.integer("id")), "product", 0
	if slices.ContainsFunc(r.args, func(f field) bool { return f.name == "product_id" }) {
		what, parent = "product_variation", r.integer("product_id")
	}
	if p == nil || p.parent != parent {
		return nil, noSuch(r, what)
	}
	return p, nil
}

func readProduct(r *request) (*answer, *fault) {
	p, f := r.findProduct()
	if f != nil {
		return nil, f
	}
	return &answer{data: r.showProduct(p)}, nil
}

// updateProduct changes prices and stock. Of stock that is counted the number
// decides, of other stock the state (WC_REST_Products_Controller).
func updateProduct(r *request) (*answer, *fault) {
	p, f := r.findProduct()
	if f == nil {
		f = r.unknown()
	}
	if f != nil {
		return nil, f
	}
	for name, into := range map[string]*int{"regular_price": &p.regular, "sale_price": &p.sale} {
		if amount, ok := cents(r.get(name)); ok {
			*into = amount
		} else if r.given(name) {
			*into = 0
		}
	}
	if r.given("name") && p.kind != "variation" {
		p.name = r.str("name")
	}
	if r.given("manage_stock") {
		p.managed = r.truth("manage_stock")
	}
	if r.given("stock_status") && !p.managed {
		p.state = r.str("stock_status")
	}
	if r.given("stock_quantity") && p.managed {
		p.stock = r.integer("stock_quantity")
	}
	p.modified = now()
	return &answer{data: r.showProduct(p)}, nil
}
