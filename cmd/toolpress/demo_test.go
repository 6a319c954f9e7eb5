package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/discover/wptest"
	"toolpress/test/running"
)

// start runs a command in the background; the test ends it and expects exit 0.
func start(t *testing.T, stdin io.Reader, stdout io.Writer, args ...string) *running.Log {
	t.Helper()
	return startIn(t, nil, stdin, stdout, args...)
}

// startIn is start in an environment.
func startIn(t *testing.T, env map[string]string, stdin io.Reader, stdout io.Writer, args ...string) *running.Log {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	out := &running.Log{}
	ended := make(chan int, 1)
	go func() { ended <- run(ctx, args, func(name string) string { return env[name] }, stdin, stdout, out) }()
	t.Cleanup(func() {
		cancel()
		if code := <-ended; code != exitOK {
			t.Errorf("%v ended with %d:\n%s", args, code, out)
		}
	})
	return out
}

// patience is how long anything may take before it is called broken.
const patience = 20 * time.Second

var eras = []string{"2026-07-28", "2025-11-25"}

func connect(t *testing.T, transport mcp.Transport, era string) (*mcp.ClientSession, <-chan struct{}) {
	t.Helper()
	changes := make(chan struct{}, 100)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changes <- struct{}{} },
	}).Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: era})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session, changes
}

func call(t *testing.T, session *mcp.ClientSession, tool string, arguments map[string]any) map[string]any {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil || result.IsError {
		t.Fatalf("%s: %+v, %v", tool, result, err)
	}
	text, _ := json.Marshal(result.StructuredContent)
	var content map[string]any
	if err := json.Unmarshal(text, &content); err != nil {
		t.Fatal(err)
	}
	return content
}

// useBookshop does what the demo is there for: look up, write, see it.
func useBookshop(t *testing.T, session *mcp.ClientSession) {
	t.Helper()
	list, err := session.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != 24 {
		t.Fatalf("%d tools, %v", len(list.Tools), err)
	}
	find := func() float64 {
		return call(t, session, "find_posts", map[string]any{"query": "Lighthouse"})["total"].(float64)
	}
	before := find()
	draft := call(t, session, "draft_post", map[string]any{"title": "Lighthouse stories", "text": "<p>Three of them.</p>"})
	if find() != before || draft["status"] != "draft" {
		t.Errorf("a draft is found: %v", draft)
	}
	call(t, session, "publish_post", map[string]any{"id": draft["id"]})
	if find() != before+1 {
		t.Error("what was published is not found")
	}
	call(t, session, "trash_post", map[string]any{"id": draft["id"]})
	if find() != before {
		t.Error("what was trashed is found")
	}
	books := call(t, session, "bookshop_search_books", map[string]any{"query": "a"})["books"].([]any)
	id := books[0].(map[string]any)["id"]
	call(t, session, "set_book_price", map[string]any{"id": id, "price": 99.5})
	if price := call(t, session, "book_price", map[string]any{"book_id": id}); price["value"] != 99.5 {
		t.Errorf("the price is %v", price)
	}
}

func TestDemo(t *testing.T) {
	out := start(t, nil, io.Discard, "demo", "--listen", "127.0.0.1:0")
	out.Await(t, "Inspector", patience)
	for _, text := range []string{
		"export TOOLPRESS_SITE=http://127.0.0.1:", "TOOLPRESS_USER=editor TOOLPRESS_PASSWORD='", "24 tools, about ", "the whole site would be ",
		"claude mcp add --transport http toolpress ", `"args":["demo","--stdio"]`, "code --add-mcp", "~/.cursor/mcp.json", "the demo's own",
		"  toolpress demo --print >demo.yaml   # the same tools\n  toolpress check --curation demo.yaml\n",
	} {
		if !strings.Contains(out.String(), text) {
			t.Errorf("%q is not said:\n%s", text, out)
		}
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, totals, _ := strings.Cut(string(readme), "…\n")
	if totals, _, _ = strings.Cut(totals, "\n"); !strings.Contains(out.String(), "\n"+totals+"\n") {
		t.Errorf("the README shows %q, which the demo does not say:\n%s", totals, out)
	}
	if strings.Contains(out.String(), "warning") {
		t.Errorf("the demo's curation has findings:\n%s", out)
	}
	_, rest, _ := strings.Cut(out.String(), "serving MCP at ")
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			session, _ := connect(t, &mcp.StreamableClientTransport{Endpoint: strings.Fields(rest)[0]}, era)
			if info := session.InitializeResult().ServerInfo; info.Name != "toolpress" || !strings.HasPrefix(info.Version, version()) || !strings.Contains(info.Title, goruntime.Version()) {
				t.Errorf("the server calls itself %+v", info)
			}
			useBookshop(t, session)
		})
	}
}

func TestDemoOverStdio(t *testing.T) {
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			inR, inW := io.Pipe()
			outR, outW := io.Pipe()
			start(t, inR, outW, "demo", "--stdio").Await(t, "standard input", patience)
			session, _ := connect(t, &mcp.IOTransport{Reader: outR, Writer: inW}, era)
			useBookshop(t, session)
			_ = inW.Close()
		})
	}
}

// The demo's curation, printed, is one to edit while it runs.
func TestDemoCuration(t *testing.T) {
	var printed, out bytes.Buffer
	if code := run(t.Context(), []string{"demo", "--print"}, os.Getenv, nil, &printed, &out); code != exitOK {
		t.Fatal(&out)
	}
	name := filepath.Join(t.TempDir(), "my.yaml")
	if err := os.WriteFile(name, printed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	log := start(t, nil, io.Discard, "demo", "--listen", "127.0.0.1:0", "--curation", name)
	log.Await(t, "Inspector", patience)
	_, rest, _ := strings.Cut(log.String(), "serving MCP at ")
	session, changes := connect(t, &mcp.StreamableClientTransport{Endpoint: strings.Fields(rest)[0]}, eras[0])
	if _, err := session.ListTools(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(printed.String(), "  leave_note:", "  drop_note:", 1)
	if err := os.WriteFile(name, []byte(edited), 0o600); err != nil {
		t.Fatal(err)
	}
	<-changes
	log.Await(t, "+drop_note -leave_note", patience)

	if code := run(t.Context(), []string{"demo", "--listen", "127.0.0.1:0", "--curation", name + ".gone"}, os.Getenv, nil, io.Discard, &out); code != exitFindings || !strings.Contains(out.String(), "demo --print") {
		t.Errorf("%d: %s", code, &out)
	}
}

// The site learns who asks.
func TestUserAgent(t *testing.T) {
	agents := map[string]bool{}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { agents[r.UserAgent()] = true }))
	defer site.Close()
	run(t.Context(), []string{"discover", site.URL}, func(string) string { return "" }, nil, io.Discard, io.Discard)
	want := "toolpress/" + version() + " (" + goruntime.Version()
	for agent := range agents {
		if !strings.HasPrefix(agent, want) {
			t.Errorf("%q does not begin with %q", agent, want)
		}
	}
	if len(agents) != 1 {
		t.Errorf("%v", agents)
	}
}

// A call names its profile to the site besides, and only calls do.
func TestProfileInUserAgent(t *testing.T) {
	shop := wptest.New()
	agents := map[string]string{}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		agents[r.URL.Path] = r.UserAgent()
		shop.ServeHTTP(w, r)
	}))
	defer site.Close()
	file := filepath.Join(t.TempDir(), "curation.yaml")
	const text = "version: 1\ntools: { pages: { from: GET /wp/v2/pages } }\nprofiles: { default: {}, reader: {} }\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if code := run(t.Context(), []string{"call", "pages", "--profile", "reader", "--site", site.URL, "--curation", file}, func(string) string { return "" }, nil, &out, &out); code != exitOK {
		t.Fatalf("exit %d: %s", code, &out)
	}
	for path, agent := range agents {
		if got, want := strings.HasSuffix(agent, ") profile/reader"), path == "/wp-json/wp/v2/pages"; got != want {
			t.Errorf("%s by %q", path, agent)
		}
	}
}

// A port that is taken is told before anything else, with the flag to use.
func TestBusyPort(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	var out bytes.Buffer
	if code := run(t.Context(), []string{"demo", "--listen", taken.Addr().String()}, os.Getenv, nil, io.Discard, &out); code != exitFailed {
		t.Errorf("exit %d", code)
	}
	if want := "hint: another program has this port: name another, such as --listen " + nextPort(taken.Addr().String()); !strings.Contains(out.String(), want) {
		t.Error(&out)
	}
}
