package schema

import (
	"regexp"
	"regexp/syntax"
)

// CompilePattern compiles a pattern of the site; nil where RE2 cannot read the
// PCRE or where it would take too much. The site still checks it.
func CompilePattern(pattern string) *regexp.Regexp {
	if ParsePattern(pattern) == nil {
		return nil
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil
	}
	return re
}

// ParsePattern reads a pattern of the site; nil where [CompilePattern] compiles
// none.
func ParsePattern(pattern string) *syntax.Regexp {
	if len(pattern) > maxPattern {
		return nil
	}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil || instructions(tree) > maxInstructions {
		return nil
	}
	return tree
}

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
