package curate

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"toolpress/generate"
)

// narrow tightens an argument's schema by what the layers say. Widening is an
// error that names both values (curation.md, principle 7).
func (b *toolBuilder) narrow(g *argument) {
	target := g.Schema
	if target.Is("array") && target.Items != nil {
		target = target.Items
	}
	if g.enum != nil {
		b.narrowEnum(g, target)
	}
	b.narrowBound(g, g.minimum, &target.Minimum, "minimum", -1)
	b.narrowBound(g, g.maximum, &target.Maximum, "maximum", 1)
	for _, l := range g.lengths {
		switch l.name {
		case "min_length":
			b.narrowCount(l, &target.MinLength, -1, target.Allows("string"))
		case "max_length":
			b.narrowCount(l, &target.MaxLength, 1, target.Allows("string"))
		case "max_items":
			b.narrowCount(l, &g.Schema.MaxItems, 1, g.Schema.Allows("array"))
		}
	}
	if p := g.pattern; p != nil {
		switch {
		case !target.Allows("string"):
			b.fail(g.patternFile, p.Pos, "", "pattern is for text, and this argument is %s", types(target))
		case target.Pattern != "" && target.Pattern != p.Value:
			b.fail(g.patternFile, p.Pos, "", "the site has its own pattern for this argument, %s, which another would widen", target.Pattern)
		default:
			target.Pattern = p.Value
		}
	}
}

func (b *toolBuilder) narrowEnum(g *argument, target *generate.Schema) {
	element := &argument{Arg: generate.Arg{Name: g.Name, Schema: target}}
	var values []any
	for _, v := range g.enum {
		if value, ok := b.value(element, v); ok {
			values = append(values, value)
		}
	}
	if !b.failed {
		target.Enum = values
		if target.HasDefault && !slices.ContainsFunc(values, func(v any) bool { return same(v, target.Default) }) {
			target.Default, target.HasDefault = nil, false
		}
	}
}

func same(a, b any) bool {
	x, _ := generate.Encode(a)
	y, _ := generate.Encode(b)
	return string(x) == string(y)
}

// narrowBound takes a minimum (side -1) or maximum (side 1).
func (b *toolBuilder) narrowBound(g *argument, v *valued, bound *json.Number, what string, side int) {
	if v == nil {
		return
	}
	f := v.file
	at := f.reader.pos(v.node)
	if !g.Schema.Allows("number") && !g.Schema.Allows("integer") && !(g.Schema.Is("array") && g.Schema.Items.Allows("number")) {
		b.fail(f, at, "", "%s is for numbers, and this argument is %s", what, types(g.Schema))
		return
	}
	text := strings.ReplaceAll(v.node.Value, "_", "")
	value, ok := new(big.Rat).SetString(text)
	if !ok || v.node.Kind != yaml.ScalarNode || !json.Valid([]byte(text)) {
		b.fail(f, at, "", "%s must be a number, not %s", what, kind(v.node))
		return
	}
	if site, ok := new(big.Rat).SetString(bound.String()); ok && value.Cmp(site)*side > 0 {
		b.fail(f, at, "", "%s %s is wider than the site's own, %s", what, text, *bound)
		return
	}
	*bound = json.Number(text)
}

func (b *toolBuilder) narrowCount(l limit, bound **int, side int, fits bool) {
	switch {
	case !fits:
		b.fail(l.file, l.pos, "", "%s does not fit this argument's type", l.name)
	case *bound != nil && (l.value-**bound)*side > 0:
		b.fail(l.file, l.pos, "", "%s %d is wider than the site's own, %d", l.name, l.value, **bound)
	default:
		value := l.value
		*bound = &value
	}
}

// value reads a written value by the type the site's schema gives it, and
// checks it against that schema.
func (b *toolBuilder) value(g *argument, v valued) (any, bool) {
	r := v.file.reader
	value, err := convert(v.node, g.Schema)
	if err != nil {
		b.fail(v.file, r.pos(v.node), "", "%v", err)
		return nil, false
	}
	check, err := compileSchema(g.Schema)
	if err != nil {
		return value, true // the site checks it
	}
	if err := check.Validate(value); err != nil {
		faults := explain(err, g.Schema)
		for i, f := range faults {
			faults[i] = strings.TrimPrefix(f, "the arguments ")
		}
		b.fail(v.file, r.pos(v.node), "", "this value is not one the site takes for %s: %s", g.Name, strings.Join(faults, "; "))
		return nil, false
	}
	return value, true
}

// convert reads a node as the type the schema has, so that no, 0755,
// 2026-01-01 and 1_000 mean what they look like.
func convert(n *yaml.Node, s *generate.Schema) (any, error) {
	n = follow(n)
	switch n.Kind {
	case yaml.SequenceNode:
		list := []any{}
		for _, item := range n.Content {
			of := s.Items
			if of == nil {
				of = &generate.Schema{}
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
			of := &generate.Schema{}
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

func scalar(n *yaml.Node, s *generate.Schema) (any, error) {
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
	return nil, fmt.Errorf("%q is not %s", text, types(s))
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
	if text == "" || text[0] < '0' || text[0] > '9' || !json.Valid([]byte(text)) {
		return ""
	}
	return sign + text
}

// types says what a schema takes, for messages.
func types(s *generate.Schema) string {
	if len(s.Types) == 0 {
		return "any value"
	}
	words := make([]string, len(s.Types))
	for i, t := range s.Types {
		words[i] = typeWord(t)
	}
	return strings.Join(words, " or ")
}

// typeWord is a type with its article.
func typeWord(t string) string {
	switch t {
	case "string":
		return "text"
	case "integer":
		return "a whole number"
	case "array":
		return "a list"
	case "object":
		return "an object"
	case "boolean":
		return "true or false"
	case "null":
		return "null"
	}
	return "a " + t
}
