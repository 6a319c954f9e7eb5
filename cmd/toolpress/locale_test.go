package main

import (
	"strings"
	"testing"

	"toolpress/curate"
)

// W71: the same site in de_DE and en_US. With site.locale not one word flips, also
// across a restart, and that it is held is a finding; without it the words change,
// and it is said that they alone did.
func TestLocaleIsPinned(t *testing.T) {
	foreign := func(r *reloader) (said string) {
		for _, f := range r.findings {
			if f.ID == "other-locale" && f.Severity == curate.SeverityWarning {
				said = f.Message
			}
		}
		return said
	}
	site := newChangingSite(t)
	const open = "expose: [{ namespace: wp/v2, route: \"/wp/v2/posts/**\" }]\n"
	const pin = "site: { locale: en_US }\n" + open

	free := starts(t, site.env(), open, serveFlags{})
	r := free.serves(t)
	before := string(r.server.Tools("default"))
	site.state.Store("german")
	r.ask(t.Context())()
	if now := string(r.server.Tools("default")); now == before || !strings.Contains(now, "Auf Deutsch") || !strings.Contains(free.said.String(), "the wording of the site changed: ") {
		t.Errorf("not pinned: %s", &free.said)
	}
	site.state.Store("")
	r.ask(t.Context())()
	site.state.Store("less") // more than words
	r.ask(t.Context())()
	if r.ask(t.Context())(); !strings.Contains(free.said.String(), "\nthe site changed") {
		t.Errorf("more than words: %s", &free.said)
	}

	site.state.Store("")
	env := in(site.env(), t.TempDir())
	held := starts(t, env, pin, serveFlags{})
	r = held.serves(t)
	site.state.Store("german")
	for range 3 {
		r.ask(t.Context())()
		if string(r.server.Tools("default")) != before {
			t.Fatal("the words flipped")
		}
	}
	const says = "the site answers in de_DE, and is to be in en_US: its texts stay as they were before, and what is new keeps its own"
	if foreign(r) != says || strings.Count(held.said.String(), says) != 1 {
		t.Errorf("%q: %s", foreign(r), &held.said)
	}
	again := starts(t, env, pin, serveFlags{}).serves(t)
	if string(again.server.Tools("default")) != before || foreign(again) != says {
		t.Errorf("after a restart: %q", foreign(again))
	}
	site.state.Store("")
	if again.ask(t.Context())(); foreign(again) != "" || string(again.server.Tools("default")) != before {
		t.Errorf("in its own language again: %q", foreign(again))
	}
	// Where nothing was kept in the pinned language, the words are the site's.
	site.state.Store("german")
	if first := starts(t, in(env, t.TempDir()), pin, serveFlags{}).serves(t); foreign(first) != "the site answers in de_DE, and is to be in en_US" {
		t.Errorf("%q", foreign(first))
	}
}
