package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"time"

	"toolpress/curate"
	"toolpress/discover"
)

// reading is what the site said when it was read again.
type reading struct {
	site    *discover.Site
	answers []answer // what each account may call
	err     error
	took    time.Duration
	hinted  bool // a webhook asked for it
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
	return func() { r.finish(now, reading{site, answers, err, took, hinted}) }
}

// fromSite takes a new reading of the site. One that failed, or that lost a
// third of its routes or abilities, is not yet "tools removed".
func (r *reloader) fromSite(now reading) {
	s, a, site, err := r.source, r.source.app, now.site, now.err
	r.report.Took.Ask += now.took
	r.reads.Done(err)
	if r.report.Failed = err; err != nil {
		if text := err.Error(); text != r.lastError {
			r.lastError = text
			a.say("reading the site again: %v", err)
			a.hint(discover.Advice(err))
			a.say("the tools stay as they were")
		}
		return
	}
	if r.lastError != "" {
		r.lastError = ""
		a.say("the site answers again")
	}
	may := r.permissions(now.answers)
	digest := digestOf(site)
	if digest == r.digest {
		r.suspect = sum{} // it was wrong
		if maps.EqualFunc(may, s.may, maps.Equal) {
			return
		}
	}
	if shrunk(s.site, site) && digest != r.suspect {
		r.suspect = digest
		err := fmt.Errorf("the site lists much less than before (%d routes of %d, %d abilities of %d)", len(site.Routes), len(s.site.Routes), len(site.Abilities), len(s.site.Abilities))
		a.say("%v: waiting for a second reading", err)
		r.report.Failed = fmt.Errorf("%w: it is believed when a second reading says the same: reload again", err)
		if now.hinted {
			poke(r.soon) // the site itself says that it changed: the second reading need not wait for the poll
		}
		return
	}
	r.suspect, r.digest, s.site, s.may = sum{}, digest, site, may
	catalog, findings := r.build()
	r.publish("the site", catalog, findings)
}

// sum names a reading of the site.
type sum [sha256.Size]byte

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
	a, may := r.source.app, maps.Clone(r.source.may)
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
		for _, key := range known.keys() {
			if known.err == nil {
				may[key] = known.may
			}
		}
	}
	return may
}

// shrunk reports that a reading lost a third of the routes, of the abilities,
// or who we are.
func shrunk(before, after *discover.Site) bool {
	return len(after.Routes)*3 < len(before.Routes)*2 || len(after.Abilities)*3 < len(before.Abilities)*2 || (before.User != nil && after.User == nil)
}
