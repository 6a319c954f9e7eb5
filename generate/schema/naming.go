package schema

import (
	"slices"
)

// nameProperties gives properties whose names clients refuse others that they
// take; the site's own stays in Wire. Those of an object's variants have one name
// for one of the site's: which variant a value is meant for is not told.
func (c *Compiler) nameProperties(s *Schema, path string) {
	all := s.everyProperty(nil)
	var wires []string
	for _, p := range all {
		if !slices.Contains(wires, p.Wire) {
			wires = append(wires, p.Wire)
		}
	}
	slices.Sort(wires)
	for i, name := range Names(wires) {
		for _, p := range all {
			if p.Wire == wires[i] && p.Name != name {
				p.Name = name
				c.Record(path+"."+p.Wire, "property-renamed", p.Wire, name)
			}
		}
	}
	sortProperties(s.Properties)
	for _, v := range slices.Concat(s.AnyOf, s.AllOf) {
		sortProperties(v.Properties)
	}
}

// everyProperty are the properties of an object and of its variants.
func (s *Schema) everyProperty(all []*Property) []*Property {
	for i := range s.Properties {
		all = append(all, &s.Properties[i])
	}
	for _, v := range slices.Concat(s.AnyOf, s.AllOf) {
		all = v.everyProperty(all)
	}
	return all
}
