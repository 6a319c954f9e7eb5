package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"time"

	"toolpress/curate"
	"toolpress/discover"
	"toolpress/runtime"
)

// reading is what the site said when it was read again.
type reading struct {
	site    *discover.Site
	answers []answer // what each account may call
	err     error
	took    time.Duration
	hinted  bool // a webhook asked for it
	accept  bool // also where much is gone
}

// ask reads the site again, asks what each account may call, and returns what to
// make of it.
func (r *reloader) ask(ctx context.Context) func() {
	now, hinted, began := r.begin(), r.hinted.Swap(false), time.Now()
	site, err := r.source.root.Read(ctx)
	var answers []answer
	if err == nil {
		for _, one := range *r.accounts.Load() {
			answers = append(answers, one.ask(ctx, site, nil))
		}
	}
	if ctx.Err() != nil {
		return nil // who waits is told that it ends
	}
	took := time.Since(began)
	return func() { r.finish(now, reading{site: site, answers: answers, err: err, took: took, hinted: hinted}) }
}

// fromSite takes a new reading of the site. One that failed is not "tools removed",
// nor is one that lost much, yet.
func (r *reloader) fromSite(now reading) {
	r.report.Took.Ask += now.took
	if now.err != nil {
		r.unread(now.err)
		return
	}
	s, a := r.source, r.source.app
	site := s.worded(s.site, now.site)
	digest := digestOf(site)
	if doubt := r.doubt(site, digest, now); doubt != nil {
		r.report.Failed = doubt
		r.status.SiteRead(runtime.SiteDoubted, doubt)
		return
	}
	if r.impatient = false; r.lastError != "" {
		r.lastError = ""
		a.say("the site answers again")
	}
	may := r.permissions(now.answers)
	if digest == r.digest && site.Spoken == s.site.Spoken && maps.EqualFunc(may, s.may, maps.Equal) {
		r.status.SiteRead(runtime.SiteUnchanged, nil)
		s.confirm()
		return
	}
	cause := "the site"
	if digest != r.digest && digestOf(site.Reworded(s.site)) == r.digest {
		cause = "the wording of the site"
	}
	r.digest, s.site, s.may = digest, site, may
	catalog, findings := r.build()
	r.publish(cause, catalog, findings)
	if pinned := s.curation.Site().Locale.Value; cause != "the site" && pinned == "" {
		a.hint("is it in another language now? site: { locale: en_US } in the curation keeps the words of one (docs/curation.md#language)")
	}
	r.status.SiteRead(runtime.SiteChanged, nil)
	s.keep()
}

// unread says once that the site could not be read.
func (r *reloader) unread(err error) {
	a := r.source.app
	r.report.Failed = err
	r.status.SiteRead(runtime.SiteFailed, err)
	if text := err.Error(); text != r.lastError {
		r.lastError = text
		a.say("reading the site again: %v", err)
		a.hint(discover.Advice(err))
		a.say("the tools stay as they were")
	}
	if r.impatient {
		time.AfterFunc(impatience, func() { poke(r.soon) })
	}
}

// impatience is how often a site is asked that has not answered since the start.
const impatience = 15 * time.Second

// doubt is why a reading is not believed; nil where it is, because it lost little,
// the reading before was the same, or who asked for it accepts it. One that is
// nobody's, where the one before was somebody's, is believed only then: a host that
// strips the credential does so every time.
func (r *reloader) doubt(site *discover.Site, digest sum, now reading) error {
	doubt := doubted(r.source.site, site)
	again := digest == r.suspect
	if r.suspect = digest; doubt == nil || now.accept || again && !nobodys(r.source.site, site) {
		r.suspect = sum{}
		return nil
	}
	if nobodys(r.source.site, site) {
		if !again {
			r.source.app.say("%v: the tools stay as they were\n  hint: %s", doubt, acceptHint)
		}
		return fmt.Errorf("%w: %s", doubt, acceptHint)
	}
	r.source.app.say("%v: waiting for a second reading\n  hint: %s", doubt, acceptHint)
	if now.hinted {
		poke(r.soon) // the site itself says that it changed: the second reading need not wait for the poll
	}
	return fmt.Errorf("%w: it is believed when a second reading says the same: reload again. %s", doubt, acceptHint)
}

// acceptHint is how a person takes a reading that is doubted.
const acceptHint = "To take it as it is: POST /-/reload?accept=" + runtime.AcceptShrunken + ", or start with --accept-shrunken"

// sum names a reading of the site.
type sum [sha256.Size]byte

// String is the name as people read it.
func (s sum) String() string { return hex.EncodeToString(s[:8]) }

// digestOf names a reading; one that cannot be written down, of which there is none,
// is none.
func digestOf(site *discover.Site) sum {
	text, err := discover.Encode(site)
	if err != nil {
		return sum{}
	}
	return sha256.Sum256(text)
}

// permissions are what accounts may call now. One that cannot be asked keeps what
// it had; that is told once, and once that it is over.
func (r *reloader) permissions(answers []answer) map[curate.Auth]discover.Permissions {
	a, may, failing := r.source.app, maps.Clone(r.source.may), map[string]error{}
	for _, known := range answers {
		name, text := known.String(), ""
		if known.err != nil {
			text, r.report.Failed = known.err.Error(), known.err
		}
		switch before := r.failing[name]; {
		case text == before:
		case text == "":
			a.say("%s can be asked again", name)
		default:
			a.report(known.err)
			a.say("its tools stay as they were")
		}
		r.failing[name] = text
		if text != "" {
			failing[name] = known.err
		}
		for _, key := range known.keys() {
			if known.err == nil {
				may[key], r.source.asked[key] = known.may, known.root.Client()
			}
		}
	}
	r.status.AccountsAsked(failing)
	return may
}

// doubted is why a reading may not be the whole site; nil where it may.
func doubted(before, after *discover.Site) error {
	switch {
	case nobodys(before, after):
		return fmt.Errorf("the site does not say any more who we are, and knew %s before", before.User.Login)
	case len(after.Routes)*3 < len(before.Routes)*2 || len(after.Abilities)*3 < len(before.Abilities)*2:
		return fmt.Errorf("the site lists much less than before (%d routes of %d, %d abilities of %d)", len(after.Routes), len(before.Routes), len(after.Abilities), len(before.Abilities))
	}
	return nil
}

// nobodys reports that a reading lost who we are.
func nobodys(before, after *discover.Site) bool { return before.User != nil && after.User == nil }
