package main

import "toolpress/discover"

// worded is a reading in the locale that the curation pins, as far as that can be
// had: where the site answers in another, its texts are those of the reading before,
// and what that did not have keeps its own. Nil is no reading before. WordPress lets
// nobody choose the language of an answer ([discover.Site.Locale]).
func (s *source) worded(before, now *discover.Site) *discover.Site {
	pinned := s.curation.Site().Locale.Value
	if pinned == "" || discover.SameLocale(pinned, now.Locale) ||
		before == nil || before.Locale == "" || !discover.SameLocale(pinned, before.Locale) {
		return now
	}
	return now.Reworded(before)
}
