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
	// before answers in its place; false leaves it to the shop. Nil: never.
	before func(w http.ResponseWriter, r *http.Request) bool
}

func newSite(t *testing.T, w *world, before func(http.ResponseWriter, *http.Request) bool) *site {
	s := &site{w: w, shop: wptest.New(), before: before}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if query := r.URL.Query(); strings.HasPrefix(query.Get("search"), "call-") {
		version, _ := strconv.Atoi(query.Get("offset"))
		s.ran(query.Get("search"), version)
	}
	if s.before == nil || !s.before(w, r) {
		s.shop.ServeHTTP(w, r)
	}
}

// ran notes that a call arrived.
func (s *site) ran(id string, version int) {
	now := s.w.now()
	s.w.Add(history.Event{Kind: history.Ran, Begin: now, End: now, ID: id, Version: version})
}
