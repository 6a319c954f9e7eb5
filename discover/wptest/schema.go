package wptest

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// field is one property of a resource or one argument of an endpoint, in the
// order in which it was written.
type field struct {
	name string
	// schema is what the index shows, without what surrounds it.
	schema map[string]any
	// late marks an argument that core checks while it sanitizes, after all
	// others passed (rest_parse_request_arg, WP_REST_Request::sanitize_params).
	late bool
	// own names the callbacks core has for this argument (see checks, cleans); "open"
	// has none.
	own string
}

// fields reads a table of properties. A line is
//
//	name type[,type] [attribute …] | description
//
// and lines below it with one more tab are its properties, or its "items".
// Attributes: @vem its contexts (view, edit, embed), ro read-only, req
// required, late and own=NAME (see [field]), of=TYPE and itemenum=a,b of the
// items, enum=a,b, and any other key=value, whose value is JSON where it can
// be, else a string.
func fields(table string) []field {
	lines := slices.DeleteFunc(strings.Split(table, "\n"), func(line string) bool { return line == "" })
	list, _ := block(lines, 0)
	return list
}

func block(lines []string, depth int) ([]field, []string) {
	var list []field
	for len(lines) > 0 {
		line := strings.TrimLeft(lines[0], "\t")
		at := len(lines[0]) - len(line)
		if at < depth {
			break
		}
		if at > depth {
			var below []field
			below, lines = block(lines, at)
			adopt(list[len(list)-1].schema, below)
			continue
		}
		list = append(list, parseLine(line))
		lines = lines[1:]
	}
	return list, lines
}

func adopt(schema map[string]any, below []field) {
	if len(below) == 1 && below[0].name == "items" {
		schema["items"] = below[0].schema
		return
	}
	schema["properties"] = properties(below)
}

func parseLine(line string) field {
	head, description, _ := strings.Cut(line, "|")
	words := strings.Fields(head)
	f := field{name: words[0], schema: map[string]any{}}
	if types := strings.Split(words[1], ","); words[1] == "-" {
		// No type at all, as core writes the index's own arguments.
	} else if len(types) > 1 {
		f.schema["type"] = strs(types...)
	} else {
		f.schema["type"] = words[1]
	}
	if text := strings.TrimSpace(description); text != "" {
		f.schema["description"] = text
	}
	for _, word := range words[2:] {
		f.attribute(word)
	}
	return f
}

var contextNames = map[rune]string{'v': "view", 'e': "edit", 'm': "embed"}

func (f *field) attribute(word string) {
	key, value, _ := strings.Cut(word, "=")
	switch {
	case word[0] == '@':
		contexts := []any{}
		for _, c := range word[1:] {
			contexts = append(contexts, contextNames[c])
		}
		f.schema["context"] = contexts
	case word == "ro":
		f.schema["readonly"] = true
	case word == "req":
		f.schema["required"] = true
	case word == "late":
		f.late = true
	case key == "own":
		f.own = value
	case key == "of":
		f.schema["items"] = map[string]any{"type": value}
	case key == "enum" || key == "itemenum":
		list := strs(strings.Split(value, ",")...)
		if key == "itemenum" {
			f.schema["items"] = map[string]any{"type": "string", "enum": list}
		} else {
			f.schema["enum"] = list
		}
	default:
		var v any
		if json.Unmarshal([]byte(value), &v) != nil {
			v = strings.ReplaceAll(value, "_", " ")
			if key != "title" {
				v = value
			}
		}
		f.schema[key] = whole(v)
	}
}

// whole turns the whole numbers of encoding/json into integers.
func whole(v any) any {
	if n, ok := v.(float64); ok && n == float64(int(n)) {
		return int(n)
	}
	return v
}

func strs(values ...string) []any {
	list := make([]any, len(values))
	for i, v := range values {
		list[i] = v
	}
	return list
}

func properties(list []field) any {
	if len(list) == 0 {
		return []any{} // PHP's empty array
	}
	m := map[string]any{}
	for _, f := range list {
		m[f.name] = f.schema
	}
	return m
}

// resource is the schema of a kind of object: what its routes answer with, and
// what their writing endpoints take.
type resource struct {
	title  string
	fields []field
	// actions are the rels of the schema's "links" (https://api.w.org/action-…).
	actions []string
	base    string
	// whole names the fields that _fields cannot reach into, because core
	// compares their names as they are; * for all.
	whole string
}

// schema is what the index shows in the help context
// (WP_REST_Controller::get_public_item_schema).
func (r *resource) schema(s *Site) map[string]any {
	schema := map[string]any{
		"$schema": "http://json-schema.org/draft-04/schema#", "title": r.title, "type": "object",
		"properties": properties(r.fields),
	}
	var links []any
	for _, action := range r.actions {
		links = append(links, map[string]any{
			"rel": "https://api.w.org/action-" + action, "href": s.rest("/wp/v2/" + r.base + "/{id}"),
			"title":        "The credential may " + strings.ReplaceAll(action, "-", " ") + " here.",
			"targetSchema": map[string]any{"type": "object", "properties": actionTargets[action]},
		})
	}
	if links != nil {
		schema["links"] = links
	}
	return schema
}

// written derives the arguments of a creating or an updating endpoint: what is
// not read-only, without what speaks of answers
// (rest_get_endpoint_args_for_schema).
func (r *resource) written(create bool) []field {
	var args []field
	for _, f := range r.fields {
		if f.schema["readonly"] == true {
			continue
		}
		arg := field{name: f.name, schema: maps.Clone(f.schema), own: f.own}
		delete(arg.schema, "context")
		if !create {
			delete(arg.schema, "default")
			delete(arg.schema, "required")
		}
		args = append(args, arg)
	}
	return args
}

// inContext keeps of an object what the context shows
// (rest_filter_response_by_context).
func (r *resource) inContext(object map[string]any, context string) map[string]any {
	for _, f := range r.fields {
		if _, ok := object[f.name]; ok && !shown(f.schema, context) {
			delete(object, f.name)
			continue
		}
		nested, _ := object[f.name].(map[string]any)
		below, _ := f.schema["properties"].(map[string]any)
		for name := range nested {
			if schema, ok := below[name].(map[string]any); ok && !shown(schema, context) {
				delete(nested, name)
			}
		}
	}
	return object
}

func shown(schema map[string]any, context string) bool {
	contexts, ok := schema["context"].([]any)
	return !ok || slices.Contains(contexts, any(context))
}
