package clients

import (
	"slices"
)

// sdk reports what the TypeScript SDK's own types refuse of a schema's root.
func (t *Tool) sdk(at spot, v any, report reporter) {
	root, _ := v.(map[string]any)
	if root["type"] != "object" {
		report(at.of("type"), schema(root).says("type"))
	}
	if v, there := root["properties"]; there {
		named, isMap := v.(map[string]any)
		for _, name := range sorted(named) {
			if _, isSchema := named[name].(map[string]any); !isSchema {
				report(at.below(place{"properties", "." + name, pointer("properties", name)}), brief(named[name]))
			}
		}
		if !isMap {
			report(at.of("properties"), "properties: "+brief(v))
		}
	}
	if v, there := root["required"]; there {
		list, isList := v.([]any)
		if !isList || slices.ContainsFunc(list, func(v any) bool { _, isText := v.(string); return !isText }) {
			report(at.of("required"), "required: "+brief(v))
		}
	}
}

func (t *Tool) output(report reporter) {
	if t.Output == nil {
		return
	}
	t.sdk(output, t.Output, report)
	invalid(compile(t.Output, draft7), func(at []string, what string) { report(spot{dotted(output.path, at), pointer(at...)}, what) })
}
