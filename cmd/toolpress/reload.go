package main

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"toolpress/curate"
	"toolpress/discover"
	"toolpress/runtime"
)

// reloader builds a whole catalog off to the side and publishes it. Whatever
// fails on the way leaves the old one serving. Its methods are called one at a
// time, by the watch loop.
type reloader struct {
	source  *source
	server  *runtime.Server
	catalog *curate.Catalog // what is served

	// suspect is a reading that lost a third of the site; the same reading
	// again confirms it. lastError keeps a lasting failure from being told at
	// every poll.
	suspect   []byte
	lastError string
}

// curation reads the curation again.
func (r *reloader) curation(context.Context) {
	s, a := r.source, r.source.app
	next, err := s.readCuration()
	if err != nil {
		a.report(err)
		a.say("%s is not used: the tools stay as they were", s.curationName)
		return
	}
	before := s.curation.Site()
	s.curation = next
	after := next.Site()
	if before.URL.Value != after.URL.Value || before.UserEnv.Value != after.UserEnv.Value || before.PasswordEnv.Value != after.PasswordEnv.Value ||
		before.PasswordFile.Value != after.PasswordFile.Value || before.Poll != after.Poll || before.Timeout != after.Timeout || before.MaxResponse != after.MaxResponse {
		a.say("%s: what it says about the site takes effect at the next start", s.curationName)
	}
	r.publish(s.curationName)
}

// fromSite reads the site again. A reading that failed or that lost a third of
// its routes or abilities is not yet "tools removed".
func (r *reloader) fromSite(ctx context.Context) {
	s, a := r.source, r.source.app
	site, err := s.root.Read(ctx)
	if ctx.Err() != nil {
		return
	}
	if err != nil {
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
	now, errNow := discover.Encode(site)
	old, errOld := discover.Encode(s.site)
	if errNow != nil || errOld != nil || bytes.Equal(now, old) {
		return
	}
	if shrunk(s.site, site) && !bytes.Equal(now, r.suspect) {
		r.suspect = now
		a.say("the site lists much less than before (%d routes of %d, %d abilities of %d): waiting for a second reading", len(site.Routes), len(s.site.Routes), len(site.Abilities), len(s.site.Abilities))
		return
	}
	r.suspect, s.site = nil, site
	r.publish("the site")
}

// shrunk reports that a reading lost a third of the routes, of the abilities,
// or who we are.
func shrunk(before, after *discover.Site) bool {
	return len(after.Routes)*3 < len(before.Routes)*2 || len(after.Abilities)*3 < len(before.Abilities)*2 || (before.User != nil && after.User == nil)
}

// publish swaps the catalog and says what changed.
func (r *reloader) publish(cause string) {
	a := r.source.app
	_, catalog, findings := r.source.apply()
	a.findings(findings)
	changed := r.server.Swap(catalog)
	difference := compare(r.catalog, catalog)
	r.catalog = catalog
	if len(changed) == 0 {
		a.say("%s changed, the list of tools did not", cause)
		return
	}
	a.say("%s changed: %d tools%s", cause, len(catalog.Profiles[curate.DefaultProfile].Tools), difference)
}

// compare names the tools that came, went and differ.
func compare(before, after *curate.Catalog) string {
	old, now := before.Profiles[curate.DefaultProfile], after.Profiles[curate.DefaultProfile]
	var words []string
	for _, t := range now.Tools {
		was := old.Tool(t.Name)
		if was == nil {
			words = append(words, "+"+t.Name)
			continue
		}
		x, _ := was.MarshalJSON()
		y, _ := t.MarshalJSON()
		if !bytes.Equal(x, y) {
			words = append(words, "~"+t.Name)
		}
	}
	for _, t := range old.Tools {
		if now.Tool(t.Name) == nil {
			words = append(words, "-"+t.Name)
		}
	}
	if len(words) == 0 {
		return ""
	}
	slices.Sort(words)
	return fmt.Sprintf(" (%s)", strings.Join(words, " "))
}
