package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
	"toolpress/discover/wp"
)

func TestListAndCall(t *testing.T) {
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			_, web := serve(t, catalog("one", "b_tool", "a-tool", "Z"), Options{Site: answers(`[{"id":12345678901234567890,"title":"A & <b>"}]`)})
			cs := connect(t, web.URL+"/mcp", era, nil, nil)

			init := cs.InitializeResult()
			if init.Instructions != "Be kind. one" || init.ProtocolVersion != era {
				t.Errorf("instructions %q, version %q", init.Instructions, init.ProtocolVersion)
			}
			caps, _ := json.Marshal(init.Capabilities)
			if string(caps) != `{"tools":{"listChanged":true}}` {
				t.Errorf("capabilities: %s", caps)
			}

			list, err := cs.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, tool := range list.Tools {
				names = append(names, tool.Name)
			}
			if got := strings.Join(names, " "); got != "Z a-tool b_tool" {
				t.Errorf("not bytewise: %s", got)
			}
			if a := list.Tools[0].Annotations; !a.ReadOnlyHint || *a.DestructiveHint || !a.IdempotentHint || !*a.OpenWorldHint {
				t.Errorf("annotations: %+v", a)
			}

			res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "a-tool", Arguments: map[string]any{"id": 1}})
			if err != nil {
				t.Fatal(err)
			}
			const want = `{"items":[{"id":12345678901234567890,"title":"A & <b>"}]}`
			if got := res.Content[0].(*mcp.TextContent).Text; got != want || res.IsError {
				t.Errorf("text %s", got)
			}
			if _, object := res.StructuredContent.(map[string]any); !object {
				t.Errorf("structured content is a %T", res.StructuredContent)
			}
		})
	}
}

// W84: the tool the SDK knows must not be reachable, and nothing tells it apart
// from one that never was.
func TestUnknownTool(t *testing.T) {
	for _, era := range eras {
		for _, name := range []string{"nope", callTool} {
			called := false
			_, web := serve(t, catalog("one", "a"), Options{Site: siteFunc(func(context.Context, wp.Request) (*wp.Response, error) {
				called = true
				return nil, errors.New("no")
			})})
			_, err := connect(t, web.URL+"/mcp", era, nil, nil).CallTool(t.Context(), &mcp.CallToolParams{Name: name})
			var coded *jsonrpc.Error
			if !errors.As(err, &coded) || coded.Code != jsonrpc.CodeInvalidParams || coded.Message != `unknown tool "`+name+`"` {
				t.Errorf("%s: %s: %v", era, name, err)
			}
			if called {
				t.Error("the site was asked")
			}
		}
	}
}

func TestModernListOnTheWire(t *testing.T) {
	s, web := serve(t, catalog("one", "a"), Options{Version: "7"})
	got := send(t, nil, web.URL+"/mcp", modernCall("tools/list", ""))
	want := `{"jsonrpc":"2.0","id":1,"result":{"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"toolpress","version":"7"}},` +
		`"resultType":"complete","ttlMs":60000,"cacheScope":"private","tools":` + string(s.Tools(curate.DefaultProfile)) + `}}`
	if decoded(t, got.message) != decoded(t, want) || got.status != 200 {
		t.Errorf("%d %s\nwant %s", got.status, got.message, want)
	}
	if got.header.Get("X-Accel-Buffering") != "no" {
		t.Errorf("headers: %v", got.header)
	}
	if s.Tools("other") != nil {
		t.Error("a profile that does not exist has a list")
	}

	got = send(t, nil, web.URL+"/mcp", modernCall("server/discover", ""))
	if !strings.Contains(got.message, `"cacheScope":"private"`) || !strings.Contains(got.message, `"ttlMs":60000`) {
		t.Errorf("discover: %s", got.message)
	}
}

// A session's list has none of what came with 2026-07-28.
func TestLegacyListOnTheWire(t *testing.T) {
	s, web := serve(t, catalog("one", "a"), Options{})
	id := session(t, web.URL)
	got := send(t, nil, web.URL+"/mcp", `{"jsonrpc":"2.0","id":"x","method":"tools/list"}`, "Mcp-Protocol-Version: ", "Mcp-Session-Id: "+id)
	if want := `{"jsonrpc":"2.0","id":"x","result":{"tools":` + string(s.Tools(curate.DefaultProfile)) + `}}`; decoded(t, got.message) != decoded(t, want) {
		t.Errorf("%s\nwant %s", got.message, want)
	}
}

// session opens a legacy session by hand and returns its id.
func session(t *testing.T, url string) string {
	t.Helper()
	got := send(t, nil, url+"/mcp", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, "Mcp-Protocol-Version: ")
	id := got.header.Get("Mcp-Session-Id")
	if got.status != 200 || id == "" {
		t.Fatalf("initialize: %d %s", got.status, got.message)
	}
	return id
}

// decoded writes JSON in one way.
func decoded(t *testing.T, text string) string {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	out, _ := json.Marshal(v)
	return string(out)
}

func TestErrorsByEra(t *testing.T) {
	_, web := serve(t, catalog("one", "a"), Options{})
	id := session(t, web.URL)
	legacy := func(body string) reply {
		return send(t, nil, web.URL+"/mcp", body, "Mcp-Protocol-Version: ", "Mcp-Session-Id: "+id)
	}
	plain := func(method, params string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + params + `}}`
	}
	for _, c := range []struct {
		what   string
		got    reply
		status int
		code   string
	}{
		{"modern, unknown method", send(t, nil, web.URL+"/mcp", modernCall("no/such", "")), 404, "-32601"},
		{"modern, logging", send(t, nil, web.URL+"/mcp", modernCall("logging/setLevel", `"level":"info"`)), 404, "-32601"},
		{"modern, cursor", send(t, nil, web.URL+"/mcp", modernCall("tools/list", `"cursor":"x"`)), 400, "-32602"},
		{"modern, arguments that are no object", send(t, nil, web.URL+"/mcp", modernCall("tools/call", `"name":"a","arguments":[1]`), "Mcp-Name: a"), 400, "-32602"},
		{"modern, another name in the header", send(t, nil, web.URL+"/mcp", modernCall("tools/call", `"name":"a"`), "Mcp-Name: b"), 400, "-32020"},
		{"modern, another revision in the header", send(t, nil, web.URL+"/mcp", modernCall("tools/list", ""), "Mcp-Protocol-Version: ", "Mcp-Protocol-Version: 2025-11-25"), 400, "-32020"},
		{"modern, no such revision", send(t, nil, web.URL+"/mcp", strings.Replace(modernCall("tools/list", ""), modernVersion, "2099-01-01", 1), "Mcp-Protocol-Version: ", "Mcp-Protocol-Version: 2099-01-01"), 400, "-32022"},
		{"modern by its body alone", send(t, nil, web.URL+"/mcp", modernCall("tools/list", ""), "Mcp-Protocol-Version: "), 400, "-32020"},
		{"legacy, unknown method", legacy(plain("no/such", "")), 200, "-32601"},
		{"legacy, listen", legacy(plain("subscriptions/listen", `"notifications":{"toolsListChanged":true}`)), 200, "-32601"},
		{"legacy, unknown tool", legacy(plain("tools/call", `"name":"x"`)), 200, "-32602"},
		{"legacy, no name", legacy(plain("tools/call", "")), 200, "-32602"},
		{"legacy, initialize again", legacy(plain("initialize", "")), 400, "-32600"},
		{"legacy, no session", send(t, nil, web.URL+"/mcp", plain("tools/list", ""), "Mcp-Protocol-Version: "), 400, "-32600"},
	} {
		if c.got.status != c.status || !strings.Contains(c.got.message, `"code":`+c.code) {
			t.Errorf("%s: %d %s, want %d and %s", c.what, c.got.status, c.got.message, c.status, c.code)
		}
	}
}

func TestPaths(t *testing.T) {
	_, web := serve(t, catalog("one", "a"), Options{})
	for _, c := range []struct {
		method, path string
		status       int
		allow        string
	}{
		{"GET", "/", 404, ""},
		{"POST", "/mcp/", 404, ""},
		{"POST", "/mcp/nobody", 404, ""},
		{"GET", "/sse", 410, ""},
		{"POST", "/sse", 410, ""},
		{"POST", "/messages?sessionId=1", 410, ""},
		{"POST", "/messages/?session_id=1", 410, ""},
		{"POST", "/message?sessionId=1", 410, ""},
		{"GET", "/mcp", 405, "POST"},
		{"DELETE", "/mcp", 405, "POST"},
		{"PUT", "/mcp", 405, "POST"},
		{"POST", "/mcp/default", 415, ""},
	} {
		r, err := http.NewRequest(c.method, web.URL+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := do(t, nil, r)
		if got.status != c.status || got.header.Get("Allow") != c.allow || !json.Valid([]byte(got.message)) {
			t.Errorf("%s %s: %d %v %s", c.method, c.path, got.status, got.header, got.message)
		}
		if c.status != 415 && !strings.Contains(got.message, " /mcp") {
			t.Errorf("%s %s: no hint: %s", c.method, c.path, got.message)
		}
	}
}

func TestSessionsAreBounded(t *testing.T) {
	_, web := serve(t, catalog("one", "a"), Options{MaxSessions: 2})
	first := session(t, web.URL)
	session(t, web.URL)
	const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	got := send(t, nil, web.URL+"/mcp", initialize, "Mcp-Protocol-Version: ")
	if got.status != 503 || got.header.Get("Retry-After") == "" {
		t.Errorf("the third: %d %v", got.status, got.header)
	}
	r, _ := http.NewRequest(http.MethodDelete, web.URL+"/mcp", nil)
	if got := do(t, nil, r, "Mcp-Session-Id: "+first); got.status != 204 {
		t.Errorf("ending one: %d %s", got.status, got.message)
	}
	session(t, web.URL)
}

func TestCallIsTheSamePath(t *testing.T) {
	s := NewServer(catalog("one", "a"), Options{Site: answers(`"x"`)})
	res, err := s.Call(t.Context(), curate.DefaultProfile, "a", nil)
	if err != nil || string(res.StructuredContent.(json.RawMessage)) != `{"value":"x"}` {
		t.Errorf("%+v %v", res, err)
	}
	for _, c := range [][2]string{{"nobody", "a"}, {curate.DefaultProfile, "b"}, {curate.DefaultProfile, callTool}} {
		var coded *jsonrpc.Error
		if _, err := s.Call(t.Context(), c[0], c[1], nil); !errors.As(err, &coded) || coded.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("%v: %v", c, err)
		}
	}
}

// What cannot be listed is not served, and costs only itself.
func TestToolLeftOut(t *testing.T) {
	var log logs
	c := catalog("one", "a", "b", "c", "c")
	c.Profiles[curate.DefaultProfile].Tools[1].InputSchema = json.RawMessage(`{"type":`)
	s := NewServer(c, Options{Site: answers(`1`), Log: log.logger()})
	if got := string(s.Tools(curate.DefaultProfile)); strings.Count(got, `"name"`) != 2 || strings.Count(log.String(), "tool left out") != 2 {
		t.Errorf("%s\n%s", got, log.String())
	}
	if _, err := s.Call(t.Context(), curate.DefaultProfile, "b", nil); err == nil {
		t.Error("it can be called")
	}
}
