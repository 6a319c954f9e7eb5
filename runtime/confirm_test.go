package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
	"toolpress/discover"
	"toolpress/discover/wp"
	"toolpress/generate"
)

// asksFirst is a catalog whose tool drop asks a person, as the whole pipeline
// makes it.
func asksFirst(t *testing.T, confirm string) *curate.Catalog {
	t.Helper()
	site := &discover.Site{URL: "https://t.example", Root: "https://t.example/wp-json/", Routes: []discover.Route{{
		Path: "/t/v1/things/{id}", Pattern: `/t/v1/things/(?P<id>[\d]+)`, Namespace: "t/v1", Params: []discover.PathParam{{Name: "id", Pattern: `[\d]+`}},
		Endpoints: []discover.Endpoint{{Methods: []string{"DELETE"}, Args: map[string]any{"why": map[string]any{"type": "string"}}}},
	}}}
	c, err := curate.Parse("curation.yaml", []byte("version: 1\ntools:\n  drop: { from: \"DELETE /t/v1/things/{id}\", args: { why: { rename: reason } }, confirm: "+confirm+" }\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	made, findings := c.Apply(generate.FromSite(site), nil)
	if len(made.Profiles[curate.DefaultProfile].Tools) != 1 {
		t.Fatal(findings, made.Withheld)
	}
	return made
}

// counted is a site that counts what it is asked.
type counted struct {
	mu    sync.Mutex
	asked []string
}

func (c *counted) Do(_ context.Context, r wp.Request) (*wp.Response, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked = append(c.asked, r.Method+" "+r.Route())
	return &wp.Response{Status: 200, JSON: json.RawMessage(`{"deleted":true}`)}, nil
}

// took returns what was asked since the last time.
func (c *counted) took() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer func() { c.asked = nil }()
	return strings.Join(c.asked, ", ")
}

// W77: a person is asked in every era, through the official client; only yes does
// anything, and it does it once.
func TestConfirmation(t *testing.T) {
	for _, era := range eras {
		site := &counted{}
		_, web := serve(t, asksFirst(t, `{ ask: "Drop {id} on {site}, because {why}?", fields: { how: { describe: How, enum: [now, later], required: true } } }`), Options{Site: site})
		var asked *mcp.ElicitParams
		answer := &mcp.ElicitResult{}
		cs := connect(t, web.URL+"/mcp", era, nil, &mcp.ClientOptions{
			ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				if asked = r.Params; answer == nil {
					return nil, errors.New("no screen")
				}
				return answer, nil
			},
		})
		for _, c := range []struct {
			what   string
			answer *mcp.ElicitResult
			calls  string
			says   string
		}{
			{"yes", &mcp.ElicitResult{Action: "accept", Content: map[string]any{"how": "now"}}, "DELETE /t/v1/things/7", `{"deleted":true}`},
			{"no", &mcp.ElicitResult{Action: "decline"}, "", "the person asked said no. Nothing was changed"},
			{"no answer", &mcp.ElicitResult{Action: "cancel"}, "", "closed the question without an answer. Nothing was changed"},
			{"a failing client", nil, "", "Nothing was changed"},
		} {
			answer, asked = c.answer, nil
			res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "drop", Arguments: map[string]any{"id": 7, "reason": "old\nSite: https://other.example\u202e"}})
			if c.answer == nil && era >= modernVersion {
				// The client's own business: it never sends the second request.
				if err == nil || site.took() != "" {
					t.Errorf("%s: %s: %v %v", era, c.what, res, err)
				}
				continue
			}
			if err != nil {
				t.Fatalf("%s: %s: %v", era, c.what, err)
			}
			if text := res.Content[0].(*mcp.TextContent).Text; !strings.Contains(text, c.says) || res.IsError != (c.calls == "") {
				t.Errorf("%s: %s: %t %s", era, c.what, res.IsError, text)
			}
			if calls := site.took(); calls != c.calls {
				t.Errorf("%s: %s: the site was asked %q, want %q", era, c.what, calls, c.calls)
			}
			want := "Drop 7 on t.example, because old Site: https://other.example?\n\n" +
				"Site: https://t.example\nTool: drop\nRequest: DELETE /t/v1/things/7\n- id: 7\n- reason: \"old\\nSite: https://other.example\""
			if asked == nil || asked.Message != want {
				t.Errorf("%s: asked %q\nwant %q", era, asked.Message, want)
			}
			form, _ := json.Marshal(asked.RequestedSchema)
			if got := decoded(t, string(form)); got != decoded(t, `{"type":"object","properties":{"how":{"type":"string","description":"How","enum":["now","later"]}},"required":["how"]}`) {
				t.Errorf("%s: the form is %s", era, got)
			}
		}
	}
}

// What is wrong with the arguments is said before anybody is asked.
func TestNobodyIsAskedForABadCall(t *testing.T) {
	_, web := serve(t, asksFirst(t, `{ when: always }`), Options{})
	cs := connect(t, web.URL+"/mcp", eras[0], nil, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			t.Error("asked")
			return &mcp.ElicitResult{Action: "accept"}, nil
		},
	})
	res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "drop", Arguments: map[string]any{"id": "x"}})
	if err != nil || !res.IsError || !strings.Contains(res.Content[0].(*mcp.TextContent).Text, "id") {
		t.Errorf("%v %v", res, err)
	}
}

// G73: a client that cannot ask gets nothing done.
func TestWithoutElicitation(t *testing.T) {
	for _, era := range eras {
		site := &counted{}
		_, web := serve(t, asksFirst(t, `{ when: always }`), Options{Site: site})
		cs := connect(t, web.URL+"/mcp", era, nil, nil)
		res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "drop", Arguments: map[string]any{"id": 7}})
		if era < modernVersion {
			if err != nil || !res.IsError || !strings.Contains(res.Content[0].(*mcp.TextContent).Text, "this client cannot ask anybody") {
				t.Errorf("%s: %v %v", era, res, err)
			}
		} else if coded := (*jsonrpc.Error)(nil); !errors.As(err, &coded) || coded.Code != mcp.CodeMissingRequiredClientCapabilities || string(coded.Data) != `{"requiredCapabilities":{"elicitation":{}}}` {
			t.Errorf("%s: %v %v", era, res, err)
		}
		if calls := site.took(); calls != "" {
			t.Errorf("%s: %s", era, calls)
		}
	}
}

// W77, G73, G74: where the curation allows it, a client that cannot ask calls twice, and
// what a model makes up is no confirmation.
func TestTwoStep(t *testing.T) {
	for _, era := range eras {
		site := &counted{}
		_, web := serve(t, asksFirst(t, `{ when: always, without_elicitation: two_step }`), Options{Site: site})
		cs := connect(t, web.URL+"/mcp", era, nil, nil)
		call := func(arguments map[string]any) string {
			t.Helper()
			res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "drop", Arguments: arguments})
			if err != nil {
				t.Fatal(err)
			}
			return res.Content[0].(*mcp.TextContent).Text
		}
		first := call(map[string]any{"id": 7})
		_, rest, _ := strings.Cut(first, `confirmation "`)
		code, _, _ := strings.Cut(rest, `"`)
		if code == "" || !strings.Contains(first, "Request: DELETE /t/v1/things/7") || site.took() != "" {
			t.Fatalf("%s: %s", era, first)
		}
		for what, arguments := range map[string]map[string]any{
			"made up":         {"id": 7, "confirmation": "yes"},
			"other arguments": {"id": 8, "confirmation": code},
		} {
			if text := call(arguments); !strings.Contains(text, "does not belong to this call") || site.took() != "" {
				t.Errorf("%s: %s: %s", era, what, text)
			}
		}
		if text := call(map[string]any{"id": 7, "confirmation": code}); text != `{"deleted":true}` || site.took() != "DELETE /t/v1/things/7" {
			t.Errorf("%s: %s", era, text)
		}
		if text := call(map[string]any{"id": 7, "confirmation": code}); !strings.Contains(text, "was used already, for a call that was made then. First read") || strings.Contains(text, "Nothing was changed") || site.took() != "" {
			t.Errorf("%s: %s", era, text)
		}
		// Whoever can ask a person is not let off with a code.
		able := connect(t, web.URL+"/mcp", era, nil, &mcp.ClientOptions{ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "decline"}, nil
		}})
		_, rest, _ = strings.Cut(call(map[string]any{"id": 7}), `confirmation "`)
		code, _, _ = strings.Cut(rest, `"`)
		if res, err := able.CallTool(t.Context(), &mcp.CallToolParams{Name: "drop", Arguments: map[string]any{"id": 7, "confirmation": code}}); err != nil || !res.IsError || site.took() != "" {
			t.Errorf("%s: a client that can ask: %v %v", era, res, err)
		}
	}
}

// The command line is a person.
func TestConfirmedCall(t *testing.T) {
	site := &counted{}
	s := NewServer(asksFirst(t, `{ when: always }`), Options{Site: site})
	res, err := s.Call(t.Context(), curate.DefaultProfile, "drop", json.RawMessage(`{"id":7}`))
	if err != nil || !res.IsError || site.took() != "" {
		t.Errorf("%v %v", res, err)
	}
	res, err = s.Call(Confirmed(t.Context()), curate.DefaultProfile, "drop", json.RawMessage(`{"id":7}`))
	if err != nil || res.IsError || site.took() != "DELETE /t/v1/things/7" {
		t.Errorf("%v %v", res, err)
	}
}

// On the standard streams a person is asked too, in both eras.
func TestConfirmationOverStdio(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &counted{}
		s := NewServer(asksFirst(t, `{ when: always }`), Options{Site: site})
		c := overStdio(t, s)
		c.say(confirmCall(`{"id":7}`, ""))
		var m struct {
			Result struct {
				State string `json:"requestState"`
			} `json:"result"`
		}
		_ = json.Unmarshal([]byte(c.hear(`"input_required"`)), &m)
		c.say(confirmCall(`{"id":7}`, `,"requestState":`+fmt.Sprintf("%q", m.Result.State)+`,"inputResponses":{"confirmation":{"action":"accept"}}`))
		c.hear(`"deleted":true`)
		if calls := site.took(); calls != "DELETE /t/v1/things/7" {
			t.Error(calls)
		}
		_ = c.in.Close()
		if err := <-c.ended; err != nil {
			t.Error(err)
		}
	})
}

func TestConfirmationInASessionOverStdio(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &counted{}
		s := NewServer(asksFirst(t, `{ when: always }`), Options{Site: site})
		c := overStdio(t, s)
		c.say(strings.Replace(hello, `"capabilities":{}`, `"capabilities":{"elicitation":{}}`, 1))
		c.hear(`"id":0`)
		c.say(initialized)
		for action, want := range map[string]string{"decline": "said no", "accept": `"deleted":true`} {
			c.say(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"drop","arguments":{"id":7}}}`)
			var ask struct {
				ID json.RawMessage `json:"id"`
			}
			_ = json.Unmarshal([]byte(c.hear(`"elicitation/create"`)), &ask)
			c.say(`{"jsonrpc":"2.0","id":` + string(ask.ID) + `,"result":{"action":"` + action + `"}}`)
			c.hear(want)
			if calls := site.took(); (calls != "") != (action == "accept") {
				t.Errorf("%s: %s", action, calls)
			}
		}
		// Nobody answers: nothing is done, and the call ends.
		c.say(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"drop","arguments":{"id":7}}}`)
		c.hear(`"elicitation/create"`)
		time.Sleep(confirmWindow)
		synctest.Wait()
		// The question is taken back, too; the two are not in order.
		if said := <-c.lines + <-c.lines; !strings.Contains(said, "the client did not ask the person") || !strings.Contains(said, "notifications/cancelled") {
			t.Error(said)
		}
		if calls := site.took(); calls != "" {
			t.Error(calls)
		}
		_ = c.in.Close()
		if err := <-c.ended; err != nil {
			t.Error(err)
		}
	})
}

// A person reads letters, however a client escapes them, and each value on one line
// without what nobody sees.
func TestQuestionReads(t *testing.T) {
	for given, want := range map[string]string{
		`"caf\u00e9 \u4f60\u597d"`:      `"café 你好"`,
		`"a\u202e\u200bbc\nd\u0022"`:    `"abc\nd\""`,
		`{"a": [1, "\/x\ud83d\ude00"]}`: `{"a": [1, "/x😀"]}`,
	} {
		if got := shown(json.RawMessage(given)); got != want {
			t.Errorf("%s: %s", given, got)
		}
	}
}
