package runtime

import (
	"time"

	"toolpress/curate"
)

// The words for how it stands.
const (
	stateReady    = "ready"
	stateDegraded = "degraded" // it serves, and something is wrong
	stateStale    = "stale"
	stateEnding   = "shutting down"
)

// Told is what /-/status answers. It has places in the curation and names of tools;
// no secret, and nothing that the site said of its contents.
type Told struct {
	// Status is ready, degraded, stale or shutting down.
	Status  string `json:"status"`
	Version string `json:"version"`
	// Digest names the tools and instructions that are served, Since when that began.
	Digest   string        `json:"digest"`
	Since    time.Time     `json:"since"`
	Curation CurationState `json:"curation"`
	Site     SiteState     `json:"site"`
	// Tokens is what is wrong with files of tokens.
	Tokens curate.Findings `json:"token_errors"`
	// Findings are about what is served. Those of entries that match nothing are
	// called never-matched, exposes-nothing or empty-group.
	Findings curate.Findings `json:"findings"`
	// Withheld are operations that were asked for and are not served, and why.
	Withheld []curate.Withheld      `json:"withheld"`
	Profiles map[string]ToldProfile `json:"profiles"`
	// Breaker says that the site does not answer and is left alone for now.
	Breaker bool `json:"site_left_alone"`
}

// ToldProfile is what /-/status says of a profile.
type ToldProfile struct {
	Tools       int    `json:"tools"`
	Tokens      int    `json:"tokens"`
	Subscribers int    `json:"subscribers"`
	Digest      string `json:"digest"`
}

// told is the status as it is now.
func (s *Server) told(status *Status) Told {
	now := s.current.Load()
	t := Told{
		Status: stateReady, Version: s.opts.Version, Digest: now.digest, Since: now.since, Withheld: []curate.Withheld{},
		Profiles: map[string]ToldProfile{}, Breaker: s.breaker.open(),
	}
	for name, p := range now.profiles {
		t.Profiles[name] = ToldProfile{p.count, p.size(), p.endpoint.audience.size(), p.digest}
	}
	t.Withheld = append(t.Withheld, now.withheld...)
	status.mu.Lock()
	defer status.mu.Unlock()
	t.Site, t.Curation, t.Tokens, t.Findings = status.site, status.curation, status.tokens, status.findings
	t.Site.Stale = status.stale()
	switch {
	case s.ending.Err() != nil:
		t.Status = stateEnding
	case t.Site.Stale && t.Site.LastError != "":
		t.Status = stateStale
	case t.Site.LastError != "" || len(t.Site.Accounts) > 0 || !status.reloaded() || len(t.Findings.Errors()) > 0 || t.Breaker:
		t.Status = stateDegraded
	}
	return t
}
