package wptest_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"toolpress/discover"
	"toolpress/discover/wp"
	"toolpress/discover/wptest"
)

// startStore serves a bookshop with WooCommerce.
func startStore(t *testing.T) (*wptest.Site, *url.URL) {
	t.Helper()
	site := wptest.New(wptest.WooCommerce())
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	at, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	return site, at
}

// get asks wc/v3 for a path with its query.
func get(t *testing.T, root *discover.Root, path string) (*wp.Response, error) {
	t.Helper()
	path, query, _ := strings.Cut(path, "?")
	request := wp.Request{Method: "GET", Segments: append([]string{"wc", "v3"}, strings.Split(path, "/")...)}
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range values {
		request.Query = append(request.Query, wp.Param{Name: name, Value: value[0]})
	}
	return root.Client().Do(t.Context(), request)
}

// list is what a list of the shop holds.
func list(t *testing.T, root *discover.Root, path string) (items []map[string]any) {
	t.Helper()
	answer, err := get(t, root, path)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if err := json.Unmarshal(answer.JSON, &items); err != nil {
		t.Fatal(err)
	}
	return items
}

// one is one object of the shop.
func one(t *testing.T, root *discover.Root, method, path string, body any) map[string]any {
	t.Helper()
	return do(t, root, method, "wc/v3/"+path, nil, body)
}

// Without the option there is nothing of it, with it there is one namespace more.
func TestStoreIsAnOption(t *testing.T) {
	plain, at := start(t)
	if got := refused(t, client(t, plain, at, "admin"), "GET", "wc/v3/products", nil); got != "rest_no_route" || len(plain.Users()) != 4 {
		t.Errorf("%s, %d users", got, len(plain.Users()))
	}
	site, at := startStore(t)
	read, err := client(t, site, at, "manager").Read(t.Context())
	if err != nil || len(read.Notes) > 0 || read.User.Login != "manager" || !slices.Equal(read.User.Roles, []string{"shop_manager"}) {
		t.Errorf("%v %+v", err, read)
	}
	for _, r := range read.Routes {
		if r.Unreadable != "" {
			t.Errorf("%s: %s", r.Pattern, r.Unreadable)
		}
	}
}

// Filters are WooCommerce's: which numbers a list has, and how many in all.
func TestStoreFilters(t *testing.T) {
	site, at := startStore(t)
	manager := client(t, site, at, "manager")
	for path, want := range map[string]string{
		"products?status=publish":                                       "108 107 103 102 101",
		"products?status=draft":                                         "109",
		"products?search=poems+breath":                                  "102",
		"products?category=31&status=publish":                           "107 102 101", // and what is below
		"products?category=32,33":                                       "102 101",
		"products?min_price=15&max_price=20":                            "103 101", // one bag costs 16
		"products?max_price=12":                                         "109 102", // what is reduced, at that price
		"products?stock_status=outofstock":                              "107",
		"products?on_sale=1":                                            "102",
		"products?orderby=price&order=asc&per_page=2":                   "109 102 of 6",
		"products/103/variations":                                       "106 105 104",
		"products/103/variations?stock_status=outofstock":               "105",
		"products/101/variations":                                       "",
		"products/categories?hide_empty=1":                              "31 32 34 33",
		"products/categories?parent=31":                                 "32 33",
		"products/categories?search=map":                                "35",
		"orders":                                                        "205 204 203 202 201 206",
		"orders?status=processing,on-hold":                              "204 202",
		"orders?customer=6":                                             "203 201 206",
		"orders?customer=0":                                             "205 202",
		"orders?after=2025-11-05T19:02:00&before=2025-11-22T00:00:00":   "204 203",
		"orders?search=Okonkwo":                                         "205 202",
		"orders?search=203":                                             "203",
		"orders?product=101":                                            "204 201",
		"orders?per_page=2&page=2":                                      "203 202 of 6",
		"orders?per_page=2&page=9":                                      " of 6",
		"coupons?code=SUMMER5":                                          "302",
		"coupons?search=welcome":                                        "301",
		"orders/202/notes":                                              "503 502 501",
		"orders/202/notes?type=customer":                                "503",
		"orders?exclude=201&include=201,202,203&order=asc&orderby=id":   "202 203",
		"orders?offset=4&per_page=5":                                    "201 206 of 6",
		"products?include=101,107&orderby=title&order=desc&per_page=10": "101 107",
	} {
		answer, err := get(t, manager, path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		var got []string
		for _, item := range list(t, manager, path) {
			text, _ := json.Marshal(item["id"])
			got = append(got, string(text))
		}
		ids, total, cut := strings.Cut(want, " of ")
		if strings.Join(got, " ") != ids || cut && answer.Header.Get("X-WP-Total") != total {
			t.Errorf("%s: %v of %s, want %s", path, got, answer.Header.Get("X-WP-Total"), want)
		}
	}
}

// Who does not keep the shop sees nothing of it: 401 for nobody, 403 for a user.
func TestStorePermissions(t *testing.T) {
	site, at := startStore(t)
	for login, want := range map[string]int{"": http.StatusUnauthorized, "editor": http.StatusForbidden, "nora": http.StatusForbidden} {
		root := client(t, site, at, login)
		for path, code := range map[string]string{
			"GET products": "view", "GET products/101": "view", "GET products/103/variations": "view", "GET products/categories": "view", "GET orders": "view",
			"GET orders/201": "view", "GET orders/201/notes": "view", "GET coupons": "view", "GET reports/sales": "view", "GET reports/top_sellers": "view",
			"POST orders": "create", "POST orders/201": "edit", "POST products/101": "edit", "POST products/103/variations/104": "edit",
		} {
			method, path, _ := strings.Cut(path, " ")
			_, err := root.Client().Do(t.Context(), wp.Request{Method: method, Segments: strings.Split("wc/v3/"+path, "/"), Body: body(method)})
			var e *wp.Error
			if !errors.As(err, &e) || e.Status != want || e.Code != "woocommerce_rest_cannot_"+code {
				t.Errorf("%s, %s %s: %v", login, method, path, err)
			}
		}
	}
	manager := client(t, site, at, "manager")
	for path, want := range map[string]string{
		"GET products/999": "404 woocommerce_rest_product_invalid_id", "POST products/999": "400 woocommerce_rest_product_invalid_id",
		"GET products/104": "404 woocommerce_rest_product_invalid_id", "GET products/101/variations/104": "404 woocommerce_rest_product_variation_invalid_id",
		"GET orders/999": "404 woocommerce_rest_shop_order_invalid_id", "POST orders/999": "400 woocommerce_rest_shop_order_invalid_id",
		"GET orders/999/notes": "404 woocommerce_rest_order_invalid_id", "DELETE orders/201": "404 rest_no_route",
	} {
		method, path, _ := strings.Cut(path, " ")
		_, err := manager.Client().Do(t.Context(), wp.Request{Method: method, Segments: strings.Split("wc/v3/"+path, "/"), Body: body(method)})
		if err == nil || !strings.Contains(err.Error(), ": "+want+":") {
			t.Errorf("%s %s: %v, want %s", method, path, err, want)
		}
	}
}

func body(method string) any {
	if method == http.MethodPost {
		return map[string]any{}
	}
	return nil
}
