package main

import (
	"fmt"
	"io"
	"strings"

	"toolpress/curate/change"
	"toolpress/generate/schema"
)

// formats print what changed.
var formats = map[string]func(io.Writer, []change.Difference) error{
	"text": printDifferences, "json": printDifferencesJSON, "markdown": printDifferencesMarkdown, "github": printAnnotations,
}

func gravestOf(all []change.Difference) change.Kind {
	var changes []change.Change
	for _, d := range all {
		changes = append(changes, d.Change)
	}
	return change.Gravest(changes)
}

// verdict counts the changes, and says what they make of a version.
func verdict(all []change.Difference) string {
	counted := map[string]int{}
	for _, d := range all {
		counted[string(d.Kind)]++
	}
	var words []string
	for _, kind := range kindsOf {
		if n := counted[kind]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, kind))
		}
	}
	if len(words) == 0 {
		return "nothing changed"
	}
	return fmt.Sprintf("%s: a %s version", strings.Join(words, ", "), change.Semver(gravestOf(all)))
}

// headline names what a difference is about: a tool, or the profile.
func headline(d change.Difference) string {
	in := strings.Join(d.Profiles, ", ")
	switch {
	case d.Tool == "":
		return "profile " + in
	case in == "default":
		return d.Tool
	}
	return fmt.Sprintf("%s (%s)", d.Tool, in)
}

// sentence is a difference in words, with its place and cause.
func sentence(d change.Difference) string {
	text := d.Message
	if d.Path != "" {
		text = d.Path + ": " + text
	}
	switch {
	case d.At != "":
		text += fmt.Sprintf(" [%s, %s]", d.Cause, d.At)
	case d.Cause != "":
		text += fmt.Sprintf(" [%s]", d.Cause)
	}
	return text
}

// printDifferences prints what changed, by tool, and what that makes of a version.
func printDifferences(w io.Writer, all []change.Difference) error {
	last := ""
	for _, d := range all {
		if head := headline(d); head != last {
			fmt.Fprintln(w, head)
			last = head
		}
		fmt.Fprintf(w, "  %-8s  %s\n", d.Kind, sentence(d))
	}
	if len(all) > 0 {
		fmt.Fprintln(w)
	}
	_, err := fmt.Fprintln(w, verdict(all))
	return err
}

func printDifferencesJSON(w io.Writer, all []change.Difference) error {
	if all == nil {
		all = []change.Difference{}
	}
	text, err := schema.Encode(map[string]any{"changes": all, "kind": gravestOf(all), "semver": change.Semver(gravestOf(all))})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}

// maxRows bounds the rows of a comment: code hosts refuse what is over 64 KiB.
const maxRows = 150

// printDifferencesMarkdown prints a comment for a pull request: what is breaking
// in a table, the rest behind a fold. What a site or a curation says is text in
// it, never markup, and names nobody.
func printDifferencesMarkdown(w io.Writer, all []change.Difference) error {
	fmt.Fprintf(w, "### Tools of the site: %s\n", verdict(all))
	var grave, rest []change.Difference
	for _, d := range all {
		if d.Kind == change.Breaking {
			grave = append(grave, d)
		} else {
			rest = append(rest, d)
		}
	}
	if len(grave) > 0 {
		fmt.Fprint(w, "\n", table(grave))
	}
	if len(rest) > 0 {
		fmt.Fprintf(w, "\n<details><summary>%d additive, or text alone</summary>\n\n%s\n</details>\n", len(rest), table(rest))
	}
	return nil
}

func table(all []change.Difference) string {
	var b strings.Builder
	b.WriteString("| | Tool | What | Cause |\n|---|---|---|---|\n")
	for i, d := range all {
		if i == maxRows {
			fmt.Fprintf(&b, "| | | and %d more | |\n", len(all)-i)
			break
		}
		what := unnamed(d.Message)
		if d.Path != "" {
			what = cell(d.Path) + ": " + what
		}
		from := unnamed(d.Cause)
		if d.At != "" {
			from += ", " + cell(d.At)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", d.Kind, unnamed(headline(d)), what, from)
	}
	return b.String()
}

// cell is code in a table (GFM, section 4.10).
func cell(text string) string { return strings.ReplaceAll(code(text), "|", `\|`) }

// unnamed is plain text in which nobody is mentioned, and no issue.
func unnamed(text string) string { return strings.ReplaceAll(plain(text), "@", "@\u200b") }

// printAnnotations prints workflow commands of GitHub Actions: each change at the
// line of the curation that made it, where one did.
func printAnnotations(w io.Writer, all []change.Difference) error {
	levels := map[change.Kind]string{change.Breaking: "error", change.Additive: "notice", change.Text: "notice"}
	for _, d := range all {
		text := d.Message
		if d.Path != "" {
			text = d.Path + ": " + text
		}
		if d.Cause != "" {
			text += " [" + d.Cause + "]"
		}
		if err := annotate(w, levels[d.Kind], d.At, fmt.Sprintf("%s: %s", d.Kind, headline(d)), text); err != nil {
			return err
		}
	}
	return annotate(w, "notice", "", "toolpress diff", verdict(all))
}
