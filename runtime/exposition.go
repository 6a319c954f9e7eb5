package runtime

import (
	"net/http"
	goruntime "runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// registry has all metrics of the server, of how it was fed, of Go and of the
// process. It is the server's own: nothing else of the process gets into it.
func (s *Server) registry(status *Status) *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(s.metrics.all()...)
	r.MustRegister(status.counts.reads, status.counts.stages, &gauges{s, status}, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
}

// exposition answers Prometheus.
func (s *Server) exposition(status *Status) http.Handler {
	return promhttp.HandlerFor(s.registry(status), promhttp.HandlerOpts{})
}

// gauges are what the status says, as metrics.
type gauges struct {
	server *Server
	status *Status
}

// described are the gauges, by name.
var described = map[string]*prometheus.Desc{
	"build_info":      desc("build_info", "The version of toolpress and of Go.", "version", "goversion"),
	"served_info":     desc("served_info", "The digest of what is served.", "digest"),
	"served_since":    desc("served_since_timestamp_seconds", "Since when that is served."),
	"curation_info":   desc("curation_info", "The digest of the curation that is served, and of the one on disk.", "of", "digest"),
	"reloaded":        desc("last_reload_successful", "1 when the curation and the tokens that were read last are used."),
	"reloaded_at":     desc("last_reload_success_timestamp_seconds", "When a curation was read last that is used."),
	"site_info":       desc("site_info", "The digest of the reading of the site that is served.", "digest"),
	"site_read":       desc("site_last_read_successful", "1 when the last reading of the site succeeded and is believed."),
	"site_read_at":    desc("site_last_read_success_timestamp_seconds", "When the site was read last."),
	"site_stale":      desc("site_stale", "1 when what is served is of an earlier run, or three polls passed without a reading."),
	"findings":        desc("findings", "What is to be said of the curation and what is served, as toolpress check does.", "severity"),
	"withheld":        desc("withheld_operations", "Operations that were asked for and are not served."),
	"tools":           desc("tools", "Tools that are served.", "profile"),
	"tools_tokens":    desc("tools_tokens", "What their list takes of a model's context, about.", "profile"),
	"subscribers":     desc("subscribers", "Listens and sessions that are told when the list changes.", "profile"),
	"breaker":         desc("upstream_breaker_open", "1 while the site does not answer and is asked once a second."),
	"cache_entries":   desc("cache_entries", "Answers that are kept."),
	"streams":         desc("streams", "Streams that are open."),
	"accounts_failed": desc("failing_accounts", "Accounts of profiles that cannot be asked what they may call."),
}

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("toolpress_"+name, help, labels, nil)
}

// Describe implements [prometheus.Collector].
func (g *gauges) Describe(to chan<- *prometheus.Desc) {
	for _, d := range described {
		to <- d
	}
}

// Collect implements [prometheus.Collector].
func (g *gauges) Collect(to chan<- prometheus.Metric) {
	set := func(name string, v float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(described[name], prometheus.GaugeValue, v, labels...)
	}
	now := g.server.told(g.status)
	set("build_info", 1, now.Version, goruntime.Version())
	set("served_info", 1, now.Digest)
	set("served_since", unix(now.Since))
	set("curation_info", 1, "served", now.Curation.Served)
	set("curation_info", 1, "disk", now.Curation.OnDisk)
	set("reloaded", truth(len(now.Curation.Errors)+len(now.Tokens) == 0))
	set("reloaded_at", unix(now.Curation.LastSuccess))
	set("site_info", 1, now.Site.Digest)
	set("site_read", truth(now.Site.LastError == ""))
	set("site_read_at", unix(now.Site.LastSuccess))
	set("site_stale", truth(now.Site.Stale))
	errs := len(now.Findings.Errors())
	set("findings", float64(errs), "error")
	set("findings", float64(len(now.Findings)-errs), "warning")
	set("withheld", float64(len(now.Withheld)))
	set("accounts_failed", float64(len(now.Site.Accounts)))
	for name, p := range now.Profiles {
		set("tools", float64(p.Tools), name)
		set("tools_tokens", float64(p.Tokens), name)
		set("subscribers", float64(p.Subscribers), name)
	}
	set("breaker", truth(now.Breaker))
	set("cache_entries", float64(g.server.cache.size()))
	set("streams", float64(g.server.streams.open()))
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// unix is a time in seconds; one that never was is 0.
func unix(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return float64(t.UnixMilli()) / 1000
}
