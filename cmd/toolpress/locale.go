package main

import (
	"cmp"
	"fmt"

	"toolpress/curate"
	"toolpress/discover"
)

// worded is a reading in the locale that the curation pins, as far as that can be
// had: where the site answers in another, spoken, its texts are those of the reading
// before, and what that did not have keeps its own. Nil is no reading before.
// WordPress lets nobody choose the language of an answer ([discover.Site.Locale]).
func (s *source) worded(before, now *discover.Site) (site *discover.Site, spoken string) {
	pinned := s.curation.Site().Locale.Value
	switch {
	case pinned == "" || discover.SameLocale(pinned, now.Locale):
		return now, ""
	case before == nil || before.Locale == "" || !discover.SameLocale(pinned, before.Locale):
		return now, now.Locale
	}
	return now.Reworded(before), now.Locale
}

// foreign is the finding of a site that does not answer in the locale that is pinned.
func (s *source) foreign() curate.Findings {
	pinned, spoken := s.curation.Site().Locale, cmp.Or(s.spoken, s.site.Locale)
	if pinned.Value == "" || discover.SameLocale(pinned.Value, spoken) {
		return nil
	}
	message := fmt.Sprintf("the site answers in %s, and site.locale is %s", spoken, pinned.Value)
	if discover.SameLocale(pinned.Value, s.site.Locale) {
		message += ": texts stay as they were before, and what is new keeps its own"
	}
	return curate.Findings{{
		ID: "other-locale", Severity: curate.SeverityWarning, Pos: pinned.Pos, Message: message,
		Hint: "set the site's language under Settings → General, or let it answer toolpress in this one: docs/deploy/toolpress-locale.php",
	}}
}
