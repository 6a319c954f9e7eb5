package curate

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	yaml4 "go.yaml.in/yaml/v4"
	"gopkg.in/yaml.v3"
)

// document parses the text into its one mapping; nil when it cannot. What is
// wrong with a second document does not keep the first from being read.
func (r *reader) document(data []byte) *yaml.Node {
	whole := Pos{File: r.name}
	switch at, what, hint := r.unreadable(data); {
	case len(data) > maxFile:
		r.add(whole, "move a part of it into a file named under extends", "the file is larger than %d bytes", maxFile)
		return nil
	case what != "":
		r.add(at, hint, "this is not YAML: %s", what)
		return nil
	case len(bytes.TrimSpace(data)) == 0:
		r.add(whole, "a curation begins with: version: 1", "the file is empty")
		return nil
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF): // nothing but comments
		r.add(whole, "a curation begins with: version: 1", "the file is empty")
		return nil
	case err != nil:
		r.syntax(data, err)
		return nil
	}
	r.second(data, dec)
	r.tags(&doc)
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		r.fail(&doc, "a curation begins with: version: 1", "a curation is a mapping of keys")
		return nil
	}
	return doc.Content[0]
}

// second reports what comes after the first document.
func (r *reader) second(data []byte, dec *yaml.Decoder) {
	var doc yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
	case err != nil:
		r.syntax(data, err)
	default:
		r.fail(&doc, "keep one curation in a file; a second one goes into a file of its own, named under extends", "a second YAML document")
	}
}

// linesOf are the lines of a text, ended by what YAML ends them with.
func linesOf(data []byte) []string {
	text := strings.TrimPrefix(string(data), "\uFEFF")
	return strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n").Replace(text), "\n")
}

// unreadable is the first place where the text is none that YAML may have, why,
// and what to do; empty where there is none. yaml.v3 would say so without a place.
func (r *reader) unreadable(data []byte) (at Pos, what, hint string) {
	const encoding = "save the file as UTF-8 text"
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return Pos{r.name, 1, 1}, "the text is UTF-16 or UTF-32", encoding
	}
	for i, line := range r.lines {
		col := 1
		for at, c := range line {
			if c == utf8.RuneError && !strings.HasPrefix(line[at:], "\uFFFD") {
				return Pos{r.name, i + 1, col}, fmt.Sprintf("the byte 0x%02x is not UTF-8", line[at]), encoding
			}
			if c < ' ' && c != '\t' || c >= 0x7f && c < 0xa0 || c == 0xfeff || c == 0xfffe || c == 0xffff {
				return Pos{r.name, i + 1, col}, fmt.Sprintf("the character %U is not allowed", c), fmt.Sprintf(`leave it out, or write it between double quotes as \u%04X`, c)
			}
			col++
		}
	}
	return Pos{}, "", ""
}

// tags refuses what only a program could make something of, wherever it stands:
// a file that says !env PASSWORD would be read as PASSWORD.
func (r *reader) tags(n *yaml.Node) {
	if n.Style&yaml.TaggedStyle != 0 && !slices.Contains(plainTags, n.Tag) {
		r.fail(n, "write the value without it", "the tag %s is not read", strings.Trim(strconv.Quote(short(n.Tag)), `"`))
	}
	for _, c := range n.Content {
		r.tags(c)
	}
}

// plainTags are what YAML makes of a value by itself.
var plainTags = []string{"!!str", "!!int", "!!float", "!!bool", "!!null", "!!timestamp", "!!map", "!!seq"}

var v3Line = regexp.MustCompile(`line (\d+)`)

// syntax reports text that is no YAML. yaml.v3 names no column and sometimes
// the wrong line; v4 knows both.
func (r *reader) syntax(data []byte, err error) {
	at, message := Pos{r.name, 1, 1}, strings.TrimPrefix(err.Error(), "yaml: ")
	if m := v3Line.FindStringSubmatch(message); m != nil {
		at.Line, _ = strconv.Atoi(m[1])
		_, rest, found := strings.Cut(message, ": ")
		if found && strings.HasPrefix(message, "line ") {
			message = rest
		}
	}
	begun := 0 // the line on which what is broken begins
	var node yaml4.Node
	var load *yaml4.LoadError
	if errors.As(yaml4.Load(data, &node), &load) && load.Mark.Line > 0 {
		mark := load.Mark
		message, begun = load.Message, load.ContextMark.Line
		if strings.Contains(message, "end of stream") && begun > 0 {
			mark, message = load.ContextMark, "what begins here does not end ("+load.ContextMsg+")"
		}
		at.Line, at.Col = mark.Line, max(mark.Column, 1)
	}
	at.Line = max(min(at.Line, len(r.lines)), 1)
	line := r.line(Pos{Line: at.Line})
	hint := syntaxHint(line, message)
	if hint == "" && begun > 0 && begun < at.Line {
		hint = fmt.Sprintf("it is a part of what begins on line %d", begun)
	}
	if mayHoldSecret(line) {
		message, _, _ = strings.Cut(message, " '") // unknown anchor 'x' referenced
	}
	r.add(at, hint, "this is not YAML: %s", message)
}

// syntaxHint is the next step for a line that is no YAML; empty where none is known.
func syntaxHint(line, message string) string {
	switch {
	case strings.Contains(line, "\t"):
		return "YAML is indented with spaces, never with tabs"
	case flowBraces.MatchString(line) && strings.Contains(message, "did not find expected ','"):
		return `inside { } and [ ], text that holds any of these needs quotes: "GET /wp/v2/posts/{id}", "line_items[].quantity"`
	case bareStar.MatchString(line):
		return `a star needs quotes: "*": hidden`
	case strings.Contains(message, "cannot start any token"):
		return "text that begins with @, ` or % needs quotes"
	case strings.Contains(message, "mapping values are not allowed"):
		return "text that holds a colon and a space needs quotes; or the line stands further in than the one above it"
	case strings.Contains(message, "incompatible YAML document"):
		return "leave the line that begins with % out"
	case strings.Contains(message, "expected key") || strings.Contains(message, "block mapping"):
		return "look at the indentation: keys that belong together begin in the same column"
	}
	return ""
}

var (
	bareStar   = regexp.MustCompile(`(^|[\s{\[,])\*+([\s:,}\].*/]|$)`)
	flowBraces = regexp.MustCompile(`[{\[].*([/ ]\{\w+\}|\w\[\])`)
)
