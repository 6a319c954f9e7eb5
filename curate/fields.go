package curate

import (
	"regexp"
	"slices"
	"strings"
)

// Fields are patterns of places in an answer: names joined by dots, where * is
// one name and ** any number of them, none included, so that billing.** is
// billing too. Lists are gone through. Each pattern is its parts.
type Fields [][]string

// fieldPattern is how a pattern is written.
var fieldPattern = regexp.MustCompile(`^(\*{1,2}|[^\s.*\[\]]+)(\.(\*{1,2}|[^\s.*\[\]]+))*$`)

// anyDepth is the part of a pattern that is any number of names.
const anyDepth = "**"

// fieldsOf takes patterns apart.
func fieldsOf(patterns []string) Fields {
	var f Fields
	for _, p := range patterns {
		f = f.and(strings.Split(p, "."))
	}
	return f
}

// and adds a pattern that is not there yet.
func (f Fields) and(pattern []string) Fields {
	if slices.ContainsFunc(f, func(other []string) bool { return slices.Equal(other, pattern) }) {
		return f
	}
	return append(f, pattern)
}

// Below are the patterns within the member of that name.
func (f Fields) Below(name string) Fields {
	var below Fields
	for _, p := range f {
		for len(p) > 0 && p[0] == anyDepth {
			below = below.and(p)
			p = p[1:]
		}
		if len(p) > 0 && (p[0] == "*" || p[0] == name) {
			below = below.and(p[1:])
		}
	}
	return below
}

// Whole reports that the patterns choose the value they are the patterns of.
func (f Fields) Whole() bool {
	return slices.ContainsFunc(f, func(p []string) bool {
		return !slices.ContainsFunc(p, func(part string) bool { return part != anyDepth })
	})
}

// covers reports that the patterns choose the value at a path, or one that it is
// in.
func (f Fields) covers(path string) bool {
	for name := range strings.SplitSeq(path, ".") {
		if f = f.Below(name); f.Whole() {
			return true
		}
	}
	return false
}
