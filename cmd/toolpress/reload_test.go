package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/runtime"
	"toolpress/runtime/watch"
	"toolpress/test/running"
)

// after is the word after a mark in what was said.
func after(log *running.Log, mark string) string {
	_, rest, _ := strings.Cut(log.String(), mark)
	return strings.TrimSuffix(strings.Fields(rest)[0], ",")
}

// reloadAnswer is what POST /-/reload says.
type reloadAnswer struct {
	code           int
	Status, Digest string
	Changed        []string
	Errors         []struct {
		Pos struct {
			File      string
			Line, Col int
		}
		Message, Hint string
	}
	Site         string
	Milliseconds map[string]float64
}

// reloads asks the operator's listener, of which the log says where it is.
func reloads(t *testing.T, log *running.Log) (got reloadAnswer) {
	t.Helper()
	url := strings.TrimSuffix(after(log, "serving the operator at "), "/healthz") + "/-/reload"
	resp, err := http.Post(url, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(&got); err != nil {
		t.Fatal(err)
	}
	got.code = resp.StatusCode
	return got
}

// R11, R12, R13: a reload answers what became of it, also the second time; what
// cannot be used leaves everything as it was, and no stream ends.
func TestReload(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "my.yaml")
	save := func(text string) { t.Helper(); renameOver(t, name, text) }
	const head = "version: 1\nextends: [preset:wordpress@1]\n"
	save(head)
	log := start(t, nil, io.Discard, "demo", "--listen", "127.0.0.1:0", "--admin-listen", ":0", "--curation", name)
	log.Await(t, "Inspector", patience)
	url := after(log, "serving MCP at ")
	for _, era := range eras {
		session, changes := connect(t, &mcp.StreamableClientTransport{Endpoint: url}, era)
		first := reloads(t, log)
		if first.code != 200 || first.Status != "reloaded" || len(first.Changed)+len(first.Errors) > 0 || first.Site != "" || first.Milliseconds["ask"] <= 0 {
			t.Errorf("nothing changed: %+v", first)
		}
		for range 2 {
			save(head + "tools: { find: { from: GET /wp/v2/post } }\n")
			broken := reloads(t, log)
			if broken.code != 422 || broken.Status != "refused" || broken.Digest != first.Digest || len(broken.Errors) != 1 ||
				broken.Errors[0].Pos.File != name || broken.Errors[0].Pos.Line != 3 || broken.Errors[0].Pos.Col != 24 || !strings.Contains(broken.Errors[0].Hint, "GET /wp/v2/posts") {
				t.Errorf("broken: %+v", broken)
			}
		}
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
		if gone := reloads(t, log); gone.code != 422 || len(gone.Errors) != 1 || !strings.Contains(gone.Errors[0].Message, "no such file") || gone.Errors[0].Hint == "" {
			t.Errorf("gone: %+v", gone)
		}
		if len(changes) != 0 {
			t.Error("a client was told of nothing")
		}
		save(head + "tools: { find_tags: false }\n")
		next := reloads(t, log)
		select {
		case <-changes: // on the stream that was there before
		case <-time.After(patience):
			t.Fatalf("%s: no list_changed came:\n%s", era, log)
		}
		list, err := session.ListTools(t.Context(), nil)
		if err != nil || slices.ContainsFunc(list.Tools, func(tool *mcp.Tool) bool { return tool.Name == "find_tags" }) {
			t.Errorf("after an edit: %v %v", list, err)
		}
		if next.code != 200 || next.Digest == first.Digest || next.Milliseconds["swap"] <= 0 && len(next.Changed) > 0 {
			t.Errorf("an edit: %+v", next)
		}
		save(head)
		if back := reloads(t, log); back.code != 200 || back.Digest != first.Digest {
			t.Errorf("back: %+v", back)
		}
		select {
		case <-changes:
		case <-time.After(patience):
			t.Fatalf("%s: no second list_changed came:\n%s", era, log)
		}
	}
	if !strings.Contains(log.String(), "POST /-/reload: all was read, and the lists of tools are as they were, read ") {
		t.Errorf("the log says nothing:\n%s", log)
	}
}

// T17, W46: a site that fails, or lists much less, removes no tool at a reload; the
// same again confirms it, and the answer says how it stands.
func TestReloadOfTheSite(t *testing.T) {
	site := newChangingSite(t)
	log := startIn(t, site.env(), nil, io.Discard, "serve", "--listen", "127.0.0.1:0", "--admin-listen", ":0", "--poll", "1h")
	log.Await(t, "Inspector", patience)
	first := reloads(t, log)
	for i, c := range []struct {
		state   string
		code    int
		says    string
		changed int
	}{
		{"", 200, "", 0},
		{"down", 502, "500", 0},
		{"", 200, "", 0},
		{"less", 502, "lists much less than before", 0},
		{"", 200, "", 0},
		{"less", 502, "reload again", 0},
		{"less", 200, "", 1},
		{"less", 200, "", 0},
	} {
		site.state.Store(c.state)
		got := reloads(t, log)
		if got.code != c.code || !strings.Contains(got.Site, c.says) || c.says == "" && got.Site != "" || len(got.Changed) != c.changed || (got.Digest == first.Digest) != (i < 6) {
			t.Errorf("%d, %s: %+v", i, c.state, got)
		}
		if strings.Contains(fmt.Sprint(got), "canary") {
			t.Errorf("%d: what the site said is in %+v", i, got)
		}
	}
}

// A reload reads the passwords of accounts again: one that the site does not take is
// told, and the tools stay; the right one mends it.
func TestReloadOfPasswords(t *testing.T) {
	site, dir := newChangingSite(t), t.TempDir()
	file, name := filepath.Join(dir, "password"), filepath.Join(dir, "my.yaml")
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	admin, env := site.shop.Users()[0], site.env()
	env["ADMIN"] = admin.Login
	put(file, admin.Password)
	put(name, "version: 1\nextends: [preset:wordpress@1]\nprofiles: { default: { groups: [read], auth: { user_env: ADMIN, password_file: "+file+" } } }\n")
	log := startIn(t, env, nil, io.Discard, "serve", "--listen", "127.0.0.1:0", "--admin-listen", ":0", "--poll", "1h", "--curation", name)
	log.Await(t, "Inspector", patience)
	first := reloads(t, log)
	put(file, "another password")
	if got := reloads(t, log); got.code != 502 || !strings.Contains(got.Site, "the account of the profile default") || got.Digest != first.Digest {
		t.Errorf("a wrong password: %+v", got)
	}
	put(file, admin.Password)
	if got := reloads(t, log); got.code != 200 || got.Digest != first.Digest {
		t.Errorf("the right one: %+v", got)
	}
}

// reloaderOf serves a site, by a curation file where one is named, and is nobody's
// loop yet.
func reloaderOf(t *testing.T, site *changingSite, curation ...string) *reloader {
	t.Helper()
	return reloaderAt(t, site.URL, site.env(), strings.Join(curation, ""))
}

func reloaderAt(t testing.TB, address string, env map[string]string, curation string) *reloader {
	t.Helper()
	a := &app{getenv: func(name string) string { return env[name] }, stderr: io.Discard, curation: curation}
	s, err := a.load(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	_, catalog, findings, err := s.permitted(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r := newReloader(s, catalog, findings, time.Minute, arrival{})
	r.server = runtime.NewServer(catalog, runtime.Options{Access: s.access, Site: s.root.Client()})
	return r
}

// T43: what was found whole is what is used, also where half of the next is there by
// now.
func TestChangedUsesWhatWasFound(t *testing.T) {
	const whole, half = "version: 1\nextends: [preset:wordpress@1]\ntools: { find_tags: false }\n", "version: 1\nextends: [preset:wordpress@1]\n"
	name := filepath.Join(t.TempDir(), "my.yaml")
	put := func(text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("version: 1\nextends: [preset:wordpress@1]\ntools: { find_posts: false }\n")
	r := reloaderOf(t, newChangingSite(t), name)
	put(half)
	r.changed(t.Context(), map[string][]byte{name: []byte(whole)})
	if p := r.catalog.Profiles["default"]; p.Tool("find_tags") != nil || p.Tool("find_posts") == nil || string(r.read()[name]) != whole {
		t.Errorf("used: %s", r.read()[name])
	}
	// Everything, now: what is there.
	r.reread(t.Context())
	if p := r.catalog.Profiles["default"]; p.Tool("find_tags") == nil || string(r.read()[name]) != half {
		t.Errorf("used: %s", r.read()[name])
	}
}

// T37, W45: a poll that finds what was there does nothing: nothing is said, built or
// published.
func TestPollOfTheSame(t *testing.T) {
	site := newChangingSite(t)
	r := reloaderOf(t, site)
	var said strings.Builder
	r.source.app.stderr = &said
	catalog, read := r.catalog, r.source.site
	for range 3 {
		r.ask(t.Context())()
	}
	if took := r.report.Took; said.Len() > 0 || r.catalog != catalog || r.source.site != read || took.Ask <= 0 || took.Build+took.Swap > 0 {
		t.Errorf("%+v: %s", took, &said)
	}
	site.state.Store("less") // the guard of the test: twice is a change
	r.ask(t.Context())()
	if r.ask(t.Context())(); said.Len() == 0 || r.catalog == catalog || r.report.Took.Build <= 0 || r.report.Took.Swap <= 0 {
		t.Errorf("a change: %+v: %s", r.report.Took, &said)
	}
}

// A site that says that it changed, and lists much less, is read a second time soon;
// one of which nobody said so, when it is time.
func TestSecondReadingAfterAHint(t *testing.T) {
	site := newChangingSite(t)
	site.state.Store("less")
	for _, hinted := range []bool{false, true} {
		site.state.Store("")
		r := reloaderOf(t, site)
		site.state.Store("less")
		if hinted {
			r.hint()
			<-r.soon
		}
		for i, want := range []bool{hinted, false} {
			r.ask(t.Context())()
			if again := len(r.soon) == 1; again != want {
				t.Errorf("hinted %t, reading %d: another one soon: %t", hinted, i, again)
			} else if again {
				<-r.soon
			}
		}
		if less := r.catalog.Profiles["default"]; less.Tool("find_posts") == nil || less.Tool("find_tags") != nil {
			t.Error("the second reading does not count")
		}
	}
}

// T37: however many ask for a reload during one, there is one more, and each is told
// what became of its own.
func TestReloadsAreCoalesced(t *testing.T) {
	site := newChangingSite(t)
	r := reloaderOf(t, site)
	before := site.reads.Load()
	site.gate = make(chan struct{})
	ctx, stop := context.WithCancel(t.Context())
	var loop, asking sync.WaitGroup
	loop.Go(func() {
		defer close(r.ended)
		(&watch.Loop{Read: r.read, Changed: r.changed, Ask: r.ask, Again: r.again, Reread: r.reread}).Run(ctx)
	})
	ask := func() {
		asking.Go(func() {
			if got, err := r.reload(ctx, "test", false); err != nil || got.Failed != nil || got.Took.Ask <= 0 {
				t.Errorf("%+v %v", got, err)
			}
		})
	}
	ask()
	running.Await(t, patience, func() bool { return site.reads.Load() == before+1 }, func() string { return "it does not begin" })
	for range 100 {
		ask()
	}
	begun := func() int {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.begun == nil {
			return 0
		}
		return len(r.begun.askers)
	}
	running.Await(t, patience, func() bool { return begun() == 100 }, func() string { return fmt.Sprintf("%d wait", begun()) })
	close(site.gate)
	asking.Wait()
	if got := site.reads.Load() - before; got != 2 {
		t.Errorf("the site was read %d times", got)
	}
	stop()
	loop.Wait()
	if _, err := r.reload(t.Context(), "late", false); err != runtime.ErrEnding {
		t.Errorf("after the end: %v", err)
	}
}

// renameOver saves a file as editors do: another is renamed over it.
func renameOver(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name+".new", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(name+".new", name); err != nil {
		t.Fatal(err)
	}
}
