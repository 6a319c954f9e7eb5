package curate

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	yaml4 "go.yaml.in/yaml/v4"
	"gopkg.in/yaml.v3"
)

// Bounds of one file (T42).
const (
	maxFile  = 1 << 20
	maxAlias = 100
)

// reader walks the nodes of one file and gathers everything wrong with it. It
// is the only way from YAML to a [file]: node.Decode would lose positions,
// duplicate keys and what a value looked like.
type reader struct {
	name     string
	lines    []string
	findings Findings
	aliases  int
	stopped  bool // too much is wrong to go on reporting
}

// pos is where a node was written.
func (r *reader) pos(n *yaml.Node) Pos { return Pos{File: r.name, Line: n.Line, Col: n.Column} }

func (r *reader) fail(n *yaml.Node, hint, format string, args ...any) {
	r.add(r.pos(n), hint, format, args...)
}

func (r *reader) add(at Pos, hint, format string, args ...any) {
	if r.stopped {
		return
	}
	r.findings = append(r.findings, Finding{
		ID: "syntax", Severity: SeverityError, Pos: at, Message: fmt.Sprintf(format, args...), Hint: hint, Source: r.line(at.Line),
	})
}

// line is a line of the file, cut where it is too long to print.
func (r *reader) line(n int) string {
	if n < 1 || n > len(r.lines) {
		return ""
	}
	line := strings.TrimRight(r.lines[n-1], " \t\r")
	if len(line) > 160 {
		return ""
	}
	return line
}

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
	if err := dec.Decode(&doc); err != nil {
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
	line := r.line(at.Line)
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

// resolve follows an alias, a bounded number of times.
func (r *reader) resolve(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		if r.aliases++; r.aliases > maxAlias {
			r.fail(n, "write the values out", "more than %d aliases", maxAlias)
			r.stopped = true
			return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Line: n.Line, Column: n.Column}
		}
		n = n.Alias
	}
	return n
}

// value keeps a node whose type only the site's schema tells. Its aliases are
// counted here, so that following them later is bounded.
func (r *reader) value(n *yaml.Node) *yaml.Node {
	var visit func(n *yaml.Node, depth int)
	visit = func(n *yaml.Node, depth int) {
		if depth > maxValueDepth && !r.stopped {
			r.fail(n, "", "a value is nested deeper than %d levels", maxValueDepth)
			r.stopped = true
		}
		if r.stopped {
			return
		}
		for _, c := range r.resolve(n).Content {
			visit(c, depth+1)
		}
	}
	visit(n, 0)
	return r.resolve(n)
}

// follow follows an alias that value has counted.
func follow(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

const maxValueDepth = 32

// keys are the known keys of a mapping and what reads each.
type keys map[string]func(key, value *yaml.Node)

// shapes are what a mapping looks like, for whoever wrote something else.
var shapes = map[string]string{
	"confirm":             "write confirm: { when: never }",
	"result":              "write result: { pick: [id, title] }",
	"an argument":         "write { fix: draft }, { required: true }, or {} to show it as it is",
	"a tool":              "its keys are written below its name, further in",
	"a profile":           "write { groups: [read] }",
	"a group":             "write { describe: Look things up }",
	"an entry of expose":  `write { ability: "core/*" }`,
	"an entry of exclude": `write { vendor: yoast }`,
	"a rule":              "a rule is { match: {…}, set: {…} }",
	"match":               "write match: { method: DELETE }",
}

// mapping reads a mapping strictly. later are keys of the language that this
// version does not have yet.
func (r *reader) mapping(n *yaml.Node, what string, known keys, later ...string) {
	n = r.resolve(n)
	if n.Kind != yaml.MappingNode {
		r.fail(n, shapes[what], "%s must be a mapping of keys, not %s", what, kind(n))
		return
	}
	r.pairs(n, func(key, value *yaml.Node) {
		read, ok := known[key.Value]
		switch {
		case ok:
			read(key, value)
		case slices.Contains(later, key.Value):
			r.fail(key, "", "%q is not supported yet", key.Value)
		default:
			names := slices.Sorted(maps.Keys(known))
			hint := didYouMean(key.Value, names)
			if hint == "" {
				hint = "the keys of " + what + " are " + strings.Join(names, ", ")
			}
			r.fail(key, hint, "%s has no key %q", what, key.Value)
		}
	})
}

// pairs visits a mapping's keys and values; a doubled key is an error.
func (r *reader) pairs(n *yaml.Node, visit func(key, value *yaml.Node)) {
	seen := map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch first := seen[key.Value]; {
		case key.Kind != yaml.ScalarNode:
			r.fail(key, "", "a key must be text")
		case key.Tag == "!!merge":
			r.fail(key, "write the keys out, or put them into a file named under extends", "merge keys are not read")
		case first != nil:
			r.fail(key, "", "%q is written twice; first on line %d", key.Value, first.Line)
		default:
			seen[key.Value] = key
			visit(key, value)
		}
	}
}

// items are the values of a list; one value alone is a list of one.
func (r *reader) items(n *yaml.Node) []*yaml.Node {
	n = r.resolve(n)
	if n.Kind == yaml.SequenceNode {
		return n.Content
	}
	return []*yaml.Node{n}
}

// text reads a text as it was written, whatever YAML takes it for.
func (r *reader) text(n *yaml.Node, what string) (Text, bool) {
	n = r.resolve(n)
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		r.fail(n, "", "%s must be text, not %s", what, kind(n))
		return Text{}, false
	}
	return Text{Value: n.Value, Pos: r.pos(n)}, true
}

// texts reads a list of texts, or one.
func (r *reader) texts(n *yaml.Node, what string) []Text {
	var list []Text
	for _, item := range r.items(n) {
		if t, ok := r.text(item, what); ok {
			list = append(list, t)
		}
	}
	return list
}

// choice reads one of a few words.
func (r *reader) choice(n *yaml.Node, what string, words ...string) (Text, bool) {
	t, ok := r.text(n, what)
	if ok && !slices.Contains(words, t.Value) {
		r.fail(n, didYouMean(t.Value, words), "%s must be one of %s, not %q", what, strings.Join(words, ", "), t.Value)
		return Text{}, false
	}
	return t, ok
}

// boolean reads true or false; YAML 1.1's yes and no are not guessed at.
func (r *reader) boolean(n *yaml.Node, what string) (bool, bool) {
	n = r.resolve(n)
	if n.Kind == yaml.ScalarNode && n.Tag == "!!bool" && (n.Value == "true" || n.Value == "false") {
		return n.Value == "true", true
	}
	r.fail(n, "", "%s must be true or false, not %s", what, kind(n))
	return false, false
}

// count reads a whole number of at least least.
func (r *reader) count(n *yaml.Node, what string, least int) (int, bool) {
	n = r.resolve(n)
	i, err := strconv.Atoi(strings.ReplaceAll(n.Value, "_", ""))
	if n.Kind != yaml.ScalarNode || n.Tag == "!!str" || err != nil || i < least {
		r.fail(n, "", "%s must be a whole number of %d or more, not %s", what, least, kind(n))
		return 0, false
	}
	return i, true
}

var sizes = regexp.MustCompile(`^(\d{1,9})\s*(B|KiB|MiB)?$`)

// size reads bytes: 24KiB, 2MiB, or a number.
func (r *reader) size(n *yaml.Node, what string) (int, bool) {
	n = r.resolve(n)
	m := sizes.FindStringSubmatch(strings.ReplaceAll(n.Value, "_", ""))
	if n.Kind != yaml.ScalarNode || m == nil {
		r.fail(n, "write it like 24KiB", "%s must be a size, not %s", what, kind(n))
		return 0, false
	}
	bytes, _ := strconv.Atoi(m[1])
	return bytes * map[string]int{"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20}[m[2]], true
}

// duration reads 20s, 5m, 1h.
func (r *reader) duration(n *yaml.Node, what string) (time.Duration, bool) {
	n = r.resolve(n)
	d, err := time.ParseDuration(n.Value)
	if n.Kind != yaml.ScalarNode || err != nil || d <= 0 {
		r.fail(n, "write it like 20s or 5m", "%s must be a duration, not %s", what, kind(n))
		return 0, false
	}
	return d, true
}

// kind says what a node is, for messages.
func kind(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Tag == "!!null":
		return "nothing"
	}
	return strconv.Quote(n.Value)
}
