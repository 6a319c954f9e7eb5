package wptest_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"toolpress/discover/wptest"
)

// Whatever is asked, the site answers with JSON and lives.
func FuzzRequest(f *testing.F) {
	for _, seed := range [][3]string{
		{"GET", "wp/v2/posts?per_page=2&status[]=draft&categories[terms]=2&_fields=id,title.raw", ""},
		{"POST", "wp/v2/posts", `{"title":{"raw":"x"},"tags":[4],"date":null}`},
		{"PUT", "wp/v2/pages/16", `{"parent":16}`},
		{"POST", "wp/v2/media/19", `{"post":19,"caption":"x"}`},
		{"DELETE", "wp-abilities/v1/abilities/bookshop/set-price/run?input[id]=21&input[price]=1e3", ""},
		{"POST", "wp-abilities/v1/abilities/bookshop/echo/run", `{"input":{"a":[1,2.5,null,{}]}}`},
		{"POST", "wp/v2/settings", `{"default_category":0,"use_smilies":false}`},
		{"PUT", "wp/v2/categories/2", `{"parent":2}`},
		{"DELETE", "wp/v2/users/3?force=true&reassign=1", ""},
		{"OPTIONS", "wp/v2/users/me", ""},
		{"GET", "bookshop/v1/typed?list=1,2&obj[inner][tags][]=a&a[=b&[]=c&%zz", ""},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	f.Fuzz(func(t *testing.T, method, path, body string) {
		if strings.Contains(path, "slow") {
			t.Skip("it only waits")
		}
		site := wptest.New()
		for _, address := range []string{"/wp-json/" + path, "/wp-json/wp/v2/posts", "/wp-json/wp/v2/media/19", "/wp-json/wp/v2/pages", "/wp-json/wp/v2/categories", "/"} {
			r, err := http.NewRequest(method, "http://shop.example"+address, strings.NewReader(body))
			if err != nil {
				t.Skip("no request of HTTP's")
			}
			r.Header.Set("Content-Type", "application/json")
			r.SetBasicAuth(site.Users()[0].Login, site.Users()[0].Password)
			w := httptest.NewRecorder()
			site.ServeHTTP(w, r)
			if w.Header().Get("Content-Type") == "application/json; charset=UTF-8" && !strings.Contains(path, "noisy") && w.Body.Len() > 0 && !json.Valid(w.Body.Bytes()) {
				t.Errorf("%s %s: %s", method, address, w.Body)
			}
			method = http.MethodGet // the others only read what the first one left
		}
	})
}
