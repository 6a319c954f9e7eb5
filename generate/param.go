package generate

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"toolpress/generate/schema"
)

// param is one placeholder of a route: what its values must match, compiled
// when it is first asked for. A curation keeps few of a site's routes.
type param struct {
	written string
	re      func() *regexp.Regexp // nil where only the site can tell
}

func newParam(pattern string) *param {
	return &param{pattern, sync.OnceValue(func() *regexp.Regexp {
		return schema.CompilePattern("(?i)^(?:" + pattern + ")$") // core matches routes with the flag i
	})}
}

// spansSlash reports that the pattern accepts a slash, as far as RE2 can tell.
func (p *param) spansSlash() bool {
	re := p.re()
	if re == nil {
		return false
	}
	texts := append(words(p.written, "q9"), "a/b", "a//b", "1/2", "a/b/c")
	return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, "/") && re.MatchString(text) })
}

var looking = regexp.MustCompile(`\(\?<?[=!][^()]*\)`)

// withoutLooking drops what RE2 lacks and plugins write: (?!batch). The pattern
// then matches more.
func withoutLooking(pattern string) string { return looking.ReplaceAllString(pattern, "") }
