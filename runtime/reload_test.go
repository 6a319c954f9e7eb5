package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"toolpress/curate"
	"toolpress/discover/wp"
)

// T48: a reload is the operator's to ask for and no page's, it says what became of
// it with places and without a line of a file, and of a site's answer nothing that
// may be anybody's.
func TestReload(t *testing.T) {
	refused := curate.Findings{{ID: "unknown-key", Severity: curate.SeverityError, Pos: curate.Pos{File: "c.yaml", Line: 2, Col: 1}, Message: `no key "expos"`, Hint: "expose?", Source: "canary"}}
	failed := &wp.Error{Kind: wp.NotJSON, Method: "GET", URL: "https://s.example/", Status: 500, Excerpt: "canary"}
	took := Stages{Read: 1500 * time.Microsecond, Announce: time.Second}
	const times = `,"milliseconds":{"read":1.5,"ask":0,"build":0,"check":0,"swap":0,"announce":1000}}`
	for name, c := range map[string]struct {
		got    Reloaded
		err    error
		status int
		want   string // after the digest
	}{
		"used":          {Reloaded{Changed: []string{"a", "b"}, Took: took}, nil, 200, `"changed":["a","b"],"errors":[]` + times},
		"refused":       {Reloaded{Refused: refused, Took: took}, nil, 422, `"changed":[],"errors":[{"id":"unknown-key","severity":"error","pos":{"file":"c.yaml","line":2,"col":1},"message":"no key \"expos\"","hint":"expose?"}]` + times},
		"failed":        {Reloaded{Failed: failed, Took: took}, nil, 502, `"changed":[],"errors":[],"site":"GET https://s.example/: 500 with a body that is not JSON"` + times},
		"shutting down": {Reloaded{}, ErrEnding, 503, `"changed":[],"errors":[]}`},
	} {
		s := NewServer(catalog("one", "a"), Options{})
		h := s.Admin(Operator{Status: NewStatus(0), Reload: func(context.Context, bool) (Reloaded, error) { return c.got, c.err }})
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "http://localhost/-/reload", nil))
		var answer struct{ Status, Digest string }
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			t.Fatal(err)
		}
		if name == "used" {
			name = "reloaded"
		}
		if _, rest, _ := strings.Cut(strings.TrimSpace(w.Body.String()), `"digest":"`+s.current.Load().digest+`",`); w.Code != c.status || rest != c.want || answer.Status != name {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		if refused[0].Source == "" {
			t.Error("the caller's findings were changed")
		}
	}
	asked := 0
	s := NewServer(catalog("one", "a"), Options{})
	h := s.Admin(Operator{Status: NewStatus(0), Reload: func(context.Context, bool) (Reloaded, error) { asked++; return Reloaded{}, nil }})
	for _, c := range []struct {
		method, host, origin string
		status               int
	}{{"GET", "localhost", "", 405}, {"PUT", "localhost", "", 405}, {"POST", "evil.example", "", 403}, {"POST", "localhost", "http://localhost", 403}, {"POST", "localhost", "null", 403}} {
		r := httptest.NewRequest(c.method, "http://x/-/reload", nil)
		if r.Host = c.host; c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != c.status || asked > 0 {
			t.Errorf("%+v: %d", c, w.Code)
		}
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodPost, "http://localhost/-/reload", nil))
	if w.Code != 404 {
		t.Errorf("where clients are served: %d", w.Code)
	}
}

// The answer waits for the outcome, but not for ever; the listener lets it.
func TestReloadThatTakesLong(t *testing.T) {
	for _, takes := range []time.Duration{25 * time.Second, time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			s := NewServer(catalog("one", "a"), Options{})
			network := newPipes()
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error)
			go func() {
				ended <- s.ServeAdmin(ctx, network, Operator{Status: NewStatus(0), Reload: func(ctx context.Context, _ bool) (Reloaded, error) {
					select {
					case <-time.After(takes):
						return Reloaded{Failed: errors.New("slow")}, nil
					case <-ctx.Done():
						return Reloaded{}, ctx.Err()
					}
				}})
			}()
			client, began := network.client(), time.Now()
			r, _ := http.NewRequest(http.MethodPost, "http://localhost/-/reload", nil)
			got := do(t, client, r)
			status, after := 502, takes
			if takes > reloadPatience {
				status, after = 202, reloadPatience
			}
			if got.status != status || time.Since(began) != after {
				t.Errorf("%d %s after %v", got.status, got.message, time.Since(began))
			}
			stop()
			if err := <-ended; err != nil {
				t.Error(err)
			}
			client.CloseIdleConnections()
		})
	}
}
