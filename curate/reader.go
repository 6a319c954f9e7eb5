package curate

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// Bounds of one file (T42).
const (
	maxFile     = 1 << 20
	maxAlias    = 100
	maxAliased  = 10_000 // nodes that aliases stand for, all together
	maxFindings = 100
	maxLine     = 400 // bytes of a line that is shown
)

// reader walks the nodes of one file and gathers everything wrong with it. It
// is the only way from YAML to a [file]: node.Decode would lose positions,
// duplicate keys and what a value looked like.
type reader struct {
	name     string
	lines    []string
	findings Findings
	// unshown are lines that may hold a secret.
	unshown map[int]bool
	// aliases are those followed so far, aliased the nodes that they stand for.
	aliases, aliased int
	// carried are keys that nothing enforces yet, each where it is first.
	carried []Text
	stopped bool // too much is wrong to go on reporting
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
	if len(r.findings) == maxFindings {
		r.stopped, format, args, hint = true, "there are more errors; these come first", nil, ""
	}
	line := r.line(at)
	if mayHoldSecret(line) {
		line = ""
	}
	r.findings = append(r.findings, Finding{
		ID: "syntax", Severity: SeverityError, Pos: at, Message: fmt.Sprintf(format, args...), Hint: hint, Source: line,
	})
}

// secretKey is on a line that may hold a secret, wherever it stands: what is no
// YAML, or below a misspelt key, is never read as what it is.
var secretKey = regexp.MustCompile(`(?i)(auth|pass\w*|\w*(secret|token)\w*|\w+_key)["']?\s*:\s*[^\s{]`)

// mayHoldSecret reports a line that is not to be printed. How many tokens a profile
// may take is no secret.
func mayHoldSecret(line string) bool {
	return secretKey.MatchString(strings.ReplaceAll(line, "max_tokens", ""))
}

// unseen reads where somebody may have written a secret, under whatever key: what
// is wrong there is reported without its line, and so is everything else on it
// ([reader.hide]).
func (r *reader) unseen(read func()) {
	before := len(r.findings)
	read()
	for _, f := range r.findings[before:] {
		if r.unshown == nil {
			r.unshown = map[int]bool{}
		}
		r.unshown[f.Pos.Line] = true
	}
}

// hide takes the lines that unseen found out of all findings.
func (r *reader) hide() {
	for i := range r.findings {
		if r.unshown[r.findings[i].Pos.Line] {
			r.findings[i].Source = ""
		}
	}
}

// line is the line a place is on; empty where it is too long to print.
func (r *reader) line(at Pos) string {
	if at.Line < 1 || at.Line > len(r.lines) {
		return ""
	}
	line := strings.TrimRight(r.lines[at.Line-1], " \t\r")
	if len(line) > maxLine || at.Col > len(line)+1 || strings.ContainsFunc(line, unprintable) || !utf8.ValidString(line) {
		return ""
	}
	return line
}

func unprintable(r rune) bool { return r != '\t' && !unicode.IsPrint(r) }

// keys are the known keys of a mapping and what reads each.
type keys map[string]func(key, value *yaml.Node)

// shapes are what a mapping looks like, for whoever wrote something else.
var shapes = map[string]string{
	"confirm":             "write confirm: { when: never }",
	"result":              "write result: { pick: [id, title] }",
	"an argument":         "write { fix: draft }, { required: true }, or {} to show it as it is",
	"a tool":              "its keys are written below its name, further in",
	"a profile":           "write { groups: [read] }",
	"a profile's tool":    "write false to leave it out, or { args: … } to narrow it",
	"a group":             "write { describe: Look things up }",
	"an entry of expose":  `write { ability: "core/*" }`,
	"an entry of allow":   "write { id: overlap, match: GET /acme/v1/things, why: both are wanted }",
	"an entry of exclude": `write { vendor: yoast }`,
	"an entry of private": `write { match: { namespace: "wc/**" }, fields: ["billing.**"] }`,
	"idempotency":         "write { argument: idempotency_key, window: 24h }",
	"annotations":         "write { destructive: false }",
	"a field":             `write { describe: "Why?" }`,
	"a rule":              "a rule is { match: {…}, set: {…} }",
	"match":               "write match: { method: DELETE }",
}

// unknownKeys are hints that say more than which keys there are.
var unknownKeys = map[string]string{
	"site.woocommerce": "name the environment variables that hold the consumer key and secret: { key_env: WC_KEY, secret_env: WC_SECRET }",
	"a profile's auth": "a secret is never written into this file: put it into the environment and name the variable, password_env: WP_PASSWORD",
	"site.auth":        "a secret is never written into this file: put it into the environment and name the variable, password_env: WP_PASSWORD",
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
			hint := unknownKeys[what]
			if hint == "" {
				hint = didYouMean(key.Value, names)
			}
			if hint == "" {
				hint = "the keys of " + what + " are " + strings.Join(names, ", ")
			}
			r.fail(key, hint, "%s has no key %q", what, short(key.Value))
		}
	})
}

// pairs visits a mapping's keys and values; a doubled key is an error, and
// visited all the same.
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
			r.fail(key, "", "%q is written twice; first on line %d", short(key.Value), first.Line)
			visit(key, value) // which may have errors too
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
