package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
	"toolpress/discover"
	"toolpress/discover/wp"
	"toolpress/generate"
)

// shopCatalog has a tool that reads and one that asks first, as the whole pipeline
// makes them.
func shopCatalog(t *testing.T) *curate.Catalog {
	t.Helper()
	text := map[string]any{"type": "string"}
	site := &discover.Site{URL: "https://t.example", Root: "https://t.example/wp-json/", Routes: []discover.Route{
		{Path: "/wc/v3/orders", Pattern: "/wc/v3/orders", Namespace: "wc/v3", Endpoints: []discover.Endpoint{{Methods: []string{"GET"}, Args: map[string]any{
			"search": text, "email": text, "per_page": map[string]any{"type": "integer"}, "meta": map[string]any{"type": "object"},
		}}}},
		{
			Path: "/wc/v3/orders/{id}", Pattern: `/wc/v3/orders/(?P<id>[\d]+)`, Namespace: "wc/v3", Params: []discover.PathParam{{Name: "id", Pattern: `[\d]+`}},
			Endpoints: []discover.Endpoint{{Methods: []string{"DELETE"}, Args: map[string]any{"reason": text, "password": text}}},
		},
	}}
	c, err := curate.Parse("curation.yaml", []byte(`
version: 1
private: [{ match: { namespace: wc/v3 }, fields: [email, billing.**] }]
tools:
  find_orders: { from: GET /wc/v3/orders, args: { search: { rename: query }, email: { rename: mail } } }
  drop_order:
    from: "DELETE /wc/v3/orders/{id}"
    confirm: { fields: { who: { describe: "Who says so?", required: true } } }
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	made, findings := c.Apply(generate.FromSite(site), nil)
	if len(made.Profiles[curate.DefaultProfile].Tools) != 2 {
		t.Fatal(findings, made.Withheld)
	}
	return made
}

// audited is a server and what it writes down.
type audited struct {
	t     *testing.T
	s     *Server
	lines *logs
}

func newAudited(t *testing.T, site Site, opts Options) *audited {
	t.Helper()
	w := &audited{t: t, lines: &logs{}}
	opts.Site, opts.Audit, opts.StateKey = site, w.lines, wp.NewSecret("an example of a state key")
	w.s = NewServer(shopCatalog(t), opts)
	return w
}

// call calls a tool as the holder of a token.
func (w *audited) call(tool, arguments string, asking asking) (*mcp.CallToolResult, string) {
	w.t.Helper()
	p := w.s.current.Load().profiles[curate.DefaultProfile]
	a := p.admission(p.byName[tool])
	a.principal, a.asking = principal("Bearer 0123456789abcdef"), asking
	res, err := w.s.call(w.t.Context(), a, json.RawMessage(arguments))
	if err != nil {
		res = nil
	}
	return res, w.took()
}

// took returns what was written since the last time.
func (w *audited) took() string {
	w.lines.mu.Lock()
	defer w.lines.mu.Unlock()
	defer w.lines.b.Reset()
	return w.lines.b.String()
}

var codeBlocks = regexp.MustCompile("(?s)```json\n(.*?)```")

// The lines in docs/audit.md are what is written.
func TestAuditExample(t *testing.T) {
	text, err := os.ReadFile("../docs/audit.md")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, block := range codeBlocks.FindAllStringSubmatch(string(text), -1) {
		want = append(want, block[1])
	}
	synctest.Test(t, func(t *testing.T) {
		site := siteFunc(func(ctx context.Context, r wp.Request) (*wp.Response, error) {
			time.Sleep(120 * time.Millisecond)
			if len(r.Query) == 1 && r.Query[0].Name == "email" {
				return nil, &wp.Error{Kind: wp.Refused, Method: "GET", Status: 403, Code: "woocommerce_rest_cannot_view", Sent: true}
			}
			return answers(`{"id":7,"status":"completed","email":"ana@t.example"}`)(ctx, r)
		})
		var got []string
		for _, values := range []bool{false, true} {
			w := newAudited(t, site, Options{AuditValues: values})
			_, lines := w.call("find_orders", `{"query":"ana","per_page":3}`, asking{})
			if !values {
				first, line := w.call("drop_order", `{"id":7,"password":"hunter2"}`, asking{able: true, modern: true})
				lines += line
				_, line = w.call("drop_order", `{"id":7,"password":"hunter2"}`, asking{
					able: true, modern: true, state: first.RequestState, answer: &mcp.ElicitResult{Action: "accept", Content: map[string]any{"who": "Rita"}},
				})
				lines += line
				_, line = w.call("find_orders", `{"mail":"x"}`, asking{})
				lines += line
			} else {
				_, line := w.call("find_orders", `{"mail":"ana@t.example","meta":{"color":"red","api_key":"k"}}`, asking{})
				lines = line
			}
			got = append(got, lines)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("docs/audit.md has\n%s\nand written is\n%s", strings.Join(want, "\n"), strings.Join(got, "\n"))
		}
	})
}

// Every call has one line that says how it ended, whatever way that was.
func TestOutcomes(t *testing.T) {
	fault := func(e wp.Error) siteFunc { e.Sent = true; return fails(&e) }
	form := &mcp.ElicitResult{Action: "accept", Content: map[string]any{"who": "Rita"}}
	for _, c := range []struct {
		what, tool, arguments string
		site                  siteFunc
		asking                asking
		want                  string
	}{
		{"done", "find_orders", `{}`, answers(`[]`), asking{}, `"outcome":"ok","status":200`},
		{"refused", "find_orders", `{}`, fault(wp.Error{Kind: wp.Refused, Status: 404, Method: "GET", Code: "rest_no_route"}), asking{}, `"outcome":"failed","status":404,"error":"rest_no_route"`},
		{"refused without a code", "find_orders", `{}`, fault(wp.Error{Kind: wp.Refused, Status: 500, Method: "GET", Code: "no\ncode"}), asking{}, `"outcome":"failed","status":500,"error":"refused"`},
		{"no JSON", "find_orders", `{}`, fault(wp.Error{Kind: wp.NotJSON, Status: 200, Method: "GET"}), asking{}, `"outcome":"failed","status":200,"error":"not JSON"`},
		{"late", "find_orders", `{}`, fails(context.DeadlineExceeded), asking{}, `"outcome":"failed","error":"timeout"`},
		{"not sendable", "find_orders", `{}`, fails(&wp.RequestError{Err: errors.New("no")}), asking{}, `"outcome":"invalid"`},
		{"bad arguments", "find_orders", `{"per_page":"x","CANARY":1}`, nil, asking{}, `"other_arguments":1,"outcome":"invalid"`},
		{"too large", "find_orders", `{}`, answers(`{"` + strings.Repeat("x", 30000) + `":1}`), asking{}, `"outcome":"too_large","status":200`},
		{"a panic", "find_orders", `{}`, siteFunc(func(context.Context, wp.Request) (*wp.Response, error) { panic("CANARY") }), asking{}, `"outcome":"internal"`},
		{"no answer at all", "find_orders", `{}`, siteFunc(func(context.Context, wp.Request) (*wp.Response, error) { return nil, nil }), asking{}, `"outcome":"internal"`},
		{"no JSON within", "find_orders", `{}`, answers(`{"a":`), asking{}, `"outcome":"internal","status":200`},
		{"unknown", "drop_order", `{"id":7}`, fault(wp.Error{Kind: wp.Broken, Method: "DELETE"}), asking{answer: form}, `"confirmation":"confirmed","form":{"who":"`},
		{"unknown outcome", "drop_order", `{"id":7}`, fault(wp.Error{Kind: wp.Broken, Method: "DELETE"}), asking{answer: form}, `"outcome":"unknown","error":"broken"`},
		{"asked", "drop_order", `{"id":7}`, nil, asking{able: true}, `"confirmation":"asked","outcome":"unconfirmed","duration_s"`},
		{"unable, modern", "drop_order", `{"id":7}`, nil, asking{modern: true}, `"confirmation":"unable","outcome":"unconfirmed"`},
		{"unable, legacy", "drop_order", `{"id":7}`, nil, asking{}, `"confirmation":"unable","outcome":"unconfirmed"`},
		{"declined", "drop_order", `{"id":7}`, nil, asking{answer: &mcp.ElicitResult{Action: "decline"}}, `"confirmation":"declined","outcome":"unconfirmed"`},
		{"closed", "drop_order", `{"id":7}`, nil, asking{answer: &mcp.ElicitResult{Action: "cancel"}}, `"confirmation":"closed","outcome":"unconfirmed"`},
		{"incomplete", "drop_order", `{"id":7}`, nil, asking{answer: &mcp.ElicitResult{Action: "accept"}}, `"confirmation":"incomplete","outcome":"unconfirmed"`},
		{"forged", "drop_order", `{"id":7}`, nil, asking{state: "forged", answer: form}, `"confirmation":"forged","outcome":"unconfirmed"`},
		{"of another call", "drop_order", `{"id":8}`, nil, asking{answer: form}, `"confirmation":"forged","outcome":"unconfirmed"`},
		{"expired", "drop_order", `{"id":7}`, nil, asking{answer: form}, `"confirmation":"expired","outcome":"unconfirmed"`},
	} {
		synctest.Test(t, func(t *testing.T) {
			var log logs
			w := newAudited(t, c.site, Options{Log: log.logger()})
			if c.asking.answer != nil && c.asking.state == "" {
				first, _ := w.call(c.tool, `{"id":7}`, asking{able: true})
				c.asking.state = first.RequestState
			}
			if c.what == "expired" {
				time.Sleep(confirmWindow)
			}
			_, line := w.call(c.tool, c.arguments, c.asking)
			if !strings.Contains(line, c.want) || strings.Count(line, "\n") != 1 || !json.Valid([]byte(line)) || strings.Contains(line+log.String(), "CANARY") {
				t.Errorf("%s: %s lacks %s\n%s", c.what, line, c.want, log.String())
			}
		})
	}
}

// What is refused for its number has a line too, and so has a call of what is no
// tool, and a person that was never asked; through clients, in every era.
func TestOutcomesOfClients(t *testing.T) {
	for _, era := range eras {
		lines := &logs{}
		c := shopCatalog(t)
		c.Profiles[curate.DefaultProfile].Tool("find_orders").Calls = curate.Rate{Calls: 1, Per: time.Hour}
		_, web := serve(t, c, Options{Audit: lines, Token: wp.NewSecret("0123456789abcdef")})
		cs := connect(t, web.URL+"/mcp", era, &http.Client{Transport: bearer("0123456789abcdef")}, &mcp.ClientOptions{
			ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				return nil, errors.New("no screen")
			},
		})
		for _, p := range []*mcp.CallToolParams{
			{Name: "find_orders"}, {Name: "find_orders"}, {Name: "nope"}, {Name: "no pe"}, {Name: "drop_order", Arguments: map[string]any{"id": 7}},
		} {
			_, _ = cs.CallTool(t.Context(), p) // what becomes of it is in the audit
		}
		who := `"profile":"default","principal":"` + principal("Bearer 0123456789abcdef") + `","tool":`
		want := []string{
			who + `"find_orders","operation":"GET /wc/v3/orders","outcome":"ok"`, who + `"find_orders","operation":"GET /wc/v3/orders","outcome":"limited"`,
			who + `"nope","outcome":"unknown_tool"`, who + `"","outcome":"unknown_tool"`,
			who + `"drop_order","operation":"DELETE /wc/v3/orders/{id}","arguments":{"id":"`,
		}
		if era < modernVersion {
			want = append(want, `"confirmation":"unanswered","outcome":"unconfirmed"`)
		}
		got := strings.Split(strings.TrimSpace(lines.String()), "\n")
		if len(got) != len(want) {
			t.Errorf("%s: %d lines, want %d:\n%s", era, len(got), len(want), lines)
			continue
		}
		for i := range want {
			if !strings.Contains(got[i], want[i]) {
				t.Errorf("%s: %s\nlacks %s", era, got[i], want[i])
			}
		}
	}
}

// bearer sends a token with every request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// Digests are the same for the same JSON, whatever its spaces and the order of its
// names, and with another key they are others: without the key a value cannot be
// guessed.
func TestDigests(t *testing.T) {
	digest := func(key, arguments string) string {
		lines := &logs{}
		s := NewServer(shopCatalog(t), Options{Site: answers(`{}`), Audit: lines, StateKey: wp.NewSecret(key)})
		if _, err := s.Call(t.Context(), curate.DefaultProfile, "find_orders", json.RawMessage(arguments)); err != nil {
			t.Fatal(err)
		}
		var line struct{ Arguments struct{ Meta string } }
		_ = json.Unmarshal([]byte(lines.String()), &line)
		return line.Arguments.Meta
	}
	one := digest("a", `{"meta":{"x":1,"y":"<é>"}}`)
	if other := digest("a", ` { "meta" : {"y":"<\u00e9>", "x":1 } } `); other != one || !regexp.MustCompile(`^[0-9a-f]{12}$`).MatchString(one) {
		t.Errorf("%s and %s", one, other)
	}
	for what, other := range map[string]string{
		"another value": digest("a", `{"meta":{"x":2,"y":"<é>"}}`), "another key": digest("b", `{"meta":{"x":1,"y":"<é>"}}`),
		"another process": digest("", `{"meta":{"x":1,"y":"<é>"}}`), "yet another": digest("", `{"meta":{"x":1,"y":"<é>"}}`),
	} {
		if other == one {
			t.Errorf("%s has the same digest", what)
		}
	}
	if first, second := digest("", `{"meta":{}}`), digest("", `{"meta":{}}`); first == second {
		t.Error("without a state key two processes have the same digests")
	}
}

// full is a disk that takes so many bytes more.
type full struct {
	logs
	room int
}

func (f *full) Write(p []byte) (int, error) {
	n := min(len(p), f.room)
	f.room -= n
	_, _ = f.logs.Write(p[:n])
	if n < len(p) {
		return n, errors.New("no space left on device")
	}
	return n, nil
}

// A full disk loses lines and no calls. The log says so once; when there is room
// again the first line is whole.
func TestAuditOnAFullDisk(t *testing.T) {
	var log logs
	disk := &full{room: 100}
	s := NewServer(shopCatalog(t), Options{Site: answers(`{}`), Audit: disk, Log: log.logger()})
	call := func() {
		t.Helper()
		if res, err := s.Call(t.Context(), curate.DefaultProfile, "find_orders", nil); err != nil || res.IsError {
			t.Errorf("%v %v", res, err)
		}
	}
	call()
	call()
	if n := strings.Count(log.String(), "writing the audit: calls go on"); n != 1 {
		t.Errorf("told %d times:\n%s", n, &log.b)
	}
	disk.room = 10_000
	call()
	call()
	lines := strings.Split(strings.TrimSpace(disk.String()), "\n")
	if len(lines) != 3 || json.Valid([]byte(lines[0])) || !json.Valid([]byte(lines[1])) || !json.Valid([]byte(lines[2])) {
		t.Errorf("%d lines:\n%s", len(lines), disk)
	}
	if !strings.Contains(log.String(), "the audit is written again") {
		t.Error(log.String())
	}
}

// With values, what a model sent is written down, but for what has a secret's or a
// private field's name, wherever it is, and what is long.
func TestAuditValues(t *testing.T) {
	w := newAudited(t, answers(`{}`), Options{AuditValues: true})
	long := strings.Repeat("x", maxNoted)
	_, line := w.call("find_orders", fmt.Sprintf(`{"query":%q,"mail":"CANARY","per_page":3,"meta":{"n":[{"email":"CANARY","a":1.50}],"billing":{"x":"CANARY"},"user_token":"CANARY"}}`, long), asking{})
	want := `"values":{"mail":"[redacted]","meta":{"billing":"[redacted]","n":[{"a":1.50,"email":"[redacted]"}],"user_token":"[redacted]"},"per_page":3,"query":"[4098 bytes]"}`
	if !strings.Contains(line, want) || strings.Contains(line, "CANARY") {
		t.Errorf("%s\nlacks %s", line, want)
	}
	first, _ := w.call("drop_order", `{"id":7,"password":"CANARY"}`, asking{able: true})
	_, line = w.call("drop_order", `{"id":7,"password":"CANARY"}`, asking{
		state: first.RequestState, answer: &mcp.ElicitResult{Action: "accept", Content: map[string]any{"who": "Rita"}},
	})
	if !strings.Contains(line, `"values":{"id":7,"password":"[redacted]"}`) || !strings.Contains(line, `"password":"[redacted]"},"values"`) || !strings.Contains(line, `"form_values":{"who":"Rita"}`) || strings.Contains(line, "CANARY") {
		t.Error(line)
	}
}
