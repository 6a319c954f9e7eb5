package change

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// side is who writes the value that a schema describes. What a model sends may
// be more than before; what it reads may be less.
type side struct {
	path string // before every path
	what string // what a property is called
	// reads is for what a model reads: there, what admits more is what breaks.
	reads bool
}

var (
	arguments = side{what: "argument"}
	results   = side{path: "result", what: "field", reads: true}
)

// wider is the kind of a change after which a schema admits more.
func (s side) wider() Kind {
	if s.reads {
		return Breaking
	}
	return Additive
}

// narrower is the kind of a change after which a schema admits less.
func (s side) narrower() Kind {
	if s.reads {
		return Additive
	}
	return Breaking
}

// below is the path of a property.
func below(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// roots compares two whole schemas; nil is none.
func (c *comparison) roots(s side, before, after map[string]any) {
	switch {
	case before == nil && after == nil:
	case before == nil:
		c.add(s.what+"-added", Additive, s.path, "", "what it answers is described now")
	case after == nil:
		c.add(s.what+"-removed", Breaking, s.path, "", "what it answers is not described any more")
	default:
		c.schemas(s, s.path, before, after)
	}
}

// words are the keywords that say nothing about which values are right.
var words = []string{"title", "description", "examples", "example", "$comment", "deprecated"}

// schemas compares two schemas of one place.
func (c *comparison) schemas(s side, path string, before, after map[string]any) {
	for _, word := range words {
		old, wasText := text(before[word])
		now, isText := text(after[word])
		switch {
		case wasText && isText:
			c.words(path, word, old, now)
		case !reflect.DeepEqual(before[word], after[word]):
			c.add("text-changed", Text, path, word, "its %s: %s instead of %s", word, show(after[word]), show(before[word]))
		}
	}
	c.types(s, path, before, after)
	c.values(s, path, before, after)
	c.bounds(s, path, before, after)
	c.properties(s, path, before, after)
	c.part(s, path+"[]", "items", before, after)
	c.others(s, path, before, after)
	for _, word := range []string{"anyOf", "oneOf", "allOf"} {
		c.alternatives(s, path, word, before[word], after[word])
	}
	if !s.reads {
		c.defaults(path, before, after)
	}
	c.rest(path, before, after)
}

// text is a word of a schema that is a text, or not there.
func text(v any) (string, bool) {
	s, isText := v.(string)
	return s, isText || v == nil
}

// properties compares the named parts of an object, and which must be there.
func (c *comparison) properties(s side, path string, before, after map[string]any) {
	old, now := objects(before["properties"]), objects(after["properties"])
	mustOld, mustNow := texts(before["required"]), texts(after["required"])
	for _, name := range slices.Sorted(maps.Keys(old)) {
		at := below(path, name)
		next, there := now[name]
		if !there {
			c.add(s.what+"-removed", Breaking, at, "", "the %s is gone", s.what)
			continue
		}
		c.schemas(s, at, old[name], next)
		was, is := slices.Contains(mustOld, name), slices.Contains(mustNow, name)
		switch {
		case was == is:
		case is:
			c.add(s.what+"-required", s.narrower(), at, "required", "the %s is required now", s.what)
		default:
			c.add(s.what+"-optional", s.wider(), at, "required", "the %s is not required any more", s.what)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if _, there := old[name]; there {
			continue
		}
		if slices.Contains(mustNow, name) && !s.reads {
			c.add(s.what+"-required", Breaking, below(path, name), "", "a new %s that is required", s.what)
		} else {
			c.add(s.what+"-added", Additive, below(path, name), "", "a new %s", s.what)
		}
	}
}

// objects are the schemas among the members of a map.
func objects(v any) map[string]map[string]any {
	all, _ := v.(map[string]any)
	schemas := map[string]map[string]any{}
	for name, member := range all {
		schema, _ := member.(map[string]any) // true and false admit as {} does here
		schemas[name] = schema
	}
	return schemas
}

func texts(v any) []string {
	list, _ := v.([]any)
	var all []string
	for _, item := range list {
		if text, isText := item.(string); isText {
			all = append(all, text)
		}
	}
	return all
}

// part compares the schema of what a value consists of.
func (c *comparison) part(s side, path, word string, before, after map[string]any) {
	old, _ := before[word].(map[string]any)
	now, _ := after[word].(map[string]any)
	if old != nil || now != nil {
		c.schemas(s, path, old, now) // none admits everything, as {} does
	}
}

// others compares what may stand beside the named properties.
func (c *comparison) others(s side, path string, before, after map[string]any) {
	const word = "additionalProperties"
	wasClosed, isClosed := before[word] == false, after[word] == false
	at := below(path, "*")
	switch {
	case wasClosed && isClosed:
	case wasClosed:
		c.add(s.what+"-added", Additive, at, "", "other %ss are taken too", s.what)
	case isClosed:
		c.add(s.what+"-removed", Breaking, at, "", "no other %ss are taken any more", s.what)
	default:
		c.part(s, at, word, before, after)
	}
}

// defaults compares what is sent for an argument that is left out.
func (c *comparison) defaults(path string, before, after map[string]any) {
	old, was := before["default"]
	now, is := after["default"]
	switch {
	case reflect.DeepEqual(old, now) && was == is:
	case !was:
		c.add("default-changed", Breaking, path, "default", "left out, it is %s now", show(now))
	case !is:
		c.add("default-changed", Breaking, path, "default", "left out, it is not %s any more", show(old))
	default:
		c.add("default-changed", Breaking, path, "default", "left out, it is %s instead of %s", show(now), show(old))
	}
}

// show is a value as JSON, shortened; "nothing" for none.
func show(v any) string {
	if v == nil {
		return "nothing"
	}
	if text, isText := v.(string); isText {
		return quote(text)
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("%T", v)
	}
	return short(string(text))
}

// maxShown bounds a value in a message, in characters.
const maxShown = 120

func short(text string) string {
	if chars := []rune(text); len(chars) > maxShown {
		return string(chars[:maxShown]) + "…"
	}
	return text
}

// quote is a text in a message.
func quote(text string) string {
	if text == "" {
		return "nothing"
	}
	return fmt.Sprintf("%q", short(text))
}
