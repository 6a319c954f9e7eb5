package main

import (
	"fmt"
	"io"
	"strings"

	"toolpress/curate"
)

// What ends a workflow command, or its properties, is written otherwise in it
// (actions/toolkit, packages/core/src/command.ts).
var (
	commandData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// annotate prints one workflow command of GitHub Actions, which code hosts show
// beside the line: error, warning or notice. at is FILE:LINE:COL, or empty.
func annotate(w io.Writer, level, at, title, text string) error {
	properties := []string{"title=" + commandProperty.Replace(title)}
	if parts := strings.Split(at, ":"); len(parts) > 2 {
		n := len(parts)
		file := strings.Join(parts[:n-2], ":")
		properties = append([]string{"file=" + commandProperty.Replace(file), "line=" + parts[n-2], "col=" + parts[n-1]}, properties...)
	}
	_, err := fmt.Fprintf(w, "::%s %s::%s\n", level, strings.Join(properties, ","), commandData.Replace(text))
	return err
}

// annotateFindings prints what is wrong with a curation at its place.
func annotateFindings(w io.Writer, findings curate.Findings) error {
	for _, f := range findings {
		text := f.Message
		if f.Hint != "" {
			text += "\nhint: " + f.Hint
		}
		if err := annotate(w, string(f.Severity), f.Pos.String(), f.ID, text); err != nil {
			return err
		}
	}
	return nil
}
