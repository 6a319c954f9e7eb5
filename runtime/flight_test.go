package runtime

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
	"toolpress/discover/wp"
)

// A hundred equal calls at once are one request, and each has a result of its own.
func TestShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &upstream{do: func(ctx context.Context, r wp.Request, n int) (*wp.Response, error) {
			<-time.After(time.Second)
			return counting(ctx, r, n)
		}}
		s := onShelf(t, site, "")
		results := make([]*mcp.CallToolResult, 100)
		for i := range results {
			go func() { results[i], _ = called(t, s, "list", "") }()
		}
		synctest.Wait()
		if site.count() != 1 {
			t.Errorf("%d requests", site.count())
		}
		<-time.After(time.Second)
		synctest.Wait()
		first := results[0]
		first.StructuredContent.(json.RawMessage)[0] = 'X'
		first.Content[0] = nil
		for i, res := range results[1:] {
			if value := string(res.StructuredContent.(json.RawMessage)); value != `{"n":1}` || res.Content[0].(*mcp.TextContent).Text != value || res.Meta[ageKey] != nil {
				t.Fatalf("%d: %s %+v", i+1, value, res)
			}
		}
		kept, _ := called(t, s, "list", "")
		kept.StructuredContent.(json.RawMessage)[0] = 'X'
		if _, text := called(t, s, "list", ""); text != `{"n":1}` || site.count() != 1 {
			t.Errorf("%s after %d requests", text, site.count())
		}
	})
}

// waits for it, and who comes then begins another.
func TestGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := 0
		site := &upstream{do: func(ctx context.Context, r wp.Request, n int) (*wp.Response, error) {
			select {
			case <-time.After(10 * time.Second):
				return counting(ctx, r, n)
			case <-ctx.Done():
				ended++
				<-time.After(time.Second) // it takes a while to end
				return nil, &wp.Error{Kind: wp.Broken, Sent: true, Method: r.Method, Err: ctx.Err()}
			}
		}}
		s := onShelf(t, site, "")
		call := func(ctx context.Context) <-chan string {
			said := make(chan string, 1)
			go func() {
				res, err := s.Call(ctx, curate.DefaultProfile, "list", nil)
				if err != nil {
					t.Error(err)
				}
				said <- res.Content[0].(*mcp.TextContent).Text
			}()
			synctest.Wait()
			return said
		}
		began, end := context.WithCancel(t.Context())
		first, second := call(began), call(t.Context())
		end()
		if text := <-first; !strings.Contains(text, "did not answer in time") || time.Since(site.start) > 0 || ended > 0 {
			t.Errorf("who gives up: %s after %v, %d requests ended", text, time.Since(site.start), ended)
		}
		if text := <-second; text != `{"n":1}` || time.Since(site.start) != 10*time.Second {
			t.Errorf("who waits: %s after %v", text, time.Since(site.start))
		}
		s.Forget()

		began, end = context.WithCancel(t.Context())
		first, second = call(began), call(began)
		end()
		<-first
		<-second
		synctest.Wait()
		if ended != 1 || site.count() != 2 {
			t.Errorf("%d of %d requests ended", ended, site.count())
		}
		if text := <-call(t.Context()); text != `{"n":3}` {
			t.Errorf("who comes after: %s", text)
		}
		if len(s.cache.flights) > 0 {
			t.Errorf("%d are on their way", len(s.cache.flights))
		}
	})
}

// may still be at it: who reads what came of a write reads that.
func TestWriteMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &upstream{do: func(ctx context.Context, r wp.Request, n int) (*wp.Response, error) {
			if r.Method == "POST" {
				if n == 2 {
					return given(`{}`), nil
				}
				return nil, &wp.Error{Kind: wp.TimedOut, Sent: true, Method: "POST"}
			}
			if n == 1 {
				<-time.After(10 * time.Second)
			}
			return counting(ctx, r, n)
		}}
		s := onShelf(t, site, "")
		before := make(chan string)
		go func() { _, text := called(t, s, "list", ""); before <- text }()
		synctest.Wait()
		called(t, s, "save", `{"id":1}`)
		if _, text := called(t, s, "list", ""); text != `{"n":3}` {
			t.Errorf("it joined a request from before: %s", text)
		}
		if text := <-before; text != `{"n":1}` {
			t.Errorf("who waited: %s", text)
		}
		if _, text := called(t, s, "list", ""); text != `{"n":3}` {
			t.Errorf("an older answer was kept: %s", text)
		}
		if _, text := called(t, s, "save", `{"id":1}`); !strings.Contains(text, "outcome is unknown") {
			t.Fatal(text)
		}
		for _, want := range []string{`{"n":5}`, `{"n":6}`} {
			if _, text := called(t, s, "list", ""); text != want {
				t.Errorf("kept while a write may still happen: %s", text)
			}
		}
		<-time.After(unsettled)
		for range 2 {
			if _, text := called(t, s, "list", ""); text != `{"n":7}` {
				t.Errorf("not kept after it: %s", text)
			}
		}
	})
}

// a panic, which ends a call and not the process.
func TestFailuresAreNotKept(t *testing.T) {
	for name, c := range map[string]func() (*wp.Response, error){
		"refused":  func() (*wp.Response, error) { return nil, &wp.Error{Kind: wp.Refused, Status: 403, Sent: true} },
		"too much": func() (*wp.Response, error) { return given(`{"n":[` + strings.Repeat("1,", 20<<10) + `1]}`), nil },
		"panic":    func() (*wp.Response, error) { panic("CANARY") },
		"nothing":  func() (*wp.Response, error) { return nil, nil },
	} {
		var log logs
		site := &upstream{do: func(ctx context.Context, r wp.Request, n int) (*wp.Response, error) {
			if n == 1 {
				return c()
			}
			return counting(ctx, r, n)
		}}
		s := onShelf(t, site, "")
		s.opts.Log = log.logger()
		res, err := s.Call(t.Context(), curate.DefaultProfile, "list", nil)
		if coded, ours := err.(*jsonrpc.Error); ours && coded.Message != "internal error" || !ours && !res.IsError {
			t.Errorf("%s: %+v %v", name, res, err)
		}
		if name == "panic" && !strings.Contains(log.String(), "flight_test.go") {
			t.Errorf("the log does not say where: %s", log.String())
		}
		if res, text := called(t, s, "list", ""); text != `{"n":2}` || res.Meta[ageKey] != nil {
			t.Errorf("%s: then %s", name, text)
		}
	}
}

// An error is not kept, whatever it holds.
func TestErrorResultIsNotKept(t *testing.T) {
	c := newCache()
	failed := &mcp.CallToolResult{IsError: true, StructuredContent: json.RawMessage(`{}`)}
	got := c.get(t.Context(), reading{hold: time.Hour, ask: func(context.Context, wp.Validators) outcome { return outcome{result: failed} }})
	if got.result != failed || len(c.entries) != 0 {
		t.Errorf("%+v, %d kept", got, len(c.entries))
	}
}
