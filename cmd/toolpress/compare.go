package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"toolpress/curate"
)

// newFindings are those that were not there before, wherever they stood.
func newFindings(before, after curate.Findings) curate.Findings {
	return slices.DeleteFunc(slices.Clone(after), func(f curate.Finding) bool {
		return slices.ContainsFunc(before, func(old curate.Finding) bool { return old.ID == f.ID && old.Message == f.Message })
	})
}

// newErrors are what makes an edit a broken one. An entry that matched nothing
// before the edit, because a plugin is gone, does not keep later edits out; nor does
// what the site has changed since it was approved.
func newErrors(before, after curate.Findings) curate.Findings {
	return slices.DeleteFunc(newFindings(before, after).Errors(), func(f curate.Finding) bool { return f.ID == "drift-breaking" })
}

// compare names the tools of a profile that came, went and differ; old is nil
// for a profile that was not there.
func compare(old, now *curate.Profile) string {
	if old == nil {
		old = &curate.Profile{}
	}
	var words []string
	for _, t := range now.Tools {
		was := old.Tool(t.Name)
		if was == nil {
			words = append(words, "+"+t.Name)
			continue
		}
		x, _ := was.MarshalJSON()
		y, _ := t.MarshalJSON()
		if !bytes.Equal(x, y) {
			words = append(words, "~"+t.Name)
		}
	}
	for _, t := range old.Tools {
		if now.Tool(t.Name) == nil {
			words = append(words, "-"+t.Name)
		}
	}
	if len(words) == 0 {
		return ""
	}
	slices.Sort(words)
	return fmt.Sprintf(" (%s)", strings.Join(words, " "))
}
