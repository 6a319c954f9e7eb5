package wptest

// storeStaff are who comes with the plugin, after the site's own users.
var storeStaff = []User{
	{"manager", "demo mana demo mana demo mana", "shop_manager", "Mona Keep"},
	{"nora", "demo nora demo nora demo nora", "customer", "Nora"},
}

// The shop's users as orders name them: staff's subscriber and storeStaff's.
const (
	guest    = 0
	sue      = 4
	nora     = 6
	noraMail = "nora.featherstonehaugh@canary.example"
	irisMail = "iris.okonkwo@canary.example"
)

// The people in the shop's orders are made up, and nothing of them is elsewhere in
// the site: what a tool must not tell of them can be looked for in its answers.
var (
	norasHome = map[string]any{
		"first_name": "Nora", "last_name": "Featherstonehaugh", "company": "Quillfeather Ltd", "address_1": "14 Sparrowhawk Crescent", "address_2": "Flat 7b",
		"city": "Dunmorrow", "state": "Ontario", "postcode": "Q7Z 9K1", "country": "CA", "email": noraMail, "phone": "+1 555 0142",
	}
	norasAunt = map[string]any{
		"first_name": "Philippa", "last_name": "Wetherspoon-Nnamdi", "address_1": "3 Heronsgate Mews", "city": "Little Quaverton", "postcode": "X4X 1Z2", "country": "CA", "phone": "+1 555 0177",
	}
	irisHome = map[string]any{
		"first_name": "Iris", "last_name": "Okonkwo-Brightwater", "address_1": "88 Kingfisher Wharf", "city": "Port Ellery", "state": "Nova Scotia", "postcode": "B9Q 4T4",
		"country": "CA", "email": irisMail, "phone": "+1 555 0198",
	}
	suesHome = map[string]any{
		"first_name": "Sue", "last_name": "Readerson-Vance", "address_1": "5 Nightjar Lane", "city": "Tolliver", "postcode": "T2T 6Y6", "country": "CA",
		"email": "sue.vance@canary.example", "phone": "+1 555 0123",
	}
)

// fillStore puts the shop's content in. Prices are cents.
func (s *Site) fillStore() {
	s.staff = append(s.staff[:len(s.staff):len(s.staff)], storeStaff...)
	for _, u := range storeStaff {
		s.users = append(s.users, &user{
			id: s.nextUser, login: u.Login, password: u.Password, email: u.Login + "@example.com", name: u.Name, nickname: u.Login, slug: u.Login,
			locale: "en_US", roles: []string{u.Role}, registered: at("2025-01-02T09:00:00"),
		})
		s.nextUser++
	}
	s.store.nextOrder, s.store.nextItem = 210, 5000
	s.store.categories = []productCategory{{31, 0, "Books"}, {32, 31, "Fiction"}, {33, 31, "Poetry"}, {34, 0, "Gifts"}, {35, 0, "Maps"}}
	s.store.products = []*product{
		{id: 101, name: "The Lighthouse Keeper's Ledger", sku: "MSB-101", about: "A novel in <em>logbook</em> entries.", regular: 1850, managed: true, stock: 12, categories: []int{32}, sold: 41},
		{id: 102, name: "Collected Haiku", sku: "MSB-102", about: "Three hundred poems, one breath each.", regular: 1500, sale: 1200, managed: true, stock: 3, categories: []int{33}, sold: 17},
		{id: 103, name: "Maple Street Tote Bag", sku: "MSB-103", kind: "variable", about: "Holds nine paperbacks.", categories: []int{34}, attribute: "Colour", sold: 25},
		{id: 104, parent: 103, name: "Maple Street Tote Bag - Green", sku: "MSB-103-G", regular: 1400, managed: true, stock: 5, option: "Green"},
		{id: 105, parent: 103, name: "Maple Street Tote Bag - Red", sku: "MSB-103-R", regular: 1400, managed: true, option: "Red"},
		{id: 106, parent: 103, name: "Maple Street Tote Bag - Blue", sku: "MSB-103-B", regular: 1600, option: "Blue"},
		{id: 107, name: "Atlas of Quiet Places", sku: "MSB-107", about: "Forty maps without a road.", regular: 3400, managed: true, categories: []int{31}, sold: 8},
		{id: 108, name: "Gift Card", sku: "MSB-108", about: "Good for anything in the shop.", regular: 2500, categories: []int{34}, sold: 30},
		{id: 109, name: "Journal of Bread", sku: "MSB-109", status: "draft", about: "Not printed yet.", regular: 900, categories: []int{31}},
	}
	for i, p := range s.store.products {
		if p.kind == "" {
			p.kind = "simple"
		}
		if p.parent != 0 {
			p.kind = "variation"
		}
		if p.status == "" {
			p.status = "publish"
		}
		p.state, p.date = "instock", at("2025-02-01T09:00:00").AddDate(0, i, 0)
		p.modified = p.date
	}
	s.store.coupons = []coupon{
		{id: 301, code: "welcome10", kind: "percent", about: "For newcomers", amount: 1000, used: 2, by: []any{"6", irisMail}, date: at("2025-03-01T09:00:00")},
		{id: 302, code: "summer5", kind: "fixed_cart", about: "For members of the club", amount: 500, least: 2000, most: 50, only: []any{noraMail, "*@quillfeather.example"}, date: at("2025-06-01T09:00:00"), end: "2025-09-01T00:00:00"},
	}
	s.fillOrders()
}

// fillOrders writes the orders there are, each in its state.
func (s *Site) fillOrders() {
	freight := []any{map[string]any{
		"id": 401, "method_title": "Flat rate", "method_id": "flat_rate", "instance_id": "1", "total": "4.95", "total_tax": "0.00", "taxes": []any{},
		"meta_data": []any{map[string]any{"id": 402, "key": "Leave with", "value": "Philippa at 3 Heronsgate Mews"}},
	}}
	wrapping := []any{map[string]any{"id": 403, "name": "Gift wrapping", "tax_class": "", "tax_status": "none", "total": "2.00", "total_tax": "0.00", "taxes": []any{}, "meta_data": []any{}}}
	welcome := []any{map[string]any{"id": 404, "code": "welcome10", "discount": "2.80", "discount_tax": "0.00", "meta_data": []any{map[string]any{"id": 405, "key": "coupon_info", "value": irisMail}}}}
	returned := []any{map[string]any{"id": 406, "reason": "Nora Featherstonehaugh sent it back", "total": "-34.00"}}
	engraved := []any{map[string]any{"id": 407, "key": "Dedication", "value": "To Philippa Wetherspoon-Nnamdi"}}
	s.store.orders = []*order{
		{
			id: 201, customer: nora, status: "completed", created: at("2025-10-02T11:20:00"), paid: at("2025-10-02T11:21:00"), completed: at("2025-10-04T16:00:00"),
			billing: norasHome, shipping: norasAunt, remark: "Ring twice; Philippa is hard of hearing.", freights: freight, taken: true,
			lines: []*orderLine{{product: 101, quantity: 1, meta: engraved}, {product: 102, quantity: 2}},
		},
		{
			id: 202, customer: guest, status: "processing", created: at("2025-11-05T19:02:00"), paid: at("2025-11-05T19:03:00"), billing: irisHome, shipping: irisHome,
			coupons: welcome, taken: true, lines: []*orderLine{{product: 103, variation: 104, quantity: 2, total: 2520}},
			notes: []orderNote{
				{501, "system", at("2025-11-05T19:03:00"), "Order status changed from Pending payment to Processing.", false},
				{502, "Mona Keep", at("2025-11-06T10:00:00"), "Called +1 555 0198: deliver to 88 Kingfisher Wharf after six.", false},
				{503, "Mona Keep", at("2025-11-07T09:30:00"), "Your parcel is on its way, Iris.", true},
			},
		},
		{id: 203, customer: nora, status: "pending", created: at("2025-11-20T08:45:00"), billing: norasHome, shipping: norasHome, lines: []*orderLine{{product: 108, quantity: 1}}},
		{id: 204, customer: sue, status: "on-hold", created: at("2025-11-21T13:10:00"), billing: suesHome, shipping: suesHome, fees: wrapping, taken: true, lines: []*orderLine{{product: 101, quantity: 3}}},
		{id: 205, customer: guest, status: "cancelled", created: at("2025-11-22T07:00:00"), billing: irisHome, shipping: irisHome, lines: []*orderLine{{product: 102, quantity: 1}}},
		{id: 206, customer: nora, status: "refunded", created: at("2025-09-12T15:30:00"), paid: at("2025-09-12T15:31:00"), billing: norasHome, shipping: norasHome, refund: returned, lines: []*orderLine{{product: 107, quantity: 1}}},
	}
	for i, o := range s.store.orders {
		o.modified, o.via, o.method, o.methodTitle = o.created, "checkout", "card", "Visa ending in 4242 (N. Featherstonehaugh)"
		o.ip, o.agent = "203.0.113."+string(rune('1'+i)), "Mozilla/5.0 (Canary; like Iris)"
		o.key, o.transaction = "wc_order_canary"+string(rune('a'+i))+"7f", "ch_canary_"+string(rune('a'+i))+"91"
		o.meta = []any{map[string]any{"id": 600 + i, "key": "_newsletter", "value": text(o.billing["email"])}}
		for _, l := range o.lines {
			p := s.store.product(max(l.product, l.variation))
			l.id, l.name, l.sku, l.subtotal = s.store.item(), p.name, p.sku, s.store.prices(p)[0]*l.quantity
			if l.total == 0 {
				l.total = l.subtotal
			}
		}
	}
}
