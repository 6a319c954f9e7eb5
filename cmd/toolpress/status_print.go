package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"toolpress/curate"
	"toolpress/runtime"
)

// statusPage is a status as a person reads it.
type statusPage struct {
	strings.Builder
	at   string // where it was asked
	now  time.Time
	next []string // what to do
}

// line writes one, below a heading that may be empty.
func (p *statusPage) line(heading, format string, args ...any) {
	text := strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "\n"+strings.Repeat(" ", 11))
	fmt.Fprintf(p, "%-10s %s\n", heading, text)
}

// do adds what to do.
func (p *statusPage) do(format string, args ...any) {
	p.next = append(p.next, fmt.Sprintf(format, args...))
}

// mend adds what to do about a finding. What waits for an approval is mended by that,
// and not where it stands.
func (p *statusPage) mend(f curate.Finding, file, then string) {
	switch {
	case f.ID == notSet:
		p.do("variables are read at the start: set it, and start toolpress again")
	case strings.Contains(f.Hint, "toolpress approve"):
		p.do("%s: %s", f.Pos, f.Hint)
	case f.Pos == (curate.Pos{}):
		p.do("mend %s%s", cmp.Or(file, "that"), then)
	default:
		p.do("mend %s%s", f.Pos, then)
	}
}

// ago is how long something has been, in the two largest units.
func (p *statusPage) ago(at time.Time) string {
	if at.IsZero() {
		return "never"
	}
	d := p.now.Sub(at)
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s ago", max(0, int(d.Seconds())))
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h %d min ago", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%d days ago, on %s", int(d.Hours())/24, at.Local().Format("2 January at 15:04"))
}

// printStatus prints a status: what is served, whether that is what is on disk and on
// the site, what is wrong, what to do.
func printStatus(w io.Writer, t runtime.Told, at string, now time.Time) error {
	p := &statusPage{at: at, now: now}
	p.line(strings.ToUpper(t.Status), "toolpress %s, serving %s", t.Version, t.Digest)
	p.line("", "since %s (%s)", t.Since.Local().Format("2 January at 15:04:05"), p.ago(t.Since))
	for _, name := range slices.Sorted(maps.Keys(t.Profiles)) {
		served := t.Profiles[name]
		p.line("profile", "%s: %s, about %s tokens, %s", name, count(served.Tools, "tool"), thousands(served.Tokens), count(served.Subscribers, "subscriber"))
	}
	p.curation(t.Curation, t.Tokens)
	p.site(t.Site, t.Breaker)
	p.findings("found", t.Findings)
	for _, line := range notServed(t.Withheld) {
		p.line("not served", "%s", line)
	}
	if errs := t.Findings.Errors(); len(errs) > 0 {
		p.mend(errs[0], t.Curation.File, "; what it is about is not served until then, the rest is")
	}
	heading := "\nNEXT      "
	for _, what := range p.next {
		p.line(heading, "%s", what)
		heading = ""
	}
	text := strings.ReplaceAll(p.String(), "\t", " ")
	_, err := io.WriteString(w, printable(text))
	return err
}

// curation says whether the curation on disk is what is served.
func (p *statusPage) curation(c runtime.CurationState, tokens curate.Findings) {
	name := cmp.Or(c.File, "the built-in curation")
	switch {
	case c.File == "":
		p.line("curation", "%s: no file is read", name)
	case len(c.Errors) > 0:
		p.line("curation", "%s on disk is NOT what is served: it was refused %s", name, p.ago(c.LastFailure))
		p.findings("", c.Errors)
		p.line("", "served is what was read %s", p.ago(c.LastSuccess))
		if c.Errors[0].ID == notSet {
			p.do("variables are read at the start: set it, and start toolpress again")
			break
		}
		p.mend(c.Errors[0], name, " and save it: it is read at once. toolpress check "+name+" says all that is wrong")
	case c.Served != c.OnDisk:
		p.line("curation", "%s on disk is NOT what is served", name)
	default:
		p.line("curation", "%s, as it is on disk, read %s", name, p.ago(c.LastSuccess))
	}
	if len(tokens) > 0 {
		p.findings("tokens", tokens)
		p.do("mend the file of tokens: those before are taken until then")
	}
}

// site says how the site was read.
func (p *statusPage) site(s runtime.SiteState, breaker bool) {
	p.line("site", "%s, read %s", s.URL, p.ago(s.LastSuccess))
	if s.Kept {
		p.line("", "that was before this start: what is served was kept on disk")
	}
	switch {
	case s.Doubted:
		p.line("", "the last reading, %s, is not believed: %s", p.ago(s.LastFailure), s.LastError)
		p.do("where so much is really gone: curl -X POST '%s/-/reload?accept=%s'. Else look at the site: toolpress doctor %s", p.at, runtime.AcceptShrunken, s.URL)
	case s.LastError != "":
		p.line("", "the last reading failed %s: %s", p.ago(s.LastFailure), s.LastError)
		p.do("toolpress doctor %s says what stands between this machine and the site", s.URL)
	case s.Stale:
		p.line("", "that is longer ago than three polls")
	}
	if breaker {
		p.line("", "it does not answer calls, and is asked once a second until it does")
	}
	for _, account := range slices.Sorted(maps.Keys(s.Accounts)) {
		p.line("account", "%s: %s", account, s.Accounts[account])
	}
	if len(s.Accounts) > 0 {
		p.do("mend the credential of the account, then: kill -HUP, or POST /-/reload")
	}
}

// findings prints each with its hint. One without a place says it itself.
func (p *statusPage) findings(heading string, findings curate.Findings) {
	for _, f := range findings {
		severity := ""
		if f.Severity == curate.SeverityWarning {
			severity = "warning: "
		}
		at := f.Pos.String() + ": "
		if f.Pos == (curate.Pos{}) {
			at = "" // the message says what it is about
		}
		p.line(heading, "%s%s%s", at, severity, f.Message)
		if heading = ""; f.Hint != "" {
			p.line("", "  hint: %s", f.Hint)
		}
	}
}
