package curate

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"toolpress/discover"
	"toolpress/generate"
)

// from finds the first of an entry's operations that the site has, and where it
// is named.
func (a *application) from(f *file, e *entry) (*generate.Operation, Pos) {
	for _, id := range e.from {
		o := a.surface.Operation(id.Value)
		if o == nil {
			continue
		}
		at, excluded := a.excluded[o.ID]
		if !excluded {
			return o, id.Pos
		}
		a.withhold(o.ID, e.name.Value, "excluded at "+at.String())
		if !f.preset {
			a.find(f, "excluded", SeverityError, id.Pos, "remove the entry, or the exclusion", "%q is excluded at %s", id.Value, at)
		}
		return nil, id.Pos
	}
	for _, id := range e.from {
		why, hint := missing(a.surface, id.Value)
		if gone := a.gone(id.Value); gone != "" {
			why, hint = gone, "is its plugin active? Otherwise take the entry out"
		}
		a.pass("", id.Value, e.name.Value, "%s: %s", id.Pos, why)
		if !f.preset && !e.optional {
			a.find(f, "never-matched", SeverityError, id.Pos, hint, "%s", why)
		}
	}
	return nil, Pos{}
}

// gone says that an operation was there; empty where the lock remembers none, and where
// the site says of no ability whether it is there.
func (a *application) gone(id string) string {
	unlisted := strings.HasPrefix(id, "ability:") && (a.surface.AbilitiesAPI == discover.AbilitiesAbsent || a.surface.AbilitiesAPI == discover.AbilitiesNotPermitted)
	if a.held == nil || a.surface.Refusal(id) != "" || unlisted {
		return ""
	}
	for _, canonical := range []string{id, "POST" + strings.TrimPrefix(strings.TrimPrefix(id, "PUT"), "PATCH")} {
		if o, known := a.held.operations[canonical]; known {
			return fmt.Sprintf("%q is gone: it was there on %s, when it was approved (%s)", id, o.last(), a.held.file)
		}
	}
	return ""
}

// missing says why an identity names nothing on this site, and what to do.
func missing(s *generate.Surface, id string) (why, hint string) {
	if reason := s.Refusal(id); reason != "" {
		return fmt.Sprintf("%q cannot be a tool: %s", id, reason), ""
	}
	if ability, is := strings.CutPrefix(id, "ability:"); is {
		return missingAbility(s, id, ability)
	}
	why = fmt.Sprintf("no operation matches %q", id)
	method, route, _ := strings.Cut(id, " ")
	if rest, is := strings.CutPrefix(route, "/wp-json/"); is {
		return why, fmt.Sprintf("leave /wp-json out: %q", method+" /"+rest)
	}
	n := nearestRoute(s, method, route)
	if parts := strings.Split(strings.Trim(route, "/"), "/"); len(parts) > 1 {
		namespace := strings.Join(parts[:2], "/")
		there := slices.ContainsFunc(s.Namespaces, func(n string) bool { return route == "/"+n || strings.HasPrefix(route, "/"+n+"/") })
		// Only the same path elsewhere is what a name in no namespace was meant to be.
		if tail := strings.TrimPrefix(shapeOf(route), "/"+namespace); !there && (tail == "" || !strings.HasSuffix(shapeOf(n), tail)) {
			return why + ": the namespace " + namespace + " is not there", "is its plugin active?"
		}
	}
	if n != "" {
		return why, fmt.Sprintf("did you mean %q?", n)
	}
	return why, ""
}

func missingAbility(s *generate.Surface, id, ability string) (why, hint string) {
	switch s.AbilitiesAPI {
	case discover.AbilitiesAbsent:
		return fmt.Sprintf("no ability %q: this WordPress has no Abilities API", ability), "it came with WordPress 6.9"
	case discover.AbilitiesNotPermitted:
		return fmt.Sprintf("no ability %q: this user may not list abilities", ability), "use a credential of a user who can read the site"
	}
	var ids []string
	for _, o := range s.Operations {
		if o.Ability != "" {
			ids = append(ids, o.ID)
		}
	}
	return fmt.Sprintf("no operation matches %q", id), didYouMean(id, ids)
}

// placeholders are the parts of a path that stand for a value, and what people
// write in their place.
var placeholders = regexp.MustCompile(`\{[^{}]*\}|:\w+|\b\d+\b`)

// shapeOf is a path with one spelling of all placeholders.
func shapeOf(path string) string { return placeholders.ReplaceAllString(path, "{}") }

// nearestRoute is the identity that a method and a path were most likely meant
// to be: the same path but for its placeholders, an item below it, or a name
// that is near. Empty when none is.
func nearestRoute(s *generate.Surface, method, route string) string {
	shape := shapeOf(route)
	var same, all []string
	below := ""
	for _, o := range s.Operations {
		if o.Route == "" {
			continue
		}
		all = append(all, o.ID)
		if o.Method != method && !slices.Contains(o.Spellings, method) {
			continue
		}
		id := method + " " + o.Route
		same = append(same, id)
		if shapeOf(o.Route) == shape {
			return id
		}
		if below == "" && strings.HasPrefix(o.Route, route+"/{") {
			below = id
		}
	}
	switch id := method + " " + route; {
	case below != "":
		return below
	case nearest(id, same) != "":
		return nearest(id, same)
	default:
		return nearest(id, all)
	}
}

// nearestSelection is a hint for a pattern that chooses nothing: the nearest
// name, or beginning of one, that the site has.
func (a *application) nearestSelection(s selector) string {
	var names []string
	for _, o := range a.surface.Operations {
		names = append(names, o.Category)
		for name := o.Ability + o.Route; strings.Trim(name, "/") != ""; name = name[:max(strings.LastIndexByte(name, '/'), 0)] {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return didYouMean(strings.TrimRight(s.String(), "/*"), slices.Compact(names))
}
