// Package serving measures what toolpress adds to a site, and writes what it finds
// into docs/benchmarks.md:
//
//	make bench
//
// The benchmarks are conversations over loopback, client and server in one
// process: its allocations are those of both. What a figure is held against is
// measured in the same run.
package serving

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"toolpress/curate"
	"toolpress/discover"
	"toolpress/discover/wp"
	"toolpress/discover/wptest"
	"toolpress/generate"
	"toolpress/runtime"
)

// address is where a server listens, and client one that keeps its connections.
func address(b testing.TB, handler http.Handler) string {
	b.Helper()
	server := httptest.NewServer(handler)
	b.Cleanup(server.Close)
	return server.URL
}

func client(b *testing.B) *http.Client {
	b.Helper()
	t := &http.Transport{MaxIdleConnsPerHost: 100, DialContext: (&net.Dialer{}).DialContext}
	b.Cleanup(t.CloseIdleConnections)
	return &http.Client{Transport: t}
}

// rpc is a request of 2026-07-28 to an MCP server.
func rpc(at, method, name, params string) *http.Request {
	body := `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}` + params + `}}`
	r := post(at, body)
	r.Header.Set("Mcp-Protocol-Version", "2026-07-28")
	r.Header.Set("Mcp-Method", method)
	if name != "" {
		r.Header.Set("Mcp-Name", name)
	}
	return r
}

// post is a request with a body of JSON.
func post(at, body string) *http.Request {
	r, err := http.NewRequest(http.MethodPost, at, strings.NewReader(body))
	if err != nil {
		panic(err) // an address of ours
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	return r
}

// exchange sends a copy of a request and reads the answer to its end.
func exchange(c *http.Client, r *http.Request) (size int64, err error) {
	again := r.Clone(context.Background())
	if r.GetBody != nil {
		if again.Body, err = r.GetBody(); err != nil {
			return 0, err
		}
	}
	resp, err := c.Do(again)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	size, err = io.Copy(io.Discard, resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("status %d", resp.StatusCode)
	}
	return size, err
}

// check reads one answer and fails unless it has a text in it.
func check(b *testing.B, c *http.Client, r *http.Request, want string) []byte {
	b.Helper()
	again := r.Clone(b.Context())
	if r.GetBody != nil {
		again.Body, _ = r.GetBody()
	}
	resp, err := c.Do(again)
	if err != nil {
		b.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || !bytes.Contains(body, []byte(want)) {
		b.Fatalf("%d %.500s %v, want %q in it", resp.StatusCode, body, err, want)
	}
	return body
}

// exchanges has clients send a request b.N times, all together.
func exchanges(b *testing.B, c *http.Client, r *http.Request, clients int) {
	b.Helper()
	b.ReportAllocs()
	var left atomic.Int64
	left.Store(int64(b.N))
	var failed atomic.Value
	b.ResetTimer()
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for left.Add(-1) >= 0 {
				if _, err := exchange(c, r); err != nil {
					failed.Store(err)
				}
			}
		})
	}
	all.Wait()
	b.StopTimer()
	if err := failed.Load(); err != nil {
		b.Fatal(err)
	}
}

// bookshop is the embedded WordPress as its editor sees it, and what is served of
// it without a curation.
func bookshop(b *testing.B) (*curate.Catalog, *wptest.Site, wp.Credential) {
	b.Helper()
	shop := wptest.New()
	at, _ := url.Parse(address(b, shop))
	u := shop.Users()[slices.IndexFunc(shop.Users(), func(u wptest.User) bool { return u.Role == "editor" })]
	who := wp.Credential{User: u.Login, Password: wp.NewSecret(u.Password)}
	root, err := discover.Find(b.Context(), at, wp.Options{Credential: who})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(root.Client().Close)
	site, err := root.Read(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	c, err := curate.BuiltIn()
	if err != nil {
		b.Fatal(err)
	}
	made, _ := c.Apply(generate.FromSite(site), nil)
	for _, t := range made.Profiles[curate.DefaultProfile].Tools {
		t.Calls = curate.Rate{Calls: 1e9, Per: time.Second} // what is measured is not how often one may
	}
	return made, shop, who
}

// catalogOf is a site of so many routes, each a tool with arguments as
// collections of WordPress have them.
func catalogOf(tools int, mark string) *curate.Catalog {
	site := &discover.Site{URL: "https://shop.example", Root: "https://shop.example/wp-json/"}
	for i := range tools {
		path := fmt.Sprintf("/shop/v1/things%04d", i)
		site.Routes = append(site.Routes, discover.Route{
			Path: path, Pattern: path, Namespace: "shop/v1",
			Endpoints: []discover.Endpoint{{Methods: []string{"GET"}, Args: map[string]any{
				"page":     map[string]any{"type": "integer", "minimum": 1, "default": 1, "description": "Current page of the collection."},
				"per_page": map[string]any{"type": "integer", "minimum": 1, "maximum": 100, "default": 10, "description": "Maximum number of items to be returned in result set."},
				"search":   map[string]any{"type": "string", "description": "Limit results to those matching a string. " + mark},
				"status":   map[string]any{"type": "string", "enum": []any{"publish", "draft", "private"}, "default": "publish"},
				"include":  map[string]any{"type": "array", "items": map[string]any{"type": "integer"}, "description": "Limit result set to specific IDs."},
			}}},
		})
	}
	return &curate.Catalog{Site: site.URL, Profiles: map[string]*curate.Profile{curate.DefaultProfile: curate.Raw(generate.FromSite(site))}}
}

// serve is toolpress's server for a catalog, at its MCP address.
func serve(b testing.TB, c *curate.Catalog, opts runtime.Options) (s *runtime.Server, at string) {
	b.Helper()
	s = runtime.NewServer(c, opts)
	at = address(b, s.Handler()) + "/mcp"
	b.Cleanup(func() {
		if err := s.Shutdown(context.Background()); err != nil {
			b.Error(err)
		}
	})
	return s, at
}

// canned answers each path with what another site answered it with once.
func canned(b *testing.B, site http.Handler, who wp.Credential) http.Handler {
	b.Helper()
	var kept sync.Map
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, known := kept.Load(r.URL.String())
		if !known {
			rec := httptest.NewRecorder()
			who.Sign(r)
			site.ServeHTTP(rec, r)
			answer, _ = kept.LoadOrStore(r.URL.String(), rec)
		}
		rec := answer.(*httptest.ResponseRecorder)
		maps.Copy(w.Header(), rec.Header())
		w.WriteHeader(cmp.Or(rec.Code, 200))
		_, _ = w.Write(rec.Body.Bytes()) // the client may be gone
	})
}
