package generate

import (
	"maps"
	"net/url"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"toolpress/discover"
	"toolpress/generate/schema"
)

// A path argument must not lead to another route: /settings/{group}/{id} with
// the id "batch" is the batch route, whatever a curation excluded. WordPress
// runs the first route that has the method and whose pattern matches the path
// (WP_REST_Server::match_request_to_handler), in the order plugins registered
// them, which a site does not tell. So a call is refused when another route
// takes its path, with two exceptions that keep every operation callable:
//
//   - The other takes all ordinary paths of the operation too, as {slug} does
//     those of {id}. The operation's route comes first, or it would never run.
//   - Both are open, and each takes ordinary paths that the other does not.
//
// What is left has the value written out (purge, export-{fmt}, {kind}/purge), or
// takes less than the operation's route ({id} of digits beside {slug}): it comes
// first, or it would never run. And a value that only an escape can carry may
// be none of the operation's own to the site: then every other route is too many.

// siteRoute is a route of the site as one that calls could reach.
type siteRoute struct {
	path, pattern string
	params        []discover.PathParam
	unreadable    bool // path is the pattern
	// literals are what stands in every path of the route, in this order: the
	// first begins it, the last ends it; one alone is all of it. Without case.
	literals []string
}

// gap is what a canonical path leaves open; a dot is any character in a pattern.
var gap = regexp.MustCompile(`(?:` + placeholder.String() + `|\.)+`)

func newSiteRoute(r *discover.Route) *siteRoute {
	s := &siteRoute{path: r.Path, pattern: r.Pattern, params: r.Params, unreadable: r.Unreadable != ""}
	if s.unreadable {
		s.literals = []string{fold(beginning(r.Pattern)), ""}
	} else {
		s.literals = gap.Split(fold(r.Path), -1)
	}
	return s
}

// fold makes what differs only in case equal: WordPress matches routes so.
func fold(path string) string { return strings.ToLower(strings.ToUpper(path)) }

// near reports, without compiling anything, that the route could take a path.
func (r *siteRoute) near(folded string) bool {
	last := len(r.literals) - 1
	rest, found := strings.CutPrefix(folded, r.literals[0])
	if last == 0 {
		return found && rest == ""
	}
	for i := 1; found && i < last; i++ {
		_, rest, found = strings.Cut(rest, r.literals[i])
	}
	return found && strings.HasSuffix(rest, r.literals[last])
}

// compile returns what tells the paths of the route. Where RE2 cannot read the
// pattern that is more than the site's own: without what looks around, or
// whatever is near. It is not kept: few of a site's routes are ever near a call.
func (r *siteRoute) compile() (takes func(path string) bool, exact bool) {
	if re := schema.CompilePattern("(?i)^" + r.pattern + "$"); re != nil {
		return re.MatchString, true
	}
	if re := schema.CompilePattern("(?i)^" + withoutLooking(r.pattern) + "$"); re != nil {
		return re.MatchString, false
	}
	return func(path string) bool { return r.near(fold(path)) }, false
}

// fill returns the segments of the route's path with these values.
func (r *siteRoute) fill(values map[string]string) []string {
	filled := placeholder.ReplaceAllStringFunc(r.path, func(name string) string { return values[name[1:len(name)-1]] })
	return slices.DeleteFunc(strings.Split(filled, "/"), func(s string) bool { return s == "" })
}

// neighbours are a site's routes by method and by how their paths begin: a
// lookup, where asking each route takes seconds for 10,000.
type neighbours struct {
	routes  map[beginsWith][]*siteRoute
	longest int // bytes of the longest beginning
}

type beginsWith struct{ method, literal string }

func (n *neighbours) add(method string, r *siteRoute) {
	k := beginsWith{method, r.literals[0]}
	n.routes[k] = append(n.routes[k], r)
	n.longest = max(n.longest, len(k.literal))
}

// of are the routes that could take a path, the call's own among them.
func (n *neighbours) of(method, path string) []*siteRoute {
	var near []*siteRoute
	folded := fold(path)
	for i := range min(len(folded), n.longest) + 1 {
		for _, r := range n.routes[beginsWith{method, folded[:i]}] {
			if r.near(folded) {
				near = append(near, r)
			}
		}
	}
	return near
}

// segments fills the route's path, and refuses a value that leads elsewhere.
func (p plan) segments(o *Operation, values map[string]string) ([]string, error) {
	segments := p.own.fill(values)
	if p.among == nil {
		return segments, nil
	}
	path := ""
	for _, as := range seenAs {
		before := path
		if path = spell(segments, as); path == before {
			break
		}
		near := p.among.of(o.Method, path)
		if len(near) > maxRivals {
			return nil, wrong(p.misleading(o, near[0], values, as), "could lead to too many routes of the site to tell which")
		}
		for _, other := range near {
			if other.pattern == p.own.pattern || !p.own.yields(other, values, as) {
				continue
			}
			name := other.path
			if name == p.own.path {
				name = other.pattern
			}
			if !readablePath.MatchString(name) {
				name = schema.CleanText(name, schema.MaxText)
			}
			return nil, wrong(p.misleading(o, other, values, as), "leads to another route of the site, "+name)
		}
	}
	return segments, nil
}

// misleading is the argument whose value leads to the other route: with an
// ordinary one in its place the call does not. The last where none is.
func (p plan) misleading(o *Operation, other *siteRoute, values map[string]string, as func(string) string) Arg {
	var last Arg
	for _, a := range o.Args {
		if a.In != InPath {
			continue
		}
		last = a
		for _, v := range valuesOf(p.params[a.Wire].written) {
			changed := maps.Clone(values)
			if changed[a.Wire] = v; !p.own.yields(other, changed, as) {
				return a
			}
		}
	}
	return last
}

var placeholder = regexp.MustCompile(`\{[^{}]+\}`)

// seenAs are how a site may see a segment: decoded in the query of plain
// permalinks, as it was sent below /wp-json/ (WP::parse_request).
var seenAs = []func(string) string{func(s string) string { return s }, url.PathEscape}

func spell(segments []string, as func(string) string) string {
	var path strings.Builder
	for _, s := range segments {
		path.WriteString("/" + as(s))
	}
	return path.String()
}

// yields reports that a call of the route, with these values and so spelled,
// could reach the other one although that is not how the site means it.
func (r *siteRoute) yields(other *siteRoute, values map[string]string, as func(string) string) bool {
	path := spell(r.fill(values), as)
	theirs, _ := other.compile()
	if !theirs(path) {
		return false
	}
	mine, exact := r.compile()
	switch {
	case !mine(path):
		return true
	case matchAll(theirs, r.ordinaryPaths(nil)):
		return false
	case !slices.ContainsFunc(r.ordinaryPaths(values), theirs):
		return true
	}
	return exact && matchAll(mine, other.ordinaryPaths(nil))
}

func matchAll(takes func(string) bool, paths []string) bool {
	return !slices.ContainsFunc(paths, func(path string) bool { return !takes(path) })
}

// beginning is what every path of an unreadable pattern begins with, as far as
// that is written out. Where RE2 cannot read it either, only up to a slash.
func beginning(pattern string) string {
	tree := schema.ParsePattern("^" + withoutLooking(pattern) + "$")
	switch {
	case tree == nil:
		plain := pattern[:strings.IndexAny(pattern+"$", `\()[]{}?*+|^$.`)]
		return plain[:strings.LastIndexByte(plain, '/')+1]
	case tree.Op == syntax.OpConcat && tree.Sub[0].Op == syntax.OpBeginText && tree.Sub[1].Op == syntax.OpLiteral:
		return string(tree.Sub[1].Rune)
	}
	return "" // as /a|/b does: core's ^ and $ belong to one alternative each
}
