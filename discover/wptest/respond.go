package wptest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// answer is what a callback gives back.
type answer struct {
	status int // 0: 200
	data   any
	header http.Header
	// before is what a plugin printed in front of the JSON.
	before string
	// file is sent instead of data (rest_pre_serve_request).
	file *sent
}

func (a *answer) set(name, value string) *answer {
	if a.header == nil {
		a.header = http.Header{}
	}
	a.header.Add(name, value)
	return a
}

// created answers with the new object and its address.
func created(object any, location string) *answer {
	return (&answer{status: http.StatusCreated, data: object}).set("Location", location)
}

// serveREST is WP_REST_Server::serve_request.
func (s *Site) serveREST(w http.ResponseWriter, hr *http.Request, path string, body []byte) {
	r := s.request(hr, path, body)
	a, f := r.dispatch()
	if f != nil {
		a = &answer{status: f.status, data: f.body()}
		if f.status == 0 {
			a.status = http.StatusInternalServerError
		}
	} else {
		if names := r.words("_fields"); len(names) > 0 {
			a.data = r.pick(a.data, names)
		}
		r.embed(a.data)
	}
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=UTF-8")
	h.Set("X-Robots-Tag", "noindex")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Access-Control-Expose-Headers", "X-WP-Total, X-WP-TotalPages, Link")
	h.Set("Access-Control-Allow-Headers", "Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type")
	h.Set("Link", "<"+s.rest("/")+`>; rel="https://api.w.org/"`)
	if r.user == nil {
		h.Set("Vary", "Origin")
	} else {
		h.Set("Expires", "Wed, 11 Jan 1984 05:00:00 GMT")
		h.Set("Cache-Control", "no-cache, must-revalidate, max-age=0, no-store, private")
	}
	maps.Copy(h, a.header)
	if allow := r.allow(); len(allow) > 0 {
		h.Set("Allow", strings.Join(allow, ", "))
	}
	if a.status != 0 {
		w.WriteHeader(a.status)
	}
	if r.method == http.MethodHead {
		return
	}
	_, _ = fmt.Fprint(w, a.before)
	if a.file != nil {
		_, _ = w.Write(a.file.data)
		return
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(a.data)
}

// pick keeps what _fields names. A field of some controllers has to be named
// as a whole, and an object's links are all or none.
func (r *request) pick(data any, names []string) any {
	whole := ""
	if r.route != nil && r.route.resource != nil {
		whole = r.route.resource.whole
	}
	_, single := data.(map[string]any)
	var kept []string
	for _, name := range names {
		first, _, nested := strings.Cut(name, ".")
		switch {
		case nested && first == "_links" && single:
			kept = append(kept, first)
		case first == "_embedded" && single && r.given("_embed"):
			kept = append(kept, "_links") // which core then adds after all
		case nested && first != "_links" && (whole == "*" || slices.Contains(strings.Fields(whole), first)):
		default:
			kept = append(kept, name)
		}
	}
	return pick(data, kept)
}

// pick keeps the named fields of an object or of each of a list; a dot goes
// into one (rest_filter_response_fields).
func pick(data any, names []string) any {
	switch v := data.(type) {
	case []any:
		kept := make([]any, len(v))
		for i := range v {
			kept[i] = pick(v[i], names)
		}
		return kept
	case map[string]any:
		kept := map[string]any{}
		for _, name := range names {
			pickOne(v, strings.Split(name, "."), kept)
		}
		for name, v := range kept {
			kept[name] = emptied(v)
		}
		return emptied(kept)
	}
	return data
}

func pickOne(from map[string]any, path []string, into map[string]any) {
	v, ok := from[path[0]]
	if !ok {
		return
	}
	below, ok := into[path[0]].(map[string]any)
	if !ok {
		below = map[string]any{}
	}
	switch nested := v.(type) {
	case map[string]any:
		if len(path) > 1 {
			pickOne(nested, path[1:], below)
			v = below
		}
	case []any:
		if len(path) > 1 {
			v = below
		}
	}
	into[path[0]] = v
}

// emptied writes an object without members as PHP does, as a list.
func emptied(v any) any {
	object, ok := v.(map[string]any)
	if !ok {
		return v
	}
	if len(object) == 0 {
		return []any{}
	}
	return object
}

// page says which of how many a part of a collection is.
type page struct {
	total, pages, number int
}

// paged answers with a page and with links to its neighbours.
func (r *request) paged(items []any, p page) *answer {
	a := &answer{data: items}
	a.set("X-WP-Total", strconv.Itoa(p.total)).set("X-WP-TotalPages", strconv.Itoa(p.pages))
	var links []string
	to := func(rel string, number int) {
		query, _ := url.ParseQuery(r.http.URL.RawQuery)
		query.Del("rest_route")
		query.Set("page", strconv.Itoa(number))
		links = append(links, "<"+r.rest(r.path)+"?"+query.Encode()+`>; rel="`+rel+`"`)
	}
	if p.number > 1 {
		back := p.number - 1
		if r.route.namespace == "wp/v2" && r.route.resource != searchResource {
			back = min(back, p.pages) // the others do not care whether it is there
		}
		to("prev", back)
	}
	if p.number < p.pages {
		to("next", p.number+1)
	}
	if links != nil {
		a.set("Link", strings.Join(links, ", "))
	}
	return a
}

// cut takes the request's page or offset out of all that was found.
func cut[T any](r *request, found []T) ([]T, page) {
	per, number := r.integer("per_page"), max(r.integer("page"), 1)
	start := (number - 1) * per
	offset := slices.ContainsFunc(r.args, func(f field) bool { return f.name == "offset" }) && r.integer("offset") != 0
	if offset {
		start = r.integer("offset")
	}
	p := page{total: len(found), number: number}
	if offset && per > 0 && (r.route.resource == tagResource || r.route.resource == userResource) {
		p.number = (start + 2*per - 1) / per // these two count from the offset
	}
	if per > 0 {
		p.pages = (len(found) + per - 1) / per
	}
	start = min(max(start, 0), len(found))
	return found[start:min(start+per, len(found))], p
}
