package runtime

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"toolpress/curate"
	"toolpress/discover/wp"
)

// confirmCall is a request of 2026-07-28 of a client that can ask.
func confirmCall(arguments, rest string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}},"name":"drop","arguments":` + arguments + rest + `}}`
}

// What comes back from a client proves nothing by itself (T33).
func TestCase_T33(t *testing.T) {
	site := &counted{}
	_, web := serve(t, asksFirst(t, `{ when: always }`), Options{Site: site, Token: wp.NewSecret("one")})
	post := func(body, token string) reply {
		t.Helper()
		return send(t, nil, web.URL+"/mcp", body, "Mcp-Name: drop", "Authorization: Bearer "+token)
	}
	state := func() string {
		t.Helper()
		var m struct {
			Result struct {
				Type  string `json:"resultType"`
				State string `json:"requestState"`
			} `json:"result"`
		}
		got := post(confirmCall(`{"id":7}`, ""), "one")
		if json.Unmarshal([]byte(got.message), &m) != nil || m.Result.Type != "input_required" || m.Result.State == "" {
			t.Fatalf("%d %s", got.status, got.message)
		}
		return m.Result.State
	}
	yes := func(state string) string {
		return `,"requestState":` + fmt.Sprintf("%q", state) + `,"inputResponses":{"confirmation":{"action":"accept","content":{}}}`
	}
	good := state()
	flipped := []byte(good)
	flipped[len(flipped)/2] ^= 1
	for what, c := range map[string]struct {
		rest, arguments string
		status          int
		says            string
	}{
		"an answer to no question":      {`,"inputResponses":{"confirmation":{"action":"accept"}}`, `{"id":7}`, 200, `"input_required"`},
		"a state of the client's own":   {yes("yes"), `{"id":7}`, 400, "-32602"},
		"a changed state":               {yes(string(flipped)), `{"id":7}`, 400, "-32602"},
		"a longer state":                {yes(good + "-TAMPERED"), `{"id":7}`, 400, "-32602"},
		"other arguments":               {yes(good), `{"id":8}`, 400, "-32602"},
		"an argument more":              {yes(good), `{"id":7,"reason":"x"}`, 400, "-32602"},
		"no answer":                     {`,"requestState":` + fmt.Sprintf("%q", good), `{"id":7}`, 200, `"input_required"`},
		"an answer to another question": {`,"requestState":` + fmt.Sprintf("%q", good) + `,"inputResponses":{"other":{"action":"accept"}}`, `{"id":7}`, 200, `"input_required"`},
		"REQUESTSTATE":                  {`,"RequestState":` + fmt.Sprintf("%q", good), `{"id":7}`, 400, "-32600"},
	} {
		got := post(confirmCall(c.arguments, c.rest), "one")
		if got.status != c.status || !strings.Contains(got.message, c.says) {
			t.Errorf("%s: %d %s", what, got.status, got.message)
		}
		if calls := site.took(); calls != "" {
			t.Errorf("%s: the site was asked %s", what, calls)
		}
	}
	if got := post(confirmCall(`{"id":7}`, yes(good)), "one"); got.status != 200 || site.took() != "DELETE /t/v1/things/7" {
		t.Errorf("the right one: %d %s", got.status, got.message)
	}
	if got := post(confirmCall(`{"id":7}`, yes(good)), "one"); !strings.Contains(got.message, "was used already") || site.took() != "" {
		t.Errorf("a second time: %d %s", got.status, got.message)
	}
}

// A state is bound to who was asked, and to the tool it was asked for.
func TestStateIsOnePrincipals(t *testing.T) {
	s := NewServer(asksFirst(t, `{ when: always }`), Options{Site: answers(`{}`)})
	tool := s.current.Load().profiles[curate.DefaultProfile].byName["drop"]
	request, err := tool.Request(json.RawMessage(`{"id":7}`))
	if err != nil {
		t.Fatal(err)
	}
	mine := admission{tool: tool, profile: "default", principal: "a"}
	binding, err := bind(mine, request)
	if err != nil {
		t.Fatal(err)
	}
	sealed := s.seals.seal(binding, time.Hour)
	other := *tool
	other.Name = "drop_all"
	for what, a := range map[string]admission{
		"another principal": {tool: tool, profile: "default", principal: "b"},
		"another profile":   {tool: tool, profile: "editor", principal: "a"},
		"another tool":      {tool: &other, profile: "default", principal: "a"},
	} {
		binding, _ := bind(a, request)
		if err := s.seals.open(sealed, binding); !errors.Is(err, errForged) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := NewServer(catalog("one"), Options{}).seals.open(sealed, binding); !errors.Is(err, errForged) {
		t.Errorf("another process: %v", err)
	}
	if err := s.seals.open(sealed, binding); err != nil {
		t.Error(err)
	}
}

func TestSeals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		key, about := wp.NewSecret("k"), []byte("this")
		s := newSeals(key)
		late, shared := s.seal(about, time.Minute), s.seal(about, time.Hour)
		time.Sleep(time.Minute)
		if err := s.open(late, about); !errors.Is(err, errExpired) {
			t.Errorf("late: %v", err)
		}
		if err := newSeals(key).open(shared, about); err != nil {
			t.Errorf("another server with the key: %v", err)
		}
		if err := newSeals(wp.NewSecret("l")).open(shared, about); !errors.Is(err, errForged) {
			t.Errorf("another server with another key: %v", err)
		}
		for range maxSpent {
			if err := s.open(s.seal(about, time.Hour), about); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.open(shared, about); !errors.Is(err, errCrowded) {
			t.Errorf("full: %v", err)
		}
		time.Sleep(time.Hour)
		if err := s.open(s.seal(about, time.Hour), about); err != nil || len(s.spent) != 1 {
			t.Errorf("what expired is still held: %v, %d", err, len(s.spent))
		}
	})
}
