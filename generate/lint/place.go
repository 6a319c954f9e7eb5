package lint

import (
	"strconv"
	"strings"
)

// place is where in a schema something stands.
type place struct {
	// root is the key of the schema as a whole: input_schema, output_schema, args.
	root string
	// at leads to a schema within it: tags, lines[].sku; empty for the root.
	at string
	// property is the last name on the way there; empty where there is none.
	property string
	// keyword leads on from there: exclusiveMinimum; empty for the schema itself.
	keyword string
	// schema is what stands at the schema's place, value at the keyword's.
	schema, value any
}

// path is the place of the schema in a [Finding].
func (p place) path() string {
	if p.at == "" {
		return p.root
	}
	return strings.TrimSuffix(p.root+"."+p.at, ".")
}

// String is the place as a remedy says it: `tags` in `input_schema`.
func (p place) String() string { return shown(p.path()) }

// shown is a path of a finding as a remedy says it.
func shown(path string) string {
	root, at, below := strings.Cut(path, ".")
	if !below {
		return "`" + path + "`"
	}
	return "`" + at + "` in `" + root + "`"
}

// Keywords that hold schemas: by names, in a list or alone.
var (
	byName = map[string]bool{"properties": true, "patternProperties": true, "$defs": true, "definitions": true, "dependentSchemas": true, "dependencies": true}
	listed = map[string]bool{"anyOf": true, "oneOf": true, "allOf": true, "prefixItems": true, "items": true}
	sole   = map[string]bool{"items": true, "additionalProperties": true, "additionalItems": true, "not": true, "if": true, "then": true, "else": true, "contains": true, "propertyNames": true}
)

var unescaped = strings.NewReplacer("~1", "/", "~0", "~")

// locate finds a JSON Pointer in a schema.
func locate(root string, written any, pointer string) place {
	p := place{root: root, schema: written}
	var steps []string
	if pointer != "" {
		for step := range strings.SplitSeq(pointer[1:], "/") {
			steps = append(steps, unescaped.Replace(step))
		}
	}
	for len(steps) > 0 {
		first, second := steps[0], ""
		if len(steps) > 1 {
			second = steps[1]
		}
		below := member(p.schema, first)
		_, isMap := below.(map[string]any)
		_, isList := below.([]any)
		switch {
		case byName[first] && isMap && len(steps) > 1:
			p.at, p.property, p.schema, steps = strings.TrimPrefix(p.at+"."+second, "."), second, member(below, second), steps[2:]
			continue
		case listed[first] && isList && len(steps) > 1:
			p.at, p.schema, steps = p.at+"."+first+"["+second+"]", member(below, second), steps[2:]
			continue
		case first == "items" && !isList:
			p.at, p.schema, steps = p.at+"[]", below, steps[1:]
			continue
		case sole[first] && isMap:
			p.at, p.schema, steps = p.at+"."+first, below, steps[1:]
			continue
		}
		break
	}
	p.at = strings.TrimPrefix(p.at, ".")
	p.value = p.schema
	for _, step := range steps {
		p.value = member(p.value, step)
	}
	p.keyword = strings.Join(steps, ".")
	return p
}

// member is what a step of a pointer leads to.
func member(v any, step string) any {
	switch v := v.(type) {
	case map[string]any:
		return v[step]
	case []any:
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(v) {
			return v[i]
		}
	}
	return nil
}
