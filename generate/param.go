package generate

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"toolpress/discover"
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

var digits = regexp.MustCompile(`^\[?(?:\\d|0-9)\]?\+$`)

// pathSchema is the schema of a placeholder: what the site says of it, else an
// integer where the pattern is digits, else a string.
func pathSchema(c *schema.Compiler, p discover.PathParam, said any) (*schema.Schema, error) {
	s := &schema.Schema{}
	if said != nil {
		var err error
		c.About(said)
		if s, err = c.Compile(said, p.Name); err != nil {
			return nil, err
		}
		s.Default, s.HasDefault = nil, false
	}
	if !s.Is("string") && !s.Is("integer") {
		s.Types = []string{"string"}
		if digits.MatchString(p.Pattern) {
			s.Types = []string{"integer"}
		}
	}
	switch {
	case s.Is("integer") && digits.MatchString(p.Pattern) && s.Minimum == "":
		s.Minimum = "0"
	case s.Is("string") && s.Pattern == "" && s.Enum == nil:
		s.Pattern = shownPattern(p.Pattern)
	}
	return s, nil
}

// shownPattern is a placeholder's pattern as every client reads it; empty where
// there is none. Core matches routes without regard to case: a pattern that says
// one letter means two, and is not shown.
func shownPattern(pattern string) string {
	pattern = spelt.Replace(pattern)
	outside := class.ReplaceAllString(pattern, "")
	if strings.ContainsFunc(letterless.Replace(pattern), unicode.IsLetter) || strings.Contains(outside, "|") || !schema.Portable("^"+pattern+"$") {
		return ""
	}
	return "^" + pattern + "$"
}

var (
	// spelt writes what plugins use as every client reads it.
	spelt = strings.NewReplacer(`\w-]`, `a-zA-Z0-9_-]`, `\w\-]`, `a-zA-Z0-9_-]`, `\w%-]`, `a-zA-Z0-9_%-]`, `\d-]`, `0-9-]`, `_\-]`, `_-]`,
		`\/`, `/`, `\*`, `*`, `\?`, `?`, `\|`, `|`, "a-zA-Z", "a-zA-Z", "A-Za-z", "a-zA-Z", "a-z", "a-zA-Z")
	letterless = strings.NewReplacer("a-zA-Z", "", `\w`, "", `\d`, "")
	class      = regexp.MustCompile(`\[[^\]]*\]`)
)
