package main

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"toolpress/discover/wptest"
)

// changingSite is the bookshop, as it is at a moment.
type changingSite struct {
	*httptest.Server
	shop *wptest.Site
	// state is "", "down"; "page", of maintenance; "less": without its plugins' routes;
	// "nobody": it does not say who asks; "german"; "refusing" the credential.
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
	switch state := s.state.Load(); {
	case state == "down":
		http.Error(w, "canary", http.StatusInternalServerError)
	case state == "page":
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<html>canary: back soon")
	case state == "refusing" && r.Header.Get("Authorization") != "":
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"code":"rest_not_logged_in","message":"no"}`)
	case state == "nobody" && r.URL.Path == "/wp-json/wp/v2/users/me":
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"code":"rest_no_route","message":"no"}`)
	case state == "less" && index:
		s.less(w, r)
	case state == "german":
		s.german(w, r)
	default:
		s.shop.ServeHTTP(w, r)
	}
}

// german is the answer with other words: of its routes, and the language of its page.
func (s *changingSite) german(w http.ResponseWriter, r *http.Request) {
	english := httptest.NewRecorder()
	s.shop.ServeHTTP(english, r)
	text := regexp.MustCompile(`"description":"`).ReplaceAllString(english.Body.String(), `"description":"Auf Deutsch: `)
	maps.Copy(w.Header(), english.Header())
	w.Header().Del("Content-Length")
	w.WriteHeader(english.Code)
	_, _ = io.WriteString(w, strings.Replace(text, `lang="en-US"`, `lang="de-DE"`, 1))
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
