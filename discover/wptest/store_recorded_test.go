package wptest_test

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolpress/discover/wptest"
	"toolpress/discover/wptest/recorded"
)

// leftOut are the arguments of WooCommerce's that the shop does not have, by the
// route and the method of the endpoint; of lists, by "list".
var leftOut = map[string]string{
	"list": "modified_after modified_before dates_are_gmt",

	"GET /wc/v3/products":            "parent parent_exclude include_meta exclude_meta brand slug featured tag shipping_class attribute attribute_term search_sku search_name_or_sku search_fields include_status exclude_status include_types exclude_types downloadable virtual pos_products_only",
	"GET /wc/v3/products/categories": "product slug",
	"GET /wc/v3/orders":              "parent parent_exclude include_meta exclude_meta dp order_item_display_meta created_via",

	`GET /wc/v3/products/(?P<product_id>[\d]+)/variations`:                "parent parent_exclude include_meta exclude_meta slug has_price attributes virtual downloadable include_status exclude_status pos_products_only",
	`POST /wc/v3/products/(?P<id>[\d]+)`:                                  "slug date_created date_created_gmt type status featured catalog_visibility description short_description sku global_unique_id date_on_sale_from date_on_sale_from_gmt date_on_sale_to date_on_sale_to_gmt virtual downloadable downloads download_limit download_expiry external_url button_text tax_status tax_class backorders low_stock_amount sold_individually weight dimensions shipping_class reviews_allowed post_password upsell_ids cross_sell_ids parent_id purchase_note categories brands tags images attributes default_attributes menu_order meta_data",
	`POST /wc/v3/products/(?P<product_id>[\d]+)/variations/(?P<id>[\d]+)`: "description sku global_unique_id date_on_sale_from date_on_sale_from_gmt date_on_sale_to date_on_sale_to_gmt status virtual downloadable downloads download_limit download_expiry tax_status tax_class backorders low_stock_amount weight dimensions shipping_class image attributes menu_order meta_data",
	"POST /wc/v3/orders":               "parent_id created_via currency coupon_lines manual_update",
	`POST /wc/v3/orders/(?P<id>[\d]+)`: "parent_id created_via currency line_items shipping_lines fee_lines coupon_lines manual_update",
}

type indexed struct {
	Routes map[string]struct {
		Endpoints []struct {
			Methods []string
			Args    any
		}
		Schema any
	}
}

// args are an endpoint's arguments: the first that lists the method.
func (i indexed) args(t *testing.T, pattern, method string) map[string]any {
	t.Helper()
	for _, e := range i.Routes[pattern].Endpoints {
		if slices.Contains(e.Methods, method) {
			args, _ := e.Args.(map[string]any) // PHP's empty list
			return args
		}
	}
	t.Errorf("the recording has no %s %s", method, pattern)
	return nil
}

// shopIndex is the index of the shop, with the schemas of its routes.
func shopIndex(t *testing.T) indexed {
	t.Helper()
	answer := httptest.NewRecorder()
	wptest.New(wptest.WooCommerce()).ServeHTTP(answer, httptest.NewRequest("GET", "/wp-json/?context=help", nil))
	return decodeIndex(t, answer.Body.Bytes())
}

func decodeIndex(t *testing.T, data []byte) (i indexed) {
	t.Helper()
	if err := json.Unmarshal(data, &i); err != nil {
		t.Fatal(err)
	}
	return i
}

// The shop's arguments are WooCommerce's, to the last keyword but the descriptions,
// and what it does not have is known.
func TestStoreArgumentsAreRecorded(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(recorded.Dir(t, "woocommerce-10.5"), "index.json"))
	if err != nil {
		t.Fatal(err)
	}
	theirs, ours := decodeIndex(t, data), shopIndex(t)
	compared := 0
	for pattern, route := range ours.Routes {
		if !strings.HasPrefix(pattern, "/wc/v3/") {
			continue
		}
		for _, e := range route.Endpoints {
			args, _ := e.Args.(map[string]any)
			real := theirs.args(t, pattern, e.Methods[0])
			for _, method := range e.Methods[1:] {
				if diff := cmp.Diff(real, theirs.args(t, pattern, method)); diff != "" {
					t.Errorf("%s %s is another endpoint:\n%s", method, pattern, diff)
				}
			}
			absent := strings.Fields(leftOut[e.Methods[0]+" "+pattern])
			if _, dated := args["after"]; dated {
				absent = append(absent, strings.Fields(leftOut["list"])...)
			}
			for name, schema := range args {
				compared++
				if diff := cmp.Diff(undescribed(real[name]), undescribed(schema)); diff != "" {
					t.Errorf("%s %s: %s\n%s", e.Methods[0], pattern, name, diff)
				}
			}
			for name := range real {
				if _, has := args[name]; has == slices.Contains(absent, name) {
					t.Errorf("%s %s: %s is left out: %v; the list says otherwise", e.Methods[0], pattern, name, !has)
				}
			}
			for _, name := range absent {
				if real[name] == nil {
					t.Errorf("%s %s: WooCommerce has no %s to leave out", e.Methods[0], pattern, name)
				}
			}
		}
	}
	if compared < 120 {
		t.Errorf("only %d arguments were compared", compared)
	}
}

// undescribed is a schema without its words.
func undescribed(v any) any {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "description")
		for _, below := range v {
			undescribed(below)
		}
		if properties, ok := v["properties"].(map[string]any); ok {
			for _, p := range properties {
				undescribed(p)
			}
		}
	case []any:
		for _, below := range v {
			undescribed(below)
		}
	}
	return v
}

// What the shop answers has the fields that WooCommerce's schemas list, and a few
// that those forget.
func TestStoreAnswersAreRecorded(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(recorded.Dir(t, "woocommerce-10.5"), "index-help.json"))
	if err != nil {
		t.Fatal(err)
	}
	theirs := decodeIndex(t, data)
	site, at := startStore(t)
	manager := client(t, site, at, "manager")
	unlisted := strings.Fields("_links currency_symbol coupon_lines date_created_gmt date_modified_gmt name parent_id total_customers")
	for path, pattern := range map[string]string{
		"products": "/wc/v3/products", "products/103/variations": `/wc/v3/products/(?P<product_id>[\d]+)/variations`, "products/categories": "/wc/v3/products/categories",
		"orders": "/wc/v3/orders", "orders/202/notes": `/wc/v3/orders/(?P<order_id>[\d]+)/notes`, "coupons": "/wc/v3/coupons",
		"reports/sales": "/wc/v3/reports/sales", "reports/top_sellers?date_min=2025-10-01": "/wc/v3/reports/top_sellers",
	} {
		schema, _ := theirs.Routes[pattern].Schema.(map[string]any)
		listed, _ := schema["properties"].(map[string]any)
		for _, shown := range list(t, manager, path) {
			for name := range shown {
				if listed[name] == nil && !slices.Contains(unlisted, name) {
					t.Errorf("%s: WooCommerce has no %s", path, name)
				}
			}
			for name, schema := range listed {
				contexts, _ := schema.(map[string]any)["context"].([]any)
				if _, has := shown[name]; !has && (contexts == nil || slices.Contains(contexts, any("view"))) {
					t.Errorf("%s: there is no %s", path, name)
				}
			}
		}
	}
}
