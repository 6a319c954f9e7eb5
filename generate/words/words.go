// Package words has the rules about what a model reads of a tool: how long its
// description may be, what has no place in it, which arguments are hard to use.
// A curation's review holds tools against them (package curate), and lint what a
// plugin's author wrote (generate/lint).
//
// The rules find carelessness. The package changes no text and judges no meaning.
package words

import (
	"slices"
	"strings"

	"toolpress/generate/schema"
)

// Bounds of what a model is shown. Clients add a server's name to a tool's, and
// models choose worse among many arguments and long lists. Lengths are in
// characters.
const (
	LongestName      = 40
	ShortDescription = 40
	LongDescription  = 600
	MostArguments    = 12
	LongestEnum      = 30
)

// Items is the part of a path that goes into a list.
const Items = "[]"

// Walk visits a schema and all that is in it, by dotted paths of property names:
// "lines[].sku".
func Walk(path string, s *schema.Schema, visit func(path string, s *schema.Schema)) {
	if s == nil {
		return
	}
	visit(path, s)
	for _, p := range s.Properties {
		Walk(strings.TrimPrefix(path+"."+p.Name, "."), p.Schema, visit)
	}
	Walk(path+Items, s.Items, visit)
	Walk(path, s.Additional, visit)
	for _, part := range slices.Concat(s.AnyOf, s.AllOf) {
		Walk(path, part, visit)
	}
}

// Arguments is Walk without the root.
func Arguments(s *schema.Schema, visit func(path string, s *schema.Schema)) {
	Walk("", s, func(path string, s *schema.Schema) {
		if path != "" {
			visit(path, s)
		}
	})
}

// Prose are the texts of a schema itself that a model reads: what says what it
// is, and the values it has.
func Prose(s *schema.Schema) []string {
	texts := []string{s.Description}
	if s.Title != s.Description {
		texts = append(texts, s.Title)
	}
	for _, v := range append(slices.Clone(s.Enum), s.Default) {
		if text, is := v.(string); is && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts
}

// Undescribed are the paths of arguments without a word, and of what is in them. Of
// several forms of one, it is enough that one is described.
func Undescribed(s *schema.Schema) []string {
	var paths []string
	described := map[string]bool{}
	Arguments(s, func(path string, s *schema.Schema) {
		if !strings.HasSuffix(path, Items) && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
		described[path] = described[path] || s.Description != "" || s.Title != ""
	})
	return slices.DeleteFunc(paths, func(path string) bool { return described[path] })
}

// LongEnums are the paths of arguments with more than [LongestEnum] values.
func LongEnums(s *schema.Schema) (long []string) {
	Arguments(s, func(path string, s *schema.Schema) {
		if len(s.Enum) > LongestEnum {
			long = append(long, path)
		}
	})
	return long
}

// counts are the names by which routes and abilities take a number of items.
var counts = []string{"per_page", "posts_per_page", "numberposts", "page_size", "limit"}

// Unbounded reports that an argument, by the name the site has for it, says how
// many items are wanted, without a maximum.
func Unbounded(name string, s *schema.Schema) bool {
	number := s.Is("integer") || s.Is("number")
	bounded := s.Maximum != "" || s.ExclusiveMaximum != "" || s.Enum != nil
	return number && !bounded && slices.Contains(counts, name)
}
