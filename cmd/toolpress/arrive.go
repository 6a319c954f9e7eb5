package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"toolpress/discover"
	"toolpress/discover/lastgood"
)

// startPatience is how long a start waits for a site of which something was kept;
// for one of which nothing was, it waits as long as that takes.
const startPatience = 10 * time.Second

// arrival is how a start came by what it serves.
type arrival struct {
	// kept is when what is served was read, where that was not now, and late why it
	// could not be read, or is not believed, now. Zero and nil: it was read now.
	kept time.Time
	late error
	// suspect is the reading that is not believed; a second one confirms it.
	suspect sum
}

// arrive reads the site and asks what accounts may call. What was kept of the site
// stands in for a site that is away or takes long, and for a reading that lost much.
// A credential that is refused is an error all the same.
func (s *source) arrive(ctx context.Context, positional string, f serveFlags) (arrival, error) {
	s.shelve(positional, f.stateDir)
	var old *lastgood.Reading
	if s.shelf != nil {
		old = s.shelf.recall()
	}
	if old == nil {
		if err := s.discover(ctx, positional); err != nil {
			return arrival{}, s.whyNot(ctx, positional, err)
		}
		return arrival{}, s.settle(ctx, nil)
	}
	patience := cmp.Or(f.patience, startPatience)
	bounded, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err := s.discover(bounded, positional)
	found := err == nil
	if found {
		err = s.settle(bounded, old.Site)
	}
	switch {
	case err == nil:
		return s.believe(old, f.acceptShrunken)
	case ctx.Err() == nil && discover.Away(err):
		if bounded.Err() != nil {
			err = fmt.Errorf("the site takes longer than %s to read: %w", patience, err)
		}
		return arrival{kept: old.At, late: err}, errors.Join(s.resume(old), s.ready())
	case found:
		return arrival{}, err
	}
	return arrival{}, s.whyNot(ctx, positional, err)
}

// settle asks what accounts may call of a site that was just read.
func (s *source) settle(ctx context.Context, before *discover.Site) error {
	if err := s.ready(); err != nil {
		return err
	}
	s.site = s.worded(before, s.site)
	return s.permit(ctx)
}

// ready says what the profiles need and is not there; nil when nothing is missing.
func (s *source) ready() error {
	_, catalog, _ := s.apply()
	return s.accessible(catalog)
}

// believe takes a reading, unless it lost much of what was kept: then that is served
// until another reading says the same, or somebody accepts it.
func (s *source) believe(old *lastgood.Reading, accept bool) (arrival, error) {
	doubt := doubted(old.Site, s.site)
	if doubt == nil || accept {
		return arrival{}, nil
	}
	now := arrival{kept: old.At, late: doubt, suspect: digestOf(s.site)}
	return now, s.resume(old)
}

// arrived says what a start serves that could not read the site now.
func (a *app) arrived(s *source, how arrival) {
	if how.late == nil {
		return
	}
	served := fmt.Sprintf("served is what was read of %s on %s", s.site.URL, how.kept.Local().Format("2 January at 15:04"))
	a.say("toolpress: %v", how.late)
	if how.suspect != (sum{}) {
		a.hint(acceptHint)
		a.say("%s\n", served)
		return
	}
	a.hint(discover.Advice(how.late))
	a.say("%s: the site is asked until it answers, and calls are tried meanwhile\n", served)
}
