package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"toolpress/curate/change"
)

// checkDrift compares what would be written with what is there. Of the catalog it
// says what changed, of what is made from it only that it does not fit any more.
func (a *app) checkDrift(g *generated, f generateFlags, files []output) error {
	printFindings(a.stderr, g.grave())
	there, err := os.ReadFile(f.out)
	if err != nil {
		return drifted(fmt.Sprintf("reading the catalog %s: %v", f.out, cause(err)))
	}
	before, err := change.DecodeCatalog(there)
	if err != nil {
		return drifted(fmt.Sprintf("%s: %v", f.out, err))
	}
	all, err := g.differences(before)
	if err != nil {
		return drifted(fmt.Sprintf("%s: %v", f.out, err))
	}
	if err := formats[f.format](a.stdout, all); err != nil {
		return err
	}
	if f.format == "github" {
		if err := annotateFindings(a.stdout, g.grave()); err != nil {
			return err
		}
	}
	// Another reading, curation or version that gives the same tools is no drift.
	same := *g.catalog
	same.MadeOf = before.MadeOf
	text, err := same.Encode()
	if err != nil {
		return err
	}
	switch {
	case len(all) > 0:
		return drifted(fmt.Sprintf("%s is not what the site and the curation give now: %s", f.out, verdict(all)))
	case !bytes.Equal(there, text):
		return drifted(f.out + " has the same tools, written otherwise")
	}
	var stale []string
	for _, file := range files[1:] {
		if text, err := os.ReadFile(file.name); err != nil || !bytes.Equal(text, file.text) {
			stale = append(stale, file.name)
		}
	}
	if len(stale) > 0 {
		return drifted(strings.Join(stale, ", ") + " is not there, or not made from this catalog")
	}
	if !bytes.Equal(there, g.text) {
		a.say("%s has the same tools, and was made from another reading, curation or version", f.out)
	}
	return nil
}

func drifted(what string) error {
	return &failure{err: errors.New(what), code: exitDrift, hint: "look at what changed, then write it again: the same command without --check"}
}
