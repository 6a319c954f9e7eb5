package generate

import (
	"slices"
	"strconv"
	"strings"

	"toolpress/discover/wp"
	"toolpress/generate/schema"
)

// Style is how an argument's lists and objects are written in a query, for sites
// that do not read them as PHP does.
type Style string

// The styles. Auto is name[0]=a and name[key]=b, and commas where a list of
// integers would make a URL too long. Brackets is name[]=a, but for lists of lists
// or objects, and never commas. Comma is name=a,b, as wp_parse_list reads it
// (wp-includes/functions.php).
const (
	Auto     Style = ""
	Comma    Style = "comma"
	Brackets Style = "brackets"
)

// Unstyled says why an argument cannot be written in a style, as a sentence about
// it; empty when it can.
func (o *Operation) Unstyled(a Arg, s Style) string {
	inQuery := a.In == InQuery || o.sendsQuery() && (a.In == InInput || a.In == Whole)
	list, object := mayBe(a.Schema, "array"), mayBe(a.Schema, "object")
	switch {
	case o.Arg(a.Name) == nil:
		return "is none that the ability lists"
	case !inQuery && a.In == InPath:
		return "is sent in the path, and not in a query"
	case !inQuery:
		return "is sent in the body, and not in a query"
	case !list && !object:
		return "is neither a list nor an object"
	case s == Comma && o.Ability != "":
		return "goes to an ability, which may get commas as a text: a core before 7.1 does not read them"
	case s == Comma && !list:
		return "is an object, and commas join the items of a list"
	case s == Comma && a.Schema.Items != nil && !mayBe(a.Schema.Items, "string", "number", "integer", "boolean"):
		return "is a list of lists or objects, which commas cannot join"
	}
	return ""
}

// mayBe reports that a value may have one of the types.
func mayBe(s *schema.Schema, types ...string) bool {
	all := s.ValueTypes()
	return len(all) == 0 || slices.ContainsFunc(types, func(t string) bool { return slices.Contains(all, t) })
}

// sendsQuery reports that an ability's input goes in a query.
func (o *Operation) sendsQuery() bool {
	return o.Ability != "" && (o.Method == "GET" || o.Method == "DELETE")
}

// Styled is the operation with the arguments of these names written in a style.
func (o *Operation) Styled(styles map[string]Style) *Operation {
	styled := *o
	styled.Args = nil
	for _, a := range o.Args {
		if s, said := styles[a.Name]; said {
			a.Style = s
		}
		styled.Args = append(styled.Args, a)
	}
	return &styled
}

// queried is the value as a query writes it.
func (a Arg) queried(v any) (any, error) {
	v = a.wire(v)
	switch list, isList := v.([]any); {
	case a.Style == Comma && isList:
		return joined(list)
	case a.Style == Brackets:
		return bracketed(v), nil
	}
	return v, nil
}

// separators are what wp_parse_list reads between two items.
const separators = ", \t\n\v\f\r"

// joined is a list as one text. An item that would arrive as none, or as several,
// cannot be in it.
func joined(list []any) (string, error) {
	var words []string
	for i, item := range list {
		word, err := wp.Scalar(item)
		if err != nil || word == "" || strings.ContainsAny(word, separators) {
			return "", unsendable("commas join the items, and one that is empty, a list or an object, or that has a comma or a space would not arrive as it is", "["+strconv.Itoa(i)+"]")
		}
		words = append(words, word)
	}
	return strings.Join(words, ","), nil
}

// bracketed writes lists without the index of each item, at any depth.
func bracketed(v any) any {
	switch v := v.(type) {
	case []any:
		list := make(wp.Items, len(v))
		for i, item := range v {
			list[i] = bracketed(item)
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(v))
		for key, item := range v {
			object[key] = bracketed(item)
		}
		return object
	}
	return v
}
