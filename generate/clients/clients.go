// Package clients is the table of what MCP clients, and the model APIs behind
// them, refuse in a tool: one refused tool can cost a user every tool of the
// server. Each rule names the client, what it refuses, and where that can be
// read.
//
// The schema compiler reads from the table what the common dialect may say, and
// the tests hold every published catalog against it. The package knows nothing of
// WordPress and mends nothing.
package clients

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Rule is one thing a client refuses.
type Rule struct {
	// Client is the host, model API or library: "Gemini".
	Client string
	// ID names the rule among the client's: "any-of-alone".
	ID string
	// Refuses says what is refused and what happens then, in one sentence.
	Refuses string
	// Source is where it can be read: a page, or owner/repository#number.
	Source string
	// Contested says that the rule is dated, or that one report alone speaks of it:
	// what toolpress serves keeps it, and a site is not at fault.
	Contested bool
	// Keywords are schema keywords refused wherever they stand, the best known
	// where the rule is about all but a few. A format is written format:uri.
	Keywords []string

	find func(t *Tool, report reporter)
}

// reporter takes a refusal: where, and what stands there.
type reporter func(at spot, what string)

// Tool is a tool as tools/list has it, and the name its user gave the server,
// which some clients put before the tool's. Input and Output are schemas as
// encoding/json decodes them; a nil Output is none.
type Tool struct {
	Server, Name  string
	Input, Output any
}

// Refusal is a rule that a tool breaks, and where.
type Refusal struct {
	Client string `json:"client"`
	Rule   string `json:"rule"`
	// Path is the place: inputSchema, then property names and keywords, dotted.
	Path string `json:"path"`
	// At is the same place for programs, with the keyword that is refused: a JSON
	// Pointer (RFC 6901) into the schema.
	At string `json:"-"`
	// What stands there.
	What string `json:"what"`
	// Contested is the rule's.
	Contested bool `json:"contested,omitempty"`
}

// Check holds a tool against every rule; nil when all clients take it.
func Check(t Tool) []Refusal {
	var all []Refusal
	for _, r := range table {
		report := func(at spot, what string) {
			all = append(all, Refusal{r.Client, r.ID, at.path, at.pointer, what, r.Contested})
		}
		if r.find != nil {
			r.find(&t, report)
		} else {
			r.refuseKeywords(&t, report)
		}
	}
	return all
}

// Rules is the table, by client and ID.
func Rules() []Rule {
	return slices.SortedStableFunc(slices.Values(table), func(a, b Rule) int {
		return cmp.Or(cmp.Compare(a.Client, b.Client), cmp.Compare(a.ID, b.ID))
	})
}

// Refused reports whether any client refuses a keyword, or a format written
// format:uri, wherever it stands.
func Refused(keyword string) bool { return refused[keyword] }

var refused = func() map[string]bool {
	all := map[string]bool{}
	for _, r := range table {
		for _, k := range r.Keywords {
			all[k] = true
		}
	}
	return all
}()

func (r Rule) refuseKeywords(t *Tool, report reporter) {
	t.each(func(at spot, s schema) {
		for _, k := range r.Keywords {
			if v, there := s[k]; there {
				report(at.of(k), k+": "+brief(v))
			}
		}
	})
}

// schema is one schema of a tool's input.
type schema map[string]any

// says is what stands under a keyword.
func (s schema) says(keyword string) string {
	v, there := s[keyword]
	if !there {
		return "no " + keyword
	}
	return keyword + ": " + brief(v)
}

// types are the schema's types; none means any.
func (s schema) types() []string {
	switch t := s["type"].(type) {
	case string:
		return []string{t}
	case []any:
		var list []string
		for _, item := range t {
			name, _ := item.(string)
			list = append(list, name)
		}
		return list
	}
	return nil
}

// each visits every schema of the input, the root first, and never takes a
// property for a keyword.
func (t *Tool) each(visit func(at spot, s schema)) { each(input, t.Input, visit) }

func each(at spot, v any, visit func(at spot, s schema)) {
	node, isSchema := v.(map[string]any)
	if !isSchema {
		return
	}
	visit(at, node)
	below(node, func(in place, v any) { each(at.below(in), v, visit) })
}

// spot is a place in a tool, as [Refusal] has it.
type spot struct{ path, pointer string }

var name, input, output = spot{path: "name"}, spot{path: "inputSchema"}, spot{path: "outputSchema"}

// below is the place of a schema within the one at s.
func (s spot) below(in place) spot { return spot{s.path + in.path, s.pointer + in.pointer} }

// of is s, with the keyword there that is refused.
func (s spot) of(steps ...string) spot { return spot{s.path, s.pointer + pointer(steps...)} }

var escaped = strings.NewReplacer("~", "~0", "/", "~1")

func pointer(steps ...string) string {
	var b strings.Builder
	for _, step := range steps {
		b.WriteString("/" + escaped.Replace(step))
	}
	return b.String()
}

// place is where in a schema another stands.
type place struct{ keyword, path, pointer string }

// Keywords under which schemas stand: by names, alone, in a list. An item may be
// any of the last two.
var (
	namedSchemas  = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"}
	soleSchemas   = []string{"items", "additionalProperties", "additionalItems", "unevaluatedProperties", "unevaluatedItems", "not", "if", "then", "else", "contains", "propertyNames", "contentSchema"}
	listedSchemas = []string{"anyOf", "oneOf", "allOf", "prefixItems", "items"}
)

// below visits what stands where a schema has others, whatever it is.
func below(node map[string]any, visit func(in place, v any)) {
	for _, keyword := range namedSchemas {
		named, _ := node[keyword].(map[string]any)
		for _, name := range sorted(named) {
			visit(place{keyword, "." + name, pointer(keyword, name)}, named[name])
		}
	}
	for _, keyword := range soleSchemas {
		v, there := node[keyword]
		if _, isList := v.([]any); there && !isList {
			visit(place{keyword, "." + keyword, pointer(keyword)}, v)
		}
	}
	for _, keyword := range listedSchemas {
		list, _ := node[keyword].([]any)
		for i, item := range list {
			visit(place{keyword, "." + keyword + "[" + strconv.Itoa(i) + "]", pointer(keyword, strconv.Itoa(i))}, item)
		}
	}
}
