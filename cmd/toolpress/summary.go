package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"toolpress/discover"
	"toolpress/generate"
)

// offer counts what a namespace, or the abilities of a vendor, offer.
type offer struct{ routes, reads, writes int }

// printSummary prints what a site offers: its namespaces, its abilities, and
// what of it can be no tool, with the reason.
func printSummary(out io.Writer, site *discover.Site) {
	surface := generate.FromSite(site)
	namespaces, vendors := map[string]*offer{}, map[string]*offer{}
	for _, r := range site.Routes {
		entry(namespaces, cmp.Or(r.Namespace, "/")).routes++
	}
	for _, o := range surface.Operations {
		in := entry(namespaces, cmp.Or(o.Namespace, "/"))
		if o.Ability != "" {
			vendor, _, _ := strings.Cut(o.Ability, "/")
			in = entry(vendors, vendor)
		}
		if o.Annotations.ReadOnly {
			in.reads++
		} else {
			in.writes++
		}
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "NAMESPACE\tROUTES\tREAD\tWRITE\n")
	for _, name := range slices.Sorted(maps.Keys(namespaces)) {
		if n := namespaces[name]; n.routes > 0 {
			fmt.Fprintf(w, "%s\t%d\t%d\t%d\n", name, n.routes, n.reads, n.writes)
		}
	}
	if len(vendors) > 0 {
		fmt.Fprintf(w, "\nABILITIES OF\tREAD\tWRITE\n")
		for _, name := range slices.Sorted(maps.Keys(vendors)) {
			fmt.Fprintf(w, "%s\t%d\t%d\n", name, vendors[name].reads, vendors[name].writes)
		}
	}
	_ = w.Flush() // what cannot be printed has nowhere to be told
	printReasons(out, surface.Withheld)
}

func entry(of map[string]*offer, name string) *offer {
	if of[name] == nil {
		of[name] = &offer{}
	}
	return of[name]
}

// printReasons lists what can be no tool, by its reason.
func printReasons(out io.Writer, withheld []generate.Withheld) {
	byReason := map[string][]string{}
	for _, w := range withheld {
		byReason[w.Reason] = append(byReason[w.Reason], w.ID)
	}
	for _, reason := range slices.SortedFunc(maps.Keys(byReason), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(byReason[b]), len(byReason[a])), cmp.Compare(a, b))
	}) {
		ids := byReason[reason]
		fmt.Fprintf(out, "\n%s can be no tool: %s\n", count(len(ids), "endpoint"), reason)
		const shown = 5
		for _, id := range ids[:min(len(ids), shown)] {
			fmt.Fprintf(out, "  %s\n", id)
		}
		if len(ids) > shown {
			fmt.Fprintf(out, "  and %d more\n", len(ids)-shown)
		}
	}
}
