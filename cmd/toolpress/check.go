package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"toolpress/curate"
	"toolpress/generate"
	"toolpress/generate/schema"
)

var errFindings = errors.New("the curation has errors")

func (a *app) checkCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "check [FILE]", Short: "Say everything that is wrong with a curation", Args: atMostOne,
		Long: `Read a curation strictly, apply it to the site or the recording, and print every
finding at its place with what to do, and the tools with what they take of a
model's context. Exits 3 when there are errors.`,
		Example: "  toolpress check --from site.json curation.yaml",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				a.curation = args[0]
			}
			s, err := a.load(c.Context(), "")
			var unreadable curate.Findings
			if errors.As(err, &unreadable) && a.asJSON {
				return a.printJSON(checked{Findings: unreadable}, unreadable)
			}
			if err != nil {
				return err
			}
			defer s.close()
			surface, catalog, findings, err := s.permitted(c.Context())
			if err != nil {
				return err
			}
			if a.asJSON {
				return a.printJSON(newChecked(surface, catalog, findings), findings)
			}
			printFindings(a.stdout, findings)
			printTools(a.stdout, catalog)
			printTotals(a.stdout, surface, catalog)
			printWithheld(a.stdout, surface, catalog)
			if n := len(findings.Errors()); n > 0 {
				return &failure{err: fmt.Errorf("%s: %s", s.name(), count(n, "error")), code: exitFindings}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&a.asJSON, "json", false, "print findings, tools and what is withheld as JSON")
	return c
}

// printFindings prints what is wrong.
func printFindings(w io.Writer, findings curate.Findings) {
	if len(findings) > 0 {
		fmt.Fprintf(w, "%s\n\n", findings.Error())
	}
}

// checked is what check --json prints.
type checked struct {
	Findings curate.Findings           `json:"findings"`
	Profiles map[string]checkedProfile `json:"profiles"`
	Withheld []curate.Withheld         `json:"withheld"`
	Site     checkedSite               `json:"site"`
}

// checkedProfile is what a profile serves, and what that takes of a model's
// context.
type checkedProfile struct {
	Tokens int           `json:"tokens"`
	Tools  []checkedTool `json:"tools"`
}

type checkedTool struct {
	Name      string `json:"name"`
	Operation string `json:"operation"`
	Tokens    int    `json:"tokens"`
}

// checkedSite is what of the site can be no tool, and of the rest, by operation,
// what was repaired, why it is plumbing, and which ability does the same.
type checkedSite struct {
	Withheld []generate.Withheld        `json:"withheld"`
	Repairs  map[string][]schema.Repair `json:"repairs"`
	Plumbing map[string]string          `json:"plumbing"`
	SameAs   map[string]string          `json:"same_as"`
}

func newChecked(surface *generate.Surface, catalog *curate.Catalog, findings curate.Findings) checked {
	out := checked{Findings: findings, Withheld: catalog.Withheld, Site: checkedSite{Withheld: surface.Withheld}}.complete()
	for name, p := range catalog.Profiles {
		served := checkedProfile{p.Tokens(), []checkedTool{}}
		for _, t := range p.Tools {
			served.Tools = append(served.Tools, checkedTool{t.Name, t.Operation, t.Tokens()})
		}
		out.Profiles[name] = served
	}
	for _, o := range surface.Operations {
		if len(o.Repairs) > 0 {
			out.Site.Repairs[o.ID] = o.Repairs
		}
		if o.Plumbing != "" {
			out.Site.Plumbing[o.ID] = o.Plumbing
		}
		if o.SameAs != "" {
			out.Site.SameAs[o.ID] = o.SameAs
		}
	}
	return out
}

// complete has a list where nothing is, not null.
func (c checked) complete() checked {
	if c.Findings == nil {
		c.Findings = curate.Findings{}
	}
	if c.Profiles == nil {
		c.Profiles = map[string]checkedProfile{}
	}
	if c.Withheld == nil {
		c.Withheld = []curate.Withheld{}
	}
	if c.Site.Withheld == nil {
		c.Site.Withheld = []generate.Withheld{}
	}
	if c.Site.Repairs == nil {
		c.Site.Repairs = map[string][]schema.Repair{}
	}
	if c.Site.Plumbing == nil {
		c.Site.Plumbing, c.Site.SameAs = map[string]string{}, map[string]string{}
	}
	return c
}

// printJSON prints a check as one line of JSON; errors in it are the exit code's.
func (a *app) printJSON(out checked, findings curate.Findings) error {
	out = out.complete()
	text, err := schema.Encode(out)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(a.stdout, "%s\n", text); err != nil {
		return err
	}
	if len(findings.Errors()) > 0 {
		return &failure{err: errFindings, code: exitFindings}
	}
	return nil
}

// printWithheld says what is not served and was asked for, and counts what of
// the site can be no tool, or only one that is asked for by name.
func printWithheld(w io.Writer, surface *generate.Surface, catalog *curate.Catalog) {
	repairs, plumbing, same := 0, 0, 0
	for _, o := range surface.Operations {
		repairs += len(o.Repairs)
		if o.Plumbing != "" {
			plumbing++
		}
		if o.SameAs != "" {
			same++
		}
	}
	fmt.Fprintf(w, "%s of the site can be no tool, %s in its schemas: --json names them\n", count(len(surface.Withheld), "endpoint"), count(repairs, "repair"))
	if plumbing+same > 0 {
		fmt.Fprintf(w, "plumbing, exposed only where its route itself is named: %s; done by an ability too: %d\n", count(plumbing, "operation"), same)
	}
	for _, withheld := range catalog.Withheld {
		fmt.Fprintf(w, "not served: %s (%s): %s\n", withheld.Tool, withheld.Operation, withheld.Reason)
	}
}

// printTools lists the tools of each profile, one line each.
func printTools(out io.Writer, catalog *curate.Catalog) {
	for _, name := range catalog.ProfileNames() {
		p := catalog.Profiles[name]
		if len(catalog.Profiles) > 1 {
			fmt.Fprintf(out, "profile %s, at %s: %s, about %s tokens\n", name, endpoint(name), count(len(p.Tools), "tool"), thousands(p.Tokens()))
		}
		if len(p.Tools) > 0 {
			w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
			fmt.Fprintf(w, "TOOL\tTOKENS\tDOES\tCALLS\n")
			for _, t := range p.Tools {
				fmt.Fprintf(w, "%s\t%d\t%s\t%s\n", t.Name, t.Tokens(), effect(t.Annotations), t.Operation)
			}
			_ = w.Flush() // what cannot be printed has nowhere to be told
		}
		if len(catalog.Profiles) > 1 {
			fmt.Fprintln(out)
		}
	}
}

func effect(h generate.Annotations) string {
	switch {
	case h.ReadOnly:
		return "reads"
	case h.Destructive:
		return "changes"
	}
	return "adds"
}

// printTotals compares what is served with everything the site offers.
func printTotals(w io.Writer, surface *generate.Surface, catalog *curate.Catalog) {
	var served []string
	for _, name := range catalog.ProfileNames() {
		p, of := catalog.Profiles[name], ""
		if len(catalog.Profiles) > 1 {
			of = name + ": "
		}
		served = append(served, fmt.Sprintf("%s%s, about %s tokens", of, count(len(p.Tools), "tool"), thousands(p.Tokens())))
	}
	tools, tokens := curate.Raw(surface)
	fmt.Fprintf(w, "%s; the whole site would be %s, about %s\n", strings.Join(served, "; "), count(tools, "tool"), thousands(tokens))
}

// thousands writes 283,000 as people read it.
func thousands(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
