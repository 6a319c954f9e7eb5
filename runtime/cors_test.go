package runtime

import (
	"net/http"
	"strings"
	"testing"

	"toolpress/discover/wp"
)

// A browser asks before it sends any of MCP's headers; one that is forgotten
// breaks every client in a page (R33).
func TestCase_R33(t *testing.T) {
	_, web := serve(t, catalog("one", "a"), Options{Token: wp.NewSecret("s"), AllowedOrigins: []string{"https://app.example"}})
	preflight := func(origin, method, headers string) reply {
		t.Helper()
		r, err := http.NewRequest(http.MethodOptions, web.URL+"/mcp", nil)
		if err != nil {
			t.Fatal(err)
		}
		return do(t, nil, r, "Origin: "+origin, "Access-Control-Request-Method: "+method, "Access-Control-Request-Headers: "+headers)
	}
	for _, c := range []struct {
		origin, headers, allowed string
		status                   int
	}{
		{"https://app.example", "authorization,content-type,mcp-protocol-version,mcp-method,mcp-name", "authorization, content-type, mcp-protocol-version, mcp-method, mcp-name", 204},
		{"https://app.example", "mcp-session-id, last-event-id, accept", "mcp-session-id, last-event-id, accept", 204},
		{"https://app.example", "mcp-param-region,mcp-param-x", "mcp-param-region, mcp-param-x", 204},
		{"https://app.example", "cookie,x-forwarded-for,mcp-name", "mcp-name", 204},
		{"http://localhost:5173", "content-type", "content-type", 204},
		{"https://evil.example", "content-type", "", 403},
		{"null", "content-type", "", 403},
	} {
		got := preflight(c.origin, "POST", c.headers)
		if got.status != c.status || got.header.Get("Access-Control-Allow-Headers") != c.allowed {
			t.Errorf("%s %s: %d %v", c.origin, c.headers, got.status, got.header)
		}
		if origin := got.header.Get("Access-Control-Allow-Origin"); (origin == c.origin) != (c.status == 204) {
			t.Errorf("%s: allowed %q", c.origin, origin)
		}
		if got.header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: cookies are taken", c.origin)
		}
	}

	// The answers that follow can be read, refusals too; the token is still asked for.
	for _, c := range []struct {
		token  string
		status int
	}{{"s", 200}, {"x", 401}} {
		got := send(t, nil, web.URL+"/mcp", modernCall("tools/list", ""), "Origin: https://app.example", "Authorization: Bearer "+c.token)
		if got.status != c.status || got.header.Get("Access-Control-Allow-Origin") != "https://app.example" ||
			got.header.Get("Vary") != "Origin" || !strings.Contains(got.header.Get("Access-Control-Expose-Headers"), "Mcp-Session-Id") {
			t.Errorf("%d %v", got.status, got.header)
		}
	}
	if got := send(t, nil, web.URL+"/mcp", modernCall("tools/list", ""), "Authorization: Bearer s"); got.header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("without an origin: %v", got.header)
	}
	// OPTIONS that is no preflight is a method like any other.
	r, _ := http.NewRequest(http.MethodOptions, web.URL+"/mcp", nil)
	if got := do(t, nil, r, "Authorization: Bearer s"); got.status != 405 {
		t.Errorf("plain OPTIONS: %d", got.status)
	}
}
