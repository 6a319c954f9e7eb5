package runtime

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"toolpress/curate"
	"toolpress/discover"
	"toolpress/discover/wp"
	"toolpress/generate"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// eras are the revisions every conversation is held in.
var eras = []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"}

// siteFunc is a site that is a function.
type siteFunc func(context.Context, wp.Request) (*wp.Response, error)

func (f siteFunc) Do(ctx context.Context, r wp.Request) (*wp.Response, error) { return f(ctx, r) }

// answers is a site that always gives the same JSON.
func answers(text string) siteFunc {
	return func(context.Context, wp.Request) (*wp.Response, error) {
		return &wp.Response{Status: 200, Header: http.Header{}, JSON: json.RawMessage(text)}, nil
	}
}

// thing is the tool of a site that has one route, "GET /t/v1/things", as the
// whole pipeline makes it.
var thing = sync.OnceValue(func() *curate.Tool {
	site := &discover.Site{URL: "https://t.example", Root: "https://t.example/wp-json/", Routes: []discover.Route{{
		Path: "/t/v1/things", Pattern: "/t/v1/things", Namespace: "t/v1",
		Endpoints: []discover.Endpoint{{Methods: []string{"GET"}, Args: map[string]any{
			"id": map[string]any{"type": "integer"}, "kind": map[string]any{"type": "string", "enum": []any{"a", "b"}},
		}}},
	}}}
	c, err := curate.Parse("curation.yaml", []byte("version: 1\ntools:\n  thing: { from: GET /t/v1/things }\n"), nil)
	if err != nil {
		panic(err)
	}
	made, findings := c.Apply(generate.FromSite(site), nil)
	t := made.Profiles[curate.DefaultProfile].Tool("thing")
	if t == nil {
		panic(fmt.Sprint(findings, made.Withheld))
	}
	return t
})

// catalog has one profile with tools of these names. mark goes into every
// description, so that catalogs can be told apart.
func catalog(mark string, names ...string) *curate.Catalog {
	p := &curate.Profile{Name: curate.DefaultProfile, Instructions: "Be kind. " + mark}
	made := thing()
	for _, name := range names {
		t := *made
		t.Name, t.Title, t.Description = name, "T", "Does <b> things. "+mark
		p.Tools = append(p.Tools, &t)
	}
	return &curate.Catalog{Profiles: map[string]*curate.Profile{curate.DefaultProfile: p}}
}

// opened has the default profile opened by tokens of its own, each a principal.
func opened(c *curate.Catalog, opts Options, tokens ...string) (*curate.Catalog, Options) {
	c.Profiles[curate.DefaultProfile].TokenEnv = []curate.Text{{Value: "TOKENS"}}
	var own Access
	for _, token := range tokens {
		own.Tokens = append(own.Tokens, wp.NewSecret(token))
	}
	opts.Access = func(*curate.Profile) Access { return own }
	return c, opts
}

// logs is a log that can be read while it is written.
type logs struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logs) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func (l *logs) logger() *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }

// serve starts a server on loopback and ends it with the test.
func serve(t *testing.T, c *curate.Catalog, opts Options) (*Server, *httptest.Server) {
	t.Helper()
	if opts.Site == nil {
		opts.Site = answers(`{"id":1}`)
	}
	s := NewServer(c, opts)
	s.jitter = func(time.Duration) time.Duration { return 0 }
	web := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		web.Close()
	})
	return s, web
}

// connect is a client of the official SDK, speaking one revision.
func connect(t *testing.T, url, version string, client *http.Client, opts *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	transport := &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: client, MaxRetries: -1}
	cs, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, opts).
		Connect(context.Background(), transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatalf("connecting with %s: %v", version, err)
	}
	t.Cleanup(func() { _ = cs.Close() })
	return cs
}

// reply is an answer read to its end. message is the JSON of the body, or of
// the last event of a stream.
type reply struct {
	status  int
	header  http.Header
	message string
}

// send posts a body as a client of the modern era would unless headers say
// otherwise ("Name: value"; an empty value removes it).
func send(t *testing.T, client *http.Client, url, body string, headers ...string) reply {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Mcp-Protocol-Version", modernVersion)
	var envelope struct{ Method string }
	_ = json.Unmarshal([]byte(body), &envelope)
	r.Header.Set("Mcp-Method", envelope.Method)
	return do(t, client, r, headers...)
}

func do(t *testing.T, client *http.Client, r *http.Request, headers ...string) reply {
	t.Helper()
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		switch {
		case name == "Host":
			r.Host = value
		case value == "":
			r.Header.Del(name)
		default:
			r.Header.Add(name, value)
		}
	}
	resp, err := cmp.Or(client, http.DefaultClient).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	message := string(body)
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		_, message, _ = strings.Cut(message[strings.LastIndex(message, "data: "):], "data: ")
	}
	return reply{resp.StatusCode, resp.Header, strings.TrimSpace(message)}
}

// modernCall is a request of 2026-07-28.
func modernCall(method, params string) string {
	if params != "" {
		params = "," + params
	}
	return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{}}` + params + `}}`
}

// pipes is a network in memory: with it a whole conversation runs in a
// synctest bubble.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), done: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error { p.once.Do(func() { close(p.done) }); return nil }

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080} }

// client dials the network.
func (p *pipes) client() *http.Client {
	return &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		here, there := net.Pipe()
		select {
		case p.conns <- there:
			return here, nil
		case <-p.done:
			return nil, net.ErrClosed
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}}}
}
