package main

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
	"toolpress/discover"
	"toolpress/discover/wp"
	"toolpress/discover/wptest"
	"toolpress/generate"
	"toolpress/runtime"
)

// bothPresets serves all that they have, and asks nobody.
const bothPresets = `version: 1
extends: [preset:wordpress@1, preset:woocommerce@1]
defaults: { confirm: { when: never } }
profiles:
  default: { groups: [read, reports], read_only: true }
  editor: { groups: [read, reports, write] }
  all: {}
`

// counter is a shop behind a curation: calls go the way a client's go.
type counter struct {
	server  *runtime.Server
	catalog *curate.Catalog
	root    *discover.Root

	mu     sync.Mutex
	writes []string // "POST /path body" of what was asked of the site
}

// openShop serves the embedded shop as its manager sees it.
func openShop(t *testing.T, curation string) *counter {
	t.Helper()
	c, shop := &counter{}, wptest.New(wptest.WooCommerce())
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			c.mu.Lock()
			c.writes = append(c.writes, r.Method+" "+r.URL.Path+" "+string(body))
			c.mu.Unlock()
			r.Body = io.NopCloser(bytes.NewReader(body))
		}
		shop.ServeHTTP(w, r)
	}))
	t.Cleanup(site.Close)
	at, err := url.Parse(site.URL)
	if err != nil {
		t.Fatal(err)
	}
	manager := shop.Users()[4]
	c.root, err = discover.Find(t.Context(), at, wp.Options{Credential: wp.Credential{User: manager.Login, Password: wp.NewSecret(manager.Password)}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.root.Client().Close)
	read, err := c.root.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	curated, err := curate.Parse("curation.yaml", []byte(curation), nil)
	if err != nil {
		t.Fatal(err)
	}
	catalog, findings := curated.Apply(generate.FromSite(read), nil)
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	c.catalog, c.server = catalog, runtime.NewServer(catalog, runtime.Options{Version: "test", Site: c.root.Client()})
	return c
}

var lately = regexp.MustCompile(`"20(2[6-9]|[3-9]\d)-[^"]*"`)

// call calls a tool, to which a person has said yes, and gives the text that a model reads, with the site's address
// and times of today taken out; of a failure its message.
func (c *counter) call(t *testing.T, profile, tool, arguments string) (text string, failed bool) {
	t.Helper()
	result, err := c.server.Call(runtime.Confirmed(t.Context()), profile, tool, json.RawMessage(arguments))
	if err != nil {
		t.Fatalf("%s %s: %v", tool, arguments, err)
	}
	text = result.Content[0].(*mcp.TextContent).Text
	return lately.ReplaceAllString(strings.ReplaceAll(text, c.site(), ""), `"NOW"`), result.IsError
}

func (c *counter) site() string { return strings.TrimSuffix(c.root.URL, "/") }

// written are the writes that reached the site since it was last asked.
func (c *counter) written() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.writes
	c.writes = nil
	return w
}

// Every tool of the preset does on the shop what it says, and no tool is without a
// call.
func TestWooCommerceTools(t *testing.T) {
	c := openShop(t, bothPresets)
	called := map[string]bool{}
	for _, call := range shopCalls {
		called[call.tool] = true
		text, failed := c.call(t, "editor", call.tool, call.arguments)
		if failed || !resembles(call.want, text) {
			t.Errorf("%s %s\ngot  %s\nwant %s", call.tool, call.arguments, text, call.want)
		}
	}
	for _, tool := range c.catalog.Profiles["all"].Tools {
		if strings.Contains(tool.Operation, " /wc/") && !called[tool.Name] {
			t.Errorf("no case calls %s", tool.Name)
		}
	}
}

// resembles compares a result with the wanted one, as JSON values.
func resembles(want, got string) bool {
	var wanted, had map[string]any
	part, some := strings.CutPrefix(want, "some ")
	if json.Unmarshal([]byte(part), &wanted) != nil || json.Unmarshal([]byte(got), &had) != nil {
		return false
	}
	if some {
		maps.DeleteFunc(had, func(name string, _ any) bool { _, named := wanted[name]; return !named })
	}
	return reflect.DeepEqual(wanted, had)
}

// What may not be there: a state that an order is not to get, a page without end,
// what the site refuses.
func TestWooCommerceRefusals(t *testing.T) {
	c := openShop(t, bothPresets)
	for _, call := range [][3]string{
		{"update_order_status", `{"id":201,"status":"refunded"}`, "status must be one of"},
		{"update_order_status", `{"id":201}`, "status is required"},
		{"cancel_order", `{"id":201,"status":"completed"}`, "status is not an argument"},
		{"find_products", `{"per_page":51}`, "per_page must be 50 or less"},
		{"find_products", `{"status":"draft"}`, "status is not an argument"},
		{"order_intent", `{"line_items":[{"product_id":101,"quantity":1}]}`, "idempotency_key is required"},
		{"set_product_stock", `{"id":101,"stock_quantity":-1}`, "stock_quantity must be 0 or more"},
		{"set_product_stock", `{"id":101,"regular_price":"1"}`, "regular_price is not an argument"},
	} {
		if text, failed := c.call(t, "editor", call[0], call[1]); !failed || !strings.Contains(text, call[2]) {
			t.Errorf("%s %s: %s", call[0], call[1], text)
		}
	}
	if w := c.written(); len(w) > 0 {
		t.Errorf("%q reached the site", w)
	}
	for _, call := range [][3]string{
		{"read_product", `{"id":999}`, "woocommerce_rest_product_invalid_id"},
		{"set_variation_stock", `{"product_id":101,"id":105,"stock_quantity":1}`, "woocommerce_rest_"}, // another product's
		{"update_order_status", `{"id":999,"status":"completed"}`, "woocommerce_rest_shop_order_invalid_id"},
		{"order_intent", `{"line_items":[{"product_id":999,"quantity":1}],"idempotency_key":"none"}`, "woocommerce_rest_invalid_product_id"},
	} {
		if text, failed := c.call(t, "editor", call[0], call[1]); !failed || !strings.Contains(text, call[2]) {
			t.Errorf("%s %s: %s", call[0], call[1], text)
		}
	}
}

// Whoever only reads has no notes of orders and no writes, also where no profile is
// written.
func TestWooCommerceProfiles(t *testing.T) {
	write := []string{"cancel_order", "list_order_notes", "order_intent", "refund_order", "set_product_stock", "set_variation_stock", "update_order_status"}
	for _, curation := range []string{bothPresets, "version: 1\nextends: [preset:wordpress@1, preset:woocommerce@1]\ndefaults: { confirm: { when: never } }\n"} {
		catalog := openShop(t, curation).catalog
		if n := len(catalog.Profiles["default"].Tools); n < 9 {
			t.Errorf("%d tools", n)
		}
		for _, tool := range catalog.Profiles["default"].Tools {
			if slices.Contains(write, tool.Name) || !tool.Annotations.ReadOnly {
				t.Errorf("%s is served to who only reads", tool.Name)
			}
		}
	}
	// Without the patch, a person is asked before what may overwrite something.
	catalog := openShop(t, strings.ReplaceAll(bothPresets, "defaults: { confirm: { when: never } }\n", "")).catalog
	var served []string
	for _, tool := range catalog.Profiles["editor"].Tools {
		if slices.Contains(write, tool.Name) && !tool.Asks() {
			served = append(served, tool.Name)
		}
	}
	if got := strings.Join(served, " "); got != "list_order_notes order_intent" {
		t.Errorf("served unasked: %s", got)
	}
}
