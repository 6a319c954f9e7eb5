package runtime

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
)

// settle is longer than any notice waits; inside a bubble it takes no time.
const settle = time.Minute

func TestListChangedOnce(t *testing.T) {
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := NewServer(catalog("one", "a"), Options{Site: answers(`{}`)})
				net := newPipes()
				ctx, stop := context.WithCancel(t.Context())
				ended := make(chan error)
				go func() { ended <- s.Serve(ctx, net) }()

				var notices atomic.Int64
				client := net.client()
				cs := connect(t, "http://localhost/mcp", era, client, &mcp.ClientOptions{
					ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { notices.Add(1) },
				})
				time.Sleep(settle)

				expect := func(what string, c []string, want int64) {
					t.Helper()
					time.Sleep(settle)
					if n := notices.Load(); n != want {
						t.Errorf("%s: %d notices, want %d", what, n, want)
					}
					if (want > 0) != slices.Equal(c, []string{curate.DefaultProfile}) {
						t.Errorf("%s: changed %v", what, c)
					}
					notices.Store(0)
				}
				expect("equal bytes", s.Swap(catalog("one", "a")).Changed, 0)
				expect("another description", s.Swap(catalog("two", "a")).Changed, 1)
				expect("another tool", s.Swap(catalog("two", "a", "b")).Changed, 1)
				expect("the same again", s.Swap(catalog("two", "b", "a")).Changed, 0)
				if list, err := cs.ListTools(t.Context(), nil); err != nil || len(list.Tools) != 2 {
					t.Errorf("the list after: %v %v", list, err)
				}

				stop()
				if err := <-ended; err != nil {
					t.Error(err)
				}
				_ = cs.Close()
				client.CloseIdleConnections()
			})
		})
	}
}

// A client of the handshake that asks for a revision it cannot get there is
// notified and asked like any other: of changes on its own stream, for a person
// on that of the call. Nothing else of the SDK's is for a session's stream.
func TestAnOverreachingClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := asksFirst(t, `{ when: always }`)
		r := inRoom(t, c, Options{})
		got := r.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2026-07-28","capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}`, "Mcp-Protocol-Version: ")
		if !strings.Contains(got.message, `"protocolVersion":"2025-11-25"`) {
			t.Errorf("initialize: %s", got.message)
		}
		session := "Mcp-Session-Id: " + got.header.Get("Mcp-Session-Id")
		stream := r.get(session)
		call := r.open("POST", "/mcp", `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"drop","arguments":{"id":7}}}`,
			session, "Content-Type: application/json", "Accept: application/json, text/event-stream")
		if got := call.texts(); len(got) != 1 || !strings.Contains(got[0], `"method":"elicitation/create"`) || strings.Contains(got[0], `"result"`) {
			t.Errorf("the call's stream: %q", got)
		}
		r.s.Swap(catalog("two", "a"))
		if got := stream.texts(); !slices.Equal(got, []string{told}) {
			t.Errorf("the session's stream: %q", got)
		}
		call.hang()
		r.close()
	})
}

// A storm of changes is at most one notice a second, and the last change is
// announced; a storm of equal catalogs is none (T37).
func TestStormOfChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewServer(catalog("0", "a"), Options{})
		var sent, at atomic.Int64
		s.current.Load().profiles[curate.DefaultProfile].endpoint.notices.send = func() { sent.Add(1); at.Store(time.Now().UnixNano()) }
		for range 1000 {
			s.Swap(catalog("0", "a"))
		}
		if n := sent.Load(); n != 0 {
			t.Errorf("%d notices of nothing", n)
		}
		var last time.Time
		for i := range 500 {
			last = time.Now()
			s.Swap(catalog(fmt.Sprint(i+1), "a"))
			if n := sent.Load(); i == 0 && n != 1 {
				t.Errorf("the first change waits: %d", n)
			}
			time.Sleep(20 * time.Millisecond)
		}
		time.Sleep(settle)
		if n := sent.Load(); n > 11 || at.Load() < last.UnixNano() {
			t.Errorf("%d notices, the last %v after the last change", n, time.Duration(at.Load()-last.UnixNano()))
		}
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// Every list that is read while catalogs are swapped is one that was
// published, whole (T44).
func TestListsAreNeverTorn(t *testing.T) {
	const readers, swaps = 64, 1000
	names := make([]string, 12)
	for i := range names {
		names[i] = fmt.Sprintf("tool-%02d", i)
	}
	s, web := serve(t, catalog("0", names...), Options{})
	published := sync.Map{} // digest of the tools
	publish := func(tools json.RawMessage) { published.Store(sha256.Sum256([]byte(decoded(t, string(tools)))), true) }
	publish(s.Tools(curate.DefaultProfile))
	catalogs := make([]string, swaps)
	for i := range catalogs {
		catalogs[i] = fmt.Sprint(i + 1)
		publish(NewServer(catalog(catalogs[i], names[:1+i%len(names)]...), Options{}).Tools(curate.DefaultProfile))
	}

	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: readers}}
	defer client.CloseIdleConnections()
	id := session(t, web.URL)
	swapping, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	var lists atomic.Int64
	for i := range readers {
		wg.Go(func() {
			for n := 0; swapping.Err() == nil || n == 0; n++ {
				var got reply
				if i%2 == 0 {
					got = send(t, client, web.URL+"/mcp", modernCall("tools/list", ""))
				} else {
					got = send(t, client, web.URL+"/mcp", fmt.Sprintf(`{"jsonrpc":"2.0","id":"%d-%d","method":"tools/list"}`, i, n), "Mcp-Protocol-Version: ", "Mcp-Session-Id: "+id)
				}
				var message struct {
					Result struct{ Tools json.RawMessage }
				}
				if err := json.Unmarshal([]byte(got.message), &message); err != nil || len(message.Result.Tools) == 0 {
					t.Errorf("%d %s", got.status, got.message)
					return
				}
				if _, ok := published.Load(sha256.Sum256([]byte(decoded(t, string(message.Result.Tools))))); !ok {
					t.Errorf("a list that was never published: %.300s", got.message)
					return
				}
				lists.Add(1)
			}
		})
	}
	for i, mark := range catalogs {
		s.Swap(catalog(mark, names[:1+i%len(names)]...))
		// A call is admitted by the catalog it meets.
		if _, err := s.Call(t.Context(), curate.DefaultProfile, names[0], nil); err != nil {
			t.Error(err)
		}
	}
	stop()
	wg.Wait()
	t.Logf("%d lists", lists.Load())
}
