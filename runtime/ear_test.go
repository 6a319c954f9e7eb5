package runtime

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"toolpress/curate"
)

// room is a server on a network in memory: it runs in a bubble, where time
// passes when nothing else happens.
type room struct {
	t     *testing.T
	s     *Server
	net   *pipes
	stop  context.CancelFunc
	ended chan error
	ears  []*ear
}

func inRoom(t *testing.T, c *curate.Catalog, opts Options) *room {
	t.Helper()
	if opts.Site == nil {
		opts.Site = answers(`{"id":1}`)
	}
	r := &room{t: t, s: NewServer(c, opts), net: newPipes(), ended: make(chan error, 1)}
	ctx, stop := context.WithCancel(t.Context())
	r.stop = stop
	go func() { r.ended <- r.s.Serve(ctx, r.net) }()
	return r
}

// close shuts the server down and returns how long that took.
func (r *room) close() time.Duration {
	r.t.Helper()
	start := time.Now()
	r.stop()
	if err := <-r.ended; err != nil {
		r.t.Error(err)
	}
	took := time.Since(start)
	for _, e := range r.ears {
		e.hang()
	}
	synctest.Wait()
	if n := r.s.streams.open(); n != 0 || len(r.s.streams.each) != 0 {
		r.t.Errorf("%d streams are counted after the end: %v", n, r.s.streams.each)
	}
	return took
}

// send posts like [send], on a connection of its own.
func (r *room) send(body string, headers ...string) reply {
	r.t.Helper()
	client := r.net.client()
	defer client.CloseIdleConnections()
	return send(r.t, client, "http://localhost/mcp", body, headers...)
}

// session opens a legacy session and returns the header that names it.
func (r *room) session(headers ...string) string {
	r.t.Helper()
	got := r.send(hello, append(headers, "Mcp-Protocol-Version: ")...)
	if got.status != 200 {
		r.t.Fatalf("initialize: %d %s", got.status, got.message)
	}
	return "Mcp-Session-Id: " + got.header.Get("Mcp-Session-Id")
}

// ear is a client that reads one stream.
type ear struct {
	status int
	header http.Header
	hang   func()

	mu    sync.Mutex
	said  []saying
	ended bool
	cut   error // nil: it ended as a stream does
}

// saying is one message or comment of a stream.
type saying struct {
	at   time.Time
	text string
}

// took returns the messages that were read since the last time.
func (e *ear) took() (list []saying) {
	synctest.Wait()
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, s := range e.said {
		if !strings.HasPrefix(s.text, ":") {
			list = append(list, s)
		}
	}
	e.said = nil
	return list
}

// texts are what [ear.took] returns, without the times.
func (e *ear) texts() []string {
	var list []string
	for _, s := range e.took() {
		list = append(list, s.text)
	}
	return list
}

func (e *ear) over() bool {
	synctest.Wait()
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.ended
}

// open sends a request and reads what comes, until it ends or the ear hangs up.
func (r *room) open(method, path, body string, headers ...string) *ear {
	r.t.Helper()
	ctx, stop := context.WithCancel(r.t.Context())
	req, err := http.NewRequestWithContext(ctx, method, "http://localhost"+path, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	client := r.net.client()
	resp, err := client.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	e := &ear{status: resp.StatusCode, header: resp.Header, hang: func() { stop(); client.CloseIdleConnections() }}
	r.ears = append(r.ears, e)
	go func() {
		lines := bufio.NewScanner(resp.Body)
		for lines.Scan() {
			text := lines.Text()
			if data, event := strings.CutPrefix(text, "data: "); event || strings.HasPrefix(text, ":") {
				e.mu.Lock()
				e.said = append(e.said, saying{time.Now(), data})
				e.mu.Unlock()
			}
		}
		_ = resp.Body.Close()
		e.mu.Lock()
		e.ended, e.cut = true, lines.Err()
		e.mu.Unlock()
	}()
	return e
}

// listening is a listen to the tools with an id, as JSON.
func listening(id string) string {
	return strings.Replace(modernCall("subscriptions/listen", `"notifications":{"toolsListChanged":true}`), `"id":1`, `"id":`+id, 1)
}

var listenHeaders = []string{
	"Content-Type: application/json", "Accept: application/json, text/event-stream",
	"Mcp-Protocol-Version: " + modernVersion, "Mcp-Method: subscriptions/listen",
}

func (r *room) listen(id string, headers ...string) *ear {
	r.t.Helper()
	return r.open("POST", "/mcp", listening(id), append(headers, listenHeaders...)...)
}

// get opens a session's stream.
func (r *room) get(session string, headers ...string) *ear {
	r.t.Helper()
	return r.open("GET", "/mcp", "", append(headers, session, "Accept: text/event-stream")...)
}

// stall opens streams whose clients read until they are open, and never again.
func (r *room) stall(n int, request string) {
	r.t.Helper()
	for range n {
		conn := r.dial()
		if _, err := io.WriteString(conn, request); err != nil {
			r.t.Fatal(err)
		}
		for read := bufio.NewReader(conn); ; {
			if line, err := read.ReadString('\n'); err != nil || strings.HasPrefix(line, "data: ") || strings.HasPrefix(line, ":") {
				_, _ = read.ReadString('\n') // the empty line after it
				break
			}
		}
	}
}

func (r *room) dial() net.Conn {
	r.t.Helper()
	conn, err := r.net.client().Transport.(*http.Transport).DialContext(r.t.Context(), "", "")
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// rawListen is a listen as it goes over the wire.
func rawListen() string {
	body := listening("1")
	return fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: localhost\r\n%s\r\nContent-Length: %d\r\n\r\n%s", strings.Join(listenHeaders, "\r\n"), len(body), body)
}

// rawGet is the GET of a session as it goes over the wire.
func rawGet(session string) string {
	return "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n" + session + "\r\n\r\n"
}

// acknowledged, changed, closing are what a listen hears, by its id; told is
// what a session hears. They are as the official SDK writes them.
func acknowledged(id string) string {
	return `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":` + id + `},"notifications":{"toolsListChanged":true}}}`
}

func changed(id string) string {
	return `{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":` + id + `}}}`
}

func closing(id string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toolpress","version":"0"},"io.modelcontextprotocol/subscriptionId":` + id + `}}}`
}

const told = `{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{}}`
