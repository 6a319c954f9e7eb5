package chaos

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"toolpress/discover/wptest"
	"toolpress/test/chaos/history"
)

// site is the bookshop, which notes the calls that arrive.
type site struct {
	*httptest.Server
	w    *world
	shop *wptest.Site
}

func newSite(t *testing.T, w *world) *site {
	s := &site{w: w, shop: wptest.New()}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if query := r.URL.Query(); strings.HasPrefix(query.Get("search"), "call-") {
		version, _ := strconv.Atoi(query.Get("offset"))
		now := s.w.now()
		s.w.Add(history.Event{Kind: history.Ran, Begin: now, End: now, ID: query.Get("search"), Version: version})
	}
	s.shop.ServeHTTP(w, r)
}
