package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
	"toolpress/runtime"
	"toolpress/test/running"
)

// admin is the operator's address that a log tells.
func admin(log *running.Log) string {
	return strings.TrimSuffix(after(log, "serving the operator at "), "/healthz")
}

// measured is a metric's value in /metrics; "" without it.
func measured(t *testing.T, at, series string) string {
	t.Helper()
	resp, err := http.Get(at + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != 200 {
		t.Fatalf("%d %v", resp.StatusCode, err)
	}
	for line := range strings.Lines(string(text)) {
		if value, is := strings.CutPrefix(line, series+" "); is {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// status runs toolpress status.
func status(t *testing.T, env map[string]string, args ...string) (code int, out, talk string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = run(t.Context(), append([]string{"status"}, args...), func(name string) string { return env[name] }, nil, &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

// T45, R10, R11, R15: good A, bad B, A again: the gauge says 1, 0, 1, and no client is
// told of anything. After B the status has the digest of what is served, that of the
// file, and the file's error at its place.
func TestStatusOfABrokenFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "my.yaml")
	save := func(text string) { t.Helper(); renameOver(t, name, text) }
	const good = "version: 1\nextends: [preset:wordpress@1]\n"
	save(good)
	log := start(t, nil, io.Discard, "demo", "--listen", "127.0.0.1:0", "--admin-listen", ":0", "--curation", name)
	log.Await(t, "Inspector", patience)
	at, env := admin(log), map[string]string{"TOOLPRESS_ADMIN": admin(log)}
	session, changes := connect(t, &mcp.StreamableClientTransport{Endpoint: after(log, "serving MCP at ")}, eras[0])
	call(t, session, "find_posts", map[string]any{})
	told := func(code int) (now runtime.Told) {
		t.Helper()
		got, out, talk := status(t, env, "--json")
		if err := json.Unmarshal([]byte(out), &now); err != nil || got != code {
			t.Fatalf("exit %d, %v: %s%s", got, err, out, talk)
		}
		return now
	}
	first := told(0)
	if first.Status != "ready" || first.Curation.File != name || first.Curation.Served == "" || first.Curation.Served != first.Curation.OnDisk || first.Profiles["default"].Subscribers != 1 {
		t.Errorf("%+v", first)
	}
	for range 2 {
		if got := measured(t, at, "toolpress_last_reload_successful"); got != "1" {
			t.Errorf("good: %s", got)
		}
		save(good + "toolz: {}\n")
		reloads(t, log)
		if got := measured(t, at, "toolpress_last_reload_successful"); got != "0" {
			t.Errorf("bad: %s", got)
		}
		bad := told(1)
		if c := bad.Curation; bad.Status != "degraded" || bad.Digest != first.Digest || c.Served != first.Curation.Served || c.OnDisk == c.Served ||
			len(c.Errors) != 1 || c.Errors[0].Pos != (curate.Pos{File: name, Line: 3, Col: 1}) || c.Errors[0].Source != "" || !c.LastSuccess.Equal(first.Curation.LastSuccess) && c.LastSuccess.Before(first.Curation.LastSuccess) {
			t.Errorf("%+v", bad)
		}
		code, out, talk := status(t, env)
		for _, want := range []string{"DEGRADED", bad.Digest, name + " on disk is NOT what is served", name + `:3:1: a curation has no key "toolz"`, "hint: did you mean \"tools\"?", "NEXT       mend " + name + ":3:1 and save it"} {
			if !strings.Contains(out, want) {
				t.Errorf("%q is not in:\n%s", want, out)
			}
		}
		if code != 1 || talk != "toolpress: it is degraded\n" {
			t.Errorf("%d %s", code, talk)
		}
		save(good)
		reloads(t, log)
		if back := told(0); back.Digest != first.Digest || back.Curation.Served != first.Curation.Served || len(back.Curation.Errors) != 0 || !back.Since.Equal(first.Since) {
			t.Errorf("%+v", back)
		}
	}
	if got := measured(t, at, "toolpress_last_reload_successful"); got != "1" {
		t.Errorf("again: %s", got)
	}
	if sent := measured(t, at, `toolpress_list_changed_total{profile="default"}`); sent != "" || len(changes) != 0 {
		t.Errorf("%s notices, %d heard", sent, len(changes))
	}
	if n := measured(t, at, `toolpress_tool_calls_total{outcome="ok",profile="default",tool="find_posts"}`); n != "1" {
		t.Errorf("%s calls", n)
	}
	save(good + "tools: { find_tags: false }\n") // what a change looks like
	reloads(t, log)
	if sent := measured(t, at, `toolpress_list_changed_total{profile="default"}`); sent != "1" {
		t.Errorf("%s notices", sent)
	}
	if code, out, _ := status(t, env); code != 0 || !strings.HasPrefix(out, "READY") || strings.Contains(out, "NEXT") || !strings.Contains(out, name+", as it is on disk") {
		t.Errorf("%d:\n%s", code, out)
	}
}

// T17, T45: what became of each reading of the site is counted and told; of one that
// is doubted, how to take it.
func TestStatusOfTheSite(t *testing.T) {
	site := newChangingSite(t)
	log := startIn(t, site.env(), nil, io.Discard, "serve", "--listen", "127.0.0.1:0", "--admin-listen", ":0", "--poll", "1h")
	log.Await(t, "Inspector", patience)
	at := admin(log)
	for i, c := range []struct {
		state, outcome, read, says string
		code                       int
	}{
		{"", "unchanged", "1", "READY", 0},
		{"down", "failed", "0", "GET " + site.URL + "/wp-json/: 500", 1},
		{"", "unchanged", "1", "READY", 0},
		{"nobody", "doubted", "0", "curl -X POST '" + at + "/-/reload?accept=shrunken'", 1},
		{"less", "doubted", "0", "lists much less", 1},
		{"less", "changed", "1", "READY", 0},
	} {
		series := `toolpress_site_reads_total{outcome="` + c.outcome + `"}`
		before := measured(t, at, series)
		site.state.Store(c.state)
		reloads(t, log)
		code, out, _ := status(t, nil, "--admin", strings.TrimPrefix(at, "http://"))
		if now, read := measured(t, at, series), measured(t, at, "toolpress_site_last_read_successful"); now == before || read != c.read || code != c.code || !strings.Contains(out, c.says) || strings.Contains(out, "canary") {
			t.Errorf("%d, %s: %s before %s, %s, exit %d:\n%s", i, c.state, now, before, read, code, out)
		}
	}
}

// Where nothing answers, or something else, it is 4, and the hint says what to do.
func TestStatusOfNothing(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/-/status":
			_, _ = io.WriteString(w, "<html>")
		default:
			http.Redirect(w, r, "http://127.0.0.1:1/", http.StatusFound)
		}
	}))
	defer other.Close()
	missing := httptest.NewServer(http.NotFoundHandler())
	defer missing.Close()
	for address, c := range map[string]struct {
		code int
		says string
	}{
		"127.0.0.1:1":            {4, "with --admin-listen 127.0.0.1:1?"},
		other.URL:                {4, "does not answer as toolpress does"},
		missing.URL:              {4, "status 404, and is no operator's address"},
		"ftp://127.0.0.1":        {2, "is no address"},
		"http://user:pw@[::1]:1": {2, "is no address"},
	} {
		code, out, talk := status(t, map[string]string{"TOOLPRESS_ADMIN": "127.0.0.1:2"}, "--admin", address)
		if code != c.code || out != "" || !strings.Contains(talk, c.says) || !strings.Contains(talk, "hint: ") {
			t.Errorf("%s: %d %s%s", address, code, out, talk)
		}
	}
}

// A refusal without a place stands alone, and names the file to mend; one of a
// variable says that only a start reads it.
func TestStatusOfARefusalWithoutAPlace(t *testing.T) {
	for _, c := range []struct {
		err        error
		line, next string
	}{
		{usage("reading the curation c.yaml: no such file", ""), "\n           reading the curation c.yaml", "NEXT       mend c.yaml and save it: "},
		{unset("c.yaml:3:1: the profile own names a variable that is not set: OWN", ""), "\n           c.yaml:3:1: the profile own", "NEXT       variables are read at the start: set it, and start toolpress again\n"},
	} {
		var out strings.Builder
		if err := printStatus(&out, runtime.Told{Curation: runtime.CurationState{File: "c.yaml", Errors: findingsOf(c.err)}}, "http://127.0.0.1:9090", time.Now()); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), c.line) || !strings.Contains(out.String(), c.next) || strings.Contains(out.String(), "mend  and") {
			t.Error(out.String())
		}
	}
}

// The page of all that can be wrong at once, as it is read.
func TestStatusPage(t *testing.T) {
	now := time.Date(2026, 3, 1, 23, 0, 0, 0, time.Local)
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	told := runtime.Told{
		Status: "stale", Version: "0.9.0", Digest: "3f04d8e488b43eed", Since: ago(26 * time.Hour), Breaker: true,
		Curation: runtime.CurationState{File: "c.yaml", Served: "a", OnDisk: "b", LastSuccess: ago(72 * time.Hour), LastFailure: ago(90 * time.Second), Errors: curate.Findings{
			{Severity: curate.SeverityError, Pos: curate.Pos{File: "c.yaml", Line: 5, Col: 17}, Message: "no operation matches \"\x1b[31mGET /x\"", Hint: "did you mean …?"},
		}},
		Site: runtime.SiteState{
			URL: "https://shop.example", LastSuccess: ago(50 * time.Hour), LastFailure: ago(5 * time.Second), LastError: "503", Kept: true, Stale: true,
			Accounts: map[string]string{"the account of the profile own (WP_OWN)": "401"},
		},
		Tokens:   curate.Findings{{Severity: curate.SeverityError, Pos: curate.Pos{File: "tokens"}, Message: "it holds no token"}},
		Findings: curate.Findings{{Severity: curate.SeverityWarning, Pos: curate.Pos{File: "c.yaml", Line: 9, Col: 3}, Message: "this rule matches nothing"}},
		Withheld: []curate.Withheld{{Operation: "GET /wc/v3/orders", Tool: "find_orders", Reason: "not permitted"}, {Operation: "GET /a", Tool: "a", Reason: "b"}, {Operation: "GET /c", Tool: "c", Reason: "b"}},
		Profiles: map[string]runtime.ToldProfile{"own": {Tools: 1, Tokens: 90, Subscribers: 1}, "default": {Tools: 12, Tokens: 3400}},
	}
	var out strings.Builder
	if err := printStatus(&out, told, "http://127.0.0.1:9090", now); err != nil {
		t.Fatal(err)
	}
	const want = `STALE      toolpress 0.9.0, serving 3f04d8e488b43eed
           since 28 February at 21:00:00 (26 h 0 min ago)
profile    default: 12 tools, about 3,400 tokens, 0 subscribers
profile    own: 1 tool, about 90 tokens, 1 subscriber
curation   c.yaml on disk is NOT what is served: it was refused 1 min ago
           c.yaml:5:17: no operation matches "[31mGET /x"
             hint: did you mean …?
           served is what was read 3 days ago, on 26 February at 23:00
tokens     tokens: it holds no token
site       https://shop.example, read 2 days ago, on 27 February at 21:00
           that was before this start: what is served was kept on disk
           the last reading failed 5 s ago: 503
           it does not answer calls, and is asked once a second until it does
account    the account of the profile own (WP_OWN): 401
found      c.yaml:9:3: warning: this rule matches nothing
not served find_orders (GET /wc/v3/orders): not permitted
not served a, c: b
             toolpress explain TOOL says more

NEXT       mend c.yaml:5:17 and save it: it is read at once. toolpress check c.yaml says all that is wrong
           mend the file of tokens: those before are taken until then
           toolpress doctor https://shop.example says what stands between this machine and the site
           mend the credential of the account, then: kill -HUP, or POST /-/reload
`
	if out.String() != want {
		t.Errorf("%s", out.String())
	}
}

// R15, G75: what waits for an approval is not mended where it stands, and what stands
// nowhere has no place to be named.
func TestStatusNext(t *testing.T) {
	at := func(file string, line int) curate.Pos { return curate.Pos{File: file, Line: line, Col: 3} }
	for _, c := range []struct {
		refused, served curate.Finding
		next            string
	}{
		{refused: curate.Finding{Pos: at("c.yaml", 7), Message: "only since", Hint: "look at it and accept it: toolpress approve toys"}, next: "c.yaml:7:3: look at it and accept it: toolpress approve toys\n"},
		{served: curate.Finding{ID: "drift-breaking", Pos: at("c.yaml", 5), Message: "toys is held back", Hint: "mend the curation first, and then: toolpress approve toys"}, next: "c.yaml:5:3: mend the curation first, and then: toolpress approve toys\n"},
		{served: curate.Finding{Pos: at("c.yaml", 5), Message: "gone"}, next: "mend c.yaml:5:3; what it is about is not served until then, the rest is\n"},
		{refused: curate.Finding{Message: "reading the curation c.yaml: gone"}, next: "mend c.yaml and save it: it is read at once. toolpress check c.yaml says all that is wrong\n"},
	} {
		told := runtime.Told{Curation: runtime.CurationState{File: "c.yaml"}}
		for _, f := range []struct {
			finding curate.Finding
			into    *curate.Findings
		}{{c.refused, &told.Curation.Errors}, {c.served, &told.Findings}} {
			if f.finding.Severity = curate.SeverityError; f.finding.Message != "" {
				*f.into = curate.Findings{f.finding}
			}
		}
		var out strings.Builder
		if err := printStatus(&out, told, "http://127.0.0.1:9090", time.Now()); err != nil {
			t.Fatal(err)
		}
		if _, next, _ := strings.Cut(out.String(), "\nNEXT       "); next != c.next || strings.Contains(out.String(), " : ") {
			t.Errorf("want %q in:\n%s", c.next, out.String())
		}
	}
}
