package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
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

// text is all that a result says, the result itself first.
func text(res *mcp.CallToolResult) string {
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
	marked := strings.Contains(text(res), "This is the result of the first call") && res.Meta[firstCall] != nil
	if res.IsError || decoded(t, string(value)) != decoded(t, want) || res.Content[0].(*mcp.TextContent).Text != string(value) || marked != again {
		t.Errorf("%s: %s%v, want %s, again %t", what, text(res), res.Meta, want, again)
	}
}

// refuses wants a call to say something and the site to have been asked n times.
func refuses(t *testing.T, what string, res *mcp.CallToolResult, site *till, n int64, says ...string) {
	t.Helper()
	for _, one := range says {
		if !res.IsError || !strings.Contains(text(res), one) {
			t.Errorf("%s: %s\nwant %s", what, text(res), one)
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
			s := NewServer(keyedOrders(t, idempotency, ""), Options{Site: site, Calls: once.New(filepath.Join(t.TempDir(), "calls.jsonl"))})
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
			site := &till{fails: func(n int64) error {
				if n == 1 {
					return c.err
				}
				return nil
			}}
			s := NewServer(keyedOrders(t, byArgument, ""), Options{Site: site})
			first := as(t, s, t.Context(), "a", "default", `{"item":1,"key":"k"}`)
			if !c.kept {
				refuses(t, what, first, site, 1, "Next: ")
				got(t, what, as(t, s, t.Context(), "a", "default", `{"item":2,"key":"k"}`), 2, false)
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

// A client that goes away ends no call that was begun: who repeats it gets its
// result. One that has gone before begins none.
func TestClientGoesAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &till{takes: 5 * time.Second}
		s := NewServer(keyedOrders(t, byArgument, ""), Options{Site: site})
		ctx, leave := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() { as(t, s, ctx, "a", "default", `{"item":1,"key":"k"}`) })
		time.Sleep(time.Second)
		leave()
		got(t, "the repetition", as(t, s, t.Context(), "a", "default", `{"item":1,"key":"k"}`), 1, true)
		wg.Wait()
		refuses(t, "gone before", as(t, s, ctx, "a", "default", `{"item":1,"key":"new"}`), site, 1, "Nothing was sent")
		got(t, "nothing was begun", as(t, s, t.Context(), "a", "default", `{"item":2,"key":"new"}`), 2, false)
	})
}

// Who waits has its own time. The first call's time bounds the first call.
func TestWaitingHasItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &till{takes: time.Hour}
		s := NewServer(keyedOrders(t, byArgument, ", timeout: 60s"), Options{Site: site})
		began := time.Now()
		var wg sync.WaitGroup
		wg.Go(func() {
			refuses(t, "first", as(t, s, t.Context(), "a", "default", `{"item":1,"key":"k"}`), site, 1, "The outcome is unknown")
			if took := time.Since(began); took != 65*time.Second {
				t.Errorf("took %v", took)
			}
		})
		time.Sleep(time.Second)
		short, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		refuses(t, "short", as(t, s, short, "a", "default", `{"item":1,"key":"k"}`), site, 1, "is still being made", "repeat this very call")
		refuses(t, "long", as(t, s, t.Context(), "a", "default", `{"item":1,"key":"k"}`), site, 1, "The outcome is unknown")
		wg.Wait()
	})
}

// T34: a key survives a restart, also what was in flight when the process ended.
func TestKeysSurviveARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "calls.jsonl")
		site := &till{}
		begin := func() *Server {
			return NewServer(keyedOrders(t, byArgument, ""), Options{Site: site, Calls: once.New(file)})
		}
		got(t, "first", as(t, begin(), t.Context(), "CANARY-a", "default", `{"item":1,"key":"CANARY-k"}`), 1, false)
		got(t, "after a restart", as(t, begin(), t.Context(), "CANARY-a", "default", `{"item":1,"key":"CANARY-k"}`), 1, true)
		refuses(t, "other arguments", as(t, begin(), t.Context(), "CANARY-a", "default", `{"item":2,"key":"CANARY-k"}`), site, 1, "was used for another call")
		text, err := os.ReadFile(file)
		if err != nil || strings.Contains(string(text), "CANARY") || strings.Contains(string(text), "secret") {
			t.Errorf("%v\n%s", err, text)
		}

		// Shutting down ends a call that the site does not answer, within the grace.
		site.takes = time.Hour
		s := begin()
		var wg sync.WaitGroup
		wg.Go(func() {
			refuses(t, "in flight", as(t, s, t.Context(), "a", "default", `{"item":1,"key":"cut"}`), site, 2, "The outcome is unknown")
		})
		synctest.Wait()
		began := time.Now()
		s.abort()
		wg.Wait()
		if took := time.Since(began); took != 0 {
			t.Errorf("ended after %v", took)
		}
		refuses(t, "after it", as(t, begin(), t.Context(), "a", "default", `{"item":1,"key":"cut"}`), site, 2, "The outcome is unknown")
	})
}

// What cannot be remembered is not called, and the log names the file; a model has
// no use for it. Other tools are called.
func TestNothingIsCalledWithoutMemory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file", "calls.jsonl")
	if err := os.WriteFile(filepath.Dir(file), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, more := range []string{"", ", confirm: { when: always }"} {
		var log logs
		site := &till{}
		s := NewServer(keyedOrders(t, byArgument, more), Options{Site: site, Log: log.logger(), Calls: once.New(file)})
		res := as(t, s, t.Context(), "a", "default", `{"item":1,"key":"k"}`)
		refuses(t, more, res, site, 0, "order was not run", "Nothing was changed", "tell the user")
		if strings.Contains(text(res), filepath.Dir(file)) || !strings.Contains(log.String(), file) {
			t.Errorf("says %s\nlogs %s", text(res), log.String())
		}
		if res, err := s.Call(t.Context(), "default", "plain", json.RawMessage(`{"item":1}`)); err != nil || res.IsError || site.n.Load() != 1 {
			t.Errorf("%+v %v", res, err)
		}
	}
}

// A key is used once a person has confirmed: after a no it is free. Nobody is asked
// about a call that was made, or that its key refuses; through every era.
func TestKeyAndConfirmation(t *testing.T) {
	for _, era := range eras {
		site := &till{}
		_, web := serve(t, keyedOrders(t, byArgument, `, confirm: { when: always, ask: "Order {item}?" }`), Options{Site: site})
		answer, asked := "decline", 0
		cs := connect(t, web.URL+"/mcp", era, nil, &mcp.ClientOptions{
			ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				asked++
				return &mcp.ElicitResult{Action: answer}, nil
			},
		})
		if _, err := cs.ListTools(t.Context(), nil); err != nil { // the client checks results by it
			t.Fatal(err)
		}
		for i, c := range []struct {
			answer    string
			item      int
			asked     int
			requests  int64
			says, not string
		}{
			{"decline", 1, 1, 0, "said no", "first call"},
			{"accept", 2, 2, 1, `"id":1`, "first call"},
			{"accept", 2, 2, 1, `"id":1`, "nothing"},
			{"accept", 2, 2, 1, "This is the result of the first call with this key", "nothing"},
			{"accept", 3, 2, 1, "was used for another call", `"id"`},
		} {
			answer = c.answer
			res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "order", Arguments: map[string]any{"item": c.item, "key": "k"}})
			if err != nil {
				t.Fatal(err)
			}
			if said := text(res); !strings.Contains(said, c.says) || strings.Contains(said, c.not) || asked != c.asked || site.n.Load() != c.requests {
				t.Errorf("%s: %d: asked %d times, %d requests: %s", era, i, asked, site.n.Load(), said)
			}
			if again := i == 2 || i == 3; (res.Meta[firstCall] != nil) != again || again && res.StructuredContent == nil {
				t.Errorf("%s: %d: %v %v", era, i, res.Meta, res.StructuredContent)
			}
		}
	}
}

// T34: a site that does what is asked and then cuts the connection sees each of a
// thousand calls once, whether they have a key or not: nothing below repeats a write.
// With a key, the same calls again are a thousand that are not sent.
func TestWritesAreNeverRepeated(t *testing.T) {
	var seen atomic.Int64
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n := seen.Add(1); n%2 == 0 {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"id":1}`)) // and its connection is kept
			return
		}
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_ = conn.Close()
	}))
	defer site.Close()
	root, err := url.Parse(site.URL + "/wp-json/")
	if err != nil {
		t.Fatal(err)
	}
	client, err := wp.NewClient(root, wp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	s := NewServer(keyedOrders(t, byArgument, ""), Options{Site: client.At(root)})
	unknown := 0
	for _, round := range []struct {
		tool string
		sees int64
		lost int
	}{{"plain", 1000, 500}, {"order", 1000, 500}, {"order", 0, 500}} {
		seen.Store(0)
		unknown = 0
		for i := range 1000 {
			arguments := fmt.Sprintf(`{"item":1,"key":"k%d"}`, i)
			if round.tool == "plain" {
				arguments = `{"item":1}`
			}
			res, err := s.Call(t.Context(), "default", round.tool, json.RawMessage(arguments))
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(text(res), "The outcome is unknown") {
				unknown++
			}
		}
		if seen.Load() != round.sees || unknown != round.lost {
			t.Errorf("%s: the site saw %d calls, want %d; %d are unknown, want %d", round.tool, seen.Load(), round.sees, unknown, round.lost)
		}
	}
}
