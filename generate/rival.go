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

// rivals are the templates of other routes that a value could lead to: they
// agree with t until its first placeholder and have something written out
// after it.
func (t template) rivals(all []template) []template {
	fixed := 0
	for fixed < len(t) && !isPlaceholder(t[fixed]) {
		fixed++
	}
	var found []template
	for _, other := range all {
		if len(other) <= fixed || other.same(t) {
			continue
		}
		agrees, written := true, false
		for i, part := range other {
			switch {
			case i < fixed:
				agrees = agrees && !isPlaceholder(part) && strings.EqualFold(part, t[i])
			case !isPlaceholder(part):
				written = true
			}
		}
		if agrees && written {
			found = append(found, other)
		}
	}
	return found
}

func (t template) same(other template) bool { return strings.Join(t, "/") == strings.Join(other, "/") }

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
