package runtime

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"toolpress/curate"
	"toolpress/discover/wp"
)

// scraped is what Prometheus reads.
func scraped(t *testing.T, h http.Handler) string {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://localhost/metrics", nil))
	if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain; version=0.0.4") {
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	return w.Body.String()
}

// value is that of a series; "" without it.
func value(text, series string) string {
	for line := range strings.Lines(text) {
		if v, is := strings.CutPrefix(line, series+" "); is {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// docs/status.md has every metric, with its type, labels and help, and no other; their
// names are as Prometheus wants them, and they are in no registry but the server's.
func TestMetricsAreInTheReference(t *testing.T) {
	text, err := os.ReadFile("../docs/status.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `(toolpress_\\w+)` \\| (.*) \\|$").FindAllStringSubmatch(string(text), -1) {
		documented[row[1]] = row[2]
	}
	s, status := NewServer(catalog("one", "a"), Options{}), NewStatus(time.Minute)
	s.metrics.calls.WithLabelValues("p", "t", "ok")
	s.metrics.asked(0, nil)
	s.metrics.kept.WithLabelValues("kept")
	s.metrics.announced.WithLabelValues("p")
	s.metrics.webhook(nil)
	status.SiteRead(SiteUnchanged, nil)
	status.Reloaded(Stages{Read: 1})
	registry := s.registry(status)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	ours, known := families[:0:0], map[string]bool{}
	for _, f := range families {
		if !strings.HasPrefix(f.GetName(), "toolpress_") {
			continue
		}
		ours, known[f.GetName()] = append(ours, f), true
		var labels []string
		for _, l := range f.GetMetric()[0].GetLabel() {
			labels = append(labels, "`"+l.GetName()+"`")
		}
		want := fmt.Sprintf("%s | %s | %s", strings.ToLower(f.GetType().String()), strings.Join(labels, ", "), f.GetHelp())
		if documented[f.GetName()] != want {
			t.Errorf("the reference has\n| `%s` | %s |\nand it is\n| `%s` | %s |", f.GetName(), documented[f.GetName()], f.GetName(), want)
		}
	}
	for _, name := range regexp.MustCompile(`\btoolpress_\w+`).FindAllString(string(text), -1) { // also where to be woken by them
		if !known[name] {
			t.Errorf("there is no %s", name)
		}
	}
	described := make(chan *prometheus.Desc, 1000)
	registry.Describe(described)
	close(described)
	n := 0
	for d := range described {
		if strings.Contains(d.String(), `"toolpress_`) {
			n++
		}
	}
	if n != len(ours) {
		t.Errorf("%d of %d metrics were looked at", len(ours), n)
	}
	problems, err := promlint.NewWithMetricFamilies(ours).Lint()
	if err != nil || len(problems) > 0 {
		t.Errorf("%v %v", problems, err)
	}
	elsewhere, _ := prometheus.DefaultGatherer.Gather()
	for _, f := range elsewhere {
		if strings.HasPrefix(f.GetName(), "toolpress_") {
			t.Errorf("%s is in the global registry", f.GetName())
		}
	}
}

// Calls are counted by tool and outcome, requests by how they ended. What a client
// makes up is no label, nor is a tool that is gone, nor a profile that is.
func TestMetricsOfCalls(t *testing.T) {
	answer := error(nil)
	s, web := serve(t, catalog("one", "find_things"), Options{Site: siteFunc(func(context.Context, wp.Request) (*wp.Response, error) {
		return &wp.Response{Status: 200, JSON: []byte(`{}`)}, answer
	})})
	h := s.Admin(Operator{Status: NewStatus(time.Minute)})
	call := func(tool string) {
		send(t, nil, web.URL+"/mcp", modernCall("tools/call", `"name":"`+tool+`","arguments":{}`), "Mcp-Name: "+tool)
	}
	call("find_things")
	call("find_things")
	answer = &wp.Error{Kind: wp.NotJSON, Method: "GET", Status: 200}
	call("find_things")
	for i := range 20 {
		call(fmt.Sprintf("made_up_%d", i))
	}
	text := scraped(t, h)
	for series, want := range map[string]string{
		`toolpress_tool_calls_total{outcome="ok",profile="default",tool="find_things"}`:     "2",
		`toolpress_tool_calls_total{outcome="failed",profile="default",tool="find_things"}`: "1",
		`toolpress_tool_calls_total{outcome="unknown_tool",profile="default",tool=""}`:      "20",
		`toolpress_upstream_request_duration_seconds_count{outcome="ok"}`:                   "2",
		`toolpress_tools{profile="default"}`:                                                "1",
		`toolpress_list_changed_total{profile="default"}`:                                   "",
	} {
		if got := value(text, series); got != want {
			t.Errorf("%s is %q, want %s", series, got, want)
		}
	}
	if value(text, `toolpress_upstream_request_duration_seconds_count{outcome="not_json"}`) == "" || strings.Contains(text, "made_up") {
		t.Error(text)
	}
	s.Swap(catalog("one", "other"))
	if text = scraped(t, h); strings.Contains(text, "find_things") || value(text, `toolpress_list_changed_total{profile="default"}`) != "1" {
		t.Errorf("a tool that is gone is counted:\n%s", text)
	}
	// A call that ends after its tool is gone is nobody's.
	s.ended(admission{tool: &curate.Tool{Name: "find_things"}, profile: "default", entry: &entry{Outcome: outcomeOK}}, nil, nil)
	if text = scraped(t, h); strings.Contains(text, "find_things") || value(text, `toolpress_tool_calls_total{outcome="ok",profile="default",tool=""}`) != "1" {
		t.Errorf("a late call:\n%s", text)
	}
}

// T48: what /-/status and /metrics say has no line of the curation and nothing that a
// site's answer began with.
func TestStatusTellsNoContents(t *testing.T) {
	s, status := NewServer(catalog("one", "a"), Options{}), NewStatus(time.Minute)
	h := s.Admin(Operator{Status: status})
	finding := curate.Finding{ID: "x", Severity: curate.SeverityError, Pos: curate.Pos{File: "c.yaml", Line: 3, Col: 1}, Message: "wrong", Source: "password: canary"}
	body := &wp.Error{Kind: wp.NotJSON, Method: "GET", URL: "https://s.example/", Status: 500, Excerpt: "canary"}
	status.CurationRead("c.yaml", "d", curate.Findings{finding})
	status.TokensRead(curate.Findings{finding})
	status.Serves("https://s.example", "s", curate.Findings{finding})
	status.SiteRead(SiteFailed, body)
	status.AccountsAsked(map[string]error{"own": fmt.Errorf("own: %w", body)})
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://localhost/-/status", nil))
	text := w.Body.String()
	if w.Code != 200 || strings.Contains(text+scraped(t, h), "canary") || strings.Count(text, `"line":3`) != 3 || !strings.Contains(text, "GET https://s.example/: 500 with a body that is not JSON") {
		t.Errorf("%d %s", w.Code, text)
	}
	// And each alone is enough to be degraded, and /readyz says ready all the same.
	for what, wrong := range map[string]func(*Status){
		"ready":    func(*Status) {},
		"curation": func(s *Status) { s.CurationRead("c.yaml", "d", curate.Findings{finding}) },
		"tokens":   func(s *Status) { s.TokensRead(curate.Findings{finding}) },
		"findings": func(s *Status) { s.Serves("u", "s", curate.Findings{finding}) },
		"site":     func(s *Status) { s.SiteRead(SiteDoubted, errors.New("less")) },
		"accounts": func(s *Status) { s.AccountsAsked(map[string]error{"own": body}) },
	} {
		one := NewStatus(time.Minute)
		wrong(one)
		if told := s.told(one).Status; (told == "degraded") != (what != "ready") {
			t.Errorf("%s: %s", what, told)
		}
		if code, state := ready(t, s.Admin(Operator{Status: one})); code != 200 || state.Status != "ready" {
			t.Errorf("%s: %d %+v", what, code, state)
		}
	}
	allowed := finding
	allowed.Allowed = "it is meant"
	one := NewStatus(time.Minute)
	one.Serves("u", "s", curate.Findings{allowed})
	if told := s.told(one); told.Status != "ready" || len(told.Findings) != 0 {
		t.Errorf("%+v", told)
	}
}

// What was kept is stale from the first moment, and no more when the site was read.
func TestStatusOfWhatWasKept(t *testing.T) {
	s, status := NewServer(catalog("one", "a"), Options{}), NewStatus(time.Hour)
	then := time.Now().Add(-time.Minute)
	status.SiteKept(then, SiteFailed, errors.New("down"))
	if code, state := ready(t, s.Admin(Operator{Status: status})); code != 503 || state.Status != "stale" || !state.Site.Stale || !state.Site.LastSuccess.Equal(then) {
		t.Errorf("%d %+v", code, state)
	}
	status.SiteRead(SiteUnchanged, nil)
	if code, state := ready(t, s.Admin(Operator{Status: status})); code != 200 || state.Site.Stale || state.Site.LastSuccess.Equal(then) {
		t.Errorf("%d %+v", code, state)
	}
}
