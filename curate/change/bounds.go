package change

import (
	"encoding/json"
	"maps"
	"math/big"
	"reflect"
	"slices"
)

// lower and upper are the keywords with a number: a value of an object, a text or
// a list must not be below, or above.
var (
	lower = []string{"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"}
	upper = []string{"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"}
	// forms are those whose value says what is right in a way that two of them
	// cannot be compared in.
	forms = []string{"pattern", "format", "multipleOf", "uniqueItems", "contentEncoding"}
)

// bounds compares the keywords that bound a value.
func (c *comparison) bounds(s side, path string, before, after map[string]any) {
	for _, word := range lower {
		c.bound(s, path, word, before[word], after[word], 1)
	}
	for _, word := range upper {
		c.bound(s, path, word, before[word], after[word], -1)
	}
	for _, word := range forms {
		old, now := before[word], after[word]
		switch {
		case reflect.DeepEqual(old, now):
		case now == nil || now == false:
			c.add("bound-looser", s.wider(), path, word, "%s is not %s any more", word, show(old))
		case old == nil || old == false:
			c.add("bound-tighter", s.narrower(), path, word, "%s is %s now", word, show(now))
		default:
			c.add("bound-tighter", Breaking, path, word, "%s is %s instead of %s", word, show(now), show(old))
		}
	}
}

// bound compares one number: a greater one is tighter where tightens is 1, a
// smaller one where it is -1.
func (c *comparison) bound(s side, path, word string, old, now any, tightens int) {
	was, is := number(old), number(now)
	switch {
	case was == nil && is == nil:
	case was == nil:
		c.add("bound-tighter", s.narrower(), path, word, "%s is %s now", word, show(now))
	case is == nil:
		c.add("bound-looser", s.wider(), path, word, "%s is not %s any more", word, show(old))
	case is.Cmp(was) == tightens:
		c.add("bound-tighter", s.narrower(), path, word, "%s is %s instead of %s", word, show(now), show(old))
	case is.Cmp(was) == -tightens:
		c.add("bound-looser", s.wider(), path, word, "%s is %s instead of %s", word, show(now), show(old))
	}
}

// maxDigits bounds a number that is read exactly: 1e999999999 is short to write.
const maxDigits = 40

// number reads one exactly; nil for none.
func number(v any) *big.Rat {
	n, isNumber := v.(json.Number)
	if !isNumber || len(n) > maxDigits {
		return nil
	}
	if f, err := n.Float64(); err != nil || f > 1e100 || f < -1e100 {
		return nil
	}
	r, _ := new(big.Rat).SetString(n.String())
	return r
}

// alternatives compares the branches of anyOf, oneOf or allOf. Those that are one
// to one are compared; else it counts which came and went, apart from their words.
func (c *comparison) alternatives(s side, path, word string, before, after any) {
	old, _ := before.([]any)
	now, _ := after.([]any)
	if len(old) == len(now) {
		for i := range old {
			was, _ := old[i].(map[string]any)
			is, _ := now[i].(map[string]any)
			c.schemas(s, path, was, is)
		}
		return
	}
	c.add("type-changed", counted(s, word, bare(old), bare(now)), path, word, "%s has %d forms instead of %d", word, len(now), len(old))
}

// counted is the kind of branches that came or went. No branches at all admit
// everything. Each of allOf is one more thing that must be, so that fewer admit
// more.
func counted(s side, word string, was, is []string) Kind {
	grew, shrank := covers(is, was), covers(was, is)
	if word != "allOf" && (len(was) == 0 || len(is) == 0) || word == "allOf" {
		grew, shrank = shrank, grew
	}
	switch {
	case grew:
		return s.wider()
	case shrank:
		return s.narrower()
	}
	return Breaking
}

// bare are schemas as JSON without their words.
func bare(list []any) []string {
	var all []string
	for _, item := range list {
		text, _ := json.Marshal(wordless(item)) // it came from JSON
		all = append(all, string(text))
	}
	return all
}

// wordless is a schema without what is only read, at any depth.
func wordless(v any) any {
	switch v := v.(type) {
	case map[string]any:
		plain := maps.Clone(v)
		maps.DeleteFunc(plain, func(word string, member any) bool {
			_, isText := member.(string)
			return isText && slices.Contains(words, word)
		})
		for name, member := range plain {
			plain[name] = wordless(member)
		}
		return plain
	case []any:
		plain := slices.Clone(v)
		for i := range plain {
			plain[i] = wordless(plain[i])
		}
		return plain
	}
	return v
}

// compared are the keywords that have rules of their own.
var compared = slices.Concat(words, lower, upper, forms, []string{
	"type", "enum", "const", "default", "properties", "required", "items", "additionalProperties", "anyOf", "oneOf", "allOf", "$schema",
})

// rest reports every other keyword that differs: what it means is not known, so
// it is on the careful side.
func (c *comparison) rest(path string, before, after map[string]any) {
	names := map[string]bool{}
	for _, schema := range []map[string]any{before, after} {
		for word := range schema {
			names[word] = true
		}
	}
	for _, word := range slices.Sorted(maps.Keys(names)) {
		if old, now := before[word], after[word]; !slices.Contains(compared, word) && !reflect.DeepEqual(old, now) {
			c.add("schema-changed", Breaking, path, word, "%s: %s instead of %s", word, show(now), show(old))
		}
	}
}
