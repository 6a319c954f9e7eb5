package runtime

import (
	"regexp"
	"strings"

	htmltomarkdown "github.com/JohannesKaufmann/html-to-markdown/v2"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"toolpress/curate"
)

// markup finds a tag, a comment or an entity; a text without any is no HTML.
var markup = regexp.MustCompile(`<[a-zA-Z/!]|&(?:#\d+|#[xX][0-9a-fA-F]+|[a-zA-Z][a-zA-Z0-9]*);`)

// unmarked writes a text with markup as how says. What an editor writes back,
// under the name raw, stays, and so does what cannot be read.
func unmarked(name, text string, how curate.HTML) string {
	if name == "raw" || !markup.MatchString(text) {
		return text
	}
	switch how {
	case curate.Markdown:
		if plain, err := htmltomarkdown.ConvertString(text); err == nil {
			return plain
		}
	case curate.TextHTML:
		return plainText(text)
	}
	return text
}

// plainText is what a reader sees of HTML: a line for each block.
func plainText(text string) string {
	var b strings.Builder
	unread := false
	z := html.NewTokenizer(strings.NewReader(text))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		if kind == html.TextToken {
			if !unread {
				b.WriteString(strings.Map(spaced, string(z.Text())))
			}
			continue
		}
		name, _ := z.TagName()
		switch tag := atom.Lookup(name); tag {
		case atom.Script, atom.Style: // the tokenizer gives what is in them as one text
			unread = kind == html.StartTagToken
		case atom.Br, atom.P, atom.Div, atom.Li, atom.Ul, atom.Ol, atom.Tr, atom.Table, atom.Blockquote, atom.Pre, atom.Figure, atom.Figcaption,
			atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Hr, atom.Section, atom.Article, atom.Dt, atom.Dd:
			b.WriteByte('\n')
		case atom.Td, atom.Th:
			b.WriteByte(' ')
		}
	}
	var lines []string
	for line := range strings.SplitSeq(b.String(), "\n") {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// spaced makes a space of a line break: in HTML they are the same.
func spaced(r rune) rune {
	if r == '\n' || r == '\r' {
		return ' '
	}
	return r
}
