package schema

import (
	"reflect"
	"slices"
	"strings"
)

// union gathers what variants have under one name.
type union struct {
	level    int
	names    []string
	wires    []string
	schemas  [][]*Schema // of each name
	items    []*Schema
	required map[string]int
	variants int // beside null
}

func (u *union) take(v *Schema) {
	u.variants++
	for _, p := range v.Properties {
		at := slices.Index(u.names, p.Name)
		if at < 0 {
			at = len(u.names)
			u.names, u.wires, u.schemas = append(u.names, p.Name), append(u.wires, p.Wire), append(u.schemas, nil)
		}
		u.schemas[at] = distinct(u.schemas[at], p.Schema)
		if p.Required {
			u.required[p.Name]++
		}
	}
	if v.Items != nil {
		u.items = distinct(u.items, v.Items)
	}
}

func (u *union) properties() []Property {
	var all []Property
	for i, name := range u.names {
		all = append(all, Property{Name: name, Wire: u.wires[i], Schema: either(u.schemas[i], u.level+1)})
	}
	return all
}

// item is the schema of the items of any variant; own where none has any.
func (u *union) item(own *Schema) *Schema {
	if len(u.items) == 0 {
		return own
	}
	return either(u.items, u.level)
}

// either is the one schema of several in the dialect.
func either(list []*Schema, level int) *Schema {
	if len(list) == 1 {
		return list[0]
	}
	return (&Schema{AnyOf: list}).common(level)
}

func distinct(list []*Schema, s *Schema) []*Schema {
	if slices.ContainsFunc(list, func(other *Schema) bool { return reflect.DeepEqual(other, s) }) {
		return list
	}
	return append(list, s)
}

// discriminated says which properties go with which value of the one that tells
// the variants apart: "rotate: args.angle; crop: args.left, args.top". Empty
// where none does.
func discriminated(variants []*Schema) string {
	for _, p := range variants[0].Properties {
		var forms, seen []string
		for _, v := range variants {
			own := v.Property(p.Name)
			if own == nil || len(own.Schema.Enum) != 1 {
				break
			}
			value, isText := own.Schema.Enum[0].(string)
			if !isText || slices.Contains(seen, value) {
				break
			}
			seen = append(seen, value)
			if names := v.leaves("", p.Name); len(names) > 0 {
				forms = append(forms, value+": "+strings.Join(names, ", "))
			}
		}
		if len(seen) == len(variants) && len(forms) > 0 && len(seen) > 1 {
			return "by " + p.Name + ", " + strings.Join(forms, "; ")
		}
	}
	return ""
}

// leaves are the properties of an object but one, with those of objects below.
func (s *Schema) leaves(within, but string) []string {
	var names []string
	for _, p := range s.Properties {
		switch {
		case p.Name == but:
		case len(p.Schema.Properties) > 0:
			names = append(names, p.Schema.leaves(within+p.Name+".", "")...)
		default:
			names = append(names, within+p.Name)
		}
	}
	return names
}
