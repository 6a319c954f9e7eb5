package discover

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"toolpress/discover/wp"
)

// decodeAny reads JSON as values whose numbers keep their digits.
func decodeAny(data []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return dec.Decode(into)
}

// readIndex reads GET {root}?context=help (WP_REST_Server::get_index): what
// PHP may write as a list when it is empty, is taken as an empty object.
func readIndex(data []byte, into *Site) error {
	var index struct {
		Name           any `json:"name"`
		Description    any `json:"description"`
		GMTOffset      any `json:"gmt_offset"`
		Timezone       any `json:"timezone_string"`
		Namespaces     any `json:"namespaces"`
		Authentication any `json:"authentication"`
		Routes         any `json:"routes"`
	}
	if err := decodeAny(data, &index); err != nil {
		return fmt.Errorf("%w: the answer is not a REST index: %w", ErrNoRoot, err)
	}
	routes, ok := index.Routes.(map[string]any)
	if !ok || len(routes) == 0 {
		return fmt.Errorf("%w: the answer is not a REST index: it has no routes", ErrNoRoot)
	}
	into.Name, into.Description = text(index.Name), text(index.Description)
	if into.Timezone = text(index.Timezone); into.Timezone == "" {
		if offset := text(index.GMTOffset); offset != "" {
			into.Timezone = "UTC offset " + offset
		}
	}
	methods, _ := index.Authentication.(map[string]any)
	_, into.ApplicationPasswords = methods["application-passwords"]
	into.Namespaces = []string{}
	for _, n := range wp.List(index.Namespaces) {
		if s, ok := n.(string); ok {
			into.Namespaces = append(into.Namespaces, s)
		}
	}
	slices.Sort(into.Namespaces)
	into.Namespaces = slices.Compact(into.Namespaces)

	for _, pattern := range slices.Sorted(maps.Keys(routes)) {
		entry, ok := routes[pattern].(map[string]any)
		if !ok {
			into.Notes = append(into.Notes, fmt.Sprintf("route %q: its entry is not an object; left out", pattern))
			continue
		}
		into.Routes = append(into.Routes, readRoute(pattern, entry))
	}
	slices.SortFunc(into.Routes, func(a, b Route) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Pattern, b.Pattern))
	})
	return nil
}

func readRoute(pattern string, entry map[string]any) Route {
	r := Route{Pattern: pattern, Namespace: text(entry["namespace"]), Endpoints: []Endpoint{}}
	path, params, err := ParsePattern(pattern)
	if err != nil {
		r.Path, r.Unreadable = pattern, err.Error()
	} else {
		r.Path, r.Params = path, params
	}
	for _, e := range wp.List(entry["endpoints"]) {
		endpoint, ok := e.(map[string]any)
		if !ok {
			continue
		}
		var methods []string
		for _, m := range wp.List(endpoint["methods"]) {
			methods = append(methods, text(m))
		}
		args, _ := endpoint["args"].(map[string]any)
		r.Endpoints = append(r.Endpoints, Endpoint{Methods: methods, Args: args})
	}
	r.Schema, _ = entry["schema"].(map[string]any)
	if s, ok := r.Schema.(map[string]any); ok && len(s) == 0 {
		r.Schema = nil
	}
	return r
}

func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}
