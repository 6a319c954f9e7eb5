package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"toolpress/curate"
	"toolpress/discover"
	"toolpress/generate/lint"
)

// lintFlags are what one run of lint is asked for.
type lintFlags struct {
	format           string
	abilities, paths []string
	routes           bool
	failOn           string
	baseline         string
	write            bool
	watch            bool
	every            time.Duration
}

var errNotListed = errors.New("the site does not let this user list its abilities")

// The formats of lint.
var lintFormats = []string{"text", "json", "sarif", "github"}

func (a *app) lintCommand() *cobra.Command {
	var f lintFlags
	c := &cobra.Command{
		Use: "lint [URL]", Short: "Say how abilities and routes will be taken by clients and models", Args: atMostOne,
		Long: `Hold the abilities of a site, as their authors wrote them, against what MCP clients
refuse and what models misread, and print each fault with the clients it breaks and
what to write in PHP. toolpress mends what it serves; any other client of the site
gets the schemas as they are. --from takes a recording, or what the site answers at
/wp-json/wp-abilities/v1/abilities. Exits 3 when there are errors that the baseline
does not accept; with --fail-on warning also when there are warnings. docs/lint.md
has every rule.`,
		Example: "  toolpress lint http://localhost:8888 --ability 'acme/*'\n  toolpress lint --from abilities.json --baseline lint.json --format github\n  toolpress lint http://localhost:8888 --watch",
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.check(a.asJSON, c.Flags().Changed("format")); err != nil {
				return err
			}
			return a.lint(c.Context(), &f, first(args))
		},
	}
	c.Flags().StringVar(&f.format, "format", "text", "text, json, sarif, or github for annotations of a workflow")
	c.Flags().BoolVar(&a.asJSON, "json", false, "the same as --format json")
	c.Flags().StringArrayVar(&f.abilities, "ability", nil, "only abilities whose name matches, such as 'acme/*'; may be repeated")
	c.Flags().BoolVar(&f.routes, "routes", false, "also the arguments of the site's routes")
	c.Flags().StringArrayVar(&f.paths, "route", nil, "also routes that match, such as '/acme/v1/**'; may be repeated")
	c.Flags().StringVar(&f.failOn, "fail-on", string(lint.Error), "exit 3 on findings of this severity: error, or warning for both")
	c.Flags().StringVar(&f.baseline, "baseline", "", "a file of findings that are known: only others are shown and fail")
	c.Flags().BoolVar(&f.write, "write-baseline", false, "write what is found into the --baseline file, and accept it")
	c.Flags().BoolVar(&f.watch, "watch", false, "read again and again, and print what comes and goes, until interrupted")
	c.Flags().DurationVar(&f.every, "every", 3*time.Second, "how often --watch reads")
	return c
}

// check refuses what cannot be asked for together, and patterns that cannot be read.
func (f *lintFlags) check(asJSON, formatSaid bool) error {
	if asJSON && formatSaid && f.format != "json" {
		return usage("--json and --format "+f.format, "say one of them")
	}
	if asJSON {
		f.format = "json"
	}
	switch {
	case !slices.Contains(lintFormats, f.format):
		return usage("--format "+f.format, "it is one of "+strings.Join(lintFormats, ", "))
	case f.failOn != string(lint.Error) && f.failOn != string(lint.Warning):
		return usage("--fail-on "+f.failOn, "it is error or warning")
	case f.write && f.baseline == "":
		return usage("--write-baseline without a file", "name it: --baseline lint-baseline.json")
	case f.watch && (f.format != "text" || f.write):
		return usage("--watch with --format or --write-baseline", "--watch prints text, and writes nothing")
	case f.watch && f.every <= 0:
		return usage(fmt.Sprintf("--every %s", f.every), "it is a time such as 3s")
	}
	for _, pattern := range slices.Concat(f.abilities, f.paths) {
		if _, err := curate.Glob(pattern, ""); err != nil {
			return usage(fmt.Sprintf("%q: %v", pattern, err), "* stands within slashes, ** across them")
		}
	}
	return nil
}

// lint reads the site or the file and says what is wrong.
func (a *app) lint(ctx context.Context, f *lintFlags, address string) error {
	known, err := readBaseline(f)
	if err != nil {
		return err
	}
	from, err := a.lintSource(ctx, address)
	if err != nil {
		return err
	}
	defer from.close()
	if from.site.AbilitiesAPI == discover.AbilitiesNotPermitted {
		return &failure{
			err: errNotListed, code: exitSite,
			hint: "toolpress login, or TOOLPRESS_USER and TOOLPRESS_PASSWORD, of a user who may log in",
		}
	}
	if from.site.AbilitiesAPI == discover.AbilitiesAbsent {
		a.say("this WordPress has no Abilities API (it came with 6.9): there are only routes to look at")
	}
	if f.watch {
		a.watchLint(ctx, f, from, known)
		return nil
	}
	found := f.look(from.site, known)
	if f.write {
		return a.writeBaseline(f, found, known)
	}
	if err := a.printLinted(f, found); err != nil {
		return err
	}
	return found.failure(f.failOn)
}

func matches(pattern, name string) bool {
	ok, _ := curate.Glob(pattern, name)
	return ok
}

// shows reports whether an operation is asked for.
func (f *lintFlags) shows(operation string) bool {
	if name, is := strings.CutPrefix(operation, "ability:"); is {
		return len(f.abilities) == 0 || slices.ContainsFunc(f.abilities, func(p string) bool { return matches(p, name) })
	}
	_, path, _ := strings.Cut(operation, " ")
	return f.routes || slices.ContainsFunc(f.paths, func(p string) bool { return matches(p, path) })
}

// look checks a site as far as it is asked for.
func (f *lintFlags) look(site *discover.Site, known *baseline) *linted {
	all := &linted{Findings: []linting{}, Gone: []accepted{}}
	for _, a := range site.Abilities {
		if f.shows("ability:" + a.Name) {
			all.Abilities++
		}
	}
	for _, pattern := range f.abilities {
		if !slices.ContainsFunc(site.Abilities, func(x discover.Ability) bool { return matches(pattern, x.Name) }) {
			all.unmatched = append(all.unmatched, pattern)
		}
	}
	elsewhere := map[string]bool{}
	for _, finding := range lint.Check(site) {
		switch {
		case f.shows(finding.Operation):
			all.Findings = append(all.Findings, linting{finding, known.has(finding)})
		case !strings.HasPrefix(finding.Operation, "ability:"):
			elsewhere[finding.Operation] = true
		}
	}
	all.elsewhere = len(elsewhere)
	all.Gone = append(all.Gone, known.gone(f, all.Findings)...)
	return all
}
