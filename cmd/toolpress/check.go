package main

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"toolpress/curate"
	"toolpress/generate"
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
			if err != nil {
				return err
			}
			surface, catalog, findings := s.apply()
			if a.asJSON {
				return a.checkJSON(catalog, findings)
			}
			out := a.stdout
			printFindings(out, findings)
			printTools(out, catalog)
			printTotals(out, surface, catalog)
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

func (a *app) checkJSON(catalog *curate.Catalog, findings curate.Findings) error {
	type tool struct {
		Name      string `json:"name"`
		Operation string `json:"operation"`
		Tokens    int    `json:"tokens"`
	}
	out := struct {
		Findings curate.Findings   `json:"findings"`
		Tools    []tool            `json:"tools"`
		Withheld []curate.Withheld `json:"withheld"`
	}{Findings: findings, Tools: []tool{}, Withheld: catalog.Withheld}
	for _, t := range catalog.Profiles[curate.DefaultProfile].Tools {
		out.Tools = append(out.Tools, tool{t.Name, t.Operation, t.Tokens()})
	}
	text, err := generate.Encode(out)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.stdout, "%s\n", text)
	if len(findings.Errors()) > 0 {
		return &failure{err: errFindings, code: exitFindings}
	}
	return nil
}

// printTools lists the tools, one line each.
func printTools(out io.Writer, catalog *curate.Catalog) {
	tools := catalog.Profiles[curate.DefaultProfile].Tools
	if len(tools) == 0 {
		return
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "TOOL\tTOKENS\tDOES\tCALLS\n")
	for _, t := range tools {
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\n", t.Name, t.Tokens(), effect(t.Annotations), t.Operation)
	}
	_ = w.Flush() // what cannot be printed has nowhere to be told
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
	p := catalog.Profiles[curate.DefaultProfile]
	tools, tokens := curate.Raw(surface)
	fmt.Fprintf(w, "%s, about %s tokens; the whole site would be %s, about %s\n", count(len(p.Tools), "tool"), thousands(p.Tokens()), count(tools, "tool"), thousands(tokens))
}

// thousands writes 283,000 as people read it.
func thousands(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
