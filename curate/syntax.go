package curate

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"

	yaml4 "go.yaml.in/yaml/v4"
	"gopkg.in/yaml.v3"
)

// document parses the text into its one mapping; nil when it cannot.
func (r *reader) document(data []byte) *yaml.Node {
	whole := Pos{File: r.name}
	switch {
	case len(data) > maxFile:
		r.add(whole, "", "the file is larger than %d bytes", maxFile)
		return nil
	case len(bytes.TrimSpace(data)) == 0:
		r.add(whole, "a curation begins with: version: 1", "the file is empty")
		return nil
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc, second yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF): // nothing but comments
		r.add(whole, "a curation begins with: version: 1", "the file is empty")
		return nil
	case err != nil:
		r.syntax(data, err)
		return nil
	}
	if err := dec.Decode(&second); !errors.Is(err, io.EOF) {
		if err != nil {
			r.syntax(data, err)
			return nil
		}
		at := &second
		if len(second.Content) > 0 {
			at = second.Content[0]
		}
		r.fail(at, "keep one curation in a file; a second one goes into a file of its own, named under extends", "a second YAML document")
		return nil
	}
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		r.fail(&doc, "a curation begins with: version: 1", "a curation is a mapping of keys")
		return nil
	}
	return doc.Content[0]
}

var v3Line = regexp.MustCompile(`line (\d+)`)

// syntax reports text that is no YAML. yaml.v3 names no column and sometimes
// the wrong line; v4 knows both.
func (r *reader) syntax(data []byte, err error) {
	at, message := Pos{File: r.name}, strings.TrimPrefix(err.Error(), "yaml: ")
	if m := v3Line.FindStringSubmatch(message); m != nil {
		at.Line, _ = strconv.Atoi(m[1])
		at.Col = 1
		_, rest, found := strings.Cut(message, ": ")
		if found && strings.HasPrefix(message, "line ") {
			message = rest
		}
	}
	var node yaml4.Node
	var load *yaml4.LoadError
	if errors.As(yaml4.Load(data, &node), &load) && load.Mark.Line > 0 {
		at.Line, at.Col, message = load.Mark.Line, max(load.Mark.Column, 1), load.Message
	}
	hint := ""
	line := r.line(Pos{Line: at.Line})
	switch {
	case strings.Contains(line, "\t"):
		hint = "YAML is indented with spaces, never with tabs"
	case flowRoute.MatchString(line):
		hint = `inside { } a route with a placeholder needs quotes: "GET /wp/v2/posts/{id}"`
	case bareStar.MatchString(line):
		hint = `a star needs quotes: "*": hidden`
	case strings.Contains(message, "mapping values are not allowed"):
		hint = "text that holds a colon and a space needs quotes; or the line stands further in than the one above it"
	case strings.Contains(message, "expected key") || strings.Contains(message, "block mapping"):
		hint = "look at the indentation: keys that belong together begin in the same column"
	}
	r.add(at, hint, "this is not YAML: %s", message)
}

var bareStar = regexp.MustCompile(`(^|[\s{,])\*\s*:`)

var flowRoute = regexp.MustCompile(`[{\[].*[/ ]\{\w+\}|\[\]`)
