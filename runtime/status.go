package runtime

import (
	"errors"
	"sync"
	"time"

	"toolpress/curate"
	"toolpress/discover/wp"
)

// SiteRead is what became of a reading of the site.
type SiteRead string

// What became of a reading.
const (
	SiteUnchanged SiteRead = "unchanged" // it says what it said
	SiteChanged   SiteRead = "changed"
	SiteDoubted   SiteRead = "doubted" // it lost much, and is not believed yet
	SiteFailed    SiteRead = "failed"
)

// Status is how what is served came to be, and what is wrong: the one value behind
// /readyz, /-/status and /metrics. Whoever reads files and the site says how that
// went. It is safe for use by many goroutines.
type Status struct {
	poll   time.Duration // how often the site is read
	counts *readCounts

	mu       sync.Mutex // guards the rest
	site     SiteState
	curation CurationState
	tokens   curate.Findings // what is wrong with files of tokens
	findings curate.Findings // about what is served
}

// SiteState is how the site was read.
type SiteState struct {
	URL    string `json:"url,omitempty"`
	Digest string `json:"digest,omitempty"` // of the reading that is served
	// LastSuccess is when it was read last; LastError what the last reading failed
	// with, or why it is not believed; empty where it succeeded.
	LastSuccess time.Time `json:"last_success"`
	LastError   string    `json:"last_error,omitempty"`
	LastFailure time.Time `json:"last_failure,omitzero"`
	// Doubted says that the last reading lost much, and is not believed yet.
	Doubted bool `json:"doubted"`
	Stale   bool `json:"stale"`
	// Kept says that the reading is of an earlier run.
	Kept bool `json:"kept"`
	// Accounts are those that cannot be asked what they may call, and why.
	Accounts map[string]string `json:"failing_accounts,omitempty"`
}

// CurationState is how the curation was read.
type CurationState struct {
	// File is the curation's name; empty for the built-in one.
	File string `json:"file,omitempty"`
	// Served names the contents that are served, OnDisk those that were read last,
	// whether or not they can be used.
	Served string `json:"served"`
	OnDisk string `json:"on_disk"`
	// LastSuccess is when one was read that is used, LastFailure when one was read
	// last that is not; Errors why.
	LastSuccess time.Time       `json:"last_success"`
	LastFailure time.Time       `json:"last_failure,omitzero"`
	Errors      curate.Findings `json:"errors"`
}

// NewStatus is the status of what was read now; poll is how often the site is read.
func NewStatus(poll time.Duration) *Status {
	none := curate.Findings{}
	return &Status{
		poll: poll, counts: newReadCounts(), site: SiteState{LastSuccess: time.Now().UTC()},
		curation: CurationState{Errors: none}, tokens: none, findings: none,
	}
}

// SiteRead says what became of a reading of the site that ended now; err is why it
// failed or is doubted.
func (s *Status) SiteRead(what SiteRead, err error) {
	s.counts.reads.WithLabelValues(string(what)).Inc()
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now().UTC()
	s.site.Doubted = what == SiteDoubted
	if s.site.LastError = withoutBody(err); err != nil {
		s.site.LastFailure = now
		return
	}
	s.site.LastSuccess, s.site.Kept = now, false
}

// SiteKept says that what is served was read at a time before this process, and why
// the site is not read now, or is doubted.
func (s *Status) SiteKept(at time.Time, what SiteRead, err error) {
	s.SiteRead(what, err)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.site.LastSuccess, s.site.Kept = at.UTC(), true
}

// AccountsAsked says which accounts cannot be asked what they may call, and why.
func (s *Status) AccountsAsked(failing map[string]error) {
	texts := map[string]string{}
	for account, err := range failing {
		texts[account] = withoutBody(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.site.Accounts = texts
}

// CurationRead says that the curation was read from a file, empty for the built-in
// one, and what names its contents; refused is why it is not used.
func (s *Status) CurationRead(file, digest string, refused curate.Findings) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &s.curation
	c.File, c.OnDisk, c.Errors = file, digest, unsourced(refused)
	if len(refused) > 0 {
		c.LastFailure = time.Now().UTC()
		return
	}
	c.Served, c.LastSuccess = digest, time.Now().UTC()
}

// TokensRead says what is wrong with files of tokens; nothing is no findings.
func (s *Status) TokensRead(refused curate.Findings) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tokens = unsourced(refused)
}

// Serves says which reading of the site is served, and what is to be said of what
// is made of it.
func (s *Status) Serves(url, digest string, findings curate.Findings) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.site.URL, s.site.Digest, s.findings = url, digest, unsourced(findings.Open())
}

// Reloaded says how long the parts of a reload, or of a change that was noticed,
// took.
func (s *Status) Reloaded(took Stages) { s.counts.took(took) }

// reloaded reports that all that was read last is used.
func (s *Status) reloaded() bool { return len(s.curation.Errors)+len(s.tokens) == 0 }

// stale reports that what is served may not be what the site has: it is of an
// earlier run, or too many polls passed without a reading. The caller holds the
// mutex.
func (s *Status) stale() bool {
	return s.site.Kept || time.Since(s.site.LastSuccess) > stalePolls*s.poll
}

// unsourced are findings without lines of the file (T48), never nil.
func unsourced(findings curate.Findings) curate.Findings {
	out := curate.Findings{}
	for _, f := range findings {
		f.Source = ""
		out = append(out, f)
	}
	return out
}

// withoutBody is an error's text without what the site's answer began with, which
// may be anybody's; empty without an error.
func withoutBody(err error) string {
	var e *wp.Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e) && e.Excerpt != "":
		bare := *e
		bare.Excerpt = ""
		return bare.Error()
	}
	return err.Error()
}

// stalePolls is how many polls may pass without a reading before what is served
// is called stale.
const stalePolls = 3
