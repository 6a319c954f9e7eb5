package runtime

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"toolpress/curate"
	"toolpress/discover/wp"
)

// does sends a GET or DELETE in a session and reads the answer to its end.
func (r *room) does(method, session string, headers ...string) reply {
	r.t.Helper()
	req, err := http.NewRequest(method, "http://localhost/mcp", nil)
	if err != nil {
		r.t.Fatal(err)
	}
	client := r.net.client()
	defer client.CloseIdleConnections()
	return do(r.t, client, req, append(headers, session)...)
}

// post sends a request in a session.
func (r *room) post(session string, headers ...string) reply {
	r.t.Helper()
	return r.send(`{"jsonrpc":"2.0","id":"x","method":"tools/list"}`, append(headers, session, "Mcp-Protocol-Version: ")...)
}

// left are the sessions that the SDK holds, those that can be used, and those who
// are told of changes.
func (r *room) left() [3]int {
	synctest.Wait()
	e := r.s.current.Load().profile(curate.DefaultProfile).endpoint
	e.sessions.mu.Lock()
	defer e.sessions.mu.Unlock()
	e.audience.mu.Lock()
	defer e.audience.mu.Unlock()
	return [3]int{e.connected(), len(e.sessions.byID), len(e.audience.members)}
}

// Another's session is no session: nothing can be read, sent or ended in it, and
// its owner notices nothing (T32).
func TestCase_T32(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, opts := opened(catalog("one", "a"), Options{}, "owner", "thief")
		r := inRoom(t, c, opts)
		const owner, thief = "Authorization: Bearer owner", "Authorization: Bearer thief"
		session := r.session(owner)
		stream := r.get(session, owner)
		for _, other := range []string{thief} {
			for what, got := range map[string]reply{
				"POST": r.post(session, other), "DELETE": r.does(http.MethodDelete, session, other),
				"GET": r.does(http.MethodGet, session, other, "Accept: text/event-stream"),
			} {
				if never := r.does(http.MethodDelete, "Mcp-Session-Id: never", other); got.status != 404 || strings.Replace(got.message, `"id":"x",`, "", 1) != never.message {
					t.Errorf("%s with %q: %d %s, one that never was: %s", what, other, got.status, got.message, never.message)
				}
			}
		}
		c, _ = opened(catalog("two", "a"), Options{})
		r.s.Swap(c)
		if got := stream.texts(); !slices.Equal(got, []string{told}) || stream.over() {
			t.Errorf("the owner heard %q, over %t", got, stream.over())
		}
		if got := r.post(session, owner); got.status != 200 {
			t.Errorf("the owner's request: %d %s", got.status, got.message)
		}
		r.close()
	})
}

// Sessions that nobody ends are gone when nobody has used them for the timeout; a
// request or an open stream is a use (R27).
func TestCase_R27(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := inRoom(t, catalog("one", "a"), Options{SessionTimeout: time.Hour, MaxSessions: 200})
		for range 198 {
			r.session()
		}
		asking, streaming := r.session(), r.session()
		stream := r.get(streaming)
		if got := r.send(hello, "Mcp-Protocol-Version: "); got.status != 503 {
			t.Errorf("one too many: %d", got.status)
		}
		time.Sleep(40 * time.Minute)
		r.post(asking)
		time.Sleep(40 * time.Minute)
		if got := r.left(); got != [3]int{2, 2, 2} {
			t.Errorf("after 80 minutes: %v", got)
		}
		time.Sleep(40 * time.Minute)
		if got := r.post(asking); got.status != 404 {
			t.Errorf("a session that is over: %d", got.status)
		}
		r.s.Swap(catalog("two", "a"))
		if got := stream.texts(); !slices.Equal(got, []string{told}) || stream.over() {
			t.Errorf("after two hours the stream heard %q, over %t", got, stream.over())
		}
		stream.hang()
		synctest.Wait()
		time.Sleep(time.Hour + time.Second)
		if got := r.left(); got != [3]int{} {
			t.Errorf("an hour after the last stream: %v", got)
		}
		r.close()
	})
}

// An unknown session is 404, which is what a client begins again on; beginning
// again with the old id is a new session (R29, R30).
func TestCase_R29(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := inRoom(t, catalog("one", "a"), Options{})
		session := r.session()
		if got := r.does(http.MethodDelete, session); got.status != 204 {
			t.Errorf("DELETE: %d %s", got.status, got.message)
		}
		for what, got := range map[string]reply{
			"POST": r.post(session), "a notification": r.send(initialized, session, "Mcp-Protocol-Version: "),
			"DELETE": r.does(http.MethodDelete, session), "GET": r.does(http.MethodGet, session, "Accept: text/event-stream"),
		} {
			if got.status != 404 || !strings.Contains(got.message, "send initialize") {
				t.Errorf("%s: %d %s", what, got.status, got.message)
			}
		}
		got := r.send(hello, session, "Mcp-Protocol-Version: ")
		id := "Mcp-Session-Id: " + got.header.Get("Mcp-Session-Id")
		if got.status != 200 || id == session || r.post(id).status != 200 {
			t.Errorf("again: %d %s %s", got.status, id, got.message)
		}
		r.close()
	})
}

// Ending a session waits for nobody: not for a call that does not end, nor for a
// client that does not read. Its streams end, and nothing is left when the call
// is over (R26).
func TestCase_R26(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := inRoom(t, catalog("one", "a"), Options{WriteTimeout: 10 * time.Second, CallTimeout: time.Minute, Site: siteFunc(func(ctx context.Context, _ wp.Request) (*wp.Response, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})})
		session := r.session()
		stream := r.get(session)
		r.stall(1, rawGet(session))
		call := r.dial()
		body := `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"a"}}`
		go func() {
			_, _ = call.Write([]byte("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n" +
				session + "\r\nContent-Length: 68\r\n\r\n" + body))
		}()
		synctest.Wait()
		r.s.Swap(catalog("two", "a"))
		start := time.Now()
		if got := r.does(http.MethodDelete, session); got.status != 204 || time.Since(start) != 0 {
			t.Errorf("%d after %v: %s", got.status, time.Since(start), got.message)
		}
		if !stream.over() {
			t.Error("its stream goes on")
		}
		if got := r.left(); got != [3]int{1, 0, 0} {
			t.Errorf("while the call runs: %v", got)
		}
		time.Sleep(time.Minute + time.Second)
		if got := r.left(); got != [3]int{} || r.s.streams.open() != 0 {
			t.Errorf("when the call is over: %v, and %d streams", got, r.s.streams.open())
		}
		_ = call.Close()
		r.close()
	})
}

// Of several streams of one session the one that was opened last carries each
// message, and no other; what is announced while none is open is said first on
// the next.
func TestStreamsOfASession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := inRoom(t, catalog("one", "a"), Options{})
		session := r.session()
		mark := 0
		change := func() {
			mark++
			r.s.Swap(catalog(strings.Repeat("x", mark), "a"))
			time.Sleep(2 * time.Second)
		}
		expect := func(what string, e *ear, want int) {
			t.Helper()
			if got := e.texts(); len(got) != want || want > 0 && got[0] != told {
				t.Errorf("%s: heard %q, want %d", what, got, want)
			}
		}
		first := r.get(session)
		expect("nothing has changed", first, 0)
		second := r.get(session)
		change()
		expect("the first of two", first, 0)
		expect("the second of two", second, 1)
		second.hang()
		synctest.Wait()
		change()
		expect("the first, alone again", first, 1)
		first.hang()
		synctest.Wait()
		change()
		change()
		third := r.get(session)
		expect("the next after two changes", third, 1)
		change()
		expect("and then", third, 1)
		r.close()
	})
}

// A notice that could not be written is not lost: the session's other stream
// carries it.
func TestANoticeThatCouldNotBeWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := inRoom(t, catalog("one", "a"), Options{WriteTimeout: 5 * time.Second})
		session := r.session()
		first := r.get(session)
		r.stall(1, rawGet(session))
		synctest.Wait()
		start := time.Now()
		r.s.Swap(catalog("two", "a"))
		time.Sleep(settle)
		if got := first.took(); len(got) != 1 || got[0].text != told || got[0].at.Sub(start) != 5*time.Second {
			t.Errorf("heard %v", got)
		}
		r.close()
	})
}

func TestSessionStreamRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := inRoom(t, catalog("one", "a"), Options{})
		session := r.session()
		for _, c := range []struct {
			headers []string
			status  int
		}{
			{[]string{"Accept: application/json"}, 406},
			{[]string{"Accept: text/event-stream", "Mcp-Protocol-Version: 1999-01-01"}, 400},
			{[]string{"Accept: text/event-stream", "Mcp-Protocol-Version: 2026-07-28"}, 405},
		} {
			if got := r.does(http.MethodGet, session, c.headers...); got.status != c.status || !strings.HasPrefix(got.message, `{"jsonrpc":"2.0","error"`) {
				t.Errorf("%v: %d %s", c.headers, got.status, got.message)
			}
		}
		for _, accept := range []string{"*/*", "application/json, text/*;q=0.5", "Text/Event-Stream; charset=utf-8"} {
			if e := r.open("GET", "/mcp", "", session, "Accept: "+accept); e.status != 200 {
				t.Errorf("%s: %d", accept, e.status)
			}
		}
		r.close()
	})
}
