package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"toolpress/discover/doctor"
	"toolpress/discover/login"
	"toolpress/discover/wp"
	"toolpress/runtime"
	"toolpress/test/canary"
)

// T40: whatever prints what was read of the settings prints no secret of them: the
// credentials, the options of the client, of the server and of doctor, what login
// keeps, the clients themselves, and what a command has in hand.
func TestNoSettingPrints(t *testing.T) {
	t.Parallel()
	site := newTelling(t, "20s")
	find := canary.NewFinder(secretsOf()...)
	env := maps.Clone(site.env)
	a := &app{getenv: func(name string) string { return env[name] }, stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}, curation: filepath.Join(site.own, "curation.yaml")}
	s, err := a.load(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	if err := s.serverTokens(); err != nil {
		t.Fatal(err)
	}
	_, catalog, _ := s.apply()
	if err := s.keys(profilesOf(catalog)); err != nil {
		t.Fatal(err)
	}
	opts, err := s.options()
	if err != nil {
		t.Fatal(err)
	}
	// All of it is there to be found.
	if opts.Store.Key.Reveal() != planted["the consumer key"] || len(s.tokens.files) != 1 || s.tokens.server.Empty() {
		t.Fatalf("%+v", opts)
	}
	serving := s.serving(serveFlags{}, &outlet{})
	serving.Token = s.tokens.server
	var accesses []runtime.Access
	for _, p := range profilesOf(catalog) {
		accesses = append(accesses, s.access(p))
	}
	address, _ := url.Parse(site.URL)
	client, err := wp.NewClient(address, opts)
	if err != nil {
		t.Fatal(err)
	}
	file := s.tokens.files[filepath.Join(site.own, "tokens")]
	for _, v := range []any{
		file, *file,
		opts, &opts, opts.Credential, opts.Store, &opts.Store, opts.Store.Key,
		doctor.Options{WP: opts},
		login.Stored{Credential: opts.Credential},
		client, *client, client.At(address), s.root, *s.root,
		serving, &serving, accesses, s, *s, s.tokens, &s.tokens, s.tokens.own(), s.curation, s.site, catalog,
		[]any{opts},
		map[string]any{"a": opts},
		struct{ inner wp.Options }{opts},
		&wp.Error{Err: fmt.Errorf("with %v and %+v", opts.Credential, opts.Store)},
	} {
		var log bytes.Buffer
		slog.New(slog.NewTextHandler(&log, nil)).Info("x", "v", v)
		slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "v", v)
		text, _ := json.Marshal(v) // what holds functions has no JSON
		var said strings.Builder
		said.WriteString(log.String() + string(text))
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			said.WriteString(" " + fmt.Sprintf(verb, v))
		}
		for _, found := range find.Found(said.String()) {
			t.Errorf("%T prints %s", v, found)
		}
	}
}
