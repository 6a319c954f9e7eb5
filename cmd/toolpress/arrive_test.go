package main

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"toolpress/discover"
	"toolpress/runtime"
)

// starting is serve until it would listen.
type starting struct {
	*source
	said strings.Builder
	how  arrival
	err  error
}

// starts begins to serve a site in an environment, with a curation's text.
func starts(t *testing.T, env map[string]string, curation string, f serveFlags) *starting {
	t.Helper()
	one := &starting{}
	a := &app{getenv: func(name string) string { return env[name] }, stderr: &one.said}
	if curation != "" {
		a.curation = filepath.Join(t.TempDir(), "my.yaml")
		if err := os.WriteFile(a.curation, []byte("version: 1\n"+curation), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := a.open("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	one.source = s
	one.how, one.err = s.arrive(t.Context(), "", f)
	if one.err == nil {
		a.arrived(s, one.how)
	}
	return one
}

// serves makes the reloader of what a start came by, with its server.
func (one *starting) serves(t *testing.T) *reloader {
	t.Helper()
	if one.err != nil {
		t.Fatal(one.err)
	}
	_, catalog, findings := one.apply()
	r := newReloader(one.source, catalog, findings, time.Minute, one.how)
	r.server = runtime.NewServer(catalog, runtime.Options{Access: one.access, Site: one.root.Client()})
	return r
}

// in adds a state directory to an environment.
func in(env map[string]string, dir string) map[string]string {
	env = maps.Clone(env)
	env["XDG_STATE_HOME"] = dir
	return env
}

// W46, W90: a start while the site is away serves what was read of it last, says so,
// and takes the site over when it answers.
func TestStartWithoutTheSite(t *testing.T) {
	site := newChangingSite(t)
	env := in(site.env(), t.TempDir())
	first := starts(t, env, "", serveFlags{})
	before := first.serves(t)
	if first.how.late != nil {
		t.Fatal(first.how.late)
	}
	for state, says := range map[string]string{"down": "500", "page": "not JSON", "gone": "connection refused"} {
		gone := in(env, env["XDG_STATE_HOME"])
		if state == "gone" {
			// Another address that nothing listens at, of which the same was kept.
			gone["TOOLPRESS_SITE"] = copied(t, first.source, "http://127.0.0.1:1")
		}
		site.state.Store(state)
		now := starts(t, gone, "", serveFlags{})
		r := now.serves(t)
		if string(r.server.Tools("default")) != string(before.server.Tools("default")) {
			t.Errorf("%s: other tools are served", state)
		}
		if now.how.late == nil || !strings.Contains(now.said.String(), says) || !strings.Contains(now.said.String(), "served is what was read of") || !strings.Contains(now.said.String(), "hint: ") {
			t.Errorf("%s: %v: %s", state, now.how.late, &now.said)
		}
		if len(r.soon) != 1 {
			t.Errorf("%s: the site is not asked at once", state)
		}
		if state == "gone" {
			continue
		}
		<-r.soon
		now.said.Reset()
		r.ask(t.Context())() // and again away: told once
		if strings.Contains(now.said.String(), "answers again") {
			t.Errorf("%s: %s", state, &now.said)
		}
		site.state.Store("")
		r.ask(t.Context())()
		if !strings.Contains(now.said.String(), "the site answers again") || strings.Contains(now.said.String(), "changed") || r.impatient {
			t.Errorf("%s: %s", state, &now.said)
		}
	}
}

// copied keeps what is kept of a site as if it were that of another address.
func copied(t *testing.T, s *source, address string) string {
	t.Helper()
	at, err := discover.ParseAddress(address)
	if err != nil {
		t.Fatal(err)
	}
	as := *s
	h := *s.shelf
	h.at, as.shelf = at, &h
	as.keep()
	return address
}

// W90: a site that takes long holds up no start of which something was kept; nothing
// else stands in for it.
func TestSlowStart(t *testing.T) {
	site := newChangingSite(t)
	env := in(site.env(), t.TempDir())
	starts(t, env, "", serveFlags{}).serves(t)
	site.gate = make(chan struct{})
	slow := starts(t, env, "", serveFlags{patience: 50 * time.Millisecond})
	r := slow.serves(t)
	if slow.how.late == nil || !strings.Contains(slow.said.String(), "the site takes longer than 50ms to read") || len(r.server.Tools("default")) < 1000 {
		t.Errorf("%v: %s", slow.how.late, &slow.said)
	}
	close(site.gate)
	if r.ask(t.Context())(); !strings.Contains(slow.said.String(), "the site answers again") {
		t.Errorf("%s", &slow.said)
	}
	site.gate = nil
	// Without anything kept it waits as long as it takes.
	if patient := starts(t, in(env, t.TempDir()), "", serveFlags{patience: 1}); patient.err != nil || patient.how.late != nil {
		t.Errorf("%v %v", patient.err, patient.how.late)
	}
}

// A credential that is refused, one of somebody else, another site, and a broken file
// start nothing from what was kept.
func TestStartOfAnother(t *testing.T) {
	site := newChangingSite(t)
	dir := t.TempDir()
	env := in(site.env(), dir)
	starts(t, env, "", serveFlags{}).serves(t)

	site.state.Store("refusing")
	if one := starts(t, env, "", serveFlags{}); !errors.Is(one.err, discover.ErrCredential) {
		t.Errorf("refused: %v: %s", one.err, &one.said)
	}
	site.state.Store("down")
	other := in(env, dir)
	other["TOOLPRESS_USER"] = site.shop.Users()[0].Login
	nobody := in(env, dir)
	delete(nobody, "TOOLPRESS_USER")
	delete(nobody, "TOOLPRESS_PASSWORD")
	elsewhere := in(env, dir)
	elsewhere["TOOLPRESS_SITE"] += "/other"
	for what, env := range map[string]map[string]string{"another user": other, "nobody": nobody, "another site": elsewhere, "another directory": in(env, t.TempDir())} {
		if one := starts(t, env, "", serveFlags{}); one.err == nil {
			t.Errorf("%s: it starts: %s", what, &one.said)
		}
	}
	if one := starts(t, env, "", serveFlags{}); one.err != nil {
		t.Errorf("the same again: %v", one.err)
	}
	password := in(env, dir)
	password["TOOLPRESS_PASSWORD"] = "another, of the same user"
	if one := starts(t, password, "", serveFlags{}); one.err != nil {
		t.Errorf("a new password: %v", one.err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "toolpress", "sites", "*.json"))
	if len(files) != 1 {
		t.Fatal(files)
	}
	if err := os.WriteFile(files[0], []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if one := starts(t, env, "", serveFlags{}); one.err == nil || !strings.Contains(one.said.String(), "it is broken") || !strings.Contains(one.said.String(), "it is not used") {
		t.Errorf("a broken file: %v: %s", one.err, &one.said)
	}
	site.state.Store("")
	starts(t, env, "", serveFlags{}).serves(t) // which replaces it
	site.state.Store("down")
	if one := starts(t, env, "", serveFlags{}); one.err != nil || strings.Contains(one.said.String(), "broken") {
		t.Errorf("after it: %v: %s", one.err, &one.said)
	}
}

// A curation that is newer than what was kept is what counts; what the account of a
// profile may call was kept too, and no secret.
func TestStartWithANewerCuration(t *testing.T) {
	site := newChangingSite(t)
	dir := t.TempDir()
	env := in(site.env(), dir)
	author := site.shop.Users()[2]
	env["WP_AUTHOR"], env["WP_AUTHOR_PASSWORD"] = author.Login, author.Password
	const curation = "extends: [preset:wordpress@1]\nprofiles:\n  default: { groups: [read, write] }\n  own: { groups: [read, write], auth: { user_env: WP_AUTHOR, password_env: WP_AUTHOR_PASSWORD } }\n"
	before := starts(t, env, curation, serveFlags{}).serves(t)
	site.state.Store("down")
	now := starts(t, env, curation+"tools: { find_tags: false }\n", serveFlags{}).serves(t)
	for name, p := range now.catalog.Profiles {
		old := before.catalog.Profiles[name]
		if p.Tool("find_tags") != nil || old.Tool("find_tags") == nil || len(p.Tools) != len(old.Tools)-1 {
			t.Errorf("%s: %d tools, %d before", name, len(p.Tools), len(old.Tools))
		}
	}
	if a, b := len(now.catalog.Profiles["own"].Tools), len(now.catalog.Profiles["default"].Tools); a >= b {
		t.Errorf("an author may call %d, an editor %d", a, b)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "toolpress", "sites", "*"))
	for _, name := range files {
		text, err := os.ReadFile(name)
		info, _ := os.Stat(name)
		if err != nil || strings.Contains(string(text), author.Password) || strings.Contains(string(text), env["TOOLPRESS_PASSWORD"]) || info.Mode().Perm() != 0o600 {
			t.Errorf("%s %v: a password is in it, or it is open", name, err)
		}
	}
	// Another user behind the same variable is not the one that was asked about.
	env["WP_AUTHOR"] = site.shop.Users()[0].Login
	other := starts(t, env, curation, serveFlags{})
	for key := range other.may {
		if key.UserEnv.Value == "WP_AUTHOR" {
			t.Errorf("what another may call is taken for theirs: %v", key)
		}
	}
}

// The whole of it: /readyz says stale while the site is away, and ready when it is
// back; a call is tried meanwhile.
func TestServeWithoutTheSite(t *testing.T) {
	site := newChangingSite(t)
	env := in(site.env(), t.TempDir())
	starts(t, env, "", serveFlags{}).serves(t)
	site.state.Store("down")
	log := startIn(t, env, nil, io.Discard, "serve", "--listen", "127.0.0.1:0", "--admin-listen", ":0", "--poll", "1h")
	log.Await(t, "Inspector", patience)
	ready := func() (code int, said struct {
		Status string
		Site   struct {
			Stale bool
			Error string `json:"last_error"`
		}
	},
	) {
		t.Helper()
		resp, err := http.Get(strings.TrimSuffix(after(log, "serving the operator at "), "/healthz") + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if err := json.NewDecoder(resp.Body).Decode(&said); err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, said
	}
	if code, said := ready(); code != 503 || said.Status != "stale" || !said.Site.Stale || !strings.Contains(said.Site.Error, "500") || strings.Contains(said.Site.Error, "canary") {
		t.Errorf("%d %+v", code, said)
	}
	site.state.Store("")
	if got := reloads(t, log); got.code != 200 || len(got.Changed) > 0 {
		t.Errorf("%+v", got)
	}
	if code, said := ready(); code != 200 || said.Status != "ready" || said.Site.Stale {
		t.Errorf("%d %+v", code, said)
	}
}

// T17: across a restart too, a site that lists much less, or does not say any more who
// we are, is not believed at once: the first by a second reading, the other by nobody
// but a person, however often it is read.
func TestDoubtedStart(t *testing.T) {
	for _, c := range []struct {
		state, says string
		confirmed   bool
	}{{"less", "lists much less than before", true}, {"nobody", "does not say any more who we are", false}} {
		site := newChangingSite(t)
		env := in(site.env(), t.TempDir())
		whole := starts(t, env, "", serveFlags{}).serves(t)
		site.state.Store(c.state)
		now := starts(t, env, "", serveFlags{})
		r := now.serves(t)
		if !strings.Contains(now.said.String(), c.says) || r.digest != whole.digest {
			t.Errorf("%s: %s", c.state, &now.said)
		}
		for range 5 {
			r.ask(t.Context())()
			if (r.digest != whole.digest) != c.confirmed {
				t.Errorf("%s: believed: %t: %s", c.state, r.digest != whole.digest, &now.said)
			}
		}
		if c.confirmed {
			continue
		}
		if n := strings.Count(now.said.String(), "/-/reload?accept=shrunken"); n != 1 {
			t.Errorf("%s: told %d times: %s", c.state, n, &now.said)
		}
		if again := starts(t, env, "", serveFlags{acceptShrunken: true}).serves(t); again.digest == whole.digest {
			t.Errorf("%s: accepted at the start, and not used", c.state)
		}
	}
}

// T17: the operator's override, over HTTP; without it no number of readings is one.
func TestAcceptShrunken(t *testing.T) {
	site := newChangingSite(t)
	log := startIn(t, site.env(), nil, io.Discard, "serve", "--listen", "127.0.0.1:0", "--admin-listen", ":0", "--poll", "1h")
	log.Await(t, "Inspector", patience)
	first := reloads(t, log)
	post := func(query string) (int, string) {
		t.Helper()
		resp, err := http.Post(strings.TrimSuffix(after(log, "serving the operator at "), "/healthz")+"/-/reload"+query, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, string(text)
	}
	site.state.Store("nobody")
	for range 4 {
		if got := reloads(t, log); got.code != 502 || got.Digest != first.Digest || !strings.Contains(got.Site, "/-/reload?accept=shrunken") || !strings.Contains(got.Site, "knew "+site.shop.Users()[1].Login) {
			t.Errorf("%+v", got)
		}
	}
	for _, query := range []string{"?accept=all", "?accept", "?x=1", "?accept=shrunken&x=1"} {
		if code, text := post(query); code != 400 || !strings.Contains(text, "accept=shrunken") {
			t.Errorf("%s: %d %s", query, code, text)
		}
	}
	if code, text := post("?accept=shrunken"); code != 200 || !strings.Contains(text, `"reloaded"`) {
		t.Errorf("%d %s", code, text)
	}
	site.state.Store("less") // one is enough with it
	if code, text := post("?accept=shrunken"); code != 200 || !strings.Contains(text, `"changed":["default"]`) {
		t.Errorf("%d %s", code, text)
	}
}

// A place that cannot be written is told once, and serves all the same.
func TestNoPlaceToKeep(t *testing.T) {
	site := newChangingSite(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "toolpress"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	one := starts(t, in(site.env(), dir), "", serveFlags{})
	r := one.serves(t)
	for range 2 {
		r.ask(t.Context())()
	}
	if n := strings.Count(one.said.String(), "keeping what the site said"); n != 1 || !strings.Contains(one.said.String(), "--state-dir") {
		t.Errorf("told %d times: %s", n, &one.said)
	}
}
