package schema

import (
	"encoding/json"
	"math"
	"strconv"
)

// bounds reads the keywords that limit a value.
func (c *Compiler) bounds(s *Schema, node map[string]any, path string) {
	s.Minimum, s.Maximum = c.number(node, "minimum", path), c.number(node, "maximum", path)
	s.MultipleOf = c.multiple(node, path)
	s.ExclusiveMinimum = c.exclusive(s, node, "exclusiveMinimum", &s.Minimum, 1, path)
	s.ExclusiveMaximum = c.exclusive(s, node, "exclusiveMaximum", &s.Maximum, -1, path)
	s.MinLength, s.MaxLength = c.count(node, "minLength", path), c.count(node, "maxLength", path)
	s.MinItems, s.MaxItems = c.count(node, "minItems", path), c.count(node, "maxItems", path)
	s.MinProperties, s.MaxProperties = c.count(node, "minProperties", path), c.count(node, "maxProperties", path)
	s.UniqueItems, _ = node["uniqueItems"].(bool)
	if p := str(node["pattern"]); p != "" {
		if Portable(p) {
			s.Pattern = p
		} else {
			c.Record(path, "pattern-dropped", p, Nothing)
		}
	}
}

// exclusive reads both spellings of an exclusive bound. Draft-04's boolean
// turns the bound beside it exclusive; on integers both become the inclusive
// bound one further, which every client takes.
func (c *Compiler) exclusive(s *Schema, node map[string]any, keyword string, bound *json.Number, step int64, path string) json.Number {
	var limit json.Number
	moved := false
	switch v := node[keyword].(type) {
	case nil:
		return ""
	case bool:
		if !v || *bound == "" {
			return ""
		}
		limit, *bound, moved = *bound, "", true
	default:
		limit = c.number(node, keyword, path)
	}
	if n, err := limit.Int64(); err == nil && s.Is("integer") && n > math.MinInt64 && n < math.MaxInt64 {
		if inclusive := json.Number(strconv.FormatInt(n+step, 10)); *bound == "" || tighter(inclusive, *bound, step) {
			*bound = inclusive
		}
		limit, moved = "", true
	}
	if moved {
		c.Record(path, "exclusive-bound", map[string]any{keyword: node[keyword]}, *bound)
	}
	return limit
}

// tighter reports whether a bound allows less than another; step is 1 for a
// minimum, -1 for a maximum.
func tighter(a, b json.Number, step int64) bool {
	x, _ := a.Float64()
	y, _ := b.Float64()
	return (x-y)*float64(step) > 0
}

// multiple reads multipleOf, and draft-03's name of it.
func (c *Compiler) multiple(node map[string]any, path string) json.Number {
	n := c.number(node, "multipleOf", path)
	if n == "" {
		if n = c.number(node, "divisibleBy", path); n != "" {
			c.Record(path, "keyword-renamed", "divisibleBy", "multipleOf")
		}
	}
	if n != "" && !positive(n) {
		c.Record(path, "keyword-dropped", map[string]any{"multipleOf": n}, Nothing)
		return ""
	}
	return n
}

func (c *Compiler) number(node map[string]any, keyword, path string) json.Number {
	switch v := node[keyword].(type) {
	case nil:
	case json.Number:
		if finite(v) {
			return v
		}
		c.Record(path, "keyword-dropped", map[string]any{keyword: node[keyword]}, Nothing)
	case string:
		if finite(json.Number(v)) && json.Valid([]byte(v)) {
			c.Record(path, "number-from-text", v, json.Number(v))
			return json.Number(v)
		}
		c.Record(path, "keyword-dropped", map[string]any{keyword: node[keyword]}, Nothing)
	default:
		c.Record(path, "keyword-dropped", map[string]any{keyword: node[keyword]}, Nothing)
	}
	return ""
}

// finite reports a number that a client can hold.
func finite(n json.Number) bool {
	return len(n) < 100 && !unholdable(n.String())
}

func positive(n json.Number) bool {
	f, _ := n.Float64()
	return f > 0
}

func (c *Compiler) count(node map[string]any, keyword, path string) *int {
	n := c.number(node, keyword, path)
	if n == "" {
		return nil
	}
	i, err := strconv.Atoi(n.String())
	if err != nil || i < 0 {
		c.Record(path, "keyword-dropped", map[string]any{keyword: node[keyword]}, Nothing)
		return nil
	}
	return &i
}
