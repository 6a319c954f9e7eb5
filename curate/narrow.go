package curate

import (
	"encoding/json"
	"math/big"
	"slices"

	"gopkg.in/yaml.v3"

	"toolpress/generate/schema"
)

// narrow tightens an argument's schema by what the layers say. Widening is an
// error that names both values (curation.md, principle 7), and so is a schema
// that takes nothing any more.
func (b *toolBuilder) narrow(g *argument) {
	target := g.Schema
	if target.Is("array") && target.Items != nil {
		target = target.Items
	}
	g.cut(target)
	if g.enum != nil {
		b.narrowEnum(g, target)
	}
	b.narrowBound(target, g.minimum, &target.Minimum, "minimum", -1)
	b.narrowBound(target, g.maximum, &target.Maximum, "maximum", 1)
	if low, high, ok := rationals(target.Minimum, target.Maximum); ok && low.Cmp(high) > 0 {
		v := g.maximum
		if v == nil {
			v = g.minimum
		}
		b.fail(v.file, v.file.reader.pos(v.node), "", "no number is left: the minimum is %s, the maximum %s", target.Minimum, target.Maximum)
	}
	for _, l := range g.lengths {
		switch l.name {
		case "min_length":
			b.narrowCount(l, &target.MinLength, -1, target.Allows("string"))
		case "max_length":
			b.narrowCount(l, &target.MaxLength, 1, target.Allows("string"))
		case "max_items":
			b.narrowCount(l, &g.Schema.MaxItems, 1, g.Schema.Allows("array"))
		}
		if target.MinLength != nil && target.MaxLength != nil && *target.MinLength > *target.MaxLength {
			b.fail(l.file, l.pos, "", "no text is left: the shortest has %d characters, the longest %d", *target.MinLength, *target.MaxLength)
		}
	}
	b.narrowPattern(g, target)
	if f, at := g.limited(); f != nil && !b.failed && len(target.Enum) > 0 && !slices.ContainsFunc(target.Enum, target.Takes) {
		b.fail(f, at, "", "no value is left: this takes none of %s", some(values(target.Enum)))
	}
}

// limited is where a layer says which values an argument may have; no file where
// none does.
func (g *argument) limited() (f *file, at Pos) {
	limits := []*valued{g.minimum, g.maximum}
	if len(g.enum) > 0 {
		limits = append(limits, &g.enum[0])
	}
	for _, v := range limits {
		if v != nil {
			f, at = v.file, v.file.reader.pos(v.node)
		}
	}
	if g.pattern != nil {
		f, at = g.patternFile, g.pattern.Pos
	}
	for _, l := range g.lengths {
		f, at = l.file, l.pos
	}
	return f, at
}

// cut leaves of a union the types that a limit speaks of: JSON Schema binds a
// maximum to numbers alone, and the text "5000" would pass beside it.
func (g *argument) cut(target *schema.Schema) {
	if g.minimum != nil || g.maximum != nil {
		keep(target, "number", "integer")
	}
	if g.pattern != nil {
		keep(target, "string")
	}
	for _, l := range g.lengths {
		if l.name == "max_items" {
			keep(g.Schema, "array")
		} else {
			keep(target, "string")
		}
	}
	if g.enum != nil && !slices.ContainsFunc(g.enum, func(v valued) bool { return follow(v.node).Kind != yaml.ScalarNode }) {
		keep(target, "string", "number", "integer", "boolean")
	}
}

// keep leaves of a schema the values of some types, and null; one that has no
// others, or none of these, stays.
func keep(s *schema.Schema, types ...string) {
	all := s.ValueTypes()
	if len(all) == 0 && len(types) > 1 {
		return // any scalar: what is listed says which
	}
	if len(all) == 0 {
		s.Types = types
		return
	}
	other := func(t string) bool { return t != "null" && !slices.Contains(types, t) }
	if slices.ContainsFunc(all, other) && slices.ContainsFunc(all, func(t string) bool { return slices.Contains(types, t) }) {
		if part := s.Only(append(types, "null")); part != nil {
			*s = *part
		}
	}
}

func (b *toolBuilder) narrowPattern(g *argument, target *schema.Schema) {
	switch p := g.pattern; {
	case p == nil:
	case !target.Allows("string"):
		b.fail(g.patternFile, p.Pos, "", "pattern is for text, and this argument is %s", types(target))
	case target.Pattern != "" && target.Pattern != p.Value:
		b.fail(g.patternFile, p.Pos, "", "the site has its own pattern for this argument, %s, which another would widen", target.Pattern)
	default:
		target.Pattern = p.Value
	}
}

func (b *toolBuilder) narrowEnum(g *argument, target *schema.Schema) {
	var values []any
	for _, v := range g.enum {
		if value, ok := b.value(g, target, v); ok {
			values = append(values, value)
		}
	}
	if !b.failed {
		target.Enum = values
	}
}

// narrowBound takes a minimum (side -1) or maximum (side 1).
func (b *toolBuilder) narrowBound(target *schema.Schema, v *valued, bound *json.Number, what string, side int) {
	if v == nil {
		return
	}
	f := v.file
	at := f.reader.pos(v.node)
	if !target.Allows("number") && !target.Allows("integer") {
		b.fail(f, at, "", "%s is for numbers, and this argument is %s", what, types(target))
		return
	}
	text := plainNumber(v.node.Value)
	if text == "" || v.node.Kind != yaml.ScalarNode {
		b.fail(f, at, "", "%s must be a number, not %s", what, kind(v.node))
		return
	}
	if excess := schema.Excess(json.Number(text)); excess != "" { // and cannot be compared
		b.fail(f, at, "", "%s is %s", what, excess)
		return
	}
	if value, site, ok := rationals(json.Number(text), *bound); ok && value.Cmp(site)*side > 0 {
		b.fail(f, at, "", "%s %s is wider than the site's own, %s", what, text, *bound)
		return
	}
	*bound = json.Number(text)
}

// rationals reads two numbers exactly; false when one is not there.
func rationals(a, b json.Number) (x, y *big.Rat, ok bool) {
	x, first := new(big.Rat).SetString(a.String())
	y, second := new(big.Rat).SetString(b.String())
	return x, y, first && second
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

// nearestTaken is the value a schema takes that is nearest to one it does not:
// the only one of an enum, or a number moved to its bound.
func nearestTaken(s *schema.Schema, v any) (any, bool) {
	target := s
	if s.Is("array") && s.Items != nil {
		target = s.Items
	}
	var near any
	number, isNumber := v.(json.Number)
	switch {
	case len(target.Enum) == 1:
		near = target.Enum[0]
	case isNumber:
		near = number
		if x, low, ok := rationals(number, target.Minimum); ok && x.Cmp(low) < 0 {
			near = target.Minimum
		}
		if x, high, ok := rationals(number, target.Maximum); ok && x.Cmp(high) > 0 {
			near = target.Maximum
		}
	default:
		return nil, false
	}
	if target != s {
		near = []any{near}
	}
	return near, s.Takes(near)
}
