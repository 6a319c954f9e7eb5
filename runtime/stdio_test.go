package runtime

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
	"toolpress/discover/wp"
)

// talk is a client's side of a server on streams.
type talk struct {
	t     *testing.T
	in    *io.PipeWriter
	lines chan string
	ended chan error
	stop  context.CancelFunc
}

// overStdio starts a server on streams in memory.
func overStdio(t *testing.T, s *Server) *talk {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	c := &talk{t: t, in: inW, lines: make(chan string, 100), ended: make(chan error, 1), stop: stop}
	go func() {
		c.ended <- s.ServeStdio(ctx, curate.DefaultProfile, inR, outW)
		_ = inR.Close() // as the end of the process would
		_ = outW.Close()
	}()
	go func() {
		defer close(c.lines)
		for r := bufio.NewScanner(outR); r.Scan(); {
			c.lines <- r.Text()
		}
	}()
	return c
}

func (c *talk) say(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

// hear expects the next line to hold every text, and returns it.
func (c *talk) hear(texts ...string) (line string) {
	c.t.Helper()
	synctest.Wait()
	select {
	case line = <-c.lines:
		if !json.Valid([]byte(line)) {
			c.t.Errorf("not JSON: %s", line)
		}
		for _, text := range texts {
			if !strings.Contains(line, text) {
				c.t.Errorf("%s\nlacks %s", line, text)
			}
		}
	default:
		c.t.Errorf("nothing was said; want %v", texts)
	}
	return line
}

// quiet expects that nothing was said.
func (c *talk) quiet() {
	c.t.Helper()
	synctest.Wait()
	select {
	case line, open := <-c.lines:
		if open {
			c.t.Errorf("unexpected: %s", line)
		}
	default:
	}
}

const (
	hello       = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

// A bad line is answered with the id null and the conversation goes on; nothing
// but the protocol is said; the end of input ends it.
func TestStdioSurvives(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewServer(catalog("one", "a", "b"), Options{Site: answers(`{"id":1}`), MaxBody: 1000})
		c := overStdio(t, s)
		for _, bad := range []struct{ line, says string }{
			{"", ""},
			{"Notice: x", "not one JSON value"},
			{`{"jsonrpc":"2.0","id":1,"method":"tools/list"} {}`, "not one JSON value"},
			{`[]`, "batch"},
			{`7`, "a message is a JSON object"},
			{`{"method":"ping"}`, `\"jsonrpc\": \"2.0\"`},
			{`{"jsonrpc":"2.0","result":{}}`, `an id with a result`},
			{`{"jsonrpc":"2.0","id":1,"METHOD":"tools/list"}`, `must be written \"method\"`},
			{strings.Repeat("x", 5000), "longer than 1000 bytes"},
		} {
			c.say(bad.line)
			if bad.says != "" {
				c.hear(`"id":null`, bad.says)
			}
		}
		c.say(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		c.hear(`"id":1`, "send initialize first")
		c.say(hello)
		c.hear(`"id":0`, `"protocolVersion":"2025-11-25"`)
		c.say(initialized)
		c.say(`{"jsonrpc":"2.0","id":"x","method":"tools/list"}`)
		c.hear(`"id":"x"`, `"name":"a"`, `"name":"b"`)
		c.say(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"nope","arguments":{}}}`)
		c.hear(`"id":2`, "-32602", "unknown tool")
		c.say(`{"jsonrpc":"2.0","id":3,"method":"sampling/x"}`)
		c.hear(`"id":3`, "-32601")
		c.say(modernCall("tools/list", ""))
		c.hear(`"resultType":"complete"`, `"ttlMs"`)
		_ = c.in.Close()
		if err := <-c.ended; err != nil {
			t.Error(err)
		}
		c.quiet()
	})
}

// Calls that run when input ends are answered; what was cancelled is not.
func TestStdioAnswersAndCancels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		s := NewServer(catalog("one", "a"), Options{Site: siteFunc(func(ctx context.Context, _ wp.Request) (*wp.Response, error) {
			select {
			case <-release:
				return answers(`{"id":1}`)(ctx, wp.Request{})
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		})})
		c := overStdio(t, s)
		c.say(hello)
		c.hear(`"id":0`)
		c.say(initialized)
		c.say(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"a"}}`)
		synctest.Wait()
		c.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
		c.quiet()
		c.say(`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"a"}}`)
		_ = c.in.Close()
		c.quiet()
		close(release)
		c.hear(`"id":8`, `{"id":1}`)
		if err := <-c.ended; err != nil {
			t.Error(err)
		}
		c.quiet()
	})
}

// A call that never ends does not keep the process when input has ended, and a
// reader that is gone ends it at once.
func TestStdioEnds(t *testing.T) {
	for name, end := range map[string]func(*talk){
		"input ends":  func(c *talk) { _ = c.in.Close() },
		"SIGTERM":     func(c *talk) { c.stop() },
		"output gone": nil,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := NewServer(catalog("one", "a"), Options{Site: siteFunc(func(ctx context.Context, _ wp.Request) (*wp.Response, error) {
					<-ctx.Done()
					return nil, ctx.Err()
				})})
				if end == nil {
					inR, inW := io.Pipe()
					go func() { _, _ = io.WriteString(inW, "bad\n") }()
					err := s.ServeStdio(context.Background(), curate.DefaultProfile, inR, gone{})
					if !errors.Is(err, io.ErrClosedPipe) {
						t.Error(err)
					}
					_ = inW.Close()
					return
				}
				c := overStdio(t, s)
				c.say(modernCall("tools/call", `"name":"a"`))
				synctest.Wait()
				start, grace := time.Now(), stdinGrace
				if name == "SIGTERM" {
					grace = s.opts.Grace
				}
				end(c)
				if err := <-c.ended; err != nil {
					t.Error(err)
				}
				if took := time.Since(start); took != grace {
					t.Errorf("it ended after %v, the grace is %v", took, grace)
				}
			})
		})
	}
}

// gone is an output whose reader went away.
type gone struct{}

func (gone) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// The official SDK's client over streams, in every revision: list, call, and
// list_changed once.
func TestStdioWithSDK(t *testing.T) {
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			s := NewServer(catalog("one", "a"), Options{Site: answers(`{"id":1}`)})
			inR, inW := io.Pipe()
			outR, outW := io.Pipe()
			ended := make(chan error, 1)
			go func() {
				ended <- s.ServeStdio(context.Background(), curate.DefaultProfile, inR, outW)
				_ = outW.Close()
			}()
			changes := make(chan struct{}, 10)
			session, err := mcp.NewClient(&mcp.Implementation{Name: "t", Version: "1"}, &mcp.ClientOptions{
				ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changes <- struct{}{} },
			}).Connect(t.Context(), &mcp.IOTransport{Reader: outR, Writer: inW}, &mcp.ClientSessionOptions{ProtocolVersion: era})
			if err != nil {
				t.Fatal(err)
			}
			list, err := session.ListTools(t.Context(), nil)
			if err != nil || len(list.Tools) != 1 || list.Tools[0].Name != "a" {
				t.Fatalf("%+v, %v", list, err)
			}
			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "a"})
			if err != nil || result.IsError {
				t.Fatalf("%+v, %v", result, err)
			}
			// The client listens aside: what changes before that is told to nobody.
			at := s.current.Load().profiles[curate.DefaultProfile].endpoint.audience
			for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(time.Millisecond) {
				at.mu.Lock()
				n := len(at.members)
				at.mu.Unlock()
				if n > 0 {
					break
				}
				if time.Now().After(deadline) {
					t.Fatal("nobody listens")
				}
			}
			s.Swap(catalog("two", "a", "b"))
			<-changes
			if list, err = session.ListTools(t.Context(), nil); err != nil || len(list.Tools) != 2 {
				t.Errorf("%+v, %v", list, err)
			}
			if len(changes) != 0 {
				t.Error("told more than once")
			}
			_ = session.Close()
			_ = inW.Close()
			if err := <-ended; err != nil {
				t.Error(err)
			}
			_ = inR.Close()
		})
	}
}
