package curate

import (
	"fmt"
	"slices"
	"strings"

	"toolpress/generate/schema"
)

// place names an argument as a path: line_items[0].quantity.
func place(location []string) string {
	var b strings.Builder
	for i, part := range location {
		part = schema.CleanText(part, maxShown)
		switch {
		case isIndex(part) && i > 0:
			b.WriteString("[" + part + "]")
		case i > 0:
			b.WriteString("." + part)
		default:
			b.WriteString(part)
		}
	}
	if b.Len() == 0 {
		return "the arguments"
	}
	return b.String()
}

// isIndex reports digits: an item's place in a list.
func isIndex(part string) bool { return strings.Trim(part, "0123456789") == "" }

// below is the place of a member of what is at a place.
func below(at []string, name string) []string { return append(slices.Clone(at), name) }

// unknown says what a name that does not exist may have been meant to be.
func unknown(at []string, root *schema.Schema) string {
	within, name := at[:len(at)-1], at[len(at)-1]
	var names []string
	if holder := schemaAt(root, within); holder != nil {
		names = namesOf(holder, nil)
	}
	fault, list := place(at)+" is not an argument of this tool", "; its arguments are "
	if len(within) > 0 {
		fault, list = place(at)+" is not a property the tool takes", "; "+place(within)+" may have "
	}
	switch hint := nearest(name, names); {
	case hint != "":
		fault += "; did you mean " + hint + "?"
	case len(names) > 0:
		fault += list + some(names)
	case len(within) == 0:
		fault += ", which takes none"
	}
	return fault
}

// namesOf are the properties of an object, those of its variants included.
func namesOf(s *schema.Schema, names []string) []string {
	for _, p := range s.Properties {
		if !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	for _, v := range s.AnyOf {
		names = namesOf(v, names)
	}
	return names
}

// some lists names, not too many.
func some(names []string) string {
	if len(names) > maxNames {
		return strings.Join(names[:maxNames], ", ") + " …"
	}
	return strings.Join(names, ", ")
}

// allowed lists the values of an enum: all of a few, else those nearest to what
// was given first.
func allowed(values []any, got any) string {
	var words []string
	for _, v := range values {
		text, _ := schema.Encode(v)
		words = append(words, string(text))
	}
	if len(words) <= maxNames {
		return strings.Join(words, ",")
	}
	if near := nearest(brief(got), words); near != "" {
		words = slices.Insert(slices.DeleteFunc(words, func(w string) bool { return w == near }), 0, near)
	}
	return fmt.Sprintf("%s and %d more", strings.Join(words[:maxNames], ","), len(words)-maxNames)
}

// brief is a value as a fault shows it.
func brief(v any) string {
	text, _ := schema.Encode(v)
	return fmt.Sprintf("%.80s", text)
}
