package generate

import (
	"maps"
	"slices"

	"toolpress/discover"
	"toolpress/generate/clients"
	"toolpress/generate/schema"
)

// Fault is what clients would refuse in an operation's schema as the site writes
// it. What toolpress serves is mended (Operation.Repairs); another client of the
// same site gets it as it is.
type Fault struct {
	Operation string            `json:"operation"`
	Refusals  []clients.Refusal `json:"refusals"`
	Repairs   []schema.Repair   `json:"repairs,omitempty"`
}

// Lint holds the input schemas of a site's abilities and routes, unmended,
// against the table of [clients.Rules]. The faults are in the bytewise order of
// the operations' IDs, those of each in the order of the table.
func Lint(site *discover.Site) []Fault {
	written := map[string]any{}
	for _, a := range site.Abilities {
		written["ability:"+a.Name] = a.InputSchema
	}
	for i := range site.Routes {
		r := &site.Routes[i]
		for _, e := range r.Endpoints {
			for _, m := range e.Methods {
				if id := m + " " + r.Path; written[id] == nil {
					written[id] = writtenArgs(e.Args)
				}
			}
		}
	}
	var faults []Fault
	for _, o := range FromSite(site).Operations {
		input := written[o.ID]
		if input == nil { // an ability without input
			continue
		}
		// Names are toolpress's own: no fault of the site.
		refusals := slices.DeleteFunc(clients.Check(clients.Tool{Name: o.Name, Input: input}), func(r clients.Refusal) bool { return r.Path == "name" })
		if len(refusals) > 0 {
			faults = append(faults, Fault{o.ID, refusals, o.Repairs})
		}
	}
	return faults
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
