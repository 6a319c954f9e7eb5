package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"toolpress/discover/wptest"
)

// T01: a site whose every link, header and field names another origin never
// makes toolpress ask it.
func TestCanary(t *testing.T) {
	var asked atomic.Int64
	canary := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer canary.Close()
	shop := wptest.New()
	var served atomic.Int64
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		shop.ServeHTTP(answer, r)
		elsewhere := strings.NewReplacer("http://"+r.Host, canary.URL, `http:\/\/`+r.Host, strings.ReplaceAll(canary.URL, "/", `\/`), url.QueryEscape("http://"+r.Host), url.QueryEscape(canary.URL))
		for name, values := range answer.Header() {
			for _, v := range values {
				if name != "Content-Length" {
					w.Header().Add(name, elsewhere.Replace(v))
				}
			}
		}
		w.WriteHeader(answer.Code)
		body := elsewhere.Replace(answer.Body.String())
		if strings.Contains(body, canary.URL) || strings.Contains(body, strings.ReplaceAll(canary.URL, "/", `\/`)) {
			served.Add(1)
		}
		_, _ = io.WriteString(w, body)
	}))
	defer site.Close()
	editor := shop.Users()[1]
	env := map[string]string{"TOOLPRESS_SITE": site.URL, "TOOLPRESS_USER": editor.Login, "TOOLPRESS_PASSWORD": editor.Password}
	getenv := func(name string) string { return env[name] }
	for _, args := range [][]string{
		{"discover"}, {"check"}, {"generate"}, {"call", "find_posts", "per_page=3"}, {"call", "read_post", "id=4"}, {"call", "find_pages"}, {"call", "bookshop_search_books", "query=a"},
	} {
		var out bytes.Buffer
		if code := run(t.Context(), args, getenv, nil, io.Discard, &out); code != exitOK {
			t.Errorf("%v: %d %s", args, code, &out)
		}
	}
	if n := served.Load(); n < 10 {
		t.Errorf("only %d answers named the other origin", n)
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("the other origin was asked %d times", n)
	}
}
