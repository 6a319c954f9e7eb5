// Package doctor says what stands between this machine and a WordPress site:
// a checklist in a fixed order, from the name and the certificate up to the
// rights of the credential, each line with what was seen and what mends it.
//
// [Run] asks the site about ten questions, each within bounds, and follows
// nothing the site returns: no redirect, no link, no other origin. It writes
// nothing. At most one request logs in another way than every call does: where
// WordPress does not tell a stripped header from a wrong password, XML-RPC is
// asked once.
//
// The package does not read the site for serving; [toolpress/discover] does,
// and the root is found by its Find, so that both stop at the same place. It
// prints no secret, no query string, and of a page its title or a short excerpt
// without tags.
package doctor

import (
	"context"
	"net"
	"net/url"
	"time"

	"toolpress/discover"
	"toolpress/discover/wp"
)

// Status is how a check ended.
type Status string

// The ways a check ends. A site with one that failed cannot be used.
const (
	Fine   Status = "ok"
	Warned Status = "warn"
	Failed Status = "fail"
)

// Check is one line of the list.
type Check struct {
	// ID names the check for machines; it never changes.
	ID     string `json:"id"`
	Status Status `json:"status"`
	// Title is the check's name for people.
	Title string `json:"title"`
	// Evidence is what was seen.
	Evidence string `json:"evidence"`
	// Remedy is what to do; empty where there is nothing to do.
	Remedy string `json:"remedy,omitempty"`
}

// Report is the whole list.
type Report struct {
	// Checks in their fixed order. Those that need an answer which did not come
	// are left out.
	Checks []Check `json:"checks"`
	// OK reports that the site can be used: nothing failed.
	OK bool `json:"ok"`
}

// Failing are the checks for which the site cannot be used.
func (r Report) Failing() []Check {
	var failing []Check
	for _, c := range r.Checks {
		if c.Status == Failed {
			failing = append(failing, c)
		}
	}
	return failing
}

// Options say who asks, and how long.
type Options struct {
	// WP are the options the site is served with. Its Timeout is shortened to
	// ten seconds.
	WP wp.Options
	// Limit bounds the whole run. Zero: 45 s.
	Limit time.Duration
	// Now is the clock. Nil: time.Now.
	Now func() time.Time
	// LookupHost resolves a name. Nil: the machine's resolver.
	LookupHost func(ctx context.Context, host string) ([]string, error)
}

const (
	wholeRun = 45 * time.Second
	oneProbe = 10 * time.Second
	maxBytes = 16 << 20
)

// Run examines the site at address.
func Run(ctx context.Context, address *url.URL, opts Options) Report {
	if opts.Limit == 0 {
		opts.Limit = wholeRun
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.LookupHost == nil {
		opts.LookupHost = net.DefaultResolver.LookupHost
	}
	if opts.WP.Timeout == 0 || opts.WP.Timeout > oneProbe {
		opts.WP.Timeout = oneProbe
	}
	if opts.WP.MaxBytes == 0 || opts.WP.MaxBytes > maxBytes {
		opts.WP.MaxBytes = maxBytes
	}
	if opts.WP.UserAgent == "" {
		opts.WP.UserAgent = "toolpress"
	}
	ctx, cancel := context.WithTimeout(ctx, opts.Limit)
	defer cancel()
	e := &examination{address: address, opts: opts, probe: newProbe(opts)}
	defer e.probe.close()
	for _, step := range []func(context.Context) bool{
		e.reach, e.front, e.rest, e.answers, e.passwords, e.credential, e.rights, e.abilities, e.shop,
	} {
		if !step(ctx) {
			break
		}
	}
	return Report{Checks: e.checks, OK: len(Report{Checks: e.checks}.Failing()) == 0}
}

// examination is one run: what was seen so far, for the checks that follow.
type examination struct {
	address *url.URL
	opts    Options
	probe   *probe
	checks  []Check

	page  *answer        // the address itself, asked as nobody
	root  *discover.Root // nil where none was found
	index *answer        // of the REST root, asked with the credential
	site  index          // what the index says
	me    *user          // who we are; nil where the site does not say
}

func (e *examination) add(id string, status Status, title, evidence, remedy string) {
	e.checks = append(e.checks, Check{ID: id, Status: status, Title: title, Evidence: evidence, Remedy: remedy})
}

func (e *examination) fine(id, title, evidence string) { e.add(id, Fine, title, evidence, "") }

func (e *examination) warn(id, title, evidence, remedy string) {
	e.add(id, Warned, title, evidence, remedy)
}

// fail notes a check the site cannot be used with, and returns false: the
// steps end there.
func (e *examination) fail(id, title, evidence, remedy string) bool {
	e.add(id, Failed, title, evidence, remedy)
	return false
}

// anonymous reports that there is no credential.
func (e *examination) anonymous() bool { return e.opts.WP.Credential.Anonymous() }
