package change

import (
	"fmt"
	"slices"
	"strings"
)

// types compares the keyword type; without one all are admitted.
func (c *comparison) types(s side, path string, before, after map[string]any) {
	old, now := typesOf(before), typesOf(after)
	if slices.Equal(old, now) {
		return
	}
	kind := Breaking
	switch {
	case covers(now, old):
		kind = s.wider()
	case covers(old, now):
		kind = s.narrower()
	}
	c.add("type-changed", kind, path, "type", "it is %s instead of %s", strings.Join(now, " or "), strings.Join(old, " or "))
}

var everyType = []string{"array", "boolean", "integer", "null", "number", "object", "string"}

// typesOf are the types that a schema admits, sorted.
func typesOf(schema map[string]any) []string {
	var types []string
	switch said := schema["type"].(type) {
	case string:
		types = []string{said}
	case []any:
		for _, t := range said {
			types = append(types, fmt.Sprint(t))
		}
	default:
		return everyType
	}
	if slices.Contains(types, "number") {
		types = append(types, "integer") // is one
	}
	slices.Sort(types)
	return slices.Compact(types)
}

// covers reports that every one of some is among all.
func covers[T comparable](all, some []T) bool {
	return !slices.ContainsFunc(some, func(v T) bool { return !slices.Contains(all, v) })
}

// values compares enum and const.
func (c *comparison) values(s side, path string, before, after map[string]any) {
	old, wasClosed := valuesOf(before)
	now, isClosed := valuesOf(after)
	switch {
	case !wasClosed && !isClosed:
	case !wasClosed:
		c.add("values-fewer", s.narrower(), path, "enum", "it is one of %s now", strings.Join(now, ", "))
	case !isClosed:
		c.add("values-more", s.wider(), path, "enum", "it may be any value now")
	default:
		if gone := without(old, now); len(gone) > 0 {
			c.add("values-fewer", s.narrower(), path, "enum", "it may not be %s any more", strings.Join(gone, ", "))
		}
		if came := without(now, old); len(came) > 0 {
			c.add("values-more", s.wider(), path, "enum", "it may be %s too", strings.Join(came, ", "))
		}
	}
}

// valuesOf are the only values that a schema admits, as JSON; false where it
// names none.
func valuesOf(schema map[string]any) ([]string, bool) {
	if v, there := schema["const"]; there {
		return []string{show(v)}, true
	}
	list, there := schema["enum"].([]any)
	var values []string
	for _, v := range list {
		values = append(values, show(v))
	}
	return values, there
}

// without are those of all that are not among taken.
func without(all, taken []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(v string) bool { return slices.Contains(taken, v) })
}
