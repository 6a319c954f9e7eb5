package curate

import (
	"fmt"
	"slices"
	"strings"

	"toolpress/generate/schema"
)

// describeOutput fixes the tool's output schema: what is picked of an object, or
// of each item of a list that comes in pages. A tool that picks nothing has none:
// what a site says of its answers is often not so, and clients fail a call whose
// answer does not fit. For the same reason nothing is required and no picked
// value has a type.
func (t *Tool) describeOutput() error {
	t.OutputSchema = nil
	paths := t.Result.Returned()
	if len(paths) == 0 {
		return nil
	}
	s := picked(paths)
	if t.op.Method == "GET" && t.op.Arg("per_page") != nil {
		list := page(s)
		if slices.ContainsFunc(list.Properties, func(p schema.Property) bool { return s.Property(p.Name) != nil }) {
			return nil // an object with a total of its own is not told from a page
		}
		s = list
	}
	s.Types = []string{"object"}
	var err error
	if t.OutputSchema, err = schema.Encode(s); err != nil {
		return fmt.Errorf("encoding its output schema: %w", err)
	}
	return nil
}

// Returned are the dotted paths that are left of what is picked, as they are called.
func (r ResultShape) Returned() []string {
	var left []string
	for _, p := range r.asked() {
		moved := false
		for _, one := range r.Rename {
			switch rest, within := strings.CutPrefix(p+".", one.Path+"."); {
			case within:
				left, moved = append(left, strings.TrimSuffix(one.Name+"."+rest, ".")), true
			case strings.HasPrefix(one.Path, p+"."):
				left = append(left, one.Name)
			}
		}
		if !moved {
			left = append(left, p)
		}
	}
	return left
}

// picked describes the picked paths of one object, in their order. A path that
// is a prefix of another wins.
func picked(paths []string) *schema.Schema {
	s := &schema.Schema{}
	for i, path := range paths {
		name, _, nested := strings.Cut(path, ".")
		if s.Property(name) != nil {
			continue
		}
		var below []string
		for _, other := range paths[i:] {
			if first, rest, more := strings.Cut(other, "."); first == name && more {
				below = append(below, rest)
			}
		}
		inner := &schema.Schema{}
		if nested && !slices.Contains(paths, name) {
			inner = picked(below)
		}
		s.Properties = append(s.Properties, schema.Property{Name: name, Schema: inner})
	}
	return s
}

// page describes a list as the runtime answers it.
func page(item *schema.Schema) *schema.Schema {
	number := &schema.Schema{Types: []string{"integer"}}
	return &schema.Schema{Properties: []schema.Property{
		{Name: "items", Schema: &schema.Schema{Types: []string{"array"}, Items: item}},
		{Name: "total", Schema: number},
		{Name: "total_pages", Schema: number},
		{Name: "next_page", Schema: number},
		{Name: "next", Schema: &schema.Schema{Types: []string{"object"}}},
		{Name: "truncated", Schema: &schema.Schema{Types: []string{"string"}}},
	}}
}
