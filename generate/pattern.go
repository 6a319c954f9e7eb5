package generate

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"sync"
)

// compilable compiles a pattern of the site; nil where RE2 cannot read the PCRE
// or where it would take too much. The site still checks it.
func compilable(pattern string) *regexp.Regexp {
	if parse(pattern) == nil {
		return nil
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil
	}
	return re
}

// parse reads a pattern of the site; nil where [compilable] compiles none.
func parse(pattern string) *syntax.Regexp {
	if len(pattern) > maxPattern {
		return nil
	}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil || instructions(tree) > maxInstructions {
		return nil
	}
	return tree
}

var looking = regexp.MustCompile(`\(\?<?[=!][^()]*\)`)

// withoutLooking drops what RE2 lacks and plugins write: (?!batch). The pattern
// then matches more.
func withoutLooking(pattern string) string { return looking.ReplaceAllString(pattern, "") }

// instructions estimates the size of a compiled pattern without compiling it.
func instructions(re *syntax.Regexp) int {
	n := 1 + len(re.Rune)/2
	for _, sub := range re.Sub {
		n += instructions(sub)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(re.Min, re.Max, 1)
	}
	return min(n, maxInstructions+1)
}

// param is one placeholder of a route: what its values must match, compiled
// when it is first asked for. A curation keeps few of a site's routes.
type param struct {
	written string
	re      func() *regexp.Regexp // nil where only the site can tell
}

func newParam(pattern string) *param {
	return &param{pattern, sync.OnceValue(func() *regexp.Regexp {
		return compilable("(?i)^(?:" + pattern + ")$") // core matches routes with the flag i
	})}
}

// spansSlash reports that the pattern accepts a slash.
func (p *param) spansSlash() bool {
	re := p.re()
	if re == nil {
		return false
	}
	return slices.ContainsFunc([]string{"a/b", "a//b", "1/2", "a/b/c"}, re.MatchString)
}
