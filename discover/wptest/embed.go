package wptest

import (
	"net/http"
	"slices"
	"strings"
)

// embed adds to an object, or to each of a list, what its links lead to, as far as
// _embed asks for it (WP_REST_Server::response_to_data, which comes after _fields).
func (r *request) embed(data any) {
	asked, there := r.sources[fromQuery]["_embed"]
	if !there {
		return
	}
	relations := r.words("_embed")
	if word := text(asked); word == "" || word == "1" || word == "true" {
		relations = nil // all
	}
	cache := map[string]any{}
	for _, v := range append(listOfAny(data), data) {
		if o, is := v.(map[string]any); is {
			r.embedInto(o, relations, cache)
		}
	}
}

func listOfAny(v any) []any {
	list, _ := v.([]any)
	return slices.Clone(list)
}

// embedInto is WP_REST_Server::embed_links: a relation is there where one of its
// links leads to something.
func (r *request) embedInto(o map[string]any, relations []string, cache map[string]any) {
	links, _ := o["_links"].(map[string]any)
	embedded := map[string]any{}
	for relation, v := range links {
		list, _ := v.([]any)
		if relations != nil && !slices.Contains(relations, relation) {
			continue
		}
		found, some := []any{}, false
		for _, l := range list {
			link, _ := l.(map[string]any)
			if link["embeddable"] != true {
				found = append(found, []any{})
				continue
			}
			href := text(link["href"])
			if _, known := cache[href]; !known {
				cache[href] = r.follow(href)
			}
			found = append(found, cache[href])
			none, isList := cache[href].([]any)
			some = some || !isList || len(none) > 0
		}
		if some {
			embedded[relation] = found
		}
	}
	if len(embedded) > 0 {
		o["_embedded"] = embedded
	}
}

// follow is what an address of this site answers to this request's user, short
// and whole. An error is what was found, too.
func (r *request) follow(href string) any {
	path, query, _ := strings.Cut(strings.TrimPrefix(href, r.rest("")), "?")
	at := &request{Site: r.Site, http: r.http, user: r.user, method: http.MethodGet, path: path}
	at.sources[fromQuery] = parseQuery(query)
	at.set("context", "embed")
	if e := at.find(); e != nil {
		for _, arg := range e.args {
			if most, bound := arg.schema["maximum"]; bound && arg.name == "per_page" {
				at.set("per_page", most)
			}
		}
	}
	a, f := at.dispatch()
	if f != nil {
		return f.body()
	}
	return a.data
}
