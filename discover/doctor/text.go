package doctor

import (
	"html"
	"io"
	"regexp"
	"strings"
	"unicode"
)

var (
	tag   = regexp.MustCompile(`(?s)<[^<>]*>`)
	title = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)
)

// plain is a site's text as one printable line of at most most characters:
// no tags, no control characters, so that nothing on a site moves a cursor.
func plain(text string, most int) string {
	text = html.UnescapeString(tag.ReplaceAllString(strings.ToValidUTF8(text, ""), " "))
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, text)
	runes := []rune(strings.ReplaceAll(strings.Join(strings.Fields(text), " "), " :", ":"))
	if len(runes) > most {
		return strings.TrimSpace(string(runes[:most])) + "…"
	}
	return string(runes)
}

// headline is what a page calls itself: its title in quotes, or "".
func headline(body []byte) string {
	match := title.FindSubmatch(body[:min(len(body), 64<<10)])
	if match == nil {
		return ""
	}
	if name := plain(string(match[1]), 60); name != "" {
		return "“" + name + "”"
	}
	return ""
}

var marks = map[Status]string{Fine: "✓", Warned: "!", Failed: "✗"}

// width of the text, and where its second column begins.
const (
	width  = 100
	column = 25
)

// WriteText prints checks for people: the mark, the title, what was seen, and
// below it what to do.
func WriteText(w io.Writer, checks []Check) error {
	var b strings.Builder
	indent := strings.Repeat(" ", column)
	for _, c := range checks {
		b.WriteString(marks[c.Status] + " " + c.Title + strings.Repeat(" ", max(1, column-2-len(c.Title))))
		for i, line := range wrap(c.Evidence, width-column) {
			if i > 0 {
				b.WriteString(indent)
			}
			b.WriteString(line + "\n")
		}
		if c.Remedy == "" {
			continue
		}
		lead := "→ "
		for _, line := range wrap(c.Remedy, width-column-2) {
			b.WriteString(indent + lead + line + "\n")
			lead = "  "
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// wrap breaks text at spaces; a word longer than a line stays whole, so that
// what is to be copied can be.
func wrap(text string, width int) []string {
	var lines []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		line := ""
		for word := range strings.FieldsSeq(paragraph) {
			if line != "" && len([]rune(line))+1+len([]rune(word)) > width {
				lines, line = append(lines, line), ""
			}
			line = strings.TrimPrefix(line+" "+word, " ")
		}
		lines = append(lines, line)
	}
	return lines
}
