package runtime

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
	"toolpress/discover/wp"
)

// onTheWire is a site that says, as a connection does, when a request was sent.
func onTheWire(then siteFunc) siteFunc {
	return func(ctx context.Context, r wp.Request) (*wp.Response, error) {
		if trace := httptrace.ContextClientTrace(ctx); trace != nil {
			trace.WroteRequest(httptrace.WroteRequestInfo{Err: errors.New("broken pipe")})
			trace.WroteRequest(httptrace.WroteRequestInfo{})
			trace.WroteRequest(httptrace.WroteRequestInfo{}) // again, on another connection
		}
		return then(ctx, r)
	}
}

// messages are what a POST is answered with, in order: the methods and steps of
// notifications, and "result" or "error".
func messages(t *testing.T, url, body string, headers ...string) []string {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var list []string
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		if _, data, ok := strings.Cut(lines.Text(), "data: "); ok {
			list = append(list, reported(t, data))
		} else if strings.HasPrefix(lines.Text(), "{") {
			list = append(list, fmt.Sprintf("%d unframed", resp.StatusCode))
		}
	}
	return list
}

// reported is a message in short.
func reported(t *testing.T, text string) string {
	t.Helper()
	var m struct {
		Method string
		Params struct {
			ProgressToken   any `json:"progressToken"`
			Progress, Total int
			Message         string
		}
		Result *struct{ IsError bool }
		Error  *struct{ Code int }
	}
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	switch p := m.Params; {
	case m.Method != "":
		return fmt.Sprintf("%v %d/%d %s", p.ProgressToken, p.Progress, p.Total, p.Message)
	case m.Error != nil:
		return fmt.Sprint("error ", m.Error.Code)
	case m.Result.IsError:
		return "failed"
	}
	return "result"
}

// Whoever asks for it is told of the steps, in order and before the result, in both
// eras; nobody else is told. A refusal and an error come with no step before them
// that the SDK would break the stream with.
func TestProgress(t *testing.T) {
	c := catalog("one", "a", "limited")
	c.Profiles[curate.DefaultProfile].Tools[1].Calls = curate.Rate{Calls: 1, Per: 24 * 3600e9}
	asks := asksFirst(t, `{ when: always }`).Profiles[curate.DefaultProfile].Tools[0]
	c.Profiles[curate.DefaultProfile].Tools = append(c.Profiles[curate.DefaultProfile].Tools, asks)
	_, web := serve(t, c, Options{Site: onTheWire(func(ctx context.Context, r wp.Request) (*wp.Response, error) {
		if r.Query != nil {
			return nil, &wp.Error{Kind: wp.Refused, Status: 404, Method: "GET", Sent: true}
		}
		return answers(`{}`)(ctx, r)
	})})
	id := session(t, web.URL)
	for _, c := range []struct {
		token, call, want string
		modern            string // where it differs
	}{
		{`"t"`, `"name":"a"`, "t 1/4 start, t 2/4 sent, t 3/4 received, t 4/4 done, result", ""},
		{`12`, `"name":"a"`, "12 1/4 start, 12 2/4 sent, 12 3/4 received, 12 4/4 done, result", ""},
		{``, `"name":"a"`, "result", ""},
		{`1.5`, `"name":"a"`, "result", ""},
		{`{"a":1}`, `"name":"a"`, "result", ""},
		{`"` + strings.Repeat("x", 300) + `"`, `"name":"a"`, "result", ""},
		{`"t"`, `"name":"a","arguments":{"id":7}`, "t 1/4 start, t 2/4 sent, failed", ""},
		{`"t"`, `"name":"a","arguments":{"id":"x"}`, "failed", ""},
		{`"t"`, `"name":"nope"`, "error -32602", "400 unframed"},
		{`"t"`, `"name":"drop","arguments":{"id":7}`, "failed", "400 unframed"}, // -32021
	} {
		meta := ""
		if c.token != "" {
			meta = `"progressToken":` + c.token
		}
		legacy := messages(t, web.URL+"/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{`+meta+`},`+c.call+`}}`, "Mcp-Session-Id: "+id)
		if got := strings.Join(legacy, ", "); got != c.want {
			t.Errorf("legacy, %s %s: %s, want %s", c.token, c.call, got, c.want)
		}
		if meta != "" {
			meta += ","
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(c.call, `"name":"`), `"`)
		body := strings.Replace(modernCall("tools/call", c.call), `"_meta":{`, `"_meta":{`+meta, 1)
		want := c.want
		if c.modern != "" {
			want = c.modern
		}
		got := strings.Join(messages(t, web.URL+"/mcp", body, "Mcp-Protocol-Version: "+modernVersion, "Mcp-Method: tools/call", "Mcp-Name: "+name), ", ")
		if got != want {
			t.Errorf("modern, %s %s: %s, want %s", c.token, c.call, got, want)
		}
	}
	if got := messages(t, web.URL+"/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"progressToken":"t"},"name":"limited"}}`, "Mcp-Session-Id: "+id); len(got) != 5 {
		t.Error(got)
	}
	if got := messages(t, web.URL+"/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"progressToken":"t"},"name":"limited"}}`, "Mcp-Session-Id: "+id); len(got) != 1 || got[0] != "failed" {
		t.Error("once more than it may: ", got)
	}
}

// With a real connection, and through the official client, which gets the steps
// before the result.
func TestProgressOnARealConnection(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{}`)) }))
	defer site.Close()
	u, _ := url.Parse(site.URL + "/wp-json/")
	client, err := wp.NewClient(u, wp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	_, web := serve(t, catalog("one", "a"), Options{Site: client.At(u)})
	for _, era := range eras {
		told := make(chan string, 10)
		cs := connect(t, web.URL+"/mcp", era, nil, &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			told <- r.Params.Message
		}})
		params := &mcp.CallToolParams{Name: "a"}
		params.SetProgressToken("p")
		if res, err := cs.CallTool(t.Context(), params); err != nil || res.IsError {
			t.Fatalf("%s: %v %v", era, res, err)
		}
		for _, want := range steps {
			if got := <-told; got != want {
				t.Errorf("%s: %s, want %s", era, got, want)
			}
		}
	}
}

// A request that is written late, after the answer or after its end, is told of no
// more.
func TestNoProgressAfterTheResult(t *testing.T) {
	var told []float64
	p := &progress{ctx: t.Context(), token: "t", tell: func(_ context.Context, n *mcp.ProgressNotificationParams) error {
		told = append(told, n.Progress)
		return nil
	}}
	late := httptrace.ContextClientTrace(p.watch(t.Context()))
	p.step(stepStart)
	p.step(stepReceived)
	late.WroteRequest(httptrace.WroteRequestInfo{})
	p.end()
	p.step(stepDone)
	if fmt.Sprint(told) != "[1 3]" {
		t.Error(told)
	}
	gone, cancel := context.WithCancel(t.Context())
	p = &progress{ctx: gone, token: "t", tell: p.tell}
	cancel()
	p.step(stepStart)
	if len(told) != 2 {
		t.Error("told after it was cancelled")
	}
}

// On the standard streams too, in both eras, and each with its own token.
func TestProgressOverStdio(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewServer(catalog("one", "a"), Options{Site: onTheWire(answers(`{}`))})
		c := overStdio(t, s)
		c.say(hello)
		c.hear(`"id":0`)
		c.say(initialized)
		for token, line := range map[string]string{
			"l": `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"progressToken":"l"},"name":"a"}}`,
			"m": strings.Replace(modernCall("tools/call", `"name":"a"`), `"_meta":{`, `"_meta":{"progressToken":"m",`, 1),
		} {
			c.say(line)
			for i, step := range steps {
				if got := reported(t, c.hear("notifications/progress")); got != fmt.Sprintf("%s %d/4 %s", token, i+1, step) {
					t.Errorf("%s: %s", token, got)
				}
			}
			c.hear(`"result"`)
		}
		_ = c.in.Close()
		if err := <-c.ended; err != nil {
			t.Error(err)
		}
		c.quiet()
	})
}
