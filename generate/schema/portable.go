package schema

import (
	"regexp"
	"strings"
)

// Portable reports that a pattern means the same to PCRE, to RE2 and to
// ECMAScript's unicode mode, in which clients compile it, and that none of them
// takes long over it: of escapes only \d, \w, \s, \S, an escaped slash or dot,
// none of them in a class with a range behind it; of groups only (?: and plain
// ones; braces only as counts; no count of ^ or $; and no repeated group with a
// choice or a repetition in it, over which ECMAScript and PCRE can try every way
// there is.
func Portable(pattern string) bool {
	return len(pattern) <= maxPattern && portableText.MatchString(pattern) && (&patternReader{rest: pattern}).plain() && CompilePattern(pattern) != nil
}

var portableText = regexp.MustCompile(`^(?:[^\\{}]|\\[dwsS./]|\{\d+(?:,\d*)?\})*$`)

// patternReader reads a pattern of portable text from left to right.
type patternReader struct {
	rest  string
	open  []bool // the groups that are open, and whether each can match in many ways
	ways  bool   // whether what is open now can
	last  byte   // what a count would be of: 'a' an atom, 'g' a group, 0 nothing
	inner bool   // whether the last group can match in many ways
}

// plain reports a pattern without anything that is read in several ways.
func (r *patternReader) plain() bool {
	for r.rest != "" {
		c := r.rest[0]
		fine := true
		switch c {
		case '\\':
			r.atom(2)
		case '[':
			fine = r.class()
		case ']':
			return false
		case '(':
			fine = r.group()
		case ')':
			fine = r.close()
		case '|':
			r.ways, r.last, r.rest = true, 0, r.rest[1:]
		case '^', '$':
			r.last, r.rest = 0, r.rest[1:]
		case '*', '+', '?', '{':
			fine = r.count()
		default:
			r.atom(1)
		}
		if !fine {
			return false
		}
	}
	return len(r.open) == 0
}

func (r *patternReader) atom(length int) { r.last, r.rest = 'a', r.rest[length:] }

// class reads one in which every bracket is escaped nowhere and none stands for
// itself.
func (r *patternReader) class() bool {
	text := strings.TrimPrefix(r.rest[1:], "^")
	end := strings.IndexByte(text, ']')
	if end <= 0 || strings.Contains(text[:end], "[") {
		return false
	}
	if escape := strings.IndexByte(text[:end], '\\'); escape >= 0 && strings.Contains(text[escape:end], "-") {
		return false
	}
	r.atom(len(r.rest) - len(text) + end + 1)
	return true
}

func (r *patternReader) group() bool {
	r.open = append(r.open, r.ways)
	r.ways, r.last = false, 0
	r.rest = strings.TrimPrefix(r.rest[1:], "?:")
	return !strings.HasPrefix(r.rest, "?")
}

func (r *patternReader) close() bool {
	if len(r.open) == 0 {
		return false
	}
	outer := r.open[len(r.open)-1]
	r.open = r.open[:len(r.open)-1]
	r.inner, r.ways = r.ways, outer || r.ways
	r.last, r.rest = 'g', r.rest[1:]
	return true
}

// count reads how often what is before it may stand.
func (r *patternReader) count() bool {
	if r.last == 0 {
		return false
	}
	text := r.rest[:1]
	if text == "{" {
		text = r.rest[:strings.IndexByte(r.rest, '}')+1]
	}
	if r.last == 'g' && r.inner && text != "?" {
		return false
	}
	r.ways = r.ways || text[0] != '{' || strings.Contains(text, ",")
	r.last, r.rest = 0, strings.TrimPrefix(r.rest[len(text):], "?")
	return true
}
