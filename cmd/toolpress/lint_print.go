package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"toolpress/generate/lint"
	"toolpress/generate/schema"
)

// linted is what lint found, and what --format json prints.
type linted struct {
	Findings []linting `json:"findings"`
	// Gone are what the baseline accepts and is not found.
	Gone []accepted `json:"gone"`
	// Abilities is how many were looked at.
	Abilities int `json:"abilities"`

	elsewhere int      // endpoints with findings that are not asked for
	unmatched []string // patterns of --ability that no ability matches
}

// linting is a finding, and whether the baseline accepts it.
type linting struct {
	lint.Finding
	Accepted bool `json:"accepted,omitempty"`
}

// open are the findings that are not accepted.
func (l *linted) open() []lint.Finding {
	var open []lint.Finding
	for _, f := range l.Findings {
		if !f.Accepted {
			open = append(open, f.Finding)
		}
	}
	return open
}

// failure is the exit code: of what is not there, of errors, and of warnings where
// they fail too.
func (l *linted) failure(failOn string) error {
	if len(l.unmatched) > 0 {
		return &failure{
			err: fmt.Errorf("no ability of the site matches --ability %s", l.unmatched[0]), code: exitFindings,
			hint: "is the plugin active, and does the ability have `'show_in_rest' => true` in `meta`?",
		}
	}
	for _, f := range l.open() {
		if f.Severity == lint.Error || f.Severity == lint.Warning && failOn == string(lint.Warning) {
			return &failure{err: fmt.Errorf("%s", l.summed()), code: exitFindings}
		}
	}
	return nil
}

// summed counts what is open: "1 error, 2 warnings".
func (l *linted) summed() string {
	n := map[lint.Severity]int{}
	for _, f := range l.open() {
		n[f.Severity]++
	}
	var words []string
	for _, severity := range []lint.Severity{lint.Error, lint.Warning} {
		if n[severity] > 0 {
			words = append(words, count(n[severity], string(severity)))
		}
	}
	if n[lint.Info] > 0 {
		words = append(words, fmt.Sprintf("%d to know", n[lint.Info]))
	}
	if words == nil {
		return "nothing is wrong"
	}
	return strings.Join(words, ", ")
}

// printLinted prints what was found in the format that is asked for.
func (a *app) printLinted(f *lintFlags, found *linted) error {
	switch f.format {
	case "json":
		text, err := schema.Encode(found)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "%s\n", text)
	case "sarif":
		return printSARIF(a.stdout, sarifOfLint(found, f.baseline))
	case "github":
		for _, one := range found.open() {
			if err := printAnnotation(a.stdout, one); err != nil {
				return err
			}
		}
	default:
		printLint(a.stdout, found.open())
	}
	a.sayLinted(f, found)
	return nil
}

// sayLinted says what was looked at, and what is not shown.
func (a *app) sayLinted(f *lintFlags, found *linted) {
	a.say("abilities checked: %d", found.Abilities)
	if n := len(found.Findings) - len(found.open()); n > 0 {
		a.say("accepted by %s: %s", f.baseline, count(n, "finding"))
	}
	for _, k := range found.Gone {
		a.say("no longer found: %s, which %s accepts: --write-baseline takes it out", k, f.baseline)
	}
	if found.elsewhere > 0 {
		a.say("endpoints with findings that are not shown: %d; --routes shows them, or --route '/acme/v1/**' some", found.elsewhere)
	}
	if found.failure(f.failOn) == nil {
		a.say("%s", found.summed())
	}
}

// printLint prints each operation with its findings.
func printLint(w io.Writer, findings []lint.Finding) {
	before := ""
	for _, f := range findings {
		if f.Operation != before {
			fmt.Fprintf(w, "%s  %s\n", f.Operation, f.Call)
		}
		before = f.Operation
		fmt.Fprintf(w, "  %s: %s: %s: %s\n", f.Severity, f.ID, f.Path, f.Message)
		if len(f.Clients) > 0 {
			fmt.Fprintf(w, "    refused by %s\n", refusedBy(f.Clients))
		}
		fmt.Fprintf(w, "    %s\n", f.Remedy)
	}
}

// refusedBy names each client with where that can be read.
func refusedBy(all []lint.Client) string {
	var words []string
	for _, c := range all {
		source := c.Source
		if c.Contested {
			source += ", contested"
		}
		words = append(words, fmt.Sprintf("%s (%s)", c.Name, source))
	}
	return strings.Join(words, ", ")
}

// levels are the severities as workflow commands of GitHub Actions name them, and
// as SARIF does (2.1.0, 3.27.10).
var levels = map[lint.Severity]struct{ github, sarif string }{
	lint.Error: {"error", "error"}, lint.Warning: {"warning", "warning"}, lint.Info: {"notice", "note"},
}

// printAnnotation prints a finding as a workflow command. It has no file: which one
// it is, a site does not tell.
func printAnnotation(w io.Writer, f lint.Finding) error {
	text := fmt.Sprintf("%s: %s: %s. %s", f.Call, f.Path, f.Message, f.Remedy)
	if len(f.Clients) > 0 {
		text += " (refused by " + clientNames(f.Clients) + ")"
	}
	return annotate(w, levels[f.Severity].github, "", f.ID+" "+f.Operation, text)
}

// clientNames are who refuses, each once.
func clientNames(all []lint.Client) string {
	var names []string
	for _, c := range all {
		if !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	return strings.Join(names, ", ")
}

// sarifOfLint are results without a file: their places are names.
func sarifOfLint(found *linted, baseline string) (results []sarifResult) {
	for _, f := range found.Findings {
		text := f.Message
		if len(f.Clients) > 0 {
			text += " (refused by " + clientNames(f.Clients) + ")"
		}
		r := sarifResult{
			RuleID: f.ID, Level: levels[f.Severity].sarif, Message: sarifText{text + "\n" + f.Call + ": " + f.Remedy},
			Locations: []sarifLocation{{Logical: []sarifLogical{{f.Operation + "/" + f.Path}}}},
		}
		if f.Accepted {
			r.Suppressions = []sarifSuppression{{"external", "known: " + baseline}}
		}
		results = append(results, r)
	}
	return results
}
