package discover

import (
	"fmt"
	"strings"
)

// ParsePattern reads a route's PCRE into its canonical form and its named
// groups: `/wp/v2/posts/(?P<id>[\d]+)` is /wp/v2/posts/{id}. It reads only
// what WordPress itself asks of a route (register_rest_route): literal text
// and named groups. Anything else outside a group is an error, because the
// path it stands for is not known.
func ParsePattern(pattern string) (path string, params []PathParam, err error) {
	var b strings.Builder
	for at := 0; at < len(pattern); {
		c := pattern[at]
		switch {
		case strings.HasPrefix(pattern[at:], "(?"):
			end := groupEnd(pattern, at)
			if end < 0 {
				return "", nil, fmt.Errorf("the group at byte %d is not closed", at)
			}
			param, ok := namedGroup(pattern[at+2 : end])
			if !ok {
				return "", nil, fmt.Errorf("a group without a name at byte %d", at)
			}
			if len(params) == maxParams {
				return "", nil, fmt.Errorf("it has more than %d groups", maxParams)
			}
			for _, p := range params {
				if p.Name == param.Name {
					return "", nil, fmt.Errorf("two groups are named %q", p.Name)
				}
			}
			params = append(params, param)
			b.WriteString("{" + param.Name + "}")
			at = end + 1
		case c == '\\' && at+1 < len(pattern) && strings.IndexByte(`/.-_~`, pattern[at+1]) >= 0:
			b.WriteByte(pattern[at+1])
			at += 2
		case strings.IndexByte(`\()[]{}?*+|^$`, c) >= 0:
			return "", nil, fmt.Errorf("%q outside a named group at byte %d", c, at)
		default:
			b.WriteByte(c)
			at++
		}
	}
	return b.String(), params, nil
}

// groupEnd returns the index of the parenthesis that closes the one at start;
// escapes and character classes hold no parentheses. -1 when there is none.
func groupEnd(pattern string, start int) int {
	depth, class := 0, false
	for at := start; at < len(pattern); at++ {
		switch c := pattern[at]; {
		case c == '\\':
			at++
		case class:
			class = c != ']'
		case c == '[':
			class = true
			// A "]" that comes first is literal, also after "^".
			if strings.HasPrefix(pattern[at+1:], "^]") {
				at += 2
			} else if strings.HasPrefix(pattern[at+1:], "]") {
				at++
			}
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return at
			}
		}
	}
	return -1
}

// namedGroup reads P<name>…, <name>… and 'name'…, the three spellings of PCRE.
func namedGroup(inside string) (PathParam, bool) {
	inside = strings.TrimPrefix(inside, "P")
	if inside == "" {
		return PathParam{}, false
	}
	closer := map[byte]string{'<': ">", '\'': "'"}[inside[0]]
	if closer == "" {
		return PathParam{}, false
	}
	name, pattern, ok := strings.Cut(inside[1:], closer)
	if !ok || name == "" || strings.ContainsAny(name, "=!{}/") {
		return PathParam{}, false // (?<=…) and (?<!…) look behind
	}
	return PathParam{Name: name, Pattern: pattern}, true
}
