package schema

import (
	"cmp"
	"encoding/json"
	"slices"
	"sort"
)

// Schema is one JSON Schema 2020-12, reduced to the keywords that say
// something about a value WordPress takes. The zero value accepts anything.
type Schema struct {
	// Types are the value's types; empty means any. More than one is a union.
	Types       []string
	Title       string
	Description string
	// Format is one that JSON Schema defines.
	Format  string
	Pattern string
	// ContentEncoding is how a text holds bytes, as JSON Schema names it: base64.
	ContentEncoding string
	// Example is a value that shows what is meant; it is not published. Nil: none.
	Example any
	// Enum lists the only values; nil means no such limit.
	Enum []any
	// Default is what the site takes for an absent value, when HasDefault.
	Default    any
	HasDefault bool

	Minimum, Maximum, ExclusiveMinimum, ExclusiveMaximum, MultipleOf json.Number // empty: no bound

	MinLength, MaxLength, MinItems, MaxItems, MinProperties, MaxProperties *int
	UniqueItems                                                            bool

	// Items is the schema of a list's values.
	Items *Schema
	// Properties are an object's, in the order they are written.
	Properties []Property
	// Additional is the schema of properties not named; Closed allows none.
	Additional *Schema
	Closed     bool

	AnyOf, AllOf []*Schema

	// Header names the HTTP header that carries the value besides (MCP 2026-07-28,
	// x-mcp-header); empty: none.
	Header string

	remarks []string // what the common dialect is still to say in the description
}

// Property is one named property of an object. Name is safe for every client,
// Wire is what the site calls it; empty means the same.
type Property struct {
	Name     string
	Wire     string
	Required bool
	Schema   *Schema
}

// Is reports whether the schema's only type, null aside, is name.
func (s *Schema) Is(name string) bool {
	found := false
	for _, t := range s.Types {
		switch t {
		case name:
			found = true
		case "null":
		default:
			return false
		}
	}
	return found
}

// Allows reports whether a value of the type name may be one of the schema's,
// as far as its own types say.
func (s *Schema) Allows(name string) bool {
	return len(s.Types) == 0 || slices.Contains(s.Types, name) || (name == "integer" && slices.Contains(s.Types, "number"))
}

// Property returns the named property, or nil.
func (s *Schema) Property(name string) *Property {
	for i := range s.Properties {
		if s.Properties[i].Name == name {
			return &s.Properties[i]
		}
	}
	return nil
}

// OnWire gives the properties of a value the names the site has for them, at any
// depth. The value itself is not changed.
func (s *Schema) OnWire(v any) any {
	return s.renamed(v, func(p Property) (from, to string) { return p.Name, cmp.Or(p.Wire, p.Name) })
}

// Shown gives the properties of a value of the site the schema's own names.
func (s *Schema) Shown(v any) any {
	return s.renamed(v, func(p Property) (from, to string) { return cmp.Or(p.Wire, p.Name), p.Name })
}

func (s *Schema) renamed(v any, names func(Property) (from, to string)) any {
	if s == nil {
		return v
	}
	switch value := v.(type) {
	case []any:
		list := make([]any, len(value))
		for i := range value {
			list[i] = s.Items.renamed(value[i], names)
		}
		v = list
	case map[string]any:
		v = s.renamedObject(value, names)
	default:
		return v
	}
	for _, part := range slices.Concat(s.AnyOf, s.AllOf) {
		v = part.renamed(v, names)
	}
	return v
}

func (s *Schema) renamedObject(value map[string]any, names func(Property) (from, to string)) any {
	object := make(map[string]any, len(value))
	taken := map[string]bool{} // what one side calls a property is that property's alone
	for _, p := range s.Properties {
		from, to := names(p)
		taken[from], taken[to] = true, true
		inner, there := value[from]
		if !there {
			inner, there = value[to]
		}
		if there {
			object[to] = p.Schema.renamed(inner, names)
		}
	}
	for name, inner := range value {
		if !taken[name] {
			object[name] = s.Additional.renamed(inner, names)
		}
	}
	return object
}

// Clone returns a deep copy; values of Enum and Default are shared, and never
// changed by anyone.
func (s *Schema) Clone() *Schema {
	if s == nil {
		return nil
	}
	c := *s
	c.Types = slices.Clone(s.Types)
	c.Enum = slices.Clone(s.Enum)
	c.Items, c.Additional = s.Items.Clone(), s.Additional.Clone()
	c.Properties = slices.Clone(s.Properties)
	for i := range c.Properties {
		c.Properties[i].Schema = c.Properties[i].Schema.Clone()
	}
	c.AnyOf, c.AllOf = cloneAll(s.AnyOf), cloneAll(s.AllOf)
	return &c
}

func cloneAll(list []*Schema) []*Schema {
	c := slices.Clone(list)
	for i := range c {
		c[i] = c[i].Clone()
	}
	return c
}

// Visit calls f for the schema and every one in it, the outer ones first.
func (s *Schema) Visit(f func(*Schema)) {
	if s == nil {
		return
	}
	f(s)
	s.Items.Visit(f)
	s.Additional.Visit(f)
	for _, p := range s.Properties {
		p.Schema.Visit(f)
	}
	for _, v := range slices.Concat(s.AnyOf, s.AllOf) {
		v.Visit(f)
	}
}

// sortProperties puts required properties first and each part in the order of
// its names, so that no plugin's order reaches a client's prompt cache.
func sortProperties(list []Property) {
	sort.SliceStable(list, func(i, j int) bool {
		if list[i].Required != list[j].Required {
			return list[i].Required
		}
		return list[i].Name < list[j].Name
	})
}
