package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"toolpress/test/canary"
	"toolpress/test/running"
)

// adminPaths are what the operator may ask at --admin-listen, and what is not there.
var adminPaths = []string{"/healthz", "/readyz", "/metrics", "/-/status", "/debug/pprof/", "/debug/vars", "/"}

// serving is a toolpress that serves, and everything that it says.
type serving struct {
	*sweeper
	base, admin string // addresses without a path
	log         *running.Log
}

// serve serves until the test's end, over HTTP with an audit that has values.
func (s *sweeper) serve() *serving {
	s.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	said, ended := &running.Log{}, make(chan int, 1)
	args := []string{
		"serve", "--curation", filepath.Join(s.own, "curation.yaml"), "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0",
		"--audit", filepath.Join(s.dir, "audit.jsonl"), "--audit-values",
	}
	go func() { ended <- run(ctx, args, func(name string) string { return s.env[name] }, nil, said, said) }()
	v := &serving{sweeper: s, log: said}
	s.t.Cleanup(func() {
		cancel()
		if code := <-ended; code != exitOK {
			s.t.Errorf("serve ended with %d:\n%s", code, said)
		}
		v.look("at the end", said.String())
	})
	said.Await(s.t, "serving MCP at http://127.0.0.1:", patience)
	after := func(text string) string {
		_, address, _ := strings.Cut(said.String(), text)
		return strings.Join(strings.SplitN(strings.Fields(address)[0], "/", 4)[:3], "/")
	}
	v.base, v.admin = after("serving MCP at "), after("serving the operator at ")
	return v
}

// ask sends a request as it is and looks through the answer, its headers too.
func (v *serving) ask(what, method, url, body string, headers map[string]string) string {
	v.t.Helper()
	r, err := http.NewRequestWithContext(v.t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		v.t.Fatal(err)
	}
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	r.Header.Set("Cookie", "session="+planted["a cookie that a client sent"])
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	said := fmt.Sprintln(resp.Status, resp.Header, string(text))
	v.look(fmt.Sprintf("%s: the answer to %s %s %s", what, method, url, body), said)
	return said
}

// called is a call as a client of 2026-07-28 makes it.
func (v *serving) called(what, profile, token, tool, arguments string) string {
	v.t.Helper()
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"name":"` +
		tool + `","arguments":` + arguments + `}}`
	return v.ask(what, http.MethodPost, v.base+"/mcp"+profile, body, map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool,
		"Authorization": "Bearer " + token,
	})
}

// T40, R55, T21: a server tells its clients, its log, its audit with values, what it
// remembers, and the operator none of the planted secrets, and nothing that is known of
// the shop's customers; however the site answers, whoever asks, and whatever is wrong.
func TestServeTellsNoSecret(t *testing.T) {
	t.Parallel()
	s := newSweeper(t, "20s")
	secrets := secretsOf()
	for _, text := range openShop(t, bothPresets).canaries(t) {
		if len(text) >= 12 {
			secrets = append(secrets, canary.Secret{What: "of a customer", Value: text})
		}
	}
	s.find = canary.NewFinder(secrets...)
	v := s.serve()
	server, editor, jwt := planted["the server's token"], planted["a profile's token"], planted["a token of a file"]
	note := func(n int) string {
		text, _ := json.Marshal(map[string]any{"title": fmt.Sprint(n), "password": planted["an argument whose name says it is secret"], "excerpt": "14 Sparrowhawk Crescent"})
		return string(text)
	}
	for n, way := range slices.Sorted(maps.Keys(ways)) {
		for _, c := range [][4]string{
			{"", server, "raw_orders", fmt.Sprintf(`{"page":%d}`, n+1)},
			{"", server, "find_orders", `{}`},
			{"/editor", editor, "keep_note", note(n)},
			{"/jwt", jwt, "raw_post", `{"id":4}`},
			{"", server, "find_pages", `{}`},
			{"/jwt", jwt, "find_pages", `{}`},
			{"", server, "update_order_status", `{"id":201,"status":"completed"}`},
		} {
			if strings.HasPrefix(c[2], "find_") && slices.Contains([]string{"429", "headers", "too little", "a broken header"}, way) && c[0] == "" {
				continue // reads are sent again after these, which takes its time
			}
			s.tells(ways[way])
			if said := v.called(way, c[0], c[1], c[2], c[3]); strings.Contains(said, "left alone") {
				t.Errorf("%s: the site was not asked", way)
			}
			// A site that answers in between is not left alone.
			s.tells(nil)
			v.called("nothing", "", server, "find_products", `{"per_page":1}`)
		}
		for _, path := range adminPaths {
			v.ask(way, http.MethodGet, v.admin+path, "", map[string]string{"Authorization": "Bearer " + server})
		}
	}
	kept := v.called("nothing", "", server, "raw_orders", `{}`)
	if again := v.called("kept", "", server, "raw_orders", `{}`); !strings.Contains(kept, `"line_items"`) || !strings.Contains(again, `"line_items"`) {
		t.Errorf("nobody answers: %.300s", again)
	}
	v.wrong(server)
	v.reloaded()
	for _, of := range [][]string{{"health", "--listen"}, {"health", "--ready", "--listen"}} {
		for _, at := range []string{v.base, v.admin} {
			s.run("health", nil, append(slices.Clone(of), strings.TrimPrefix(at, "http://"))...)
		}
	}
	for _, of := range [][]string{{"status"}, {"status", "--json"}} {
		if said := s.run("status", nil, append(of, "--admin", v.admin)...); !strings.Contains(said, "default") {
			t.Errorf("it tells nothing: %s", said)
		}
	}
	audit := s.writes(t)[filepath.Join(s.dir, "audit.jsonl")]
	if n := strings.Count(audit, "\n"); n < 150 || !strings.Contains(audit, `"password":"[redacted]"`) || !strings.Contains(audit, `"values"`) {
		t.Errorf("an audit of %d lines", n)
	}
}

// wrong asks what nobody should: without a token, with another's, for what is not
// there, in no form.
func (v *serving) wrong(server string) {
	v.t.Helper()
	own := map[string]string{"Authorization": "Bearer " + server, "Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
	for _, token := range []string{planted["a token that a client sent, a JWT"], planted["a profile's token"], planted["the state key"], canary.Swapped(server), server + "x"} {
		v.called("another token", "", token, "find_orders", `{}`)
		v.called("another token", "/editor", token, "find_orders", `{}`)
	}
	for _, secret := range []string{planted["the webhook's secret"], planted["an argument whose name says it is secret"]} {
		v.called("no such tool", "", server, "nope", `{"password":"`+secret+`"}`)
		v.called("no such argument", "", server, "keep_note", `{"pass":1,"title":7,"password":"`+secret+`"}`)
		for _, body := range []string{`{"jsonrpc":"2.0","id":1,"method":"nope"}`, `{"jsonrpc"`, `[]`, `null`} {
			v.ask("no request", http.MethodPost, v.base+"/mcp", body, own)
		}
		v.ask("no path", http.MethodGet, v.base+"/"+secret+"?token="+secret, "", nil)
		v.ask("no profile", http.MethodPost, v.base+"/mcp/"+secret, "{}", own)
		v.ask("no host", http.MethodPost, v.base+"/mcp", "{}", map[string]string{"Origin": "https://" + secret + ".example", "Authorization": "Basic " + secret, "Mcp-Session-Id": secret, "Last-Event-Id": secret})
	}
}

// reloaded edits the curation and the tokens so that they cannot be used, with
// secrets where none belong.
func (v *serving) reloaded() {
	v.t.Helper()
	for name, bad := range map[string]string{
		"curation.yaml": "site: { auth: { user: admin, password: '" + planted["a password in an address"] + "' }, url: 'https://a:" + planted["a password in an address"] + "@x.example' }\n",
		"tokens":        "one two " + planted["a token that a client sent, a JWT"] + "\n",
	} {
		file := filepath.Join(v.own, name)
		good, err := os.ReadFile(file)
		if err != nil {
			v.t.Fatal(err)
		}
		before := len(v.log.String())
		if err := os.WriteFile(file, append(slices.Clone(good), bad...), 0o600); err != nil {
			v.t.Fatal(err)
		}
		running.Await(v.t, patience, func() bool { return len(v.log.String()) > before }, func() string { return name + " is not read again: " + v.log.String()[before:] })
		v.look("a bad "+name, v.log.String())
		if err := os.WriteFile(file, good, 0o600); err != nil {
			v.t.Fatal(err)
		}
	}
}
