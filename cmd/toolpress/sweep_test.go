package main

import (
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"toolpress/test/canary"
	"toolpress/test/running"
)

// sweeper runs commands and looks through everything that they say and write.
type sweeper struct {
	*telling
	t    *testing.T
	find *canary.Finder
	seen map[string]string // files, as they were when they were last looked through
}

func newSweeper(t *testing.T, timeout string) *sweeper {
	t.Helper()
	return &sweeper{newTelling(t, timeout), t, canary.NewFinder(secretsOf()...), map[string]string{}}
}

// conversation is what a client says to serve --stdio: calls, and lines that are none.
var conversation = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"raw_orders","arguments":{}}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"keep_note","arguments":{"title":"a","password":"` + planted["an argument whose name says it is secret"] + `"}}}
{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"nope","arguments":{}}}
{"jsonrpc":"2.0","id":5,"method":"` + planted["a cookie that a client sent"] + `"
`

// run runs a command to its end. more is another environment; what it says is returned.
func (s *sweeper) run(what string, more map[string]string, args ...string) string {
	s.t.Helper()
	env := maps.Clone(s.env)
	maps.Copy(env, more)
	var out, err running.Log // a server writes from many goroutines
	run(s.t.Context(), args, func(name string) string { return env[name] }, strings.NewReader(conversation), &out, &err)
	s.look(what+": toolpress "+strings.Join(args, " "), out.String()+err.String())
	return out.String() + err.String()
}

// look fails the test where a text, or a file that was written, holds a secret.
func (s *sweeper) look(what, said string) {
	s.t.Helper()
	texts := s.writes(s.t)
	for where, text := range texts {
		if s.seen[where] == text {
			delete(texts, where)
		}
		s.seen[where] = text
	}
	texts["what it says"] = said
	for where, text := range texts {
		for _, found := range s.find.Found(text) {
			s.t.Errorf("%s: %s holds %s", what, where, found)
		}
	}
}

// T40, R55: none of the planted secrets is in anything that a command says or writes, in
// any form, however the site answers and whatever it repeats of what it was sent.
func TestNoCommandTellsASecret(t *testing.T) {
	t.Parallel()
	s := newSweeper(t, "20s")
	file := func(name string) string { return filepath.Join(s.dir, name) }
	with := func(args ...string) []string {
		return append(args, "--curation", filepath.Join(s.own, "curation.yaml"))
	}
	secret := "password=" + planted["an argument whose name says it is secret"]
	// What reads the site, and what else says something where that works.
	reads := [][]string{{"check", "--json"}, {"doctor", "--json"}, {"discover", "-o", file("site.json")}}
	more := [][]string{
		{"check"},
		{"doctor"},
		{"discover", "--summary"},
		{"lint", "--json"},
		{"explain", "find_orders"},
		{"explain", "GET /wc/v3/orders"},
		{"init", "-o", file("new.yaml")},
		{"generate", "-o", file("catalog.json"), "--openapi", file("openapi.json"), "--openapi-curated", file("tools.json")},
		{"check", "--prove-private"},
		{"call", "find_posts", "--profile", "editor"},
		{"call", "--dry-run", "find_orders"},
		{"call", "--dry-run", "keep_note", secret},
		{"call", "keep_note", "title=t", secret},
	}
	for _, way := range slices.Sorted(maps.Keys(ways)) {
		s.tells(ways[way])
		for _, args := range reads {
			s.run(way, nil, with(args...)...)
		}
		if way == "nothing" {
			for _, args := range more {
				if said := s.run(way, nil, with(args...)...); strings.Contains(said, "toolpress: ") && args[0] != "lint" {
					t.Errorf("%v: %s", args, said)
				}
			}
		}
		if answer := ways[way]; answer != nil { // the site was read, and then
			s.tells(func(w http.ResponseWriter, r *http.Request) bool {
				route := strings.TrimPrefix(r.URL.Path, "/wp-json")
				return r.Method != http.MethodOptions && (strings.HasPrefix(route, "/wc/v3/orders") || strings.HasPrefix(route, "/wp/v2/posts")) && answer(w, r)
			})
		}
		// Calls, as the conversation has them.
		if said := s.run(way, nil, with("serve", "--stdio")...); !strings.Contains(said, `"id":3,"result"`) {
			t.Errorf("%s: nobody answers: %s", way, said)
		}
	}
	s.tells(nil)
	if said := s.run("nothing", nil, with("call", "raw_orders")...); !strings.Contains(said, `"currency"`) {
		t.Errorf("nobody answers: %s", said)
	}
	if files := s.writes(t); len(files) < 6 {
		t.Errorf("looked through %q", slices.Collect(maps.Keys(files)))
	}
}

// T40: nor where the site cannot be reached, or its certificate is not trusted, or it
// does not answer in time, or the settings themselves are wrong.
func TestNoSettingIsTold(t *testing.T) {
	t.Parallel()
	s := newSweeper(t, "1s")
	inside := "https://admin:" + planted["a password in an address"] + "@shop.example/wp"
	query := s.URL + "/?consumer_secret=" + planted["a password in an address"]
	with := func(args ...string) []string {
		return append(args, "--curation", filepath.Join(s.own, "curation.yaml"))
	}
	for what, env := range map[string]map[string]string{
		"not trusted": {"TOOLPRESS_CA_FILE": ""}, "no such name": {"TOOLPRESS_SITE": "https://no-such-host.invalid"}, "nobody listens": {"TOOLPRESS_SITE": "https://127.0.0.1:1"},
		"over http": {"TOOLPRESS_SITE": "http://shop.example"}, "keys over http": {"TOOLPRESS_SITE": "http://127.0.0.1:1"},
		"a password in the address": {"TOOLPRESS_SITE": inside}, "half a pair": {"SWEEP_SECRET": ""}, "half a credential": {"SWEEP_USER": ""},
		"an exchanged pair": {"SWEEP_KEY": planted["the consumer secret"], "SWEEP_SECRET": planted["the consumer key"]},
		"a broken address":  {"TOOLPRESS_SITE": "https://admin:" + planted["a password in an address"] + "@[::1"},
		"a query":           {"TOOLPRESS_SITE": query},
		"keys as a user":    {"SWEEP_USER": planted["the consumer key"], "SWEEP_PASSWORD": planted["the consumer secret"]},
		"no file":           {"TOOLPRESS_CA_FILE": "/nowhere"},
	} {
		for _, args := range [][]string{{"check", "--json"}, {"doctor", "--json"}, {"call", "find_posts"}, {"serve", "--listen", "0.0.0.0:0", "--audit", "/nowhere/audit"}} {
			s.run(what, env, with(args...)...)
		}
	}
	none := map[string]string{"TOOLPRESS_SITE": ""}
	for _, args := range [][]string{
		{"check", inside},
		{"check", "--site", inside},
		{"discover", inside, "--site", s.URL},
		{"discover", s.URL, "--site", inside},
		{"doctor", inside},
		{"login", inside},
		{"logout", inside},
		{"serve", inside},
		{"init", inside},
		{"version", inside},
		{"call", "find_posts", "--site", inside},
		{"discover", query},
		{"doctor", query},
	} {
		s.run("an address", none, args...)
	}
	s.tells(func(_ http.ResponseWriter, r *http.Request) bool { <-r.Context().Done(); return true })
	s.run("no answer", nil, with("check")...)
}
