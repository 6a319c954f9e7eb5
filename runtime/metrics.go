package runtime

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/prometheus/client_golang/prometheus"

	"toolpress/discover/wp"
)

// meters count what the server does. Labels are names of the curation and words of
// ours, never a client's or the site's: their number is bounded. docs/status.md has
// all of them.
type meters struct {
	calls     *prometheus.CounterVec // profile, tool, outcome
	upstream  *prometheus.HistogramVec
	kept      *prometheus.CounterVec
	announced *prometheus.CounterVec
	webhooks  *prometheus.CounterVec
}

// seconds are the buckets of what takes a site's time.
var seconds = []float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20, 30, 60}

func newMeters() *meters {
	return &meters{
		calls:     counter("tool_calls_total", "Calls by profile, tool and outcome (docs/audit.md). tool is empty for what is not served.", "profile", "tool", "outcome"),
		upstream:  histogram("upstream_request_duration_seconds", "Requests that calls made to the site: ok, or how they failed.", seconds, "outcome"),
		kept:      counter("cache_answers_total", "Answers of tools with cache: kept, revalidated by the site, or asked of it.", "from"),
		announced: counter("list_changed_total", "Announcements of a changed list, each to all subscribers of the profile.", "profile"),
		webhooks:  counter("webhooks_total", "Webhooks of the site: taken or refused.", "outcome"),
	}
}

// all are the metrics, for a registry.
func (m *meters) all() []prometheus.Collector {
	return []prometheus.Collector{m.calls, m.upstream, m.kept, m.announced, m.webhooks}
}

// asked takes a request that calls made to the site.
func (m *meters) asked(took time.Duration, err error) {
	outcome := "ok"
	var e *wp.Error
	switch {
	case errors.As(err, &e):
		outcome = strings.ReplaceAll(strings.ToLower(string(e.Kind)), " ", "_")
	case err != nil:
		outcome = "not_sent"
	}
	m.upstream.WithLabelValues(outcome).Observe(took.Seconds())
}

// webhook takes one of the site; err is why it is refused.
func (m *meters) webhook(err error) {
	outcome := "taken"
	if err != nil {
		outcome = "refused"
	}
	m.webhooks.WithLabelValues(outcome).Inc()
}

// ended counts a call and writes its line. A tool that is served no more by its name
// is counted as none.
func (s *Server) ended(a admission, arguments json.RawMessage, res *mcp.CallToolResult) {
	name := a.tool.Name
	if p := s.current.Load().profile(a.profile); p == nil || p.byName[name] == nil {
		name = ""
	}
	s.metrics.calls.WithLabelValues(a.profile, name, a.entry.Outcome).Inc()
	s.audit.ended(a, arguments, res)
}

// forget drops the series of tools that are served no more.
func (m *meters) forget(old, now *snapshot) {
	for profile, p := range old.profiles {
		for name := range p.byName {
			if next := now.profile(profile); next == nil || next.byName[name] == nil {
				m.calls.DeletePartialMatch(prometheus.Labels{"profile": profile, "tool": name})
			}
		}
	}
}

// readCounts count the readings of the site and of files.
type readCounts struct {
	reads  *prometheus.CounterVec
	stages *prometheus.HistogramVec
}

func newReadCounts() *readCounts {
	return &readCounts{
		reads:  counter("site_reads_total", "Readings of the site: unchanged, changed, doubted (much is gone) or failed.", "outcome"),
		stages: histogram("reload_stage_duration_seconds", "Parts of polls and reloads: read, ask, build, check, swap, announce.", append([]float64{.0001, .001}, seconds...), "stage"),
	}
}

// took takes the parts of a reload; those that were not needed do not count.
func (c *readCounts) took(s Stages) {
	for _, stage := range s.Each() {
		if stage.Took > 0 {
			c.stages.WithLabelValues(stage.Name).Observe(stage.Took.Seconds())
		}
	}
}

func counter(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "toolpress", Name: name, Help: help}, labels)
}

func histogram(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: "toolpress", Name: name, Help: help, Buckets: buckets}, labels)
}
