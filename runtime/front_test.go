package runtime

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"toolpress/discover/wp"
)

// T35: a client that sends slowly, or nothing, holds a connection for so long and
// no longer, also where nobody wants what it sends; one that listens keeps it.
func TestSlowClients(t *testing.T) {
	const post = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nMcp-Protocol-Version: 2026-07-28\r\n"
	for _, c := range []struct {
		what, sent, dripped string
		answer              string // its first line; empty for none
		after               time.Duration
	}{
		{"nothing", "", "", "", 5 * time.Second},
		{"a header", "POST /mcp HTTP/1.1\r\nX: ", "x", "", 5 * time.Second},
		{"a body", post + "Authorization: Bearer s\r\nContent-Length: 1000\r\n\r\n", " ", "HTTP/1.1 408 Request Timeout", bodyTimeout},
		{"a body in chunks", post + "Authorization: Bearer s\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\n \r\n", "HTTP/1.1 408 Request Timeout", bodyTimeout},
		{"a body without the token", post + "Content-Length: 1000\r\n\r\n", " ", "HTTP/1.1 401 Unauthorized", bodyTimeout},
		{"a body that is no JSON", strings.Replace(post, "application/json", "text/plain", 1) + "Authorization: Bearer s\r\nContent-Length: 1000\r\n\r\n", " ", "HTTP/1.1 415 Unsupported Media Type", bodyTimeout},
		{"a body where nothing is", "POST /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n", " ", "HTTP/1.1 200 OK", bodyTimeout},
		{"a body for a session", "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer s\r\nMcp-Session-Id: x\r\nContent-Length: 1000\r\n\r\n", " ", "HTTP/1.1 400 Bad Request", bodyTimeout},
		{"nothing more", "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", "", "HTTP/1.1 200 OK", 60 * time.Second},
	} {
		t.Run(c.what, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := NewServer(catalog("one", "a"), Options{Token: wp.NewSecret("s")})
				network := newPipes()
				ctx, stop := context.WithCancel(t.Context())
				ended := make(chan error)
				go func() { ended <- s.Serve(ctx, network) }()
				conn, there := net.Pipe()
				network.conns <- there
				start := time.Now()
				sent := make(chan struct{})
				go func() {
					defer close(sent)
					_, err := io.WriteString(conn, c.sent)
					for err == nil && c.dripped != "" {
						time.Sleep(time.Second / 2)
						_, err = io.WriteString(conn, c.dripped)
					}
				}()
				answer := bufio.NewReader(conn)
				line, _ := answer.ReadString('\n')
				rest, _ := io.ReadAll(answer)
				if took := time.Since(start); took < c.after || took > c.after+2*time.Second {
					t.Errorf("it was held for %v, want %v", took, c.after)
				}
				if strings.TrimSpace(line) != c.answer {
					t.Errorf("answered %q %s, want %q", line, rest, c.answer)
				}
				_ = conn.Close()
				<-sent
				stop()
				if err := <-ended; err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// What takes longer than a body may is not cut: a call, and the streams of both eras.
func TestLongAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewServer(catalog("one", "a"), Options{CallTimeout: time.Hour, Site: siteFunc(func(ctx context.Context, r wp.Request) (*wp.Response, error) {
			select {
			case <-time.After(3 * bodyTimeout):
				return answers(`{"done":true}`)(ctx, r)
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		})})
		network := newPipes()
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- s.Serve(ctx, network) }()
		client := network.client()
		if got := send(t, client, "http://localhost/mcp", modernCall("tools/call", `"name":"a"`), "Mcp-Name: a"); !strings.Contains(got.message, `"done":true`) {
			t.Errorf("%d %s", got.status, got.message)
		}
		opened := send(t, client, "http://localhost/mcp", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, "Mcp-Protocol-Version: ")
		legacy, _ := http.NewRequest(http.MethodGet, "http://localhost/mcp", nil)
		legacy.Header.Set("Mcp-Session-Id", opened.header.Get("Mcp-Session-Id"))
		modern, _ := http.NewRequest(http.MethodPost, "http://localhost/mcp", strings.NewReader(modernCall("subscriptions/listen", `"notifications":{"toolsListChanged":true}`)))
		for name, value := range map[string]string{"Content-Type": "application/json", "Mcp-Protocol-Version": modernVersion, "Mcp-Method": "subscriptions/listen"} {
			modern.Header.Set(name, value)
		}
		heard := make(chan string)
		for _, r := range []*http.Request{legacy, modern} {
			r.Header.Set("Accept", "application/json, text/event-stream")
			resp, err := client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			go func() {
				text, err := io.ReadAll(resp.Body)
				heard <- fmt.Sprint(r.Method, " ", string(text), err)
			}()
		}
		time.Sleep(10 * bodyTimeout)
		stop()
		for range 2 {
			if text := <-heard; strings.Count(text, ": alive") < 15 || !strings.HasSuffix(text, "<nil>") {
				t.Errorf("%s", text)
			}
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
		client.CloseIdleConnections()
	})
}

// A header of more than 64 KiB is refused.
func TestLargeHeader(t *testing.T) {
	s := NewServer(catalog("one", "a"), Options{})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.Serve(ctx, l) }()
	client := &http.Client{Transport: &http.Transport{}}
	for size, status := range map[int]int{48 << 10: 200, 80 << 10: 431} {
		r, _ := http.NewRequest(http.MethodGet, "http://"+l.Addr().String()+"/healthz", nil)
		if got := do(t, client, r, "X-Padding: "+strings.Repeat("x", size)); got.status != status {
			t.Errorf("%d bytes: %d, want %d", size, got.status, status)
		}
	}
	client.CloseIdleConnections()
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// Large bodies are served a few at a time; whoever comes when there are enough is
// told to come back, and small ones are served meanwhile.
func TestLargeBodiesAreBounded(t *testing.T) {
	s, web := serve(t, catalog("one", "a"), Options{MaxBody: 4 << 20})
	large := modernCall("tools/call", `"name":"a","arguments":{"kind":"`+strings.Repeat("x", 2<<20)+`"}`)
	var done []func()
	for range maxLarge {
		done = append(done, s.large())
	}
	if got := send(t, nil, web.URL+"/mcp", large, "Mcp-Name: a"); got.status != 503 || got.header.Get("Retry-After") == "" {
		t.Errorf("with enough: %d %.200s", got.status, got.message)
	}
	if got := send(t, nil, web.URL+"/mcp", modernCall("tools/list", "")); got.status != 200 {
		t.Errorf("a small one: %d", got.status)
	}
	done[0]()
	for range 2 * maxLarge { // each gives its place back
		if got := send(t, nil, web.URL+"/mcp", large, "Mcp-Name: a"); got.status != 200 {
			t.Errorf("with room for one: %d %.200s", got.status, got.message)
		}
	}
}
