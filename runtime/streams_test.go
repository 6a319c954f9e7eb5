package runtime

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"toolpress/discover/wp"
)

// An idle stream of either era, and one on which a person is asked, says
// something every 15 s: proxies cut after 60 s of silence (R21).
func TestCase_R21(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := inRoom(t, asksFirst(t, `{ when: always }`), Options{})
		session := "Mcp-Session-Id: " + r.send(strings.Replace(hello, `"capabilities":{}`, `"capabilities":{"elicitation":{}}`, 1), "Mcp-Protocol-Version: ").header.Get("Mcp-Session-Id")
		ears := map[string]*ear{"listen": r.listen("1"), "GET": r.get(session)}
		ears["asking"] = r.open("POST", "/mcp", `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"drop","arguments":{"id":7}}}`,
			session, "Content-Type: application/json", "Accept: application/json, text/event-stream")
		synctest.Wait()
		start := time.Now()
		for _, e := range ears {
			e.took()
		}
		time.Sleep(4*heartbeat + time.Second)
		synctest.Wait()
		for name, e := range ears {
			for i, s := range e.said {
				if s.text != ": alive" || s.at != start.Add(time.Duration(i+1)*heartbeat) {
					t.Errorf("%s: after %v: %s", name, s.at.Sub(start), s.text)
				}
			}
			if len(e.said) != 4 {
				t.Errorf("%s: %d comments in a minute", name, len(e.said))
			}
		}
		ears["asking"].hang()
		r.close()
	})
}

// A client behind a proxy that waits for a first byte learns at once that its
// stream is open; each message follows at once (R22).
func TestCase_R22(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := inRoom(t, catalog("one", "a"), Options{})
		start := time.Now()
		proxy := &httputil.ReverseProxy{
			Rewrite: func(p *httputil.ProxyRequest) {
				p.SetURL(&url.URL{Scheme: "http", Host: "localhost"})
			},
			Transport: r.net.client().Transport, FlushInterval: -1,
		}
		front := newPipes()
		// Without it Go's server takes the request's body from under the proxy where
		// the answer begins at once, and the proxy then cuts the stream.
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_ = http.NewResponseController(w).EnableFullDuplex()
			proxy.ServeHTTP(w, r)
		})}
		served := make(chan error, 1)
		go func() { served <- server.Serve(front) }()
		behind := r.net
		session := r.session()
		r.net = front
		listen, get := r.listen("1"), r.get(session)
		r.net = behind
		if got := listen.took(); len(got) != 1 || got[0].text != acknowledged("1") || got[0].at != start {
			t.Errorf("listen: %v", got)
		}
		synctest.Wait()
		if len(get.said) != 1 || get.said[0].text != ": alive" || get.said[0].at != start {
			t.Errorf("GET: %v", get.said)
		}
		r.s.Swap(catalog("two", "a"))
		if got := append(listen.took(), get.took()...); len(got) != 2 || got[0].at != start || got[1].at != start {
			t.Errorf("notices: %v", got)
		}
		r.close()
		_ = server.Close()
		<-served
		proxy.Transport.(*http.Transport).CloseIdleConnections()
	})
}

// No stream is buffered, kept or compressed, whatever its client accepts (R23).
func TestCase_R23(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := inRoom(t, catalog("one", "a"), Options{})
		gzip := "Accept-Encoding: gzip, br"
		call := r.send(modernCall("tools/call", `"name":"a"`), "Mcp-Name: a", gzip)
		for name, got := range map[string]http.Header{
			"listen": r.listen("1", gzip).header, "GET": r.get(r.session(), gzip).header, "a call": call.header,
		} {
			for header, want := range map[string]string{
				"Content-Type": "text/event-stream", "X-Accel-Buffering": "no",
				"Cache-Control": "no-store, no-transform", "Content-Encoding": "", "Content-Length": "",
			} {
				if got.Get(header) != want {
					t.Errorf("%s: %s is %q", name, header, got.Get(header))
				}
			}
		}
		r.close()
	})
}

// Streams are bounded in all and by principal, over both kinds; what is too much
// is refused at once, and a place is free again when a stream has ended (T35,
// T38).
func TestCase_T35(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, opts := opened(catalog("one", "a"), Options{MaxStreams: 5, MaxStreamsEach: 3}, "one", "two", "three")
		r := inRoom(t, c, opts)
		const one, two, three = "Authorization: Bearer one", "Authorization: Bearer two", "Authorization: Bearer three"
		session := r.session(one)
		first := r.listen("1", one)
		r.listen("2", one)
		r.get(session, one)
		refused := func(what string, got reply, id string) {
			t.Helper()
			if got.status != 503 || got.header.Get("Retry-After") == "" || !strings.HasPrefix(got.message, `{"jsonrpc":"2.0",`+id+`"error":{"code":-32603,"message":"too many streams`) {
				t.Errorf("%s: %d %v %s", what, got.status, got.header, got.message)
			}
		}
		get := func() reply {
			req, _ := http.NewRequest(http.MethodGet, "http://localhost/mcp", nil)
			client := r.net.client()
			defer client.CloseIdleConnections()
			return do(t, client, req, one, session, "Accept: text/event-stream")
		}
		start := time.Now()
		refused("a fourth of one", r.send(listening("3"), one), `"id":3,`)
		refused("a fourth of one, by GET", get(), "")
		r.listen("1", two)
		r.listen("2", two)
		refused("a sixth", r.send(listening("9"), three), `"id":9,`)
		if took := time.Since(start); took != 0 {
			t.Errorf("refused after %v", took)
		}
		first.hang()
		synctest.Wait()
		if e := r.listen("4", three); e.status != 200 {
			t.Errorf("in the free place: %d", e.status)
		}
		r.close()
	})
}

// A shutdown with open listens, sessions and calls, and clients that do not read:
// everybody else hears the end, calls are answered, and nobody waits longer for a
// dead client than a second (R25, R14, T46).
func TestCase_R25(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const streams, stalled, calls, takes = 100, 20, 50, 3 * time.Second
		r := inRoom(t, catalog("one", "a"), Options{MaxCallsEach: 50, Grace: time.Minute, WriteTimeout: 30 * time.Second, Site: siteFunc(func(ctx context.Context, _ wp.Request) (*wp.Response, error) {
			select {
			case <-time.After(takes):
				return &wp.Response{Status: 200, JSON: json.RawMessage(`{"done":true}`)}, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		})})
		r.stall(stalled, rawListen())
		r.stall(1, rawGet(r.session()))
		var listens, gets []*ear
		for i := range streams {
			listens = append(listens, r.listen(fmt.Sprint(i)))
			if i%10 == 0 {
				gets = append(gets, r.get(r.session()))
			}
		}
		r.s.Swap(catalog("two", "a")) // those that do not read have something to read
		synctest.Wait()
		r.stall(stalled, rawListen())
		var done sync.WaitGroup
		for range calls {
			done.Go(func() {
				if got := r.send(modernCall("tools/call", `"name":"a"`), "Mcp-Name: a"); !strings.Contains(got.message, `"done"`) {
					t.Errorf("a call: %d %s", got.status, got.message)
				}
			})
		}
		time.Sleep(time.Second)
		if took := r.close(); took > takes {
			t.Errorf("it took %v", took)
		}
		done.Wait()
		for i, e := range listens {
			if got := e.texts(); !e.over() || len(got) == 0 || got[len(got)-1] != closing(fmt.Sprint(i)) {
				t.Errorf("listen %d: over %t, after %q", i, e.over(), got)
			}
		}
		for _, e := range gets {
			if got := e.texts(); !e.over() || !slices.Equal(got, []string{told}) {
				t.Errorf("GET: over %t, after %q", e.over(), got)
			}
		}
	})
}

// A client that hangs up frees its place at once and is not written to again.
func TestHangingUpEndsAListen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := inRoom(t, catalog("one", "a"), Options{})
		e := r.listen("1")
		e.took()
		e.hang()
		if got := r.left(); got != [3]int{} || r.s.streams.open() != 0 {
			t.Errorf("%v, and %d streams", got, r.s.streams.open())
		}
		r.close()
	})
}
