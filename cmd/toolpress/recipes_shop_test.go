package main

import (
	"net/http"
	"strings"
	"testing"

	"toolpress/discover/wptest"
)

// canaryOrder is an order as a shop answers it; every value that says who somebody
// is or where they live begins with CANARY.
const canaryOrder = `{"id":727,"status":"processing","currency":"EUR","date_created":"2026-03-01T10:00:00","date_completed":null,"total":"29.00",
"customer_id":9,"order_key":"CANARY-key","cart_hash":"f0f0","customer_ip_address":"CANARY-ip","customer_user_agent":"CANARY-agent","customer_note":"CANARY-note",
"billing":{"first_name":"CANARY-first","last_name":"CANARY-last","address_1":"CANARY-street","city":"CANARY-city","email":"CANARY-mail","phone":"CANARY-phone"},
"shipping":{"first_name":"CANARY-to","address_1":"CANARY-parcel","postcode":"CANARY-postcode"},
"meta_data":[{"id":1,"key":"CANARY-metakey","value":{"street":"CANARY-meta"}}],
"line_items":[{"id":3,"name":"Atlas","quantity":2,"total":"29.00","meta_data":[{"key":"engraving","value":"CANARY-engraving"}]}],
"refunds":[{"id":4,"by":{"email":"CANARY-staff"}}],
"payment_url":"https://shop.example/pay?key=CANARY-pay"}`

// Recipe: the support's endpoint reads how far an order is and never who ordered it,
// also where somebody takes the whole answer later (T21).
func TestRecipeOrderStatus(t *testing.T) {
	site := newStore(t, map[string]string{"GET /wc/v3/orders/727": canaryOrder})
	user := wptest.New().Users()[1]
	env := map[string]string{"TOOLPRESS_SITE": site.URL, "WP_SUPPORT": user.Login, "WP_SUPPORT_PASSWORD": user.Password, "SUPPORT_TOKEN": "support-0123456789"}
	const pick = "pick: [id, status, date_created, date_completed, total, currency, line_items.name, line_items.quantity]"
	for name, c := range map[string]struct {
		replace []string
		want    string
	}{
		"as it is": {nil, `{"id":727,"status":"processing","currency":"EUR","date_created":"2026-03-01T10:00:00","date_completed":null,"total":"29.00","line_items":[{"name":"Atlas","quantity":2}]}`},
		"picking":  {[]string{pick, "pick: [id, billing, shipping.address_1, meta_data]"}, `{"id":727}`},
		"whole":    {[]string{pick, "raw: true"}, `…"cart_hash":"f0f0"`},
	} {
		t.Run(name, func(t *testing.T) {
			r := recipeOf(t, "Order status without addresses", env, c.replace...)
			if c.replace == nil {
				r.checks("curation.yaml")
			}
			if code, out := r.toolpress("curation.yaml", "check", "--prove-private"); code != exitOK || !strings.Contains(out, "nothing private leaves") {
				t.Errorf("%d %s", code, out)
			}
			s := r.serve("curation.yaml")
			session := s.session("/mcp/support", env["SUPPORT_TOKEN"])
			got := said(t, session, "order_status", `{"id":727}`)
			wants(t, got, c.want)
			if all := got + s.log.String(); strings.Contains(all, "CANARY") {
				t.Errorf("leaves: %s", all)
			}
			if tools := toolsOf(t, session); tools != "order_status" {
				t.Errorf("tools: %s", tools)
			}
			if got := s.status("/mcp/support", "another-0123456789"); got != http.StatusUnauthorized {
				t.Errorf("with another token: %d", got)
			}
		})
	}
}

// Recipe: of a book the subtitle and the price are read, the price alone is
// written, and what the shop pays is neither, also where all fields are picked.
func TestRecipeCustomPostType(t *testing.T) {
	const book = `{"id":31,"title":{"rendered":"Atlas"},"acf":{"price":29,"subtitle":"Maps","supplier":"CANARY-supplier","cost":12345},"link":"x"}`
	site := newStore(t, map[string]string{"GET /wp/v2/books": "[" + book + "]", "POST /wp/v2/books/31": book})
	r := recipeOf(t, "A post type with fields of its own", as(site.URL, wptest.New().Users()[1]))
	r.checks("curation.yaml")
	session := r.serve("curation.yaml").session("/mcp", "")
	wants(t, said(t, session, "find_books", `{"query":"atlas"}`), `{"items":[{"id":31,"title":"Atlas","subtitle":"Maps","price":29}]}`)
	site.asked("")
	wants(t, said(t, session, "set_price", `{"id":31,"acf":{"price":35.5}}`), `{"id":31,"acf":{"price":29}}`)
	if calls := site.asked("/wp/v2/books"); len(calls) != 1 || calls[0] != `editor POST /wp/v2/books/31 {"acf":{"price":35.5}}` {
		t.Errorf("asked %q", calls)
	}
	for arguments, want := range map[string]string{
		`{"id":31,"acf":{"price":35,"cost":1}}`:      "…acf.cost is not a property the tool takes",
		`{"id":31,"acf":{"subtitle":"x"}}`:           "…acf.subtitle is not a property the tool takes",
		`{"id":31,"acf":{"price":0}}`:                "…acf.price must be 1 or more",
		`{"id":31,"title":"x","acf":{"price":35.5}}`: "…title is not an argument",
	} {
		wants(t, said(t, session, "set_price", arguments), want)
	}
	if calls := site.asked("/wp/v2/books"); len(calls) != 0 {
		t.Errorf("asked %q", calls)
	}
	all := recipeOf(t, "A post type with fields of its own", r.env, "pick: [id, acf.price]", "pick: [id, acf]")
	wants(t, said(t, all.serve("curation.yaml").session("/mcp", ""), "set_price", `{"id":31,"acf":{"price":35.5}}`), `{"id":31,"acf":{"price":29,"subtitle":"Maps"}}`)
}

// Recipe: one file before and after the plugin's update; what clients called the
// tool then reaches it still (G56).
func TestRecipeRenamedRoute(t *testing.T) {
	for without, route := range map[string]string{"/events/v2": "/events/v1/events", "/events/v1": "/events/v2/calendar", "/nothing": "/events/v2/calendar"} {
		site := newStore(t, map[string]string{"GET /events/v1/events": `[{"name":"old"}]`, "GET /events/v2/calendar": `[{"name":"new"}]`}, without)
		r := recipeOf(t, "A route that a plugin renamed", as(site.URL, wptest.New().Users()[1]))
		r.checks("curation.yaml")
		session := r.serve("curation.yaml").session("/mcp", "")
		if tools := toolsOf(t, session); tools != "find_events" {
			t.Errorf("tools: %s", tools)
		}
		for _, tool := range []string{"find_events", "events_v1_list_events"} {
			site.asked("")
			said(t, session, tool, `{"query":"haiku"}`)
			if calls := site.asked("/events"); len(calls) != 1 || calls[0] != "editor GET "+route+"?per_page=10&search=haiku" {
				t.Errorf("without %s, %s asked %q", without, tool, calls)
			}
		}
	}
}

// Recipe: an order says which products and how many; its prices, its status and
// whether it is paid are the shop's. With one key it is placed once, also by who
// comes after a restart (T34).
func TestRecipeOrder(t *testing.T) {
	site := newStore(t, map[string]string{"POST /wc/v3/orders": canaryOrder})
	r := recipeOf(t, "Orders without prices", as(site.URL, wptest.New().Users()[1], "XDG_STATE_HOME", t.TempDir()))
	r.checks("curation.yaml")
	session := r.serve("curation.yaml").session("/mcp", "")
	site.asked("")
	const order, result = `{"line_items":[{"product":12,"quantity":2}],"idempotency_key":"a-1"}`, `{"id":727,"status":"processing","currency":"EUR","total":"29.00"}`
	wants(t, said(t, session, "order_intent", order), result)
	want := `editor POST /wc/v3/orders {"line_items":[{"product_id":12,"quantity":2}],"set_paid":false,"status":"pending"}`
	if calls := site.asked("/wc/v3"); len(calls) != 1 || calls[0] != want {
		t.Errorf("asked %q", calls)
	}
	for arguments, want := range map[string]string{
		`{"line_items":[{"product":12,"quantity":2,"total":"0.01"}],"idempotency_key":"b"}`:       "…line_items[0].total is not a property the tool takes",
		`{"line_items":[{"product":12,"quantity":2,"price":0}],"idempotency_key":"b"}`:            "…line_items[0].price is not a property the tool takes",
		`{"line_items":[{"product":12,"quantity":21}],"idempotency_key":"b"}`:                     "…line_items[0].quantity must be 20 or less",
		`{"line_items":[{"product":12,"quantity":1}],"set_paid":true,"idempotency_key":"b"}`:      "…set_paid is not an argument",
		`{"line_items":[{"product":12,"quantity":1}],"status":"completed","idempotency_key":"b"}`: "…status is not an argument",
		`{"line_items":[{"product":12,"quantity":1}],"coupon_lines":[{}],"idempotency_key":"b"}`:  "…coupon_lines is not an argument",
		`{"idempotency_key":"b"}`:                      "…line_items is required",
		`{"line_items":[{"product":12,"quantity":1}]}`: "…idempotency_key is required",
		order: "…" + result + "This is the result of the first call with this idempotency_key",
		`{"line_items":[{"product":12,"quantity":3}],"idempotency_key":"a-1"}`: "…this idempotency_key was used for another call",
	} {
		wants(t, said(t, session, "order_intent", arguments), want)
	}
	again := r.serve("curation.yaml").session("/mcp", "")
	wants(t, said(t, again, "order_intent", order), "…This is the result of the first call with this idempotency_key")
	if calls := site.asked("/wc/v3"); len(calls) != 0 {
		t.Errorf("asked %q", calls)
	}
}
