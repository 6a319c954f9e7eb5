// Package change tells what became different of a tool, as a client or a model
// would meet it: whether calls that were right before still are, whether there is
// only more, or whether nothing but words changed.
//
// Both sides are values as they are published or were written down: JSON Schema
// as tools/list has it. The package reads no file and knows nothing of where the
// two come from; what becomes of a change is its caller's.
package change

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"toolpress/generate"
)

// Kind is how much a change matters.
type Kind string

// The kinds, the gravest first. Breaking: a call or a reader that was right may
// not be any more, or a call does something else than before. Additive: there is
// more, and everything goes on as it was. Text: only what is read changed.
const (
	Breaking Kind = "breaking"
	Additive Kind = "additive"
	Text     Kind = "text"
)

var kinds = []Kind{Breaking, Additive, Text}

// A Change is one difference.
type Change struct {
	// Rule is the ID of one of [Rules].
	Rule string `json:"rule"`
	Kind Kind   `json:"kind"`
	// Path is where: empty for the tool as a whole, "status" or
	// "line_items[].quantity" for an argument, "result.title" for a field of what
	// it answers. "meta.*" are the arguments that nobody names.
	Path string `json:"path,omitempty"`
	// Keyword is the one that changed, of JSON Schema or of MCP's tool: "enum",
	// "description", "readOnlyHint"; empty where a part came, went or became
	// another.
	Keyword string `json:"keyword,omitempty"`
	// Message says it in a sentence without a full stop, values included.
	Message string `json:"message"`
	// Before and After are the whole of a text that changed, of which Message has
	// the beginning; both are empty for anything else.
	Before, After string `json:"-"`
}

// A Tool is what is compared: as tools/list has it, and what it calls.
type Tool struct {
	Title, Description string
	// InputSchema and OutputSchema are JSON Schema 2020-12; empty: none.
	InputSchema, OutputSchema json.RawMessage
	Annotations               generate.Annotations
	// Operation is the identity of what it calls, Method the one that is sent;
	// empty where that is not known.
	Operation, Method string
}

// Tools returns what changed from before to after: the gravest first, then by
// path, rule and message. The error is a schema that is no JSON object.
func Tools(before, after Tool) ([]Change, error) {
	var c comparison
	if before.Operation != after.Operation && before.Operation != "" && after.Operation != "" {
		c.add("operation-changed", Breaking, "", "", "it calls %s instead of %s", after.Operation, before.Operation)
	}
	c.methods(before.Method, after.Method)
	c.annotations(before.Annotations, after.Annotations)
	c.words("", "title", before.Title, after.Title)
	c.words("", "description", before.Description, after.Description)
	for _, side := range []struct {
		before, after json.RawMessage
		of            side
	}{{before.InputSchema, after.InputSchema, arguments}, {before.OutputSchema, after.OutputSchema, results}} {
		old, err := decode(side.before)
		if err != nil {
			return nil, fmt.Errorf("the schema before: %w", err)
		}
		now, err := decode(side.after)
		if err != nil {
			return nil, fmt.Errorf("the schema after: %w", err)
		}
		c.roots(side.of, old, now)
	}
	return c.sorted(), nil
}

// decode reads a schema; nil for none.
func decode(raw json.RawMessage) (map[string]any, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var schema map[string]any
	if err := d.Decode(&schema); err != nil {
		return nil, err
	}
	return schema, nil
}

// Merge are the changes of several comparisons as those of one: in the order of
// [Tools], each once.
func Merge(changes ...[]Change) []Change {
	return (&comparison{slices.Concat(changes...)}).sorted()
}

// Gravest is the kind that matters most; empty where nothing changed.
func Gravest(changes []Change) Kind {
	for _, k := range kinds {
		if slices.ContainsFunc(changes, func(c Change) bool { return c.Kind == k }) {
			return k
		}
	}
	return ""
}

// Semver is what a release with changes of that kind raises (semver.org, 2.0.0):
// major, minor or patch; none where nothing changed.
func Semver(k Kind) string {
	switch k {
	case Breaking:
		return "major"
	case Additive:
		return "minor"
	case Text:
		return "patch"
	}
	return "none"
}

// comparison collects the changes of one tool.
type comparison struct{ found []Change }

// add adds a change; keyword may be empty.
func (c *comparison) add(rule string, kind Kind, path, keyword, format string, args ...any) {
	c.found = append(c.found, Change{Rule: rule, Kind: kind, Path: path, Keyword: keyword, Message: fmt.Sprintf(format, args...)})
}

// sorted are the changes in the order of [Tools], each once.
func (c *comparison) sorted() []Change {
	slices.SortFunc(c.found, compareChanges)
	return slices.Compact(c.found)
}

func compareChanges(x, y Change) int {
	return cmp.Or(cmp.Compare(slices.Index(kinds, x.Kind), slices.Index(kinds, y.Kind)),
		cmp.Compare(x.Path, y.Path), cmp.Compare(x.Rule, y.Rule), cmp.Compare(x.Message, y.Message))
}

// annotations compares what clients are told of the danger.
func (c *comparison) annotations(before, after generate.Annotations) {
	for _, hint := range []struct {
		name        string
		before, now bool
		danger      bool // the value that warns
	}{
		{"readOnlyHint", before.ReadOnly, after.ReadOnly, false},
		{"destructiveHint", before.Destructive, after.Destructive, true},
		{"idempotentHint", before.Idempotent, after.Idempotent, false},
		{"openWorldHint", before.OpenWorld, after.OpenWorld, true},
	} {
		switch {
		case hint.before == hint.now:
		case hint.now == hint.danger:
			c.add("annotation-danger", Breaking, "", hint.name, "%s is now %t", hint.name, hint.now)
		default:
			c.add("annotation-safer", Additive, "", hint.name, "%s is now %t", hint.name, hint.now)
		}
	}
}

// methods are those that are sent, the one that can do least first.
var methods = []string{"GET", "POST", "PUT", "PATCH", "DELETE"}

// methods compares what a call is sent by. It is the annotations that tell what
// it does; another method may do more without a word.
func (c *comparison) methods(before, after string) {
	if before == after || before == "" || after == "" {
		return
	}
	kind := Breaking
	if slices.Index(methods, after) < slices.Index(methods, before) {
		kind = Additive
	}
	c.add("method-changed", kind, "", "", "it is called by %s instead of %s", after, before)
}

// words compares a text that is only read.
func (c *comparison) words(path, what, before, after string) {
	if before != after {
		c.add("text-changed", Text, path, what, "its %s: %s instead of %s", what, quote(after), quote(before))
		c.found[len(c.found)-1].Before, c.found[len(c.found)-1].After = before, after
	}
}
