package main

import (
	"context"
	"fmt"
	"slices"

	"toolpress/discover"
	"toolpress/generate/lint"
	"toolpress/runtime/watch"
)

// lintWatch is what lint --watch said last.
type lintWatch struct {
	app   *app
	flags *lintFlags
	known *baseline
	found *linted
	// failing is why the last reading failed; empty where it did not.
	failing string
}

// watchLint says what is wrong, and then what comes and goes, until ctx ends.
func (a *app) watchLint(ctx context.Context, f *lintFlags, from *lintSource, known *baseline) {
	w := &lintWatch{app: a, flags: f, known: known, found: f.look(from.site, known)}
	printLint(a.stdout, w.found.open())
	a.sayLinted(f, w.found)
	a.say("watching, every %s; Ctrl-C ends it", f.every)
	loop := watch.Loop{Poll: f.every, Ask: func(ctx context.Context) func() {
		site, err := from.again(ctx)
		if ctx.Err() != nil {
			return nil
		}
		return func() { w.take(site, err) }
	}}
	loop.Run(ctx)
}

// take compares a reading with the one before. A reading that failed changes
// nothing; that is told once.
func (w *lintWatch) take(site *discover.Site, err error) {
	if err == nil && site.AbilitiesAPI == discover.AbilitiesNotPermitted {
		err = errNotListed
	}
	if err != nil {
		if w.failing != err.Error() {
			w.failing = err.Error()
			w.app.say("reading again: %v", err)
			w.app.hint(discover.Advice(err))
		}
		return
	}
	if w.failing != "" {
		w.failing = ""
		w.app.say("it can be read again")
	}
	before := w.found.open()
	w.found = w.flags.look(site, w.known)
	now := w.found.open()
	gone, come := without(before, now), without(now, before)
	for _, f := range gone {
		fmt.Fprintf(w.app.stdout, "- %s: %s: %s: %s\n", f.Operation, f.Severity, f.ID, f.Path)
	}
	for _, f := range come {
		fmt.Fprintf(w.app.stdout, "+ %s: %s: %s: %s: %s\n    %s\n", f.Operation, f.Severity, f.ID, f.Path, f.Message, f.Remedy)
	}
	if len(gone)+len(come) > 0 {
		w.app.say("%s", w.found.summed())
	}
}

// without are the findings of one list that are not in the other, as they stand.
func without(list, other []lint.Finding) []lint.Finding {
	same := func(x, y lint.Finding) bool {
		return entryOf(x) == entryOf(y) && x.Severity == y.Severity && x.Message == y.Message
	}
	return slices.DeleteFunc(slices.Clone(list), func(f lint.Finding) bool {
		return slices.ContainsFunc(other, func(g lint.Finding) bool { return same(f, g) })
	})
}
