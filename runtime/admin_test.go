package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"toolpress/discover/wp"
)

// ready asks /readyz.
func ready(t *testing.T, h http.Handler) (int, readiness) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://localhost/readyz", nil))
	var state readiness
	if err := json.Unmarshal(w.Body.Bytes(), &state); err != nil {
		t.Fatalf("%v: %s", err, w.Body)
	}
	return w.Code, state
}

// T45: what is served, since when, and how the site was read last. One failed
// reading makes nothing stale, three polls without one do, the next good one
// mends it; the same catalog again is served since before.
func TestReadiness(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewServer(catalog("one", "a"), Options{})
		status := NewStatus(time.Minute)
		status.SiteRead(SiteUnchanged, nil)
		h, start := s.Admin(Operator{Status: status}), time.Now()
		expect := func(after time.Duration, status int, want string, stale bool, last time.Duration, failed string) readiness {
			t.Helper()
			time.Sleep(after)
			code, state := ready(t, h)
			if code != status || state.Status != want || state.Site.Stale != stale || !state.Site.LastSuccess.Equal(start.Add(last)) || state.Site.LastError != failed {
				t.Errorf("after %v: %d %+v", time.Since(start), code, state)
			}
			return state
		}
		first := expect(0, 200, "ready", false, 0, "")
		if len(first.Digest) != 16 || !first.Since.Equal(start) {
			t.Errorf("%+v", first)
		}
		status.SiteRead(SiteFailed, fmt.Errorf("reading the REST index: %w", &wp.Error{Kind: wp.NotJSON, Method: "GET", URL: "https://s.example/wp-json/", Status: 500, Excerpt: "canary@example.com"}))
		const said = "GET https://s.example/wp-json/: 500 with a body that is not JSON"
		expect(3*time.Minute, 200, "ready", false, 0, said)
		expect(time.Second, 503, "stale", true, 0, said)
		s.Swap(catalog("one", "a"))
		if again := expect(0, 503, "stale", true, 0, said); again.Digest != first.Digest || !again.Since.Equal(first.Since) {
			t.Errorf("the same again: %+v", again)
		}
		status.SiteRead(SiteUnchanged, nil)
		expect(0, 200, "ready", false, 3*time.Minute+time.Second, "")
		s.Swap(catalog("one", "a", "b"))
		if other := expect(0, 200, "ready", false, 3*time.Minute+time.Second, ""); other.Digest == first.Digest || !other.Since.Equal(time.Now()) {
			t.Errorf("another: %+v", other)
		}
		// A poll that is late is told, and the last reading succeeded.
		expect(time.Hour, 200, "ready", true, 3*time.Minute+time.Second, "")
		status.SiteRead(SiteFailed, errors.New("it is late"))
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		expect(0, 503, "shutting down", true, 3*time.Minute+time.Second, "it is late")
	})
}

// T29, T48: the operator's listener checks Host and Origin too, asks for no token,
// and tells nothing of tools, texts or tokens; MCP is not there.
func TestAdmin(t *testing.T) {
	s := NewServer(catalog("canary", "canary"), Options{Token: wp.NewSecret("canary"), Name: "canary", AllowedHosts: []string{"ops.example"}})
	status := NewStatus(time.Minute)
	status.SiteRead(SiteUnchanged, nil)
	h := s.Admin(Operator{Status: status})
	for _, c := range []struct {
		method, host, path, origin string
		status                     int
	}{
		{"GET", "localhost", "/healthz", "", 200},
		{"HEAD", "127.0.0.1:9090", "/healthz", "", 200},
		{"GET", "[::1]:9090", "/readyz", "", 200},
		{"GET", "ops.example:9090", "/readyz", "", 200},
		{"GET", "evil.example", "/healthz", "", 403},
		{"GET", "evil.example", "/nothing", "", 403},
		{"GET", "10.0.0.7:9090", "/readyz", "", 403},
		{"GET", "localhost", "/readyz", "http://localhost", 403},
		{"GET", "localhost", "/readyz", "null", 403},
		{"POST", "localhost", "/readyz", "", 405},
		{"GET", "localhost", "/", "", 404},
		{"POST", "localhost", "/mcp", "", 404},
	} {
		r := httptest.NewRequest(c.method, "http://x"+c.path, nil)
		r.Host = c.host
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != c.status || strings.Contains(w.Body.String()+fmt.Sprint(w.Header()), "canary") {
			t.Errorf("%+v: %d %v %s", c, w.Code, w.Header(), w.Body)
		}
	}
}

// It answers while the server drains, and ends when it is told to.
func TestServeAdmin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewServer(catalog("one", "a"), Options{})
		status := NewStatus(time.Minute)
		network := newPipes()
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- s.ServeAdmin(ctx, network, Operator{Status: status}) }()
		client := network.client()
		ask := func(path string) reply {
			r, _ := http.NewRequest(http.MethodGet, "http://localhost"+path, nil)
			return do(t, client, r)
		}
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		if got := ask("/readyz"); got.status != 503 || !strings.Contains(got.message, "shutting down") {
			t.Errorf("%d %s", got.status, got.message)
		}
		if got := ask("/healthz"); got.status != 200 || got.message != `{"status":"ok"}` {
			t.Errorf("%d %s", got.status, got.message)
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		client.CloseIdleConnections()
	})
}
