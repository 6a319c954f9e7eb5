package wptest

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
)

// route is one entry of the index.
type route struct {
	pattern   string
	namespace string
	endpoints []*endpoint
	// resource describes an object of the route; nil for none.
	resource *resource
	// batch says that the index tells it may go into a batch.
	batch bool

	match *regexp.Regexp
}

// endpoint is one callback of a route.
type endpoint struct {
	methods []string
	args    []field
	// allowed is the permission callback; nil lets everybody.
	allowed func(*request) *fault
	handle  func(*request) (*answer, *fault)
}

var (
	reads   = []string{"GET"}
	creates = []string{"POST"}
	edits   = []string{"POST", "PUT", "PATCH"}
	deletes = []string{"DELETE"}
	all     = []string{"GET", "POST", "PUT", "PATCH", "DELETE"}
)

// find picks the route and the endpoint of a request
// (WP_REST_Server::match_request_to_handler) and sets the path's parameters.
func (r *request) find() *endpoint {
	method := r.method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	for _, route := range r.routes {
		params, ok := route.params(r.path)
		if !ok {
			continue
		}
		for _, e := range route.endpoints {
			if !slices.Contains(e.methods, method) {
				continue
			}
			r.route, r.args, r.sources[fromPath] = route, e.args, params
			r.sources[fromDefault] = map[string]any{}
			for _, arg := range e.args {
				if v, ok := arg.schema["default"]; ok {
					r.sources[fromDefault][arg.name] = v
				}
			}
			return e
		}
	}
	return nil
}

func (t *route) params(path string) (map[string]any, bool) {
	match := t.match.FindStringSubmatch(path)
	if match == nil {
		return nil, false
	}
	params := map[string]any{}
	for i, name := range t.match.SubexpNames() {
		if name != "" {
			params[name] = match[i]
		}
	}
	return params, true
}

// dispatch answers in core's order: route, arguments, permission, callback
// (WP_REST_Server::dispatch).
func (r *request) dispatch() (*answer, *fault) {
	if r.method == http.MethodOptions {
		return r.options(), nil
	}
	e := r.find()
	if e == nil {
		return nil, noRoute()
	}
	if f := r.check(e.args); f != nil {
		return nil, f
	}
	if e.allowed != nil {
		if f := e.allowed(r); f != nil {
			if f == no {
				return nil, r.denied("rest_forbidden", "You may not do that.")
			}
			return nil, f
		}
	}
	return e.handle(r)
}

// options describes the first route whose pattern fits
// (rest_handle_options_request); where none does, it is an empty list.
func (r *request) options() *answer {
	for _, route := range r.routes {
		if params, ok := route.params(r.path); ok {
			r.route, r.sources[fromPath] = route, params
			return &answer{data: r.describe(route, true)}
		}
	}
	return &answer{data: []any{}}
}

// allow lists the methods this request's credential has permission for
// (rest_send_allow_header): each permission callback is asked about this very
// request, whatever its method.
func (r *request) allow() []string {
	var methods []string
	if r.route == nil {
		return nil
	}
	permitted := map[string]bool{}
	for _, e := range r.route.endpoints {
		for _, m := range e.methods {
			if !slices.Contains(methods, m) {
				methods = append(methods, m)
			}
			permitted[m] = e.allowed == nil || e.allowed(r) == nil
		}
	}
	return slices.DeleteFunc(methods, func(m string) bool { return !permitted[m] })
}

// hints are the methods the credential may use at an object's own address
// (WP_REST_Server::get_target_hints_for_link).
func (r *request) hints(path string) []string {
	at := &request{Site: r.Site, http: r.http, user: r.user, method: http.MethodGet, path: path}
	if e := at.find(); e == nil || at.check(e.args) != nil {
		return nil
	}
	return at.allow()
}

// self is an object's link to itself.
func (r *request) self(path string, more map[string]any) []any {
	link := map[string]any{"href": r.rest(path)}
	maps.Copy(link, more)
	if allow := r.hints(path); len(allow) > 0 {
		link["targetHints"] = map[string]any{"allow": strs(allow...)}
	}
	return []any{link}
}

// link is a list of one link.
func link(href string, more ...any) []any {
	l := map[string]any{"href": href}
	for i := 0; i+1 < len(more); i += 2 {
		l[more[i].(string)] = more[i+1]
	}
	return []any{l}
}

// curies explain the prefix wp: of rels.
var curies = []any{map[string]any{"name": "wp", "href": "https://api.w.org/{rel}", "templated": true}}
