package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"toolpress/curate"
	"toolpress/generate"
)

var errFindings = errors.New("the curation has errors")

// checkFlags are what one run of check is asked for.
type checkFlags struct {
	failOn string
	sarif  bool
	prove  bool
	// found are the findings of the files that could be checked, for --sarif.
	found   curate.Findings
	checked int
}

// add takes the findings of one file.
func (f *checkFlags) add(findings curate.Findings) {
	f.found, f.checked = append(f.found, findings...), f.checked+1
}

func (a *app) checkCommand() *cobra.Command {
	var f checkFlags
	c := &cobra.Command{
		Use: "check [FILE …]", Short: "Say everything that is wrong with a curation",
		Long: `Read a curation strictly, apply it to the site or the recording, and print every
finding at its place with what to do, and the tools of each profile with what they
take of a model's context. Exits 3 when there are errors; with --fail-on warning
also when there are warnings. What the curation allows does not count. Several
files are checked one after the other, each with the site it names.`,
		Example: "  toolpress check --from site.json curation.yaml\n  toolpress check --fail-on warning sites/*/curation.yaml\n  toolpress check --sarif sites/*/curation.yaml >findings.sarif",
		RunE: func(c *cobra.Command, args []string) error {
			if f.failOn != string(curate.SeverityError) && f.failOn != string(curate.SeverityWarning) {
				return usage(fmt.Sprintf("--fail-on %s", f.failOn), "it is error or warning")
			}
			if f.sarif && a.asJSON {
				return usage("--json and --sarif", "say one of them")
			}
			if len(args) == 1 {
				a.curation = args[0]
			}
			checks := func() error { return a.check(c.Context(), &f) }
			if len(args) > 1 {
				checks = func() error { return a.checkAll(c.Context(), &f, args) }
			}
			err := checks()
			// A log without a file's findings would read as if they were mended.
			if f.sarif && f.checked == max(len(args), 1) {
				return errors.Join(printFindingsSARIF(a.stdout, f.found), err)
			}
			return err
		},
	}
	c.Flags().StringVar(&f.failOn, "fail-on", string(curate.SeverityError), "exit 3 on findings of this severity: error, or warning for both")
	c.Flags().BoolVar(&a.asJSON, "json", false, "print findings, tools and what is withheld as JSON, one line for each file")
	c.Flags().BoolVar(&f.prove, "prove-private", false, "also put made-up private values through the results of every tool, and show that none leaves")
	c.Flags().BoolVar(&f.sarif, "sarif", false, "print the findings of all files as one SARIF 2.1.0 log, for code hosts and editors")
	return c
}

// checkAll checks several files; the exit code is that of the worst.
func (a *app) checkAll(ctx context.Context, f *checkFlags, names []string) error {
	worst, failed := exitOK, 0
	for i, name := range names {
		if !a.asJSON && !f.sarif {
			if i > 0 {
				fmt.Fprintln(a.stdout)
			}
			fmt.Fprintf(a.stdout, "== %s\n", name)
		}
		a.curation = name
		if err := a.check(ctx, f); err != nil {
			failed++
			worst = max(worst, a.report(err))
		}
	}
	if failed == 0 {
		return nil
	}
	return &failure{err: fmt.Errorf("%d of %d curations failed", failed, len(names)), code: worst}
}

// check checks the app's curation.
func (a *app) check(ctx context.Context, f *checkFlags) error {
	s, err := a.load(ctx, "")
	var unreadable curate.Findings
	if errors.As(err, &unreadable) {
		f.add(unreadable)
		if a.asJSON {
			return a.printJSON(checked{File: a.curation, Findings: unreadable}, unreadable)
		}
	}
	if err != nil {
		return err
	}
	defer s.close()
	if _, _, _, err := s.permitted(ctx); err != nil {
		return err
	}
	surface, catalog, findings := s.review()
	var proof *proof
	if f.prove {
		if proof, err = provePrivate(catalog); err != nil {
			return err
		}
		findings = append(proof.findings(s.name()), findings...)
	}
	f.add(findings)
	failing := findings.Errors()
	if f.failOn == string(curate.SeverityWarning) {
		failing = findings.Open()
	}
	if a.asJSON {
		out := newChecked(surface, catalog, findings)
		out.File, out.Private = s.curationName, proof
		return a.printJSON(out, failing)
	}
	if !f.sarif {
		if s.curationName == "" && !s.passedOver {
			fmt.Fprintln(a.stdout, "There is no curation.yaml here: this is what is served without one. toolpress init writes a first one.")
		}
		a.printChecked(surface, catalog, findings)
		proof.print(a.stdout)
	}
	if len(failing) > 0 {
		return &failure{err: fmt.Errorf("%s: %s", s.name(), summed(failing)), code: exitFindings}
	}
	return nil
}

// printChecked prints what was found and what is served.
func (a *app) printChecked(surface *generate.Surface, catalog *curate.Catalog, findings curate.Findings) {
	printFindings(a.stdout, findings)
	if n := len(findings) - len(findings.Open()); n > 0 {
		fmt.Fprintf(a.stdout, "%s allowed by the curation: --json names them\n\n", count(n, "finding"))
	}
	printTable(a.stdout, catalog)
	printTotals(a.stdout, surface, catalog)
	printWithheld(a.stdout, surface, catalog)
}

// summed counts errors and warnings: "1 error, 2 warnings".
func summed(findings curate.Findings) string {
	var words []string
	errs := len(findings.Errors())
	for _, c := range []struct {
		n    int
		what string
	}{{errs, "error"}, {len(findings) - errs, "warning"}} {
		if c.n > 0 {
			words = append(words, count(c.n, c.what))
		}
	}
	return strings.Join(words, ", ")
}
