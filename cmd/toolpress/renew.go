package main

import (
	"context"
	"maps"

	"toolpress/curate"
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

// changed reads what changed again.
func (r *reloader) changed(ctx context.Context) {
	renewed := watch.Differ(r.tokenFiles())
	if renewed {
		r.tokens()
	}
	if watch.Differ(r.source.files) || renewed && r.refused {
		r.curation(ctx)
	}
}

// tokens reads the tokens again and lets in whoever has one of them.
func (r *reloader) tokens() {
	s, a := r.source, r.source.app
	err := s.readTokens(r.named())
	r.server.Swap(r.catalog) // what could be read counts, whatever could not
	if err != nil {
		a.report(err)
		a.say("its tokens stay as they were")
	} else {
		a.say("the tokens were read again")
	}
	r.caution(r.catalog)
}

// caution prints what is newly doubtful about the tokens of what is served.
func (r *reloader) caution(catalog *curate.Catalog) {
	now := r.source.cautions(catalog)
	printFindings(r.source.app.stderr, newFindings(r.cautions, now))
	r.cautions = now
}
