package doctor

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"toolpress/discover"
)

// front looks for the REST root, and at whatever stands before it: a redirect,
// a web server's own password, a firewall.
func (e *examination) front(ctx context.Context) bool {
	var err error
	last, at := e.page, e.address
	if e.root, err = discover.Find(ctx, e.address, e.opts.WP); err == nil {
		defer e.root.Client().Close()
		at = e.below(nil)
		if e.index, err = e.probe.get(ctx, at, e.opts.WP.Credential); err != nil {
			return e.fail("answer", "Answer", "the site answers, its REST API does not: "+plain(err.Error(), 120),
				"try again; if it stays so, the site's PHP error log and its host's firewall log say why")
		}
		last = e.index
	} else if e.page.location(e.address) == nil {
		guess := *e.address
		guess.Path, guess.RawQuery = strings.TrimSuffix(guess.Path, "/")+"/wp-json/", ""
		if asked, err := e.probe.get(ctx, &guess, nobody); err == nil && guard(asked) != "" {
			last = asked
		}
	}
	return e.redirects(last, at) && e.guarded(last)
}

// redirects says whether the address is the site's own.
func (e *examination) redirects(last *answer, at *url.URL) bool {
	to := last.location(at)
	page := e.page.location(e.address)
	switch {
	case to == nil && page == nil:
		e.fine("redirect", "Redirects", "none")
		return true
	case to == nil:
		e.fine("redirect", "Redirects", fmt.Sprintf("pages go to %s, the REST API answers at the address given", where(page)))
		return true
	case strings.Contains(to.Path, "wp-login.php"):
		return e.fail("redirect", "Redirects", "the address sends visitors to the login page",
			"give the site's own address, without /wp-admin; if it is that already, a plugin closes the site to visitors: let it leave the REST API open")
	}
	return e.fail("redirect", "Redirects", fmt.Sprintf("%s redirects to %s", where(at), where(to)),
		fmt.Sprintf("use %s. toolpress follows no redirect, because the password would follow it", where(to)))
}

// where is an address as a person types it: without what lies in the site.
func where(u *url.URL) string {
	path, _, _ := strings.Cut(u.Path, "/wp-json")
	return plain((&url.URL{Scheme: u.Scheme, Host: u.Host, Path: strings.TrimSuffix(path, "/")}).String(), 200)
}

// guarded says whether something answers in the site's place.
func (e *examination) guarded(last *answer) bool {
	if realm := last.header.Get("WWW-Authenticate"); last.status == http.StatusUnauthorized && strings.HasPrefix(strings.ToLower(realm), "basic") && last.json() == nil {
		return e.fail("firewall", "Firewall", "the web server itself asks for a password (basic authentication), before WordPress is reached",
			"a request carries one password only: let the web server leave /wp-json/ open (Apache: \"Require all granted\" for it, nginx: \"auth_basic off;\"), or admit this machine's address")
	}
	name := guard(last)
	switch {
	case last.status == http.StatusTooManyRequests:
		return e.fail("firewall", "Firewall", "the host counts requests and has had enough of this machine's: 429 "+headline(last.body),
			"wait some minutes; if it comes back, ask the host to raise the limit for this machine's address")
	case name != "" && last.json() == nil:
		said := fmt.Sprintf("%s answers in the site's place: %d", name, last.status)
		if page := headline(last.body); page != "" {
			said += " " + page
		}
		return e.fail("firewall", "Firewall", said, openings[name])
	case between(last) != "":
		e.fine("firewall", "Firewall", between(last)+" is in front and lets toolpress through")
	default:
		e.fine("firewall", "Firewall", "none in the way")
	}
	return true
}
