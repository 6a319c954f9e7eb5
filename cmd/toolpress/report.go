package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"toolpress/curate"
	"toolpress/generate"
)

// printFindings prints what is wrong and not allowed.
func printFindings(w io.Writer, findings curate.Findings) {
	if findings = findings.Open(); len(findings) > 0 {
		fmt.Fprintf(w, "%s\n\n", findings.Error())
	}
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
	for _, line := range notServed(catalog.Withheld) {
		fmt.Fprintf(w, "not served: %s\n", line)
	}
}

// notServed says why operations are not served, in a line for each reason: many tools
// of a preset have one, and the last lines are what is read.
func notServed(all []curate.Withheld) (lines []string) {
	together := map[string][]curate.Withheld{}
	for _, withheld := range all {
		together[withheld.Reason] = append(together[withheld.Reason], withheld)
	}
	for _, withheld := range all {
		list := together[withheld.Reason]
		delete(together, withheld.Reason)
		switch len(list) {
		case 0: // told with the first of its reason
		case 1:
			lines = append(lines, fmt.Sprintf("%s (%s): %s", withheld.Tool, withheld.Operation, withheld.Reason))
		default:
			var names []string
			for _, one := range list {
				names = append(names, one.Tool)
			}
			lines = append(lines, fmt.Sprintf("%s: %s\n  toolpress explain TOOL says more", strings.Join(names, ", "), withheld.Reason))
		}
	}
	return lines
}

// printTools lists the tools of each profile, one line each.
func printTools(out io.Writer, catalog *curate.Catalog) {
	printProfiles(out, catalog, false)
}

// printTable is printTools with what each tool would take as the site offers it,
// and what to leave out of a profile that passes its budget.
func printTable(out io.Writer, catalog *curate.Catalog) {
	printProfiles(out, catalog, true)
}

func printProfiles(out io.Writer, catalog *curate.Catalog, compared bool) {
	for _, name := range catalog.ProfileNames() {
		p := catalog.Profiles[name]
		if len(catalog.Profiles) > 1 {
			fmt.Fprintf(out, "profile %s, at %s: %s, about %s tokens\n", name, endpoint(name), count(len(p.Tools), "tool"), thousands(p.Tokens()))
		}
		if len(p.Tools) > 0 {
			w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
			raw := func(text string) string {
				if !compared {
					return ""
				}
				return text + "\t"
			}
			fmt.Fprintf(w, "TOOL\tTOKENS\t%sDOES\tCALLS\n", raw("RAW"))
			for _, t := range p.Tools {
				fmt.Fprintf(w, "%s\t%d\t%s%s\t%s\n", t.Name, t.Tokens(), raw(fmt.Sprint(t.RawTokens())), effect(t.Annotations), t.Operation)
			}
			if compared {
				fmt.Fprintf(w, "together\t%d\t%d\n", p.Tokens(), p.RawTokens())
			}
			_ = w.Flush() // what cannot be printed has nowhere to be told
		}
		if compared {
			printCuts(out, p)
		}
		if len(catalog.Profiles) > 1 {
			fmt.Fprintln(out)
		}
	}
}

// printCuts says what to leave out of a profile that passes its budget: of the
// arguments, and of the tools, those that save most.
func printCuts(out io.Writer, p *curate.Profile) {
	const shown = 5
	cuts, arguments, tools := p.Cuts(), 0, 0
	if len(cuts) == 0 {
		return
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\nOVER BUDGET: WHAT SAVES MOST\tTOKENS\n")
	for _, c := range cuts {
		switch {
		case c.Argument != "" && arguments < shown:
			arguments++
			fmt.Fprintf(w, "hide %s of %s\t%d\n", c.Argument, c.Tool, c.Saves)
		case c.Argument == "" && tools < shown:
			tools++
			fmt.Fprintf(w, "leave out %s\t%d\n", c.Tool, c.Saves)
		}
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
	var served []string
	for _, name := range catalog.ProfileNames() {
		p, of := catalog.Profiles[name], ""
		if len(catalog.Profiles) > 1 {
			of = name + ": "
		}
		served = append(served, fmt.Sprintf("%s%s, about %s tokens", of, count(len(p.Tools), "tool"), thousands(p.Tokens())))
	}
	raw := curate.Raw(surface)
	fmt.Fprintf(w, "%s; the whole site would be %s, about %s\n", strings.Join(served, "; "), count(len(raw.Tools), "tool"), thousands(raw.Tokens()))
}

// thousands writes 283,000 as people read it.
func thousands(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
