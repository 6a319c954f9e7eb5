package curate

import (
	"encoding/json"
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"

	"toolpress/generate"
	"toolpress/generate/schema"
)

// value reads a written value by the type the site's schema gives it, and
// checks it against that schema and the way it is sent.
func (b *toolBuilder) value(g *argument, s *schema.Schema, v valued) (any, bool) {
	at := v.file.reader.pos(v.node)
	value, err := convert(v.node, s)
	if err != nil {
		b.fail(v.file, at, "", "%v", err)
		return nil, false
	}
	value = s.Shown(value) // a person may write the site's own names
	if what := schema.Excess(value); what != "" {
		b.fail(v.file, at, "", "this value holds %s", what)
		return nil, false
	}
	if check, err := s.Compile(); err == nil {
		if err := check.Validate(value); err != nil {
			faults := explain(err, s, value)
			for i, f := range faults {
				faults[i] = strings.TrimPrefix(f, "the arguments ")
			}
			b.fail(v.file, at, "", "this is not a value for %s: %s", g.path, strings.Join(faults, "; "))
			return nil, false
		}
	}
	a, whole := g.around(value)
	if err := b.candidate.op.Sendable(a, whole); err != nil {
		b.fail(v.file, at, "", "this value of %s %v", g.path, err)
		return nil, false
	}
	return value, true
}

// around is the argument that an argument is a part of, and a value of it that
// holds the part's and nothing else.
func (g *argument) around(value any) (generate.Arg, any) {
	for ; g.holder != nil; g = g.holder {
		if g.isItems() {
			value = []any{value}
		} else {
			value = map[string]any{g.original.Name: value}
		}
	}
	return g.original, value
}

// convert reads a node as the type the schema has, so that no, 0755,
// 2026-01-01 and 1_000 mean what they look like.
func convert(n *yaml.Node, s *schema.Schema) (any, error) {
	n = follow(n)
	switch n.Kind {
	case yaml.SequenceNode:
		list := []any{}
		for _, item := range n.Content {
			of := s.Items
			if of == nil {
				of = &schema.Schema{}
			}
			v, err := convert(item, of)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	case yaml.MappingNode:
		object := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			of := &schema.Schema{}
			if p := s.Property(n.Content[i].Value); p != nil {
				of = p.Schema
			}
			v, err := convert(n.Content[i+1], of)
			if err != nil {
				return nil, err
			}
			object[n.Content[i].Value] = v
		}
		return object, nil
	}
	return scalar(n, s)
}

func scalar(n *yaml.Node, s *schema.Schema) (any, error) {
	text := n.Value
	quoted := n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0
	number := json.Number(plainNumber(text))
	switch {
	case n.Tag == "!!null" && !s.Is("string"):
		return nil, nil
	case s.Is("string"):
		return text, nil
	case quoted && s.Allows("string"):
		return text, nil
	case number != "" && (s.Allows("number") || s.Allows("integer")):
		return number, nil
	case s.Allows("boolean") && (text == "true" || text == "false"):
		return text == "true", nil
	case s.Is("boolean") && (text == "yes" || text == "no" || text == "on" || text == "off"):
		return text == "yes" || text == "on", nil
	case s.Allows("string"):
		return text, nil
	}
	return nil, fmt.Errorf("%q is not %s", short(text), types(s))
}

// plainNumber is a number as it looks, in JSON's spelling; "" when it is none.
func plainNumber(text string) string {
	text = strings.ReplaceAll(text, "_", "")
	sign := ""
	if rest, minus := strings.CutPrefix(text, "-"); minus {
		sign, text = "-", rest
	}
	text = strings.TrimPrefix(text, "+")
	for len(text) > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9' {
		text = text[1:]
	}
	if text == "" || len(text) > 100 || text[0] < '0' || text[0] > '9' || !json.Valid([]byte(text)) {
		return ""
	}
	return sign + text
}

// types says what a schema takes, for messages.
func types(s *schema.Schema) string {
	if len(s.Types) == 0 {
		return "any value"
	}
	words := make([]string, len(s.Types))
	for i, t := range s.Types {
		words[i] = schema.TypeWord(t)
	}
	return strings.Join(words, " or ")
}
