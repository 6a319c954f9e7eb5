package runtime

import (
	"context"
	"encoding/json"
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

	"toolpress/discover/wp"
	"toolpress/runtime/once"
)

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
		if strings.Contains(whole(res), filepath.Dir(file)) || !strings.Contains(log.String(), file) {
			t.Errorf("says %s\nlogs %s", whole(res), log.String())
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
			if said := whole(res); !strings.Contains(said, c.says) || strings.Contains(said, c.not) || asked != c.asked || site.n.Load() != c.requests {
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
			if strings.Contains(whole(res), "The outcome is unknown") {
				unknown++
			}
		}
		if seen.Load() != round.sees || unknown != round.lost {
			t.Errorf("%s: the site saw %d calls, want %d; %d are unknown, want %d", round.tool, seen.Load(), round.sees, unknown, round.lost)
		}
	}
}
