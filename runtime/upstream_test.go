package runtime

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
	"toolpress/discover"
	"toolpress/discover/wp"
	"toolpress/generate"
)

// shelf is the catalog of a site with things, others and two abilities, as the
// whole pipeline makes it: tools list, read, others, look, poke, count, add, save
// and change.
func shelf(t *testing.T, more string) *curate.Catalog {
	t.Helper()
	id := []discover.PathParam{{Name: "id", Pattern: `[\d]+`}}
	args := map[string]any{"kind": map[string]any{"type": "string"}, "page": map[string]any{"type": "integer"}}
	get, post := discover.Endpoint{Methods: []string{"GET"}, Args: args}, discover.Endpoint{Methods: []string{"POST"}, Args: args}
	site := &discover.Site{URL: "https://t.example", Root: "https://t.example/wp-json/", Routes: []discover.Route{
		{Path: "/t/v1/things/count", Pattern: "/t/v1/things/count", Namespace: "t/v1", Endpoints: []discover.Endpoint{post}},
		{Path: "/t/v1/others", Pattern: "/t/v1/others", Namespace: "t/v1", Endpoints: []discover.Endpoint{get}},
		{Path: "/t/v1/things/poke", Pattern: "/t/v1/things/poke", Namespace: "t/v1", Endpoints: []discover.Endpoint{get}},
		{Path: "/t/v1/things", Pattern: "/t/v1/things", Namespace: "t/v1", Endpoints: []discover.Endpoint{get, post}},
		{Path: "/t/v1/things/{id}", Pattern: `/t/v1/things/(?P<id>[\d]+)`, Namespace: "t/v1", Params: id, Endpoints: []discover.Endpoint{get, post}},
	}, Abilities: []discover.Ability{
		{Name: "acme/change", Meta: map[string]any{"annotations": map[string]any{"readonly": false}}},
		{Name: "acme/look", Meta: map[string]any{"annotations": map[string]any{"readonly": true}}},
	}}
	c, err := curate.Parse("curation.yaml", []byte(`version: 1
defaults: { confirm: { when: never } }
tools:
  list: { from: GET /t/v1/things, cache: 10m }
  read: { from: "GET /t/v1/things/{id}", cache: 10m }
  others: { from: GET /t/v1/others, cache: 10m }
  look: { from: "ability:acme/look", cache: 10m }
  poke: { from: GET /t/v1/things/poke, annotations: { read_only: false } }
  count: { from: POST /t/v1/things/count, annotations: { read_only: true } }
  add: { from: POST /t/v1/things }
  save: { from: "POST /t/v1/things/{id}" }
  change: { from: "ability:acme/change" }
`+more), nil)
	if err != nil {
		t.Fatal(err)
	}
	made, findings := c.Apply(generate.FromSite(site), nil)
	if errs := findings.Errors(); len(errs) > 0 || made.Profiles[curate.DefaultProfile] == nil {
		t.Fatal(findings, made.Withheld)
	}
	return made
}

// upstream is a site with an identity that answers by a function, and remembers
// what it was asked and when.
type upstream struct {
	who   string
	do    func(ctx context.Context, r wp.Request, n int) (*wp.Response, error) // n counts from 1
	start time.Time

	mu    sync.Mutex
	asked []wp.Request
	at    []time.Duration
}

func (u *upstream) Identity() string { return u.who }

func (u *upstream) Do(ctx context.Context, r wp.Request) (*wp.Response, error) {
	u.mu.Lock()
	u.asked, u.at = append(u.asked, r), append(u.at, time.Since(u.start))
	n := len(u.asked)
	u.mu.Unlock()
	return u.do(ctx, r, n)
}

func (u *upstream) count() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.asked)
}

// counting answers {"n":1}, {"n":2}, … as often as it is asked.
func counting(_ context.Context, _ wp.Request, n int) (*wp.Response, error) {
	return given(fmt.Sprintf(`{"n":%d}`, n)), nil
}

func given(text string, headers ...string) *wp.Response {
	h := http.Header{}
	for i := 0; i < len(headers); i += 2 {
		h.Set(headers[i], headers[i+1])
	}
	return &wp.Response{Status: 200, Header: h, JSON: json.RawMessage(text)}
}

// onShelf serves the shelf from a site whose waits are not random but the longest.
func onShelf(t *testing.T, site *upstream, more string) *Server {
	t.Helper()
	site.start = time.Now()
	if site.who == "" {
		site.who = "ana"
	}
	s := NewServer(shelf(t, more), Options{MaxCallsEach: 200, Site: site})
	s.jitter = func(most time.Duration) time.Duration { return most }
	return s
}

// called calls a tool of the default profile and returns its result with the
// text of it.
func called(t *testing.T, s *Server, tool, arguments string) (*mcp.CallToolResult, string) {
	t.Helper()
	res, err := s.Call(t.Context(), curate.DefaultProfile, tool, json.RawMessage(arguments))
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return res, res.Content[0].(*mcp.TextContent).Text
}
