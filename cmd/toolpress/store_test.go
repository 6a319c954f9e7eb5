package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"toolpress/discover"
	"toolpress/discover/wptest"
)

// store is the bookshop with a few plugins' routes beside its own: those of
// curate/testdata/store.json, answered by the test.
type store struct {
	*httptest.Server
	shop   *wptest.Site
	routes []discover.Route
	// answers are the plugins', by method and path below /wp-json:
	// "GET /wc/v3/orders/727".
	answers map[string]string

	mu    sync.Mutex
	calls []string // what was asked, as "editor POST /wc/v3/orders {…}"
}

// newStore starts one; a route whose path begins with one of without is not there.
func newStore(t *testing.T, answers map[string]string, without ...string) *store {
	t.Helper()
	data, err := os.ReadFile("../../curate/testdata/store.json")
	if err != nil {
		t.Fatal(err)
	}
	site, err := discover.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	s := &store{shop: wptest.New(), answers: answers}
	for _, r := range site.Routes {
		if !slices.ContainsFunc(without, func(p string) bool { return strings.HasPrefix(r.Path, p) }) {
			s.routes = append(s.routes, r)
		}
	}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	path := strings.TrimPrefix(r.URL.Path, "/wp-json")
	if r.Method != http.MethodOptions {
		user, _, _ := r.BasicAuth()
		asked := user + " " + r.Method + " " + path
		if query := r.URL.Query().Encode(); query != "" {
			asked += "?" + query
		}
		s.mu.Lock()
		s.calls = append(s.calls, strings.TrimSpace(asked+" "+string(body)))
		s.mu.Unlock()
	}
	switch answer, ours := s.answers[r.Method+" "+path]; {
	case path == "/" && path != r.URL.Path:
		s.index(w, r)
	case ours:
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, answer)
	case r.Method == http.MethodOptions && slices.ContainsFunc(s.routes, func(route discover.Route) bool {
		return regexp.MustCompile("^" + route.Pattern + "$").MatchString(path)
	}):
		w.Header().Set("Allow", "GET, POST, PUT, PATCH, DELETE")
	default:
		s.shop.ServeHTTP(w, r)
	}
}

// index is the bookshop's, with the plugins' routes in it.
func (s *store) index(w http.ResponseWriter, r *http.Request) {
	own := httptest.NewRecorder()
	s.shop.ServeHTTP(own, r)
	var index map[string]any
	if err := json.Unmarshal(own.Body.Bytes(), &index); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	routes := index["routes"].(map[string]any)
	for _, route := range s.routes {
		routes[route.Pattern] = map[string]any{"namespace": route.Namespace, "endpoints": route.Endpoints}
		index["namespaces"] = append(index["namespaces"].([]any), route.Namespace)
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(index)
}

// asked is what was asked of paths below one since the last time.
func (s *store) asked(below string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	calls := slices.DeleteFunc(s.calls, func(call string) bool {
		words := strings.Fields(call)
		return !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, below) })
	})
	s.calls = nil
	return calls
}
