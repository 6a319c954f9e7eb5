package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"toolpress/runtime"
)

// hint is a webhook's: the site says that it changed.
func (r *reloader) hint() {
	r.hinted.Store(true)
	poke(r.soon)
}

// asker is who has asked for a reload, and what it is told.
type asker struct {
	by     string // "SIGHUP"
	accept bool   // the site as it reads, also where much is gone
	told   chan runtime.Reloaded
}

// reloading is a reload whose files were read, and what became of it so far.
type reloading struct {
	askers []asker
	report runtime.Reloaded
}

// reload has everything read again and waits for what became of it, or for ctx,
// after which it goes on. However many ask while one is under way get the next
// together. accept takes the site as it reads.
func (r *reloader) reload(ctx context.Context, by string, accept bool) (runtime.Reloaded, error) {
	one := asker{by, accept, make(chan runtime.Reloaded, 1)}
	r.mu.Lock()
	r.waiting = append(r.waiting, one)
	r.mu.Unlock()
	poke(r.again)
	select {
	case got := <-one.told:
		return got, nil
	case <-r.ended:
		return runtime.Reloaded{}, runtime.ErrEnding
	case <-ctx.Done():
		return runtime.Reloaded{}, context.Cause(ctx)
	}
}

// outcome is what became of a reload, in a line.
func outcome(got runtime.Reloaded) string {
	var words []string
	if len(got.Refused) > 0 {
		words = append(words, "not used: "+summed(got.Refused))
	}
	if got.Failed != nil {
		words = append(words, "the site could not be read, or is not believed yet")
	}
	switch {
	case len(got.Changed) > 0:
		words = append(words, "changed "+strings.Join(got.Changed, ", "))
	case len(words) == 0:
		words = append(words, "all was read, and the lists of tools are as they were")
	}
	for _, stage := range got.Took.Each() {
		words = append(words, fmt.Sprintf("%s %v", stage.Name, stage.Took.Round(10*time.Microsecond)))
	}
	return strings.Join(words, ", ")
}

// reread is the first half of a reload: what files say. The site is asked next. What
// answers were kept is nobody's any more.
func (r *reloader) reread(context.Context) {
	r.mu.Lock()
	if r.begun == nil {
		r.begun = &reloading{}
	}
	now := r.begun
	now.askers, r.waiting = append(now.askers, r.waiting...), nil
	r.mu.Unlock()
	r.report, now.report.Refused = &now.report, nil
	r.server.Forget()
	edited := r.edited()
	r.tokens()
	r.keep(r.catalog) // their passwords may be others
	if edited {
		r.curation()
	} else {
		r.status.CurationRead(r.source.curationName, r.source.digest(), nil)
	}
}

// begin is the second half, for whose sake the site is asked now; nil is nobody's.
func (r *reloader) begin() *reloading {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.begun
	r.begun = nil
	return now
}

// finish takes what the site said, and tells who asked for it.
func (r *reloader) finish(now *reloading, said reading) {
	if now == nil {
		r.report = &runtime.Reloaded{}
		r.fromSite(said)
		r.status.Reloaded(r.report.Took)
		return
	}
	r.report = &now.report
	said.accept = slices.ContainsFunc(now.askers, func(one asker) bool { return one.accept })
	r.fromSite(said)
	r.status.Reloaded(r.report.Took)
	slices.Sort(now.report.Changed)
	now.report.Changed = slices.Compact(now.report.Changed)
	var by []string
	for _, one := range now.askers {
		one.told <- now.report // it has room for one
		if !slices.Contains(by, one.by) {
			by = append(by, one.by)
		}
	}
	r.source.app.say("%s: %s", strings.Join(by, ", "), outcome(now.report))
}
