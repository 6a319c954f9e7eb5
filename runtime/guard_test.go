package runtime

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"toolpress/discover/wp"
)

// The matrix of guard's comment (T29).
func TestHostAndOrigin(t *testing.T) {
	s := NewServer(catalog("one", "a"), Options{AllowedHosts: []string{"mcp.example", "other.example:8443"}, AllowedOrigins: []string{"https://app.example"}})
	for _, c := range []struct {
		host, origin string
		served       bool
	}{
		{"localhost", "", true},
		{"LOCALHOST:8080", "", true},
		{"127.0.0.1:8080", "", true},
		{"127.8.8.8", "", true},
		{"[::1]:8080", "", true},
		{"[::1]", "", true},
		{"mcp.example", "", true},
		{"MCP.example:9999", "", true},
		{"other.example:8443", "", true},
		{"other.example:8444", "", false},
		{"other.example", "", false},
		{"evil.example", "", false},
		{"evil.example:8080", "http://localhost", false},
		{"localhost.evil.example", "", false},
		{"127.0.0.1.evil.example", "", false},
		{"192.168.1.5:8080", "", false},
		{"0.0.0.0:8080", "", false},
		{"127.1", "", false},
		{"", "", false},
		{"localhost", "http://localhost", true},
		{"localhost", "http://localhost:6274", true},
		{"localhost", "http://127.0.0.1:1", true},
		{"localhost", "http://[::1]:3000", true},
		{"localhost", "https://localhost:3000", true},
		{"mcp.example", "https://app.example", true},
		{"localhost", "https://app.example:444", false},
		{"localhost", "http://app.example", false},
		{"localhost", "null", false},
		{"localhost", "", true},
		{"localhost", "http://evil.example", false},
		{"localhost", "http://localhost.evil.example", false},
		{"localhost", "http://localhost@evil.example", false},
		{"localhost", "http://evil.example@localhost", false},
		{"localhost", "http://localhost/", false},
		{"localhost", "file://localhost", false},
		{"localhost", "http://mcp.example", false},
	} {
		for path, status := range map[string]int{"/mcp": 405, "/sse": 410, "/metrics": 404} {
			r := httptest.NewRequest(http.MethodGet, "http://x"+path, nil)
			r.Host = c.host
			if c.origin != "" {
				r.Header.Set("Origin", c.origin)
			}
			w := httptest.NewRecorder()
			s.Handler().ServeHTTP(w, r)
			if !c.served {
				status = 403
			}
			if w.Code != status {
				t.Errorf("Host %q, Origin %q, %s: %d, want %d", c.host, c.origin, path, w.Code, status)
			}
		}
	}
	r := httptest.NewRequest(http.MethodGet, "http://localhost/mcp", nil)
	r.Header["Origin"] = []string{"http://localhost", "http://evil.example"}
	w := httptest.NewRecorder()
	if s.Handler().ServeHTTP(w, r); w.Code != 403 {
		t.Errorf("two origins: %d", w.Code)
	}
}

func TestBearerToken(t *testing.T) {
	s := NewServer(catalog("one", "a"), Options{Token: wp.NewSecret("s3cret")})
	for _, c := range []struct {
		headers []string
		served  bool
	}{
		{[]string{"Bearer s3cret"}, true},
		{[]string{"bearer s3cret"}, true},
		{nil, false},
		{[]string{""}, false},
		{[]string{"Bearer"}, false},
		{[]string{"Bearer "}, false},
		{[]string{"Bearer s3cre"}, false},
		{[]string{"Bearer s3cret2"}, false},
		{[]string{"Basic s3cret"}, false},
		{[]string{"s3cret"}, false},
		{[]string{"Bearer s3cret", "Bearer s3cret"}, false},
	} {
		for _, path := range []string{"/mcp", "/", "/sse"} {
			r := httptest.NewRequest(http.MethodGet, "http://localhost"+path, nil)
			r.Header["Authorization"] = c.headers
			w := httptest.NewRecorder()
			s.Handler().ServeHTTP(w, r)
			if c.served != (w.Code != 401) {
				t.Errorf("%q on %s: %d", c.headers, path, w.Code)
			}
			if challenge := w.Header().Get("WWW-Authenticate"); !c.served && challenge != `Bearer error="invalid_token"` {
				t.Errorf("%q: challenge %q", c.headers, challenge)
			}
		}
	}
}

func TestBase64Name(t *testing.T) {
	_, web := serve(t, catalog("one", "a"), Options{})
	call := modernCall("tools/call", `"name":"a"`)
	encode := func(s string) string { return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(s)) + "?=" }
	for name, status := range map[string]int{
		"a":              200,
		encode("a"):      200,
		encode("b"):      400,
		"=?base64?%%%?=": 400,
		"=?base64?YQ==":  400, // not the whole form: it is the name itself
		"b":              400,
		"":               400,
	} {
		got := send(t, nil, web.URL+"/mcp", call, "Mcp-Name: "+name)
		if got.status != status || status == 400 && !strings.Contains(got.message, "-32020") {
			t.Errorf("Mcp-Name %q: %d %s", name, got.status, got.message)
		}
	}
}

// What encoding/json would overlook is refused before anything runs (T12).
func TestStrictEnvelope(t *testing.T) {
	s, web := serve(t, catalog("one", "a"), Options{Site: nil, MaxBody: 4096})
	_ = s
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	for body, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta + `}}`:                       "200",
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","METHOD":"tools/call","params":{` + meta + `}}`: "400 -32600",
		`{"jsonrpc":"2.0","id":1,"Method":"tools/list","params":{` + meta + `}}`:                       "400 -32600",
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"tools/list","params":{` + meta + `}}`: "400 -32600",
		`{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/list","params":{` + meta + `}}`:                "400 -32600",
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta + `},"paramſ":{}}`:           "400 -32600",
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta + `,"_META":{}}}`:            "400 -32600",
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{` + meta + `,"name":"b","name":"a"}}`: "400 -32600",
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta + `}} {}`:                    "400 -32700",
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta + `}`:                        "400 -32700",
		``:    "400 -32700",
		`"x"`: "400 -32600",
		`[]`:  "400 -32600",
		`[` + strings.Repeat(`{"jsonrpc":"2.0","method":"notifications/x"},`, 20) + `{}]`:                                "400 -32600",
		`[{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}]`:                                                   "400 -32600",
		`{"jsonrpc":"2.0","id":null,"method":"tools/list","params":{` + meta + `}}`:                                      "400 -32600",
		`{"jsonrpc":"2.0","id":1.5,"method":"tools/list","params":{` + meta + `}}`:                                       "400 -32600",
		`{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 300) + `","method":"tools/list","params":{` + meta + `}}`:        "400 -32600",
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}`:                                                     "400 -32602",
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta + `,"x":"` + strings.Repeat("x", 5000) + `"}}`: "413 -32600",
	} {
		got := send(t, nil, web.URL+"/mcp", body, "Mcp-Method: ", "Mcp-Method: tools/list")
		status, code, _ := strings.Cut(want, " ")
		if fmt.Sprint(got.status) != status || !strings.Contains(got.message, code) {
			t.Errorf("%.200s\n%d %s, want %s", body, got.status, got.message, want)
		}
	}
}

// G68: no header of a client reaches what serves the call, and so none the site.
func TestClientSecretsStopHere(t *testing.T) {
	r := httptest.NewRequest(http.MethodPost, "http://localhost/mcp", nil)
	r.Header.Set("Authorization", "Bearer canary")
	r.Header.Set("Cookie", "canary=1")
	if inner := stripped(r, nil); strings.Contains(fmt.Sprint(inner.Header), "canary") {
		t.Errorf("%v", inner.Header)
	}
	if r.Header.Get("Authorization") == "" {
		t.Error("the request itself was changed")
	}
}

// /healthz tells that it serves, and only that, without a token; no page of
// another origin reads it.
func TestHealth(t *testing.T) {
	_, web := serve(t, catalog("one", "a"), Options{Token: wp.NewSecret("t")})
	for _, c := range []struct {
		headers []string
		status  int
	}{
		{nil, 200},
		{[]string{"Host: evil.example"}, 403},
		{[]string{"Origin: http://localhost"}, 403},
	} {
		r, _ := http.NewRequest(http.MethodGet, web.URL+"/healthz", nil)
		got := do(t, nil, r, c.headers...)
		if got.status != c.status || (c.status == 200 && got.message != `{"status":"ok"}`) {
			t.Errorf("%v: %d %s", c.headers, got.status, got.message)
		}
	}
}
