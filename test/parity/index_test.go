package parity

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
)

type index struct {
	Routes map[string]struct {
		Namespace string
		Methods   []string
		Endpoints []struct {
			Methods []string
			Args    any
			Batch   any `json:"allow_batch"`
		}
		Schema any
		Links  any `json:"_links"`
	}
}

func read(t *testing.T, site target, path string) index {
	t.Helper()
	var i index
	if err := json.Unmarshal(site.send(t, call{do: "GET " + path}).body, &i); err != nil {
		t.Fatal(err)
	}
	return i
}

// Every route the embedded site lists is one of the real site's, with the same
// methods, the same arguments and the same schema; only the words differ.
func TestIndex(t *testing.T) {
	wordpress, fake := fresh(t), embedded(t)
	for _, path := range []string{"/?context=help", "/", "/wp-abilities/v1"} {
		want, got := read(t, wordpress, path), read(t, fake, path)
		args := 0
		for _, pattern := range slices.Sorted(maps.Keys(got.Routes)) {
			r, g := want.Routes[pattern], got.Routes[pattern]
			if len(r.Endpoints) != len(g.Endpoints) {
				t.Errorf("%s %s: real has %d endpoints, embedded %d", path, pattern, len(r.Endpoints), len(g.Endpoints))
				continue
			}
			var list []string
			list = append(list, differences("namespace", r.Namespace, g.Namespace)...)
			list = append(list, differences("methods", r.Methods, g.Methods)...)
			list = append(list, differences("_links", r.Links == nil, g.Links == nil)...)
			list = append(list, differences("schema", plain(r.Schema, wordpress.base), plain(g.Schema, fake.base))...)
			for i := range r.Endpoints {
				at := strings.Join(r.Endpoints[i].Methods, " ")
				list = append(list, differences(at, r.Endpoints[i].Methods, g.Endpoints[i].Methods)...)
				list = append(list, differences(at+" batch", r.Endpoints[i].Batch, g.Endpoints[i].Batch)...)
				list = append(list, differences(at, plain(r.Endpoints[i].Args, wordpress.base), plain(g.Endpoints[i].Args, fake.base))...)
				if m, ok := g.Endpoints[i].Args.(map[string]any); ok {
					args += len(m)
				}
			}
			for _, d := range list {
				t.Errorf("%s %s: %s", path, pattern, d)
			}
		}
		t.Logf("%s: %d routes, %d arguments", path, len(got.Routes), args)
	}
}

// plain takes a schema's words out, and sorts what has no order.
func plain(v any, base string) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, value := range v {
			if _, words := value.(string); words && (name == "description" || name == "title") {
				value = "words"
			}
			out[name] = plain(value, base)
			if list, ok := out[name].([]any); ok && (name == "enum" || name == "context" || name == "links") {
				slices.SortFunc(list, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
			}
		}
		if _, described := v["description"]; !described && (v["type"] != nil || v["required"] != nil) {
			out["description"] = "words" // the embedded site describes more
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = plain(v[i], base)
		}
		return out
	case string:
		return strings.ReplaceAll(v, base, "")
	}
	return v
}

// differences names the innermost places where two values differ.
func differences(at string, want, got any) []string {
	if reflect.DeepEqual(want, got) {
		return nil
	}
	w, isMap := want.(map[string]any)
	g, alike := got.(map[string]any)
	if !isMap || !alike {
		return []string{fmt.Sprintf("%s: real %v, embedded %v", at, want, got)}
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(w)) {
		if v, ok := g[name]; ok {
			list = append(list, differences(at+"."+name, w[name], v)...)
		} else {
			list = append(list, fmt.Sprintf("%s.%s: only the real one has it", at, name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(g)) {
		if _, ok := w[name]; !ok {
			list = append(list, fmt.Sprintf("%s.%s: only the embedded one has it", at, name))
		}
	}
	return list
}
