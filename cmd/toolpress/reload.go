package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"

	"toolpress/curate"
	"toolpress/discover"
	"toolpress/runtime"
)

// reloader builds a whole catalog off to the side and publishes it. Whatever
// fails on the way leaves the old one serving. Its methods are called one at a
// time, by the watch loop.
type reloader struct {
	source   *source
	server   *runtime.Server
	catalog  *curate.Catalog // what is served
	findings curate.Findings // about it

	// accounts are who the site is asked as, and about what; read by ask, aside.
	accounts atomic.Pointer[[]*account]
	// soon asks the site before the next poll.
	soon chan struct{}

	// suspect is a reading that lost a third of the site; the same reading
	// again confirms it. lastError keeps a lasting failure from being told at
	// every poll.
	suspect   []byte
	lastError string
	// reads tells the operator how the site was read.
	reads runtime.Reads
	// cautions are about the tokens of what is served.
	cautions curate.Findings
	// asked are the profiles of the curation as it was read last; refused is
	// whether it is not used.
	asked   []*curate.Profile
	refused bool
	// failing are the accounts that could not be asked, and what was told of them.
	failing map[string]string
}

func newReloader(s *source, server *runtime.Server, catalog *curate.Catalog, findings curate.Findings) *reloader {
	r := &reloader{source: s, server: server, catalog: catalog, findings: findings, soon: make(chan struct{}, 1), failing: map[string]string{}}
	r.keep(catalog)
	r.reads.Done(nil)
	return r
}

// keep remembers who is to be asked about what a catalog calls. Where that was
// not asked yet, it is soon.
func (r *reloader) keep(catalog *curate.Catalog) {
	all, _ := r.source.accounts(catalog) // one that is missing was told before
	r.accounts.Store(&all)
	if slices.ContainsFunc(all, func(one *account) bool { return !r.source.knows(one) }) {
		select {
		case r.soon <- struct{}{}:
		default:
		}
	}
}

// curation reads the curation again.
func (r *reloader) curation(context.Context) {
	s, a := r.source, r.source.app
	before, files := s.curation, s.files
	r.asked, r.refused = nil, true
	next, err := s.readCuration()
	if err != nil {
		a.report(err)
		a.say("%s is not used: the tools stay as they were", s.curationName)
		return
	}
	s.curation, r.asked = next, next.Profiles()
	_, catalog, findings := s.apply()
	err = s.accessible(catalog)
	fresh := newErrors(r.findings, findings)
	if err != nil {
		a.report(err)
	} else {
		printFindings(a.stderr, fresh)
	}
	if err != nil || len(fresh) > 0 {
		s.curation = before
		a.say("%s is not used: the tools stay as they were", s.curationName)
		return
	}
	r.asked, r.refused = nil, false
	if !reflect.DeepEqual(siteSettings(before.Site()), siteSettings(next.Site())) || before.Server().Name.Value != next.Server().Name.Value {
		a.say("%s: what it says about the site and the server's name takes effect at the next start", s.curationName)
	}
	r.publish(s.edited(files), catalog, findings)
}

// siteSettings are what a curation says of the site, wherever it stands.
func siteSettings(s curate.SiteSettings) curate.SiteSettings {
	s.Auth = unplaced(s.Auth)
	for _, t := range []*curate.Text{&s.URL, &s.KeyEnv, &s.SecretEnv, &s.Host, &s.CAFile, &s.Locale, &s.WebhookSecretEnv} {
		t.Pos = curate.Pos{}
	}
	for _, list := range []*[]curate.Text{&s.Media.Roots, &s.Media.Hosts} {
		*list = slices.Clone(*list)
		for i := range *list {
			(*list)[i].Pos = curate.Pos{}
		}
	}
	return s
}

// ask reads the site again, asks what each account may call, and returns what to
// make of it.
func (r *reloader) ask(ctx context.Context) func() {
	site, err := r.source.root.Read(ctx)
	var answers []answer
	if err == nil {
		for _, one := range *r.accounts.Load() {
			answers = append(answers, one.ask(ctx, site, nil))
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	return func() { r.fromSite(site, answers, err) }
}

// fromSite takes a new reading of the site. One that failed, or that lost a
// third of its routes or abilities, is not yet "tools removed".
func (r *reloader) fromSite(site *discover.Site, answers []answer, err error) {
	s, a := r.source, r.source.app
	r.reads.Done(err)
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
	may := r.permissions(answers)
	now, errNow := discover.Encode(site)
	old, errOld := discover.Encode(s.site)
	if errNow != nil || errOld != nil || bytes.Equal(now, old) && maps.EqualFunc(may, s.may, maps.Equal) {
		return
	}
	if shrunk(s.site, site) && !bytes.Equal(now, r.suspect) {
		r.suspect = now
		a.say("the site lists much less than before (%d routes of %d, %d abilities of %d): waiting for a second reading", len(site.Routes), len(s.site.Routes), len(site.Abilities), len(s.site.Abilities))
		return
	}
	r.suspect, s.site, s.may = nil, site, may
	_, catalog, findings := s.apply()
	r.publish("the site", catalog, findings)
}

// permissions are what accounts may call now. One that cannot be asked keeps what
// it had; that is told once, and once that it is over.
func (r *reloader) permissions(answers []answer) map[curate.Auth]discover.Permissions {
	a, may := r.source.app, maps.Clone(r.source.may)
	for _, known := range answers {
		name, text := known.String(), ""
		if known.err != nil {
			text = known.err.Error()
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

// publish swaps the catalog and says what changed.
func (r *reloader) publish(cause string, catalog *curate.Catalog, findings curate.Findings) {
	a := r.source.app
	printFindings(a.stderr, newFindings(r.findings, findings))
	r.findings = findings
	r.caution(catalog)
	r.keep(catalog)
	changed := r.server.Swap(catalog)
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

// newFindings are those that were not there before, wherever they stood.
func newFindings(before, after curate.Findings) curate.Findings {
	return slices.DeleteFunc(slices.Clone(after), func(f curate.Finding) bool {
		return slices.ContainsFunc(before, func(old curate.Finding) bool { return old.ID == f.ID && old.Message == f.Message })
	})
}

// newErrors are what makes an edit a broken one. An entry that matched nothing
// before the edit, because a plugin is gone, does not keep later edits out; nor does
// what the site has changed since it was approved.
func newErrors(before, after curate.Findings) curate.Findings {
	return slices.DeleteFunc(newFindings(before, after).Errors(), func(f curate.Finding) bool { return f.ID == "drift-breaking" })
}

// compare names the tools of a profile that came, went and differ; old is nil
// for a profile that was not there.
func compare(old, now *curate.Profile) string {
	if old == nil {
		old = &curate.Profile{}
	}
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
