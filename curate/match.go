package curate

import (
	"errors"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"toolpress/generate"
)

// doublestar reads { } [ ] and \ as syntax; here they are literal, because a
// route is full of {id}.
var literal = strings.NewReplacer(`\`, `\\`, `{`, `\{`, `}`, `\}`, `[`, `\[`, `]`, `\]`)

func checkGlob(pattern string) error {
	switch {
	case pattern == "":
		return errors.New("the pattern is empty")
	case !doublestar.ValidatePattern(literal.Replace(pattern)):
		return errors.New("the pattern cannot be read")
	}
	for part := range strings.SplitSeq(pattern, "/") {
		if strings.Contains(part, "**") && part != "**" {
			return errors.New("** stands alone between slashes")
		}
	}
	return nil
}

// Glob reports whether a value matches a pattern of this language: * stands within
// slashes, ** across them. The error says why a pattern cannot be read.
func Glob(pattern, value string) (bool, error) {
	if err := checkGlob(pattern); err != nil {
		return false, err
	}
	return glob([]Text{{Value: pattern}}, value), nil
}

func glob(patterns []Text, value string) bool {
	return slices.ContainsFunc(patterns, func(p Text) bool {
		matched, _ := doublestar.Match(literal.Replace(p.Value), value)
		return matched
	})
}

// empty reports a selector without keys.
func (s selector) empty() bool {
	return s.ability == nil && s.category == nil && s.namespace == nil && s.vendor == nil && s.route == nil && s.method == nil
}

// matches reports whether every key of the selector chooses the operation.
func (s selector) matches(o *generate.Operation) bool {
	switch {
	case s.ability != nil && (o.Ability == "" || !glob(s.ability, o.Ability)):
		return false
	case s.category != nil && (o.Category == "" || !glob(s.category, o.Category)):
		return false
	case s.namespace != nil && (o.Ability != "" || !glob(s.namespace, o.Namespace)):
		return false
	case s.route != nil && (o.Ability != "" || !glob(s.route, o.Route)):
		return false
	case s.vendor != nil && !slices.ContainsFunc(s.vendor, func(v Text) bool { return ofVendor(o, v.Value) }):
		return false
	case s.method != nil && !slices.ContainsFunc(s.method, func(m Text) bool { return m.Value == o.Method || slices.Contains(o.Spellings, m.Value) }):
		return false
	}
	return !s.empty()
}

// namesRoute reports that the selector says the operation's route itself, not a
// pattern that many routes match.
func (s selector) namesRoute(o *generate.Operation) bool {
	return slices.ContainsFunc(s.route, func(p Text) bool { return p.Value == o.Route })
}

func ofVendor(o *generate.Operation, vendor string) bool {
	return o.Namespace == vendor || strings.HasPrefix(o.Namespace, vendor+"/") || strings.HasPrefix(o.Ability, vendor+"/")
}

// String is the selector's first pattern, for messages.
func (s selector) String() string {
	for _, list := range [][]Text{s.ability, s.category, s.namespace, s.vendor, s.route, s.method} {
		if len(list) > 0 {
			return list[0].Value
		}
	}
	return ""
}
