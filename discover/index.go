package discover

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
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
		Name           any   `json:"name"`
		Description    any   `json:"description"`
		GMTOffset      any   `json:"gmt_offset"`
		Timezone       any   `json:"timezone_string"`
		Namespaces     []any `json:"namespaces"`
		Authentication any   `json:"authentication"`
		Routes         any   `json:"routes"`
	}
	if err := decodeAny(data, &index); err != nil {
		return fmt.Errorf("the answer is not a REST index: %w", err)
	}
	routes, ok := index.Routes.(map[string]any)
	if !ok || len(routes) == 0 {
		return fmt.Errorf("the answer is not a REST index: it has no routes")
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
	for _, n := range index.Namespaces {
		if s, ok := n.(string); ok {
			into.Namespaces = append(into.Namespaces, s)
		}
	}
	slices.Sort(into.Namespaces)
	into.Namespaces = slices.Compact(into.Namespaces)

	for _, pattern := range slices.Sorted(maps.Keys(routes)) {
		entry, ok := routes[pattern].(map[string]any)
		if !ok {
			into.Notes = append(into.Notes, fmt.Sprintf("route %s: its entry is not an object; left out", pattern))
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
	for _, e := range list(entry["endpoints"]) {
		endpoint, ok := e.(map[string]any)
		if !ok {
			continue
		}
		var methods []string
		for _, m := range list(endpoint["methods"]) {
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

// list reads a list, also one that PHP wrote as an object because its keys
// have gaps.
func list(v any) []any {
	switch v := v.(type) {
	case []any:
		return v
	case map[string]any:
		keys := slices.SortedFunc(maps.Keys(v), func(a, b string) int {
			m, errM := strconv.Atoi(a)
			n, errN := strconv.Atoi(b)
			if errM == nil && errN == nil {
				return cmp.Compare(m, n)
			}
			return cmp.Compare(a, b)
		})
		var values []any
		for _, k := range keys {
			values = append(values, v[k])
		}
		return values
	}
	return nil
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
