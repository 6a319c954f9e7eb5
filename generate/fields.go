package generate

import (
	"cmp"
	"slices"
	"strings"

	"toolpress/discover/wp"
)

// Trim is the query by which the site leaves out what is not picked, and embeds
// what is: _fields (rest_filter_response_fields) and _embed
// (WP_REST_Server::embed_links). paths are what is picked of an object, dotted.
//
// It changes nothing of what a pick finds, so there is no _fields but on a read of
// a route whose schema has an id and every picked field: elsewhere an answer may be a
// map of objects, or no object at all, which core then empties or fails at.
func (o *Operation) Trim(paths []string) wp.Query {
	if o.Method != "GET" || o.Route == "" {
		return nil
	}
	var q wp.Query
	if fields := o.fields(paths); len(fields) > 0 {
		q = append(q, wp.Param{Name: "_fields", Value: strings.Join(fields, ",")})
	}
	if embed := o.embed(paths); len(embed) > 0 {
		q = append(q, wp.Param{Name: "_embed", Value: strings.Join(embed, ",")})
	}
	return q
}

// fields are the names for _fields; nil where one of the paths leads to what is
// not known.
func (o *Operation) fields(paths []string) []string {
	var names []string
	if o.everywhere() == "" {
		return nil
	}
	for _, path := range paths {
		name := o.field(path)
		if name == "" {
			return nil
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return nil
	}
	names = append(names, o.everywhere())
	slices.Sort(names)
	names = slices.Compact(names)
	return slices.DeleteFunc(names, func(name string) bool {
		first, _, nested := strings.Cut(name, ".")
		return nested && slices.Contains(names, first)
	})
}

// everywhere is a field that each object of the route has: PHP writes one that is
// left with nothing as an empty list, which no pick goes into. What has no id is
// mostly no object of its own either, but one of a map.
func (o *Operation) everywhere() string {
	switch {
	case o.Route == "/": // the index: no schema, one object (WP_REST_Server::get_index)
		return "name"
	case o.answer["id"] != nil:
		return "id"
	}
	return ""
}

// field is what is asked for so that a path finds what it would in the whole
// answer; empty where that is not known. Through a list core follows no path, and
// into an object only where its controller does.
func (o *Operation) field(path string) string {
	first, rest, nested := strings.Cut(path, ".")
	second, _, _ := strings.Cut(rest, ".")
	switch {
	case first == "_links":
		return first
	case first == "_embedded":
		// Embedded is what the links lead to; those that are not there lead nowhere.
		return strings.TrimSuffix("_links."+second, ".")
	case o.Route == "/" && !nested:
		return first
	}
	described, known := o.answer[first]
	if !known {
		return ""
	}
	if nested && o.reaches(first, described) {
		return first + "." + second
	}
	return first
}

// reaches reports that core's controller of the route reads _fields into a
// property (rest_is_field_included with a dot), in all versions since 6.1: that of
// posts does for their texts. Others look for the property's own name: those of
// comments, terms, users and revisions, and WooCommerce's.
func (o *Operation) reaches(name string, described any) bool {
	property, _ := described.(map[string]any)
	parts, _ := property["properties"].(map[string]any)
	return parts["rendered"] != nil && slices.Contains([]string{"title", "content", "excerpt", "guid"}, name) &&
		o.Namespace == "wp/v2" && o.answer["guid"] != nil && o.answer["type"] != nil && o.answer["link"] != nil
}

// embed are the relations that are picked of what is embedded; all of them where
// a path does not say.
func (o *Operation) embed(paths []string) []string {
	var relations []string
	for _, path := range paths {
		if first, rest, _ := strings.Cut(path, "."); first == "_embedded" {
			relation, _, _ := strings.Cut(rest, ".")
			relations = append(relations, cmp.Or(relation, "1"))
		}
	}
	if slices.Contains(relations, "1") {
		return []string{"1"}
	}
	slices.Sort(relations)
	return slices.Compact(relations)
}

// Unnamed reports a dotted path that the schema of the route does not name:
// by its first name, or by its second in what core says all parts of, a title. What
// is known is then what it may have been meant to be, in order. False where no schema
// with an id says what the answer is, and of what plugins add without saying so.
func (o *Operation) Unnamed(path string) (known []string, unnamed bool) {
	first, rest, _ := strings.Cut(path, ".")
	second, _, _ := strings.Cut(rest, ".")
	if o.Method == "DELETE" { // WP_REST_Posts_Controller::delete_item
		switch first {
		case "deleted":
			return nil, false
		case "previous":
			if rest == "" {
				return nil, false
			}
			known, unnamed = (&Operation{Method: "GET", Namespace: o.Namespace, answer: o.answer}).Unnamed(rest)
			for i := range known {
				known[i] = "previous." + known[i]
			}
			return known, unnamed
		}
	}
	if o.answer["id"] == nil || addsTo(first) {
		return nil, false
	}
	if _, there := o.answer[first]; there {
		parts := o.parts(first)
		if _, there := parts[second]; there || second == "" || len(parts) == 0 || strings.Contains(second, "*") {
			return nil, false
		}
	}
	for name := range o.answer {
		known = append(known, name)
		for part := range o.parts(name) {
			known = append(known, name+"."+part)
		}
	}
	slices.Sort(known)
	return known, true
}

// parts are those of a property of core's that has these and no other; nil where
// that is not known.
func (o *Operation) parts(name string) map[string]any {
	if o.Namespace != "wp/v2" || addsTo(name) {
		return nil
	}
	property, _ := o.answer[name].(map[string]any)
	if extra := property["additionalProperties"]; extra != nil && extra != false {
		return nil
	}
	return propertiesOf(property)
}

// addsTo reports a first name below which, or with which, answers have more than
// their schema says: links, what is embedded and registered fields without a schema
// (register_rest_field), as plugins that many sites have add them. A pattern is one too.
func addsTo(name string) bool {
	if strings.Contains(name, "*") || slices.Contains([]string{"_links", "_embedded", "acf", "meta"}, name) {
		return true
	}
	return slices.ContainsFunc([]string{"yoast", "aioseo", "jetpack"}, func(plugin string) bool { return strings.HasPrefix(name, plugin) })
}
