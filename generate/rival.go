package generate

import (
	"strings"
)

// A path argument must not lead to another route: /settings/{group}/{id} with
// the id "batch" is the batch route, whatever a curation excluded. WordPress
// runs the first route that matches, in the order plugins registered them, so a
// value is refused when another route of the site has it, or a part of it,
// written out.

// template is a route's path in parts; a part in braces is a placeholder.
type template []string

func newTemplate(path string) template { return strings.Split(strings.Trim(path, "/"), "/") }

func isPlaceholder(part string) bool { return strings.Contains(part, "{") }

// fixed is how many parts come before the first placeholder.
func (t template) fixed() int {
	for i, part := range t {
		if isPlaceholder(part) {
			return i
		}
	}
	return len(t)
}

// neighbours are a site's templates by what they have written out at the
// beginning, of any length: a lookup, where comparing each with each takes
// seconds for 10,000 routes. WordPress matches routes without regard to case.
type neighbours map[string][]template

func (n neighbours) add(method string, t template) {
	for parts := 0; parts <= min(t.fixed(), len(t)-1); parts++ {
		k := n.key(method, t[:parts])
		n[k] = append(n[k], t)
	}
}

// of are the templates that a value in t could lead to: they agree with t until
// its first placeholder. t is one of them. The slice is shared.
func (n neighbours) of(method string, t template) []template {
	return n[n.key(method, t[:t.fixed()])]
}

func (neighbours) key(method string, parts template) string {
	return method + " " + strings.ToLower(strings.ToUpper(strings.Join(parts, "/")))
}

// reaches reports that a path matches the template with one of the parts that
// came from a value standing where the template has something written out. A
// placeholder takes one part or more: whether it spans slashes is not asked.
func (t template) reaches(path []string, fromValue []bool) bool {
	return t.match(path, fromValue, false)
}

func (t template) match(path []string, fromValue []bool, met bool) bool {
	if len(t) == 0 || len(path) == 0 {
		return len(t) == 0 && len(path) == 0 && met
	}
	if !isPlaceholder(t[0]) {
		return strings.EqualFold(t[0], path[0]) && t[1:].match(path[1:], fromValue[1:], met || fromValue[0])
	}
	for n := 1; n <= len(path)-len(t)+1; n++ {
		if t[1:].match(path[n:], fromValue[n:], met) {
			return true
		}
	}
	return false
}
