package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"toolpress/generate"
	"toolpress/generate/clients"
	"toolpress/generate/schema"
)

func (a *app) lintCommand() *cobra.Command {
	var routes bool
	c := &cobra.Command{
		Use: "lint [URL]", Short: "Say what clients would refuse in the site's own schemas", Args: atMostOne,
		Long: `Hold the input schemas of the site's abilities, as their authors wrote them,
against what MCP clients refuse, and print each fault with the client and where
that can be read. toolpress mends what it serves; any other client of the site gets
the schemas as they are. Exits 3 when there are faults that are not contested: some
rules are dated, or one report alone speaks of them.`,
		Example: "  toolpress lint https://shop.example\n  toolpress lint --from site.json --routes --json",
		RunE: func(c *cobra.Command, args []string) error {
			s, err := a.load(c.Context(), first(args))
			if err != nil {
				return err
			}
			defer s.close()
			shown, passed := []generate.Fault{}, 0
			for _, f := range generate.Lint(s.site) {
				if routes || strings.HasPrefix(f.Operation, "ability:") {
					shown = append(shown, f)
				} else {
					passed++
				}
			}
			if a.asJSON {
				text, err := schema.Encode(map[string]any{"faults": shown})
				if err != nil {
					return err
				}
				fmt.Fprintf(a.stdout, "%s\n", text)
			} else {
				printFaults(a.stdout, shown)
				a.say("abilities checked: %d", len(s.site.Abilities))
				if passed > 0 {
					a.say("endpoints with faults that are not shown: %d; --routes shows them", passed)
				}
			}
			if n := atFault(shown); n > 0 {
				return &failure{err: errors.New(count(n, "operation") + " with schemas that clients refuse"), code: exitFindings}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&routes, "routes", false, "also the arguments of the site's routes")
	c.Flags().BoolVar(&a.asJSON, "json", false, "print the faults, and what toolpress makes of them, as JSON")
	return c
}

// atFault is how many operations have a fault that is not contested.
func atFault(faults []generate.Fault) int {
	n := 0
	for _, f := range faults {
		if slices.ContainsFunc(f.Refusals, func(r clients.Refusal) bool { return !r.Contested }) {
			n++
		}
	}
	return n
}

// printFaults prints each operation with its faults, one client's a line.
func printFaults(w io.Writer, faults []generate.Fault) {
	refuses := map[string]clients.Rule{}
	for _, r := range clients.Rules() {
		refuses[r.Client+"/"+r.ID] = r
	}
	for _, f := range faults {
		fmt.Fprintf(w, "%s\n", f.Operation)
		for _, r := range f.Refusals {
			rule := refuses[r.Client+"/"+r.Rule]
			contested := ""
			if rule.Contested {
				contested = " (contested)"
			}
			fmt.Fprintf(w, "  %s: %s\n    %s refuses %s (%s)%s\n", r.Path, r.What, r.Client, rule.Refuses, rule.Source, contested)
		}
	}
}
