package schema

import (
	"slices"
)

// ValueTypes are the types a value may have: the schema's own, else those of its
// variants; none where it may have any.
func (s *Schema) ValueTypes() []string {
	if len(s.Types) > 0 {
		return s.Types
	}
	var all []string
	for _, v := range s.AnyOf {
		types := v.ValueTypes()
		if len(types) == 0 {
			return nil
		}
		all = append(all, types...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Only is the part of a schema whose values have one of the types; nil where
// its enum has none.
func (s *Schema) Only(types []string) *Schema {
	part := s.Clone()
	part.Types = nil
	for _, t := range s.Types {
		if slices.Contains(types, t) {
			part.Types = append(part.Types, t)
		}
	}
	part.AnyOf = nil
	for _, v := range s.AnyOf {
		if theirs := v.ValueTypes(); len(theirs) == 0 || slices.ContainsFunc(theirs, func(t string) bool { return slices.Contains(types, t) }) {
			if v := v.Only(types); v != nil {
				part.AnyOf = append(part.AnyOf, v)
			}
		}
	}
	if !slices.Contains(types, "array") {
		part.Items = nil
	}
	if !slices.Contains(types, "object") {
		part.Properties, part.Additional, part.Closed = nil, nil, false
	}
	if s.Enum != nil {
		part.Enum = slices.DeleteFunc(part.Enum, func(v any) bool { return !(&Schema{Types: part.Types}).Takes(v) })
		if len(part.Enum) == 0 {
			return nil
		}
	}
	part.HasDefault = part.HasDefault && part.Takes(part.Default)
	return part
}
