package main

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"toolpress/curate"
	"toolpress/runtime"
)

// reloader builds a whole catalog off to the side and publishes it. Whatever
// fails on the way leaves the old one serving. Its methods are called one at a
// time, by the watch loop, but for reload, hint, ask and begin.
type reloader struct {
	source   *source
	server   *runtime.Server
	catalog  *curate.Catalog // what is served
	findings curate.Findings // about it

	// accounts are who the site is asked as, and about what; read by ask, aside.
	accounts atomic.Pointer[[]*account]
	// soon asks the site before the next poll; hinted says that a webhook did.
	soon   chan struct{}
	hinted atomic.Bool

	// again has everything read, for those in waiting. ended is closed when the
	// loop has ended.
	again, ended chan struct{}
	mu           sync.Mutex // guards the next two
	// waiting have asked for a reload that has not begun; begun is the one whose
	// site is to be asked, nil without one.
	waiting []asker
	begun   *reloading
	// report is what became of what is dealt with now.
	report *runtime.Reloaded

	// digest names the reading that is served. suspect is one that lost a third of
	// the site; the same reading again confirms it. lastError keeps a lasting
	// failure from being told at every poll.
	digest, suspect sum
	lastError       string
	// impatient reads the site sooner than a poll would, as long as what is served is
	// of an earlier run.
	impatient bool
	// status tells the operator how files and the site were read.
	status *runtime.Status
	// cautions are about this machine: tokens, and directories.
	cautions curate.Findings
	// asked are the profiles of the curation as it was read last; refused is
	// whether it is not used.
	asked   []*curate.Profile
	refused bool
	// failing are the accounts that could not be asked, and what was told of them.
	failing map[string]string
}

// newReloader makes one that has no server yet, of what a start came by.
func newReloader(s *source, catalog *curate.Catalog, findings curate.Findings, poll time.Duration, how arrival) *reloader {
	r := &reloader{
		source: s, catalog: catalog, findings: findings, digest: digestOf(s.site), suspect: how.suspect, failing: map[string]string{}, report: &runtime.Reloaded{},
		soon: make(chan struct{}, 1), again: make(chan struct{}, 1), ended: make(chan struct{}), status: runtime.NewStatus(poll),
	}
	r.keep(catalog)
	r.status.CurationRead(s.curationName, s.digest(), nil)
	r.status.Serves(catalog.Site, r.digest.String(), findings)
	if how.late == nil {
		s.keep()
		return r
	}
	what := runtime.SiteDoubted
	if how.suspect == (sum{}) {
		what, r.lastError, r.impatient = runtime.SiteFailed, how.late.Error(), true
		poke(r.soon)
	}
	r.status.SiteKept(how.kept, what, how.late)
	return r
}

// keep remembers who is to be asked about what a catalog calls. Where that was
// not asked yet, it is soon.
func (r *reloader) keep(catalog *curate.Catalog) {
	all, _ := r.source.accounts(catalog) // one that is missing was told before
	r.accounts.Store(&all)
	if slices.ContainsFunc(all, func(one *account) bool { return !r.source.knows(one) }) {
		poke(r.soon)
	}
}

// poke says something to who listens; who was told already hears it once.
func poke(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// build makes the catalog of what was read last.
func (r *reloader) build() (*curate.Catalog, curate.Findings) {
	began := time.Now()
	_, catalog, findings := r.source.apply()
	r.report.Took.Build += time.Since(began)
	return catalog, findings
}

// swap publishes a catalog and returns the profiles whose list changed.
func (r *reloader) swap(catalog *curate.Catalog) []string {
	done := r.server.Swap(catalog)
	r.report.Took.Swap += done.Encoding
	r.report.Took.Announce += done.Announcing
	r.report.Changed = append(r.report.Changed, done.Changed...)
	return done.Changed
}

// publish swaps the catalog and says what changed.
func (r *reloader) publish(cause string, catalog *curate.Catalog, findings curate.Findings) {
	a := r.source.app
	printFindings(a.stderr, newFindings(r.findings, findings))
	r.findings = findings
	r.caution(catalog)
	r.keep(catalog)
	changed := r.swap(catalog)
	r.status.Serves(catalog.Site, r.digest.String(), findings)
	before := r.catalog
	r.catalog = catalog
	for _, name := range before.ProfileNames() {
		if catalog.Profiles[name] == nil {
			a.say("%s changed: the profile %s is no longer served", cause, name)
		}
	}
	if len(changed) == 0 {
		a.say("%s changed, the list of tools did not", cause)
		return
	}
	for _, name := range changed {
		of := ""
		if len(catalog.Profiles) > 1 {
			of = name + ": "
		}
		now := catalog.Profiles[name]
		a.say("%s changed: %s%s%s", cause, of, count(len(now.Tools), "tool"), compare(before.Profiles[name], now))
	}
}
