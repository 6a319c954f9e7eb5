package curate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// Pos is a place in a curation file. Line and Col count from 1; Line 0 is the
// file as a whole.
type Pos struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
	Col  int    `json:"col,omitempty"`
}

// String gives file:line:col.
func (p Pos) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Severity ranks findings.
type Severity string

// The severities. An error in a file that cannot be read changes nothing that
// is served; one found while applying withholds what it is about.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
)

// Finding is one thing wrong with a curation.
type Finding struct {
	// ID names the kind, such as never-matched; it never changes.
	ID       string   `json:"id"`
	Severity Severity `json:"severity"`
	Pos      Pos      `json:"pos"`
	Message  string   `json:"message"`
	// Hint is the next step; may be empty.
	Hint string `json:"hint,omitempty"`
	// Source is the line it was written on; empty where there is none.
	Source string `json:"source,omitempty"`
	// Allowed is why the curation accepts it; empty where it does not.
	Allowed string `json:"allowed,omitempty"`
}

// String gives the finding as it is printed: file:line:col: message, the line
// with a caret below its place, and the hint.
func (f Finding) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: ", f.Pos)
	switch {
	case f.Allowed != "":
		b.WriteString("allowed (" + f.Allowed + "): ")
	case f.Severity == SeverityWarning:
		b.WriteString("warning: ")
	}
	b.WriteString(f.Message)
	if f.Source != "" {
		fmt.Fprintf(&b, "\n%5d | %s\n      | %s^", f.Pos.Line, f.Source, indent(f.Source, f.Pos.Col))
	}
	if f.Hint != "" {
		b.WriteString("\n  hint: " + f.Hint)
	}
	return b.String()
}

// indent is the room before a column, tabs kept so that the caret stands right.
func indent(line string, col int) string {
	runes := []rune(line)
	room := make([]rune, 0, col)
	for i := range max(col-1, 0) {
		if i < len(runes) && runes[i] == '\t' {
			room = append(room, '\t')
			continue
		}
		room = append(room, ' ')
	}
	return string(room)
}

// Findings are all that is wrong, in the order of their places. As an error
// they are everything a file that cannot be read holds.
type Findings []Finding

// Error joins the findings, one after the other.
func (f Findings) Error() string {
	texts := make([]string, len(f))
	for i, finding := range f {
		texts[i] = finding.String()
	}
	return strings.Join(texts, "\n")
}

// Open are the findings that the curation does not allow.
func (f Findings) Open() Findings {
	return slices.DeleteFunc(slices.Clone(f), func(x Finding) bool { return x.Allowed != "" })
}

// Errors are the open findings of severity error.
func (f Findings) Errors() Findings {
	return slices.DeleteFunc(f.Open(), func(x Finding) bool { return x.Severity != SeverityError })
}

// nearest returns the candidate that a word was most likely meant to be, or
// "" when none is near.
func nearest(word string, candidates []string) string {
	best, distance := "", max(2, len(word)/4)+1
	if len(word) > 200 {
		return ""
	}
	for _, c := range candidates {
		if d := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(c)); d < distance {
			best, distance = c, d
		}
	}
	return best
}

// didYouMean is the hint of a near miss; empty when nothing is near.
func didYouMean(word string, candidates []string) string {
	if n := nearest(word, candidates); n != "" {
		return fmt.Sprintf("did you mean %q?", n)
	}
	return ""
}
