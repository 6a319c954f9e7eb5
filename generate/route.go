package generate

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"toolpress/discover"
	"toolpress/discover/wp"
	"toolpress/generate/schema"
)

// methodGroups are the methods that mean one thing on one endpoint. WordPress
// gives POST, PUT and PATCH one callback (WP_REST_Server::EDITABLE).
var methodGroups = [][]string{{"GET"}, {"POST", "PUT", "PATCH"}, {"DELETE"}}

// addRoute makes the operations of a route. WordPress runs the first endpoint
// that lists a method (WP_REST_Server::match_request_to_handler), so a method
// belongs to the first that has it.
func (s *Surface) addRoute(r *discover.Route) {
	taken, object := map[string]bool{}, objectOf(r)
	for i, e := range r.Endpoints {
		reachable := false
		for _, group := range methodGroups {
			var owned []string
			for _, m := range group {
				if slices.Contains(e.Methods, m) && !taken[m] {
					owned = append(owned, m)
				}
			}
			if len(owned) == 0 {
				continue
			}
			reachable = true
			for _, m := range owned {
				taken[m] = true
			}
			s.addEndpoint(r, &r.Endpoints[i], object, owned)
		}
		switch {
		case reachable:
		case !slices.ContainsFunc(e.Methods, func(m string) bool { return taken[m] }):
			s.withhold(fmt.Sprintf("%s %s", strings.Join(e.Methods, ","), r.Path), "none of its methods can be a tool")
		default:
			s.withhold(fmt.Sprintf("%s %s (endpoint %d)", strings.Join(e.Methods, ","), r.Path, i+1), "it is unreachable: earlier endpoints of the route take its methods")
		}
	}
}

func (s *Surface) addEndpoint(r *discover.Route, e *discover.Endpoint, object Object, owned []string) {
	method := owned[0]
	id := method + " " + r.Path
	if reason := carrier(r); reason != "" {
		s.withhold(id, reason)
		return
	}
	switch {
	case !readablePath.MatchString(r.Path) || !readablePath.MatchString("/"+r.Namespace):
		s.withhold(id, "its route's path holds characters or a length that no client and no proxy takes")
		return
	case r.Unreadable != "":
		s.withhold(id, "the path of its route is not known: "+r.Unreadable)
		return
	case s.taken[id]:
		s.withhold(id+" ("+r.Pattern+")", "another route of the site has the same path, and nothing tells the two apart")
		return
	}
	s.taken[id] = true
	_, pages := e.Args["per_page"]
	edits := len(owned) > 1
	o := &Operation{
		ID: id, Method: method, Namespace: r.Namespace, Route: r.Path, Spellings: owned,
		Name:        routeName(id, r.Namespace, r.Path, method, pages, edits),
		Plumbing:    plumbing(r.Namespace, r.Path),
		Annotations: routeAnnotations(method, !edits && collects(r)),
		Object:      object,
		plan:        plan{own: newSiteRoute(r), params: map[string]*param{}},
	}
	for _, p := range r.Params {
		o.plan.params[p.Name] = newParam(p.Pattern)
	}
	if described, is := r.Schema.(map[string]any); is {
		o.answer, _ = described["properties"].(map[string]any)
	}
	o.Title = Title(o.Name)
	o.Description = fmt.Sprintf("%s (%s).", o.Title, id)
	var c schema.Compiler
	args, err := routeArgs(&c, r, e, method)
	if err != nil {
		s.withhold(id, err.Error())
		return
	}
	describe(args, method)
	o.Args, o.Repairs = args, c.Repairs
	s.Operations = append(s.Operations, o)
}

// readablePath is a path that can be shown, logged and sent.
var readablePath = regexp.MustCompile(`^/[\x21-\x7e]{0,500}$`)

// carrier says why a route is never an operation: it carries other calls past
// every filter. Empty when it does not.
func carrier(r *discover.Route) string {
	path := strings.ToLower(r.Path) + "/" // core matches routes without regard to case
	switch {
	case strings.HasPrefix(path, "/batch/") || strings.HasSuffix(path, "/batch/"):
		return "it carries other calls past every filter (a batch route)"
	case strings.HasPrefix(path, "/wp-abilities/") && strings.HasSuffix(path, "/run/"):
		return "it runs any ability past every filter: name the ability itself"
	case strings.Contains(path, "/mcp/") || strings.Contains(path, "/wpmcp/"):
		return "it is an MCP endpoint itself and carries other calls"
	}
	return ""
}

// Globals are parameters that every WordPress route takes and that change what
// a call is or what its answer looks like: no model may set them.
var Globals = []string{"_embed", "_envelope", "_fields", "_jsonp", "_locale", "_method", "_pretty", "_wpnonce", "rest_route"}

// isGlobal reads a name as PHP does: it ends at a bracket, and what would make
// no variable's name is an underscore, so .method is _method.
func isGlobal(wire string) bool {
	name, _, _ := strings.Cut(strings.TrimLeft(wire, " "), "[")
	return slices.Contains(Globals, strings.NewReplacer(".", "_", " ", "_").Replace(name))
}

func routeArgs(c *schema.Compiler, r *discover.Route, e *discover.Endpoint, method string) ([]Arg, error) {
	upload := isUpload(method + " " + r.Path)
	place := InQuery
	if method != "GET" && method != "DELETE" && !upload {
		place = InBody
	}
	var args []Arg
	inPath := map[string]bool{}
	for _, p := range r.Params {
		inPath[p.Name] = true
		s, err := pathSchema(c, p, e.Args[p.Name])
		if err != nil {
			return nil, err
		}
		args = append(args, Arg{Name: schema.SafeName(p.Name), Wire: p.Name, In: InPath, Required: true, Schema: s})
	}
	for _, wire := range slices.Sorted(maps.Keys(e.Args)) {
		v := e.Args[wire]
		root, _, nested := strings.Cut(wire, "[")
		_, another := e.Args[root]
		switch optional := !schema.IsRequired(v); {
		case inPath[root] || isGlobal(wire) || schema.IsReadOnly(v) && optional || wire == "":
			continue
		case place == InQuery && optional && (wp.CheckParamName(wire) != nil || nested && another):
			c.Record(wire, "argument-dropped", wire, schema.Nothing) // PHP reads the name otherwise: the site never gets it
			continue
		}
		c.About(v)
		a, err := newArg(c, wire, v, place)
		if errors.Is(err, schema.ErrNotSchema) && !schema.IsRequired(v) {
			c.Record(wire, "argument-dropped", v, schema.Nothing)
			continue
		}
		if err != nil {
			return nil, err
		}
		args = append(args, a)
	}
	if upload {
		args = append(args, fileArgs(args)...)
	}
	apart(args)
	SortArgs(args)
	return args, nil
}

// newArg compiles one argument. An object whose only writable property is raw
// (WP_REST_Posts_Controller's title, content and excerpt) is shown as the
// text it holds.
func newArg(c *schema.Compiler, wire string, v any, place Place) (Arg, error) {
	s, err := c.Compile(v, wire)
	if err != nil {
		return Arg{}, err
	}
	if place == InQuery {
		withoutNull(c, s, wire)
	}
	a := Arg{Name: schema.SafeName(wire), Wire: wire, In: place, Required: schema.IsRequired(v), Schema: s}
	if a.Name != wire {
		c.Record(wire, "argument-renamed", wire, a.Name)
	}
	if s.Is("object") && len(s.Properties) == 1 && s.Properties[0].Name == "raw" {
		raw := s.Properties[0].Schema
		if s.Description != "" {
			raw.Description = s.Description
		}
		a.Schema, a.Raw = raw, true
	}
	return a, nil
}

// withoutNull drops null from what goes in a query.
func withoutNull(c *schema.Compiler, s *schema.Schema, path string) {
	isNull := func(t string) bool { return t == "null" }
	variants := len(s.AnyOf)
	s.AnyOf = slices.DeleteFunc(s.AnyOf, func(v *schema.Schema) bool { return len(v.Types) == 1 && v.Types[0] == "null" })
	if len(s.AnyOf) == variants && (len(s.Types) < 2 || !slices.ContainsFunc(s.Types, isNull)) {
		return
	}
	s.Types = slices.DeleteFunc(s.Types, isNull)
	s.Enum = slices.DeleteFunc(s.Enum, func(v any) bool { return v == nil })
	c.Record(path, "null-dropped", "null", schema.Nothing)
}

// Title is a name as a person reads it: list_posts is "List posts".
func Title(name string) string {
	words := strings.TrimSpace(strings.ReplaceAll(name, "_", " "))
	if words == "" {
		return name
	}
	return strings.ToUpper(words[:1]) + words[1:]
}
