package generate

import (
	"slices"
	"strings"

	"toolpress/discover"
	"toolpress/generate/schema"
)

// routeAnnotations reads a route operation's effect from its method. A POST is
// only said to add where it creates an item of a collection; what is not known
// to be safe is destructive. Posts and comments are written by others, so the
// world is open everywhere.
func routeAnnotations(method string, creates bool) Annotations {
	a := Annotations{OpenWorld: true}
	switch method {
	case "GET":
		a.ReadOnly, a.Idempotent = true, true
	case "POST":
		a.Destructive = !creates
	default: // PUT, PATCH, DELETE
		a.Destructive, a.Idempotent = true, true
	}
	return a
}

// abilityMethod is the method core takes for an ability's run
// (WP_REST_Abilities_V1_Run_Controller::validate_request_method): it asks for
// PHP's truth of each annotation.
func abilityMethod(annotations map[string]any) string {
	switch {
	case truthy(annotations["readonly"]):
		return "GET"
	case truthy(annotations["destructive"]) && truthy(annotations["idempotent"]):
		return "DELETE"
	}
	return "POST"
}

// abilityAnnotations reads the same annotations the other way: only a plain
// true or false counts, and what is not said to be safe is not.
func abilityAnnotations(annotations map[string]any) Annotations {
	readonly, _ := annotations["readonly"].(bool)
	destructive, said := annotations["destructive"].(bool)
	idempotent, _ := annotations["idempotent"].(bool)
	return Annotations{
		ReadOnly:    readonly,
		Destructive: !readonly && (destructive || !said),
		Idempotent:  readonly || idempotent,
		OpenWorld:   true,
	}
}

// collects reports that what is posted to a route alone, without PUT and PATCH,
// becomes one more item: the route lists items in pages, or it is a plural whose
// items have an id or a slug, by the schema the site gives. The route alone is
// asked, so that no neighbour changes what is said of it. What plumbing does is
// not guessed: an autosave replaces the one before it, or the draft itself
// (WP_REST_Autosaves_Controller::create_item).
func collects(r *discover.Route) bool {
	last := r.Path[strings.LastIndexByte(r.Path, '/')+1:]
	if strings.Contains(last, "{") || plumbing(r.Namespace, r.Path) != "" {
		return false
	}
	item, _ := r.Schema.(map[string]any)
	properties, _ := item["properties"].(map[string]any)
	_, id := properties["id"]
	_, slug := properties["slug"]
	return slices.ContainsFunc(r.Endpoints, func(e discover.Endpoint) bool {
		_, pages := e.Args["per_page"]
		return slices.Contains(e.Methods, "GET") && (pages || (id || slug) && singular(last) != last)
	})
}

// truthy is PHP's (bool).
func truthy(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		return v != "" && v != "0"
	case []any:
		return len(v) > 0
	case map[string]any:
		return len(v) > 0
	}
	text, _ := schema.Encode(v)
	return string(text) != "0" && string(text) != "0.0"
}
