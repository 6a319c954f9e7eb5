package wp

import (
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// How long a site asks to be left alone, by its own clock where it tells it.
func TestRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		soon := time.Now().Add(42 * time.Second).UTC().Format(http.TimeFormat)
		for _, c := range []struct {
			says, date string
			want       time.Duration
		}{
			{"", "", 0},
			{"7", "", 7 * time.Second},
			{" 7 ", "", 7 * time.Second},
			{"0", "", 0},
			{"-7", "", 0},
			{"7s", "", 0},
			{"1e3", "", 0},
			{"86401", "", 24 * time.Hour},
			{"99999999999999999999999", "", 24 * time.Hour},
			{soon, "", 42 * time.Second},
			{soon, "no date", 42 * time.Second},
			{"Mon, 01 Jan 2024 00:01:30 GMT", "Mon, 01 Jan 2024 00:00:00 GMT", 90 * time.Second},
			{"Monday, 01-Jan-24 00:01:30 GMT", "Mon, 01 Jan 2024 00:00:00 GMT", 90 * time.Second},
			{"Mon, 01 Jan 2024 00:00:00 GMT", "Mon, 01 Jan 2024 00:00:01 GMT", 0},
			{"Mon, 01 Jan 2024 00:00:00 GMT", "", 24 * time.Hour}, // the bubble's clock begins in 2000
		} {
			h := http.Header{"Retry-After": {c.says}, "Date": {c.date}}
			if got := retryAfter(h); got != c.want {
				t.Errorf("%+v: %v", c, got)
			}
		}
	})
}

// A read may say which answer is known; that it still holds is an answer too, and
// only then.
func TestConditional(t *testing.T) {
	var seen []string
	c := client(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Header.Get("If-None-Match")+" "+r.Header.Get("If-Modified-Since"))
		w.Header().Set("ETag", `"b"`)
		w.Header().Set("Last-Modified", strings.Repeat("x", maxValidator+1))
		w.WriteHeader(http.StatusNotModified)
	}), Options{})
	known := Validators{ETag: `W/"a"`, LastModified: "Mon, 01 Jan 2024 00:00:00 GMT"}
	resp, err := c.Do(t.Context(), Request{Method: "GET", Segments: []string{"a"}, Since: known})
	if err != nil || resp.Status != 304 || len(resp.JSON) > 0 {
		t.Fatalf("%+v %v", resp, err)
	}
	if diff := cmp.Diff(Validators{ETag: `"b"`, LastModified: known.LastModified}, resp.Validators().Or(known)); diff != "" {
		t.Error(diff)
	}
	var e *Error
	if _, err = c.Do(t.Context(), Request{Method: "GET", Segments: []string{"a"}}); !errors.As(err, &e) || e.Kind != NotJSON || e.Status != 304 {
		t.Errorf("nothing is known, and nothing has changed: %v", err)
	}
	if diff := cmp.Diff([]string{`W/"a" Mon, 01 Jan 2024 00:00:00 GMT`, " "}, seen); diff != "" {
		t.Error(diff)
	}
}

// Clients have one identity where they are somebody's at one site, which tells
// nothing of who that is.
func TestIdentity(t *testing.T) {
	base, _ := url.Parse("https://shop.example/wp-json/")
	there := func(address string, opts Options) *Client {
		u, _ := url.Parse(address)
		c, err := NewClient(u, opts)
		if err != nil {
			t.Fatal(err)
		}
		return c.At(u)
	}
	ana := Options{Credential: Credential{User: "ana", Password: NewSecret("secret password")}}
	c := there(base.String(), ana)
	again, err := c.As(ana.Credential)
	if err != nil {
		t.Fatal(err)
	}
	for name, same := range map[string]*Client{"made anew": there(base.String(), ana), "for a profile": c.For("editor"), "within bounds": c.Within(time.Hour, 1), "as the same": again} {
		if same.Identity() != c.Identity() {
			t.Errorf("%s: another identity", name)
		}
	}
	store := ana
	store.Store = Credential{Key: NewSecret("ck"), Password: NewSecret("cs")}
	host := ana
	host.Host = "other.example"
	ids := map[string]string{c.Identity(): "ana"}
	for name, other := range map[string]*Client{
		"nobody":           c.Anonymously(),
		"another password": there(base.String(), Options{Credential: Credential{User: "ana", Password: NewSecret("secret passwore")}}),
		"another user":     there(base.String(), Options{Credential: Credential{User: "ben", Password: NewSecret("secret password")}}),
		"a token":          there(base.String(), Options{Credential: Credential{Token: NewSecret("secret password")}}),
		"parted elsewhere": there(base.String(), Options{Credential: Credential{User: "an", Password: NewSecret("asecret password")}}),
		"with a store":     there(base.String(), store),
		"another host":     there(base.String(), host),
		"another root":     there("https://shop.example/blog/wp-json/", ana),
		"another origin":   there("https://shop.example:444/wp-json/", ana),
	} {
		id := other.Identity()
		if ids[id] != "" || strings.Contains(id, "secret") || len(id) != 64 {
			t.Errorf("%s has the identity of %s, %q", name, ids[id], id)
		}
		ids[id] = name
	}
}

// The site's log says which profile asked.
func TestProfileInUserAgent(t *testing.T) {
	var seen []string
	c := client(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.UserAgent())
		fmt.Fprint(w, "{}")
	}), Options{UserAgent: "toolpress/1 (go)"})
	for _, c := range []*Client{c, c.For("editor")} {
		if _, err := c.Do(t.Context(), Request{Method: "GET", Segments: []string{"a"}}); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"toolpress/1 (go)", "toolpress/1 (go) profile/editor"}, seen); diff != "" {
		t.Error(diff)
	}
}

// A site that speaks HTTP/2 is asked so, and may compress.
func TestHTTP2AndGzip(t *testing.T) {
	var seen []string
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, r.Proto+" "+r.Header.Get("Accept-Encoding"))
		fmt.Fprint(w, "{}")
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	authorities := x509.NewCertPool()
	authorities.AddCert(server.Certificate())
	if _, err := clientAt(t, server.URL, Options{Authorities: authorities}).Do(t.Context(), Request{Method: "GET", Segments: []string{"a"}}); err != nil {
		t.Fatal(err)
	}
	plain := client(t, server.Config.Handler, Options{})
	if _, err := plain.Do(t.Context(), Request{Method: "GET", Segments: []string{"a"}}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"HTTP/2.0 gzip", "HTTP/1.1 gzip"}, seen); diff != "" {
		t.Error(diff)
	}
}

// As many connections are kept as there may be requests at the same time.
func TestPool(t *testing.T) {
	for concurrency, at := range map[int]int{0: minIdle, 20: 20} {
		var made atomic.Int64
		arrived, all := make(chan struct{}), make(chan struct{})
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			arrived <- struct{}{}
			<-all
			fmt.Fprint(w, "{}")
		}))
		server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				made.Add(1)
			}
		}
		server.Start()
		c := clientAt(t, server.URL, Options{Pace: Pace{Concurrency: concurrency}})
		for range 2 {
			var wg sync.WaitGroup
			for range at {
				wg.Go(func() {
					if _, err := c.Do(t.Context(), Request{Method: "GET", Segments: []string{"a"}}); err != nil {
						t.Error(err)
					}
				})
			}
			for range at {
				<-arrived
			}
			for range at { // nobody is answered before all are there
				all <- struct{}{}
			}
			wg.Wait()
		}
		if made.Load() != int64(at) {
			t.Errorf("concurrency %d: %d connections for %d at once", concurrency, made.Load(), at)
		}
		c.Close()
		server.Close()
	}
}
