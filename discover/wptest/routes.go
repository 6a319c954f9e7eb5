package wptest

import (
	"regexp"
	"slices"
)

// contextArg is what the indexes take.
const contextArg = "context - default=view\n"

// table is every route the site has, in core's order: the first that matches a
// path and a method answers.
func (s *Site) table() []*route {
	routes := []*route{{pattern: "/", endpoints: []*endpoint{{methods: reads, args: fields(contextArg), handle: (*request).index}}}}
	groups := []struct {
		namespace string
		routes    []*route
	}{
		{"bookshop/v1", shopRoutes()},
		{"wp/v2", wpRoutes()},
		{"wp-abilities/v1", abilityRoutes()},
	}
	if s.files {
		groups[0].routes = append(groups[0].routes, fileRoutes()...)
	}
	if s.store != nil {
		groups = slices.Insert(groups, 1, struct {
			namespace string
			routes    []*route
		}{"wc/v3", storeRoutes()})
	}
	for _, group := range groups {
		namespace := group.namespace
		list := append([]*route{{endpoints: []*endpoint{{
			methods: reads, args: fields("namespace - default=" + namespace + "\n" + contextArg), handle: (*request).namespaceIndex,
		}}}}, group.routes...)
		for _, t := range list {
			t.namespace, t.pattern = namespace, "/"+namespace+t.pattern
			routes = append(routes, t)
		}
	}
	for _, t := range routes {
		t.match = regexp.MustCompile("(?i)^" + t.pattern + "$")
	}
	return routes
}

func wpRoutes() []*route {
	var routes []*route
	for _, list := range [][]*route{
		postRoutes(postKind), postRoutes(pageKind), postRoutes(mediaKind),
		typeRoutes(), termRoutes(categories), termRoutes(tags),
		userRoutes(), commentRoutes(), searchRoutes(), settingsRoutes(),
	} {
		routes = append(routes, list...)
	}
	return routes
}
