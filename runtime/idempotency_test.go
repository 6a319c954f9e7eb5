package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
	"toolpress/discover"
	"toolpress/discover/wp"
	"toolpress/generate"
	"toolpress/runtime/once"
)

// keyedOrders is a catalog whose tool order has a key, or without argument makes one of
// the call; find reads what it changes. plain has neither.
func keyedOrders(t *testing.T, idempotency, more string) *curate.Catalog {
	t.Helper()
	body := map[string]any{"item": map[string]any{"type": "integer", "required": true}}
	site := &discover.Site{URL: "https://t.example", Root: "https://t.example/wp-json/", Routes: []discover.Route{{
		Path: "/t/v1/orders", Pattern: "/t/v1/orders", Namespace: "t/v1",
		Endpoints: []discover.Endpoint{{Methods: []string{"GET"}, Args: map[string]any{}}, {Methods: []string{"POST"}, Args: body}},
	}}}
	text := `version: 1
rules: [{ match: { method: [GET, POST] }, set: { calls: 100000/s } }]
defaults: { confirm: { when: never } }
tools:
  order: { from: POST /t/v1/orders, idempotency: ` + idempotency + `, result: { pick: [id, text] }` + more + `, groups: [a] }
  plain: { from: POST /t/v1/orders, groups: [a] }
  find: { from: GET /t/v1/orders, groups: [a] }
groups: { a: { describe: All } }
profiles: { default: { groups: [a] }, other: { groups: [a] } }
`
	c, err := curate.Parse("curation.yaml", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	made, findings := c.Apply(generate.FromSite(site), nil)
	if len(findings) > 0 || len(made.Profiles["other"].Tools) != 3 {
		t.Fatal(findings, made.Withheld)
	}
	return made
}

const (
	byArgument = "{ argument: key, window: 24h }"
	byCall     = "{ window: 24h }"
)

// till is a site that takes orders and counts them.
type till struct {
	n     atomic.Int64
	takes time.Duration
	// fails is what it does instead, by the count of its calls; nil: nothing.
	fails func(n int64) error
}

func (s *till) Do(ctx context.Context, r wp.Request) (*wp.Response, error) {
	n := s.n.Add(1)
	select {
	case <-time.After(s.takes):
	case <-ctx.Done():
		return nil, &wp.Error{Kind: wp.TimedOut, Method: r.Method, Sent: true, Err: ctx.Err()}
	}
	if s.fails != nil {
		if err := s.fails(n); err != nil {
			return nil, err
		}
	}
	return &wp.Response{Status: 201, Header: http.Header{}, JSON: json.RawMessage(fmt.Sprintf(`{"text":"<1> 1.50","id":%d,"secret":1}`, n))}, nil
}

// as calls order as a principal through a profile.
func as(t *testing.T, s *Server, ctx context.Context, principal, profile, arguments string) *mcp.CallToolResult {
	t.Helper()
	p := s.current.Load().profiles[profile]
	a := p.admission(p.byName["order"])
	a.principal = principal
	res, err := s.call(ctx, a, json.RawMessage(arguments))
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// whole is all that a result says, the result itself first.
func whole(res *mcp.CallToolResult) string {
	var b strings.Builder
	for _, c := range res.Content {
		b.WriteString(c.(*mcp.TextContent).Text + "\n")
	}
	return b.String()
}

// got wants a call to have the order of a number: for the first time, or again.
func got(t *testing.T, what string, res *mcp.CallToolResult, id int, again bool) {
	t.Helper()
	want := fmt.Sprintf(`{"id":%d,"text":"<1> 1.50"}`, id)
	value, _ := res.StructuredContent.(json.RawMessage)
	marked := strings.Contains(whole(res), "This is the result of the first call") && res.Meta[firstCall] != nil
	if res.IsError || decoded(t, string(value)) != decoded(t, want) || res.Content[0].(*mcp.TextContent).Text != string(value) || marked != again {
		t.Errorf("%s: %s%v, want %s, again %t", what, whole(res), res.Meta, want, again)
	}
}

// refuses wants a call to say something and the site to have been asked n times.
func refuses(t *testing.T, what string, res *mcp.CallToolResult, site *till, n int64, says ...string) {
	t.Helper()
	for _, one := range says {
		if !res.IsError || !strings.Contains(whole(res), one) {
			t.Errorf("%s: %s\nwant %s", what, whole(res), one)
		}
	}
	if site.n.Load() != n {
		t.Errorf("%s: the site was asked %d times, want %d", what, site.n.Load(), n)
	}
}

// T34: fifty calls of one key are one request at the site, and all get its answer.
func TestOneKeyIsOneRequest(t *testing.T) {
	for idempotency, arguments := range map[string]string{byArgument: `{"item":1,"key":"k-1"}`, byCall: `{"item":1}`} {
		synctest.Test(t, func(t *testing.T) {
			site := &till{takes: 5 * time.Second}
			s := NewServer(keyedOrders(t, idempotency, ""), Options{MaxCallsEach: 100, Site: site, Calls: once.New(filepath.Join(t.TempDir(), "calls.jsonl"))})
			var wg sync.WaitGroup
			var first atomic.Int64
			for range 50 {
				wg.Go(func() {
					res := as(t, s, t.Context(), "a", "default", arguments)
					if res.Meta[firstCall] == nil {
						first.Add(1)
					}
					got(t, idempotency, res, 1, res.Meta[firstCall] != nil)
				})
			}
			wg.Wait()
			time.Sleep(24*time.Hour - time.Second)
			res := as(t, s, t.Context(), "a", "default", arguments)
			got(t, "within the window", res, 1, true)
			if site.n.Load() != 1 || first.Load() != 1 || res.Meta[firstCall] != "2000-01-01T00:00:00Z" {
				t.Errorf("%s: %d requests, %d first ones, %v", idempotency, site.n.Load(), first.Load(), res.Meta)
			}
			time.Sleep(time.Second)
			got(t, "after the window", as(t, s, t.Context(), "a", "default", arguments), 2, false)
		})
	}
}

// T34: another principal's key is its own, and so is another profile's. With other
// arguments a key is refused; without an argument they are another call.
func TestWhoseKeyItIs(t *testing.T) {
	site := &till{}
	s := NewServer(keyedOrders(t, byArgument, ""), Options{Site: site})
	got(t, "first", as(t, s, t.Context(), "a", "default", `{"item":1,"key":"k"}`), 1, false)
	got(t, "another principal", as(t, s, t.Context(), "b", "default", `{"item":1,"key":"k"}`), 2, false)
	got(t, "another profile", as(t, s, t.Context(), "a", "other", `{"item":1,"key":"k"}`), 3, false)
	got(t, "another key", as(t, s, t.Context(), "a", "default", `{"item":1,"key":"K"}`), 4, false)
	got(t, "the first one's", as(t, s, t.Context(), "a", "default", `{"key":"k","item":"1"}`), 1, true)
	got(t, "the other's", as(t, s, t.Context(), "b", "default", `{"item":1,"key":"k"}`), 2, true)
	refuses(t, "other arguments", as(t, s, t.Context(), "a", "default", `{"item":2,"key":"k"}`), site, 4, "this key was used for another call", "give a new key")
	refuses(t, "no key", as(t, s, t.Context(), "a", "default", `{"item":2}`), site, 4, "key is required")

	s = NewServer(keyedOrders(t, byCall, ""), Options{Site: site})
	got(t, "no argument", as(t, s, t.Context(), "a", "default", `{"item":1}`), 5, false)
	got(t, "another call", as(t, s, t.Context(), "a", "default", `{"item":2}`), 6, false)
	got(t, "the same call", as(t, s, t.Context(), "a", "default", `{"item":1}`), 5, true)
	got(t, "another principal's", as(t, s, t.Context(), "b", "default", `{"item":1}`), 7, false)
}

// What was surely not done gives the key back, with other arguments too; what may
// have been done does not, until its window has passed, and says how to look.
func TestOutcomeOfAKey(t *testing.T) {
	post := func(e wp.Error) error { e.Method = "POST"; return &e }
	for what, c := range map[string]struct {
		err  error
		kept bool
	}{
		"refused":             {post(wp.Error{Kind: wp.Refused, Status: 400, Code: "rest_invalid_param", Sent: true}), false},
		"not allowed":         {post(wp.Error{Kind: wp.Refused, Status: 403, Sent: true}), false},
		"no connection":       {post(wp.Error{Kind: wp.Unreachable}), false},
		"no turn":             {post(wp.Error{Kind: wp.Crowded}), false},
		"timeout before":      {post(wp.Error{Kind: wp.TimedOut}), false},
		"cannot be sent":      {&wp.RequestError{Err: errors.New("x")}, false},
		"something else":      {errors.New("x"), false},
		"connection reset":    {post(wp.Error{Kind: wp.Broken, Sent: true}), true},
		"timeout after":       {post(wp.Error{Kind: wp.TimedOut, Sent: true}), true},
		"given up":            {context.Canceled, true},
		"a fault of the site": {post(wp.Error{Kind: wp.Refused, Status: 500, Code: "internal_server_error", Sent: true}), true},
		"a page":              {post(wp.Error{Kind: wp.NotJSON, Status: 502, Sent: true}), true},
	} {
		synctest.Test(t, func(t *testing.T) {
			times := int64(1)
			if e := (*wp.Error)(nil); errors.As(c.err, &e) && !e.Sent && e.Kind != wp.Crowded {
				times = 1 + maxRepeats // without a connection nothing was done
			}
			site := &till{fails: func(n int64) error {
				if n <= times {
					return c.err
				}
				return nil
			}}
			s := NewServer(keyedOrders(t, byArgument, ""), Options{Site: site})
			first := as(t, s, t.Context(), "a", "default", `{"item":1,"key":"k"}`)
			if !c.kept {
				refuses(t, what, first, site, times, "Next: ")
				got(t, what, as(t, s, t.Context(), "a", "default", `{"item":2,"key":"k"}`), int(times)+1, false)
				return
			}
			refuses(t, what, first, site, 1, "The outcome is unknown", "First read what it should have changed with find, and only if it did not, call again with a new key.")
			refuses(t, what, as(t, s, t.Context(), "a", "default", `{"item":1,"key":"k"}`), site, 1,
				"order was not run again: the first call with this key, of 2000-01-01T00:00:00Z, was sent and its answer was lost", "with find, and only if it did not, call again with a new key.")
			refuses(t, what, as(t, s, t.Context(), "a", "default", `{"item":2,"key":"k"}`), site, 1, "was used for another call")
			got(t, what, as(t, s, t.Context(), "a", "default", `{"item":1,"key":"new"}`), 2, false)
			time.Sleep(24 * time.Hour)
			got(t, what, as(t, s, t.Context(), "a", "default", `{"item":1,"key":"k"}`), 3, false)

			site.n.Store(0)
			s = NewServer(keyedOrders(t, byCall, ""), Options{Site: site})
			refuses(t, what, as(t, s, t.Context(), "a", "default", `{"item":1}`), site, 1, "it is not made again. First read what it should have changed with find; if it did not, tell the user.")
			refuses(t, what, as(t, s, t.Context(), "a", "default", `{"item":1}`), site, 1, "The outcome is unknown")
		})
	}
}

// What is too large to give was done: that is said again, and a panic is unknown.
func TestDoneWithoutAResult(t *testing.T) {
	site := &till{}
	c := keyedOrders(t, byArgument, "")
	c.Profiles["default"].Tool("order").Result.MaxBytes = 5
	s := NewServer(c, Options{Site: site})
	refuses(t, "first", as(t, s, t.Context(), "a", "default", `{"item":1,"key":"k"}`), site, 1, "Done: the site carried it out.")
	refuses(t, "again", as(t, s, t.Context(), "a", "default", `{"item":1,"key":"k"}`), site, 1, "Done: the site carried it out.", "Nothing was sent again.")

	s = NewServer(keyedOrders(t, byArgument, ""), Options{Site: siteFunc(func(context.Context, wp.Request) (*wp.Response, error) { site.n.Add(1); panic("x") })})
	p := s.current.Load().profiles["default"]
	if res, err := s.call(t.Context(), p.admission(p.byName["order"]), json.RawMessage(`{"item":1,"key":"k"}`)); err == nil {
		t.Errorf("%+v", res)
	}
	refuses(t, "after a panic", as(t, s, t.Context(), "", "default", `{"item":1,"key":"k"}`), site, 2, "The outcome is unknown")
}
