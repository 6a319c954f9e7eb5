package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/discover/wptest"
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
	save := func(text string) {
		t.Helper()
		if err := os.WriteFile(name+".new", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(name+".new", name); err != nil {
			t.Fatal(err)
		}
	}
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

// changingSite is the bookshop, as it is at a moment.
type changingSite struct {
	*httptest.Server
	shop *wptest.Site
	// state is "", "down" or "less": without its plugins' routes.
	state atomic.Value
	reads atomic.Int64 // of the index
	// gate, where there is one, holds up each reading of the index.
	gate chan struct{}
}

func newChangingSite(t *testing.T) *changingSite {
	s := &changingSite{shop: wptest.New()}
	s.state.Store("")
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *changingSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	index := r.URL.Path == "/wp-json/"
	if index {
		s.reads.Add(1)
		if s.gate != nil {
			<-s.gate
		}
	}
	switch s.state.Load() {
	case "down":
		http.Error(w, "canary", http.StatusInternalServerError)
		return
	case "less":
		if index {
			s.less(w, r)
			return
		}
	}
	s.shop.ServeHTTP(w, r)
}

// less is the index with the routes of posts alone.
func (s *changingSite) less(w http.ResponseWriter, r *http.Request) {
	whole := httptest.NewRecorder()
	s.shop.ServeHTTP(whole, r)
	var index map[string]any
	if err := json.Unmarshal(whole.Body.Bytes(), &index); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	maps.DeleteFunc(index["routes"].(map[string]any), func(path string, _ any) bool {
		return strings.HasPrefix(path, "/wp/v2/") && !strings.HasPrefix(path, "/wp/v2/posts") && path != "/wp/v2/users/me"
	})
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(index)
}

// env is the site's editor.
func (s *changingSite) env() map[string]string {
	editor := s.shop.Users()[1]
	return map[string]string{"TOOLPRESS_SITE": s.URL, "TOOLPRESS_USER": editor.Login, "TOOLPRESS_PASSWORD": editor.Password}
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

// reloaderOf serves a site, and is nobody's loop yet.
func reloaderOf(t *testing.T, site *changingSite) *reloader {
	t.Helper()
	env := site.env()
	a := &app{getenv: func(name string) string { return env[name] }, stderr: io.Discard}
	s, err := a.load(t.Context(), site.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	_, catalog, findings, err := s.permitted(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r := newReloader(s, catalog, findings)
	r.server = runtime.NewServer(catalog, runtime.Options{Access: s.access, Site: s.root.Client()})
	return r
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
			if got, err := r.reload(ctx, "test"); err != nil || got.Failed != nil || got.Took.Ask <= 0 {
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
	if _, err := r.reload(t.Context(), "late"); err != runtime.ErrEnding {
		t.Errorf("after the end: %v", err)
	}
}

const webhookCuration = `version: 1
extends: [preset:wordpress@1]
site: { webhook: { secret_env: HOOK } }
tools: { find_news: { from: "ability:bookshop/new-arrivals", optional: true } }
`

// A webhook that is signed has the site read long before its poll, and clients are
// told of what changed; any other has not.
func TestWebhook(t *testing.T) {
	site := newChangingSite(t)
	name := filepath.Join(t.TempDir(), "my.yaml")
	if err := os.WriteFile(name, []byte(webhookCuration), 0o600); err != nil {
		t.Fatal(err)
	}
	env := site.env()
	env["HOOK"] = tokenA
	log := startIn(t, env, nil, io.Discard, "serve", "--listen", "127.0.0.1:0", "--poll", "1h", "--curation", name)
	log.Await(t, "Inspector", patience)
	url := after(log, "serving MCP at ")
	hooks := strings.TrimSuffix(url, "/mcp") + "/webhook"
	if want := "Webhooks        " + hooks; !strings.Contains(log.String(), want) {
		t.Errorf("%q is not said:\n%s", want, log)
	}
	session, changes := connect(t, &mcp.StreamableClientTransport{Endpoint: url}, eras[0])
	send := func(url, body string, header func(h http.Header)) int {
		t.Helper()
		r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		header(r.Header)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		return resp.StatusCode
	}
	admin := site.shop.Users()[0]
	if got := send(site.URL+"/wp-json/wp/v2/settings", `{"bookshop_extra":true}`, func(h http.Header) {
		h.Set("Content-Type", "application/json")
		h.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(admin.Login+":"+admin.Password)))
	}); got != 200 {
		t.Fatalf("the plugin has no more abilities: %d", got)
	}
	const body = `{"action":"activated_plugin"}`
	signed := func(secret string) func(h http.Header) {
		return func(h http.Header) {
			mac := hmac.New(sha256.New, []byte(secret))
			mac.Write([]byte(body))
			h.Set("X-WC-Webhook-Signature", base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		}
	}
	before := site.reads.Load()
	if got := send(hooks, body, signed(tokenB)); got != 401 {
		t.Errorf("signed by somebody else: %d", got)
	}
	if got := send(hooks, body, signed(tokenA)); got != 202 {
		t.Errorf("signed: %d", got)
	}
	select {
	case <-changes:
	case <-time.After(patience):
		t.Fatalf("no list_changed came:\n%s", log)
	}
	list, err := session.ListTools(t.Context(), nil)
	if err != nil || !slices.ContainsFunc(list.Tools, func(tool *mcp.Tool) bool { return tool.Name == "find_news" }) || site.reads.Load() != before+1 {
		t.Errorf("the site was read %d times: %v %v", site.reads.Load()-before, list, err)
	}
}

// R50: without its secret a curation with webhooks is not served over HTTP, and it
// is said which variable is missing; a secret that would not do is none.
func TestWebhookSecret(t *testing.T) {
	name := filepath.Join(t.TempDir(), "my.yaml")
	if err := os.WriteFile(name, []byte(webhookCuration), 0o600); err != nil {
		t.Fatal(err)
	}
	for secret, want := range map[string]string{
		"":                                my(name, "the secret of the site's webhooks is not there: HOOK is empty or not set"),
		" \n":                             my(name, "the secret of the site's webhooks is not there: HOOK is empty or not set"),
		"hunter2":                         my(name, "the secret of the site's webhooks in HOOK has 7 characters"),
		"hunter2 hunter2 hunter2 hunter2": my(name, "the secret of the site's webhooks in HOOK has a space"),
		"hunter2&hunter2&hunter2&hunter2": my(name, "or one of & <"),
	} {
		var out strings.Builder
		code := run(t.Context(), []string{"serve", "http://127.0.0.1:1", "--listen", "127.0.0.1:0", "--curation", name}, func(v string) string { return map[string]string{"HOOK": secret}[v] }, nil, &out, &out)
		if code != exitUsage || !strings.Contains(out.String(), want) || strings.Contains(out.String(), "hunter2") {
			t.Errorf("%q: %d %s", secret, code, &out)
		}
	}
	// Nobody can send one to a client's own toolpress.
	log := start(t, strings.NewReader(""), io.Discard, "demo", "--stdio", "--curation", name)
	log.Await(t, "stopped", patience)
}

// my is a message at the place of the variable's name.
func my(name, text string) string {
	if strings.HasPrefix(text, "or") {
		return text
	}
	return name + ":3:32: " + text
}
