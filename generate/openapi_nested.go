package generate

import (
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
)

// deeper are the names of what a form's style does not reach: a list in a list
// or an object, an object in either.
func deeper(f form) []string {
	var names []string
	switch f.style {
	case openapi3.SerializationForm:
		for _, s := range f.schema.variants("array") {
			if s.Items != nil && s.Items.nests() {
				names = append(names, leaves(f.name[:len(f.name)-1]+"0]", s.Items)...)
			}
		}
	case openapi3.SerializationDeepObject:
		for _, s := range f.schema.variants("object") {
			for name, p := range s.members(f.name) {
				if p.nests() {
					names = append(names, leaves(name, p)...)
				}
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// leaves are the names of every text below a value of that name.
func leaves(name string, s *Schema) []string {
	if !s.nests() {
		return []string{name}
	}
	var names []string
	if slices.ContainsFunc(s.types(), func(t string) bool { return t != "array" && t != "object" }) {
		names = append(names, name)
	}
	for _, v := range s.variants("array") {
		if v.Items == nil || !v.Items.nests() {
			names = append(names, name+"[]")
		} else {
			names = append(names, leaves(name+"[0]", v.Items)...)
		}
	}
	for _, v := range s.variants("object") {
		for member, p := range v.members(name) {
			names = append(names, leaves(member, p)...)
		}
	}
	return names
}

// nests reports that a value may be a list or an object.
func (s *Schema) nests() bool {
	types := s.types()
	return slices.Contains(types, "array") || slices.Contains(types, "object")
}

// variants are the schemas of a type's values: itself, or what it may be.
func (s *Schema) variants(name string) []*Schema {
	var all []*Schema
	for _, v := range s.AnyOf {
		all = append(all, v.variants(name)...)
	}
	if len(all) == 0 && slices.Contains(s.types(), name) {
		all = append(all, s)
	}
	return all
}

// members are the properties of an object in a query, by their names there; [key]
// stands for those that are not named.
func (s *Schema) members(name string) func(func(string, *Schema) bool) {
	return func(yield func(string, *Schema) bool) {
		for _, p := range s.Properties {
			if !yield(name+"["+p.Name+"]", p.Schema) {
				return
			}
		}
		if s.Additional != nil || len(s.Properties) == 0 && !s.Closed {
			other := s.Additional
			if other == nil {
				other = &Schema{}
			}
			yield(name+"[key]", other)
		}
	}
}
