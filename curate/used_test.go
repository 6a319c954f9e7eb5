package curate

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gopkg.in/yaml.v3"
)

// usage gathers which keys of the schema's mappings curations use. A mapping is
// called by its definition, or by where it stands in one.
type usage struct {
	t    *testing.T
	root map[string]any
	used map[string]bool
}

// at follows a $ref, and names what it finds.
func (u *usage) at(name string, s map[string]any) (string, map[string]any) {
	if ref, is := s["$ref"].(string); is {
		return filepath.Base(ref), resolved(u.t, u.root, s)
	}
	return name, s
}

// walk notes the keys of a value.
func (u *usage) walk(name string, s map[string]any, v any) {
	name, s = u.at(name, s)
	for _, form := range listOf(s["anyOf"]) {
		u.walk(name, mapOf(form), v)
	}
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			u.walk(name, mapOf(s["items"]), item)
		}
	case map[string]any:
		for key, value := range v {
			if below := mapOf(mapOf(s["properties"])[key]); below != nil {
				u.used[name+"."+key] = true
				u.walk(name+"."+key, below, value)
				continue
			}
			u.walk(name, mapOf(s["additionalProperties"]), value)
			for _, below := range mapOf(s["patternProperties"]) {
				u.walk(name, mapOf(below), value)
			}
		}
	}
}

// keys are all keys of the schema's mappings, named as walk names them.
func (u *usage) keys(name string, s map[string]any, all map[string]bool) {
	_, inDefinition := s["$ref"]
	name, s = u.at(name, s)
	if inDefinition && all[name+"."] {
		return
	}
	all[name+"."] = inDefinition
	for key, below := range mapOf(s["properties"]) {
		if s["type"] == "object" { // else a condition
			all[name+"."+key] = true
			u.keys(name+"."+key, mapOf(below), all)
		}
	}
	for _, form := range listOf(s["anyOf"]) {
		u.keys(name, mapOf(form), all)
	}
	for _, below := range []any{s["items"], s["additionalProperties"]} {
		if mapOf(below) != nil {
			u.keys(name, mapOf(below), all)
		}
	}
	for _, below := range mapOf(s["patternProperties"]) {
		u.keys(name, mapOf(below), all)
	}
}

// Every key that a curation may have, at each kind of place, is in a file of
// testdata/ok, whose catalog is a golden.
func TestEveryKeyIsUsed(t *testing.T) {
	u := &usage{t, decoded(t, Schema()).(map[string]any), map[string]bool{}}
	files, _ := filepath.Glob("testdata/ok/*.yaml")
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var v map[string]any
		if err := yaml.Unmarshal(text, &v); err != nil {
			t.Fatal(err)
		}
		u.walk("a curation", u.root, v)
	}
	all := map[string]bool{}
	u.keys("a curation", u.root, all)
	maps.DeleteFunc(all, func(key string, _ bool) bool { return key[len(key)-1] == '.' })
	if len(all) < 100 {
		t.Errorf("only %d keys", len(all))
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if !u.used[key] {
			t.Errorf("no file has %s", key)
		}
	}
}
