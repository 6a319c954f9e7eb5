package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"toolpress/discover/wptest"
)

// What site.upstream allows holds for everything that is asked of the site: the
// request beyond it is not sent, and the failure says what to change.
func TestUpstreamIsBound(t *testing.T) {
	shop := wptest.New()
	var asked atomic.Int64
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		shop.ServeHTTP(w, r)
	}))
	defer site.Close()
	for upstream, want := range map[string]struct {
		code int
		sent int64
		says string
	}{
		"{ rate: 1/d, burst: 2 }":                 {exitSite, 2, "nothing was sent: the requests to the site are bound to 1 in 24h0m0s, and others wait"},
		"{ rate: 1/d, burst: 99, concurrency: 1}": {exitOK, 0, ""},
	} {
		asked.Store(0)
		name := filepath.Join(t.TempDir(), "curation.yaml")
		if err := os.WriteFile(name, []byte("version: 1\nsite: { upstream: "+upstream+" }\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		var out, said bytes.Buffer
		code := run(t.Context(), []string{"discover", site.URL, "--curation", name}, func(string) string { return "" }, nil, &out, &said)
		if code != want.code || !strings.Contains(said.String(), want.says) || want.sent > 0 && asked.Load() != want.sent {
			t.Errorf("%s: exit %d after %d requests\n%s", upstream, code, asked.Load(), said.String())
		}
		if hint := strings.Contains(said.String(), "raise its rate, burst or concurrency"); hint != (want.code != exitOK) {
			t.Errorf("%s: %s", upstream, said.String())
		}
	}
}
