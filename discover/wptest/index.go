package wptest

import (
	"maps"
	"net/http"
	"strings"
	"time"
)

// index is GET / (WP_REST_Server::get_index); the context help adds every
// route's schema.
func (r *request) index() (*answer, *fault) {
	routes := map[string]any{}
	namespaces := []any{}
	seen := map[string]bool{"": true}
	for _, route := range r.routes {
		routes[route.pattern] = r.describe(route, r.str("context") == "help")
		if !seen[route.namespace] {
			seen[route.namespace] = true
			namespaces = append(namespaces, route.namespace)
		}
	}
	links := map[string]any{"help": link("https://developer.wordpress.org/rest-api/")}
	if r.user.can("edit_posts") { // add_active_theme_link_to_index
		links["wp:active-theme"], links["curies"] = link(r.rest("/wp/v2/themes/twentytwentyfive")), curies
	}
	offset := toronto(time.Now().UTC().Add(-5 * time.Hour))
	return &answer{data: map[string]any{
		"name": r.settings["title"], "description": r.settings["description"], "url": r.home, "home": r.home,
		"gmt_offset": int(offset / time.Hour), "timezone_string": r.settings["timezone"],
		"page_for_posts": r.settings["page_for_posts"], "page_on_front": r.settings["page_on_front"], "show_on_front": r.settings["show_on_front"],
		"namespaces": namespaces,
		"authentication": map[string]any{"application-passwords": map[string]any{
			"endpoints": map[string]any{"authorization": r.home + "/wp-admin/authorize-application.php"},
		}},
		"routes": routes, "site_logo": 0, "site_icon": 0, "site_icon_url": "",
		"_links": links,
	}}, nil
}

// namespaceIndex is GET /wp/v2 and its like (WP_REST_Server::get_namespace_index).
func (r *request) namespaceIndex() (*answer, *fault) {
	name := r.str("namespace")
	routes := map[string]any{}
	for _, route := range r.routes {
		if route.namespace == name {
			routes[route.pattern] = r.describe(route, r.str("context") == "help")
		}
	}
	if len(routes) == 0 {
		return nil, failed(http.StatusNotFound, "rest_invalid_namespace", "There is no such namespace.")
	}
	return &answer{data: map[string]any{
		"namespace": name, "routes": routes,
		"_links": map[string]any{"up": link(r.rest("/"))},
	}}, nil
}

// describe is a route's entry (WP_REST_Server::get_data_for_route).
func (s *Site) describe(t *route, help bool) map[string]any {
	methods, seen := []any{}, map[string]bool{}
	endpoints := []any{}
	for _, e := range t.endpoints {
		for _, m := range e.methods {
			if !seen[m] {
				seen[m] = true
				methods = append(methods, m)
			}
		}
		entry := map[string]any{"methods": strs(e.methods...), "args": describeArgs(e.args)}
		if t.batch {
			entry["allow_batch"] = map[string]any{"v1": true}
		}
		endpoints = append(endpoints, entry)
	}
	data := map[string]any{"namespace": t.namespace, "methods": methods, "endpoints": endpoints}
	if help && t.resource != nil {
		data["schema"] = t.resource.schema(s)
	}
	if !strings.Contains(t.pattern, "(?P<") {
		data["_links"] = map[string]any{"self": link(s.rest(t.pattern))}
	}
	return data
}

func describeArgs(args []field) any {
	if len(args) == 0 {
		return []any{}
	}
	list := map[string]any{}
	for _, arg := range args {
		entry := maps.Clone(arg.schema)
		entry["required"] = arg.schema["required"] == true
		list[arg.name] = entry
	}
	return list
}
