package lint

import (
	"maps"
	"slices"
	"strings"

	"toolpress/discover"
	"toolpress/generate"
	"toolpress/generate/schema"
)

// subject is an ability or a route's endpoint as it is looked at.
type subject struct {
	id, call string
	// key is what holds the schemas of what it takes: input_schema or args.
	key string
	// input is the schema of what it takes, as the site writes it; nil for nothing.
	input any
	// op is what toolpress makes of it; nil where it cannot, and withheld says why.
	op       *generate.Operation
	withheld string

	ability *discover.Ability // nil for a route
}

// newAbility is nil for what its author publishes as something else than a tool.
func newAbility(surface *generate.Surface, a *discover.Ability) *subject {
	mcp, _ := a.Meta["mcp"].(map[string]any)
	if kind, _ := mcp["type"].(string); kind != "" && kind != "tool" {
		return nil
	}
	id := "ability:" + a.Name
	return &subject{
		id: id, call: "wp_register_ability( '" + a.Name + "', … )", key: "input_schema", input: a.InputSchema,
		op: surface.Operation(id), withheld: surface.Refusal(id), ability: a,
	}
}

// routes are the endpoints that could be tools, each method that is an operation
// of its own. What only other software calls, a namespace's index too, is nobody's
// fault.
func routes(surface *generate.Surface, site *discover.Site) (all []*subject) {
	done := map[string]bool{}
	for i := range site.Routes {
		r := &site.Routes[i]
		for _, e := range r.Endpoints {
			for _, m := range e.Methods {
				id := m + " " + r.Path
				op := surface.Operation(id)
				if op == nil || op.ID != id || op.Plumbing != "" || done[id] {
					continue
				}
				done[id] = true
				pattern := strings.TrimPrefix(r.Pattern, "/"+r.Namespace)
				all = append(all, &subject{
					id: id, call: "register_rest_route( '" + r.Namespace + "', '" + pattern + "', … )", key: "args", input: writtenArgs(e.Args), op: op,
				})
			}
		}
	}
	return all
}

// writtenArgs is a schema of an endpoint's arguments as they are written. Which
// are required is said beside each schema, as WordPress has it
// (register_rest_route), and no fault.
func writtenArgs(args map[string]any) any {
	properties, required := map[string]any{}, []any{}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		properties[name] = args[name]
		arg, isSchema := args[name].(map[string]any)
		if _, said := arg["required"].(bool); !isSchema || !said {
			continue
		}
		if schema.IsRequired(arg) {
			required = append(required, name)
		}
		plain := maps.Clone(arg)
		delete(plain, "required")
		properties[name] = plain
	}
	return map[string]any{"type": "object", "properties": properties, "required": required}
}
