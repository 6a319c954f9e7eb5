package generate

import (
	"slices"

	"github.com/getkin/kin-openapi/openapi3"

	"toolpress/generate/schema"
)

// deeper are the names of what a form's style does not reach: a list in a list
// or an object, an object in either.
func deeper(f form) []string {
	var names []string
	switch f.style {
	case openapi3.SerializationForm:
		for _, s := range variants(f.schema, "array") {
			if s.Items != nil && nests(s.Items) {
				names = append(names, leaves(f.name[:len(f.name)-1]+"0]", s.Items)...)
			}
		}
	case openapi3.SerializationDeepObject:
		for _, s := range variants(f.schema, "object") {
			for name, p := range membersOf(s, f.name) {
				if nests(p) {
					names = append(names, leaves(name, p)...)
				}
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// leaves are the names of every text below a value of that name.
func leaves(name string, s *schema.Schema) []string {
	if !nests(s) {
		return []string{name}
	}
	var names []string
	if slices.ContainsFunc(s.ValueTypes(), func(t string) bool { return t != "array" && t != "object" }) {
		names = append(names, name)
	}
	for _, v := range variants(s, "array") {
		if v.Items == nil || !nests(v.Items) {
			names = append(names, name+"[]")
		} else {
			names = append(names, leaves(name+"[0]", v.Items)...)
		}
	}
	for _, v := range variants(s, "object") {
		for member, p := range membersOf(v, name) {
			names = append(names, leaves(member, p)...)
		}
	}
	return names
}

// nests reports that a value may be a list or an object.
func nests(s *schema.Schema) bool {
	types := s.ValueTypes()
	return slices.Contains(types, "array") || slices.Contains(types, "object")
}

// variants are the schemas of a type's values: itself, or what it may be.
func variants(s *schema.Schema, name string) []*schema.Schema {
	var all []*schema.Schema
	for _, v := range s.AnyOf {
		all = append(all, variants(v, name)...)
	}
	if len(all) == 0 && slices.Contains(s.ValueTypes(), name) {
		all = append(all, s)
	}
	return all
}

// membersOf are the properties of an object in a query, by their names there; [key]
// stands for those that are not named.
func membersOf(s *schema.Schema, name string) func(func(string, *schema.Schema) bool) {
	return func(yield func(string, *schema.Schema) bool) {
		for _, p := range s.Properties {
			if !yield(name+"["+p.Name+"]", p.Schema) {
				return
			}
		}
		if s.Additional != nil || len(s.Properties) == 0 && !s.Closed {
			other := s.Additional
			if other == nil {
				other = &schema.Schema{}
			}
			yield(name+"[key]", other)
		}
	}
}
