package main

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"time"

	"toolpress/curate"
	"toolpress/runtime"
	"toolpress/runtime/watch"
)

// read are the files that decide what is served and who gets in.
func (r *reloader) read() map[string][]byte {
	all := maps.Clone(r.source.files)
	if all == nil {
		all = map[string][]byte{}
	}
	maps.Copy(all, r.tokenFiles())
	return all
}

// tokenFiles are those of what is served, and of what waits to be.
func (r *reloader) tokenFiles() map[string][]byte {
	t, read := &r.source.tokens, map[string][]byte{}
	for _, named := range t.namedFiles(r.named()) {
		if f := t.files[named.name]; f != nil {
			read[named.name] = f.read()
		}
	}
	return read
}

// named are the profiles that are served, and those that wait to be.
func (r *reloader) named() []*curate.Profile { return append(profilesOf(r.catalog), r.asked...) }

// changed reads what changed again, as it was when it could be read: somebody may be
// writing the next already.
func (r *reloader) changed(_ context.Context, now map[string][]byte) {
	r.source.steady = now
	defer func() { r.source.steady = nil }()
	r.report = &runtime.Reloaded{}
	renewed := watch.Differ(r.tokenFiles())
	if renewed {
		r.tokens()
	}
	if watch.Differ(r.source.files) || renewed && r.refused {
		r.curation()
	}
}

// edited reports that the curation is not what was read, or is not used: what it
// waits for may be there.
func (r *reloader) edited() bool { return r.refused || watch.Differ(r.source.files) }

// tokens reads the tokens again and lets in whoever has one of them. The passwords
// of accounts are read again with them.
func (r *reloader) tokens() {
	s, a := r.source, r.source.app
	renewed := watch.Differ(r.tokenFiles())
	began := time.Now()
	err := s.readTokens(r.named())
	r.report.Took.Read += time.Since(began)
	r.swap(r.catalog) // what could be read counts, whatever could not
	switch {
	case err != nil:
		a.report(err)
		a.say("its tokens stay as they were")
		r.report.Refused = append(r.report.Refused, findingsOf(err)...)
	case renewed:
		a.say("the tokens were read again")
	}
	r.status.TokensRead(findingsOf(err))
	r.caution(r.catalog)
}

// caution prints what is newly doubtful about the tokens of what is served.
func (r *reloader) caution(catalog *curate.Catalog) {
	now := r.source.cautions(catalog)
	printFindings(r.source.app.stderr, newFindings(r.cautions, now))
	r.cautions = now
}

// curation reads the curation again. One that cannot be read, that names what is
// not there, or that has an error it had not before is not used.
func (r *reloader) curation() {
	s, a := r.source, r.source.app
	before, files := s.curation, s.files
	r.asked, r.refused = nil, true
	began := time.Now()
	next, err := s.readCuration()
	r.report.Took.Read += time.Since(began)
	if err != nil {
		r.refuse(err)
		return
	}
	s.curation, r.asked = next, next.Profiles()
	catalog, findings := r.build()
	began = time.Now()
	if err = s.accessible(catalog); err == nil {
		if fresh := newErrors(r.findings, findings); len(fresh) > 0 {
			err = fresh
		}
	}
	r.report.Took.Check += time.Since(began)
	if err != nil {
		s.curation = before
		r.refuse(err)
		return
	}
	r.asked, r.refused = nil, false
	if !reflect.DeepEqual(siteSettings(before.Site()), siteSettings(next.Site())) || before.Server().Name.Value != next.Server().Name.Value {
		a.say("%s: what it says about the site and the server's name takes effect at the next start", s.curationName)
	}
	r.publish(s.edited(files), catalog, findings)
	r.status.CurationRead(s.curationName, s.digest(), nil)
}

// refuse says why the curation is not used.
func (r *reloader) refuse(err error) {
	a := r.source.app
	a.report(err)
	a.say("%s is not used: the tools stay as they were", r.source.curationName)
	r.refused = true
	refused := findingsOf(err)
	r.report.Refused = append(r.report.Refused, refused...)
	r.status.CurationRead(r.source.curationName, r.source.digest(), refused)
}

// notSet is the finding of a variable that is not set.
const notSet = "not-set"

// findingsOf is an error as findings: those it is made of, or one of its own; none
// without an error.
func findingsOf(err error) curate.Findings {
	var findings curate.Findings
	if err == nil {
		return nil
	}
	if errors.As(err, &findings) {
		return findings
	}
	one := curate.Finding{ID: "not-usable", Severity: curate.SeverityError, Message: err.Error()}
	var f *failure
	if errors.As(err, &f) {
		if one.Hint = f.hint; f.unset {
			one.ID = notSet
		}
	}
	return curate.Findings{one}
}

// siteSettings are what a curation says of the site for as long as toolpress runs,
// wherever it stands. Where files may come from is the tools', and not in it.
func siteSettings(s curate.SiteSettings) curate.SiteSettings {
	s.Auth, s.Media = unplaced(s.Auth), curate.Media{}
	for _, t := range []*curate.Text{&s.URL, &s.KeyEnv, &s.SecretEnv, &s.Host, &s.CAFile, &s.Locale, &s.WebhookSecretEnv} {
		t.Pos = curate.Pos{}
	}
	return s
}
