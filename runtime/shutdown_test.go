package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/discover/wp"
)

// A shutdown with an open legacy stream, an open listen and a call under way:
// the call is answered, everything ends, nothing waits for the grace.
func TestShutdownEndsStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const takes = 3 * time.Second
		s := NewServer(catalog("one", "a"), Options{Site: siteFunc(func(ctx context.Context, _ wp.Request) (*wp.Response, error) {
			select {
			case <-time.After(takes):
				return &wp.Response{Status: 200, JSON: json.RawMessage(`{"done":true}`)}, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		})})
		network := newPipes()
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- s.Serve(ctx, network) }()

		client := network.client()
		changed := &mcp.ClientOptions{ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {}}
		results := make(chan string)
		var sessions []*mcp.ClientSession
		for _, era := range eras {
			cs := connect(t, "http://localhost/mcp", era, client, changed)
			sessions = append(sessions, cs)
			go func() {
				res, err := cs.CallTool(context.WithoutCancel(t.Context()), &mcp.CallToolParams{Name: "a"})
				if err != nil {
					results <- err.Error()
					return
				}
				results <- res.Content[0].(*mcp.TextContent).Text
			}()
		}
		time.Sleep(time.Second)
		start := time.Now()
		stop()
		for range eras {
			if got := <-results; got != `{"done":true}` {
				t.Errorf("a call under way: %s", got)
			}
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took > takes {
			t.Errorf("took %v", took)
		}
		for _, cs := range sessions {
			_ = cs.Close()
		}
		client.CloseIdleConnections()
	})
}

// Streams of both eras end, and are not cut, however long calls are waited for
// meanwhile.
func TestShutdownCutsNoStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const takes = 3 * lastWords
		r := inRoom(t, catalog("one", "a"), Options{Site: siteFunc(func(context.Context, wp.Request) (*wp.Response, error) {
			time.Sleep(takes)
			return &wp.Response{Status: 200, JSON: json.RawMessage(`{"done":true}`)}, nil
		})})
		listen, get := r.listen("1"), r.get(r.session())
		answered := make(chan string, 1)
		go func() { answered <- r.send(modernCall("tools/call", `"name":"a"`), "Mcp-Name: a").message }()
		time.Sleep(time.Second)
		r.stop()
		if got := <-answered; !strings.Contains(got, "done") {
			t.Errorf("a call under way: %s", got)
		}
		time.Sleep(takes)
		for name, e := range map[string]*ear{"listen": listen, "GET": get} {
			if !e.over() || e.cut != nil {
				t.Errorf("%s: over %t, cut: %v", name, e.over(), e.cut)
			}
		}
		r.close()
	})
}

// A call that outlives the grace is cancelled, and told as such.
func TestShutdownCancelsAfterTheGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewServer(catalog("one", "a"), Options{Grace: 5 * time.Second, Site: siteFunc(func(ctx context.Context, _ wp.Request) (*wp.Response, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})})
		network := newPipes()
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- s.Serve(ctx, network) }()
		client := network.client()
		cs := connect(t, "http://localhost/mcp", "2025-11-25", client, nil)
		failed := make(chan error)
		go func() {
			_, err := cs.CallTool(context.WithoutCancel(t.Context()), &mcp.CallToolParams{Name: "a"})
			failed <- err
		}()
		time.Sleep(time.Second)
		start := time.Now()
		stop()
		<-failed
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took < 5*time.Second || took > 7*time.Second {
			t.Errorf("took %v", took)
		}
		_ = cs.Close()
		client.CloseIdleConnections()
	})
}

func TestNothingIsTakenAfterShutdown(t *testing.T) {
	s, web := serve(t, catalog("one", "a"), Options{})
	if err := s.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{modernCall("tools/list", ""), modernCall("subscriptions/listen", `"notifications":{"toolsListChanged":true}`)} {
		if got := send(t, nil, web.URL+"/mcp", body); got.status != 503 || got.header.Get("Retry-After") == "" {
			t.Errorf("%d %s", got.status, got.message)
		}
	}
}

func TestServeSaysWhyItCannot(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
	err = NewServer(catalog("one", "a"), Options{}).Serve(t.Context(), l)
	if !errors.Is(err, net.ErrClosed) || !strings.HasPrefix(err.Error(), "serving on 127.0.0.1:") {
		t.Error(err)
	}
}
