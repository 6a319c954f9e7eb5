package main

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"toolpress/discover/wptest"
)

// changingSite is the bookshop, as it is at a moment.
type changingSite struct {
	*httptest.Server
	shop *wptest.Site
	// state is "", "down" or "less": without its plugins' routes.
	state atomic.Value
	reads atomic.Int64 // of the index
	// gate, where there is one, holds up each reading of the index.
	gate chan struct{}
}

func newChangingSite(t *testing.T) *changingSite {
	s := &changingSite{shop: wptest.New()}
	s.state.Store("")
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *changingSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	index := r.URL.Path == "/wp-json/"
	if index {
		s.reads.Add(1)
		if s.gate != nil {
			<-s.gate
		}
	}
	switch s.state.Load() {
	case "down":
		http.Error(w, "canary", http.StatusInternalServerError)
		return
	case "less":
		if index {
			s.less(w, r)
			return
		}
	}
	s.shop.ServeHTTP(w, r)
}

// less is the index with the routes of posts alone.
func (s *changingSite) less(w http.ResponseWriter, r *http.Request) {
	whole := httptest.NewRecorder()
	s.shop.ServeHTTP(whole, r)
	var index map[string]any
	if err := json.Unmarshal(whole.Body.Bytes(), &index); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	maps.DeleteFunc(index["routes"].(map[string]any), func(path string, _ any) bool {
		return strings.HasPrefix(path, "/wp/v2/") && !strings.HasPrefix(path, "/wp/v2/posts") && path != "/wp/v2/users/me"
	})
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(index)
}

// env is the site's editor.
func (s *changingSite) env() map[string]string {
	editor := s.shop.Users()[1]
	return map[string]string{"TOOLPRESS_SITE": s.URL, "TOOLPRESS_USER": editor.Login, "TOOLPRESS_PASSWORD": editor.Password}
}
