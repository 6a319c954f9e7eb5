package curate

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"
)

// spot is a place of the schema that a curation can reach.
type spot struct {
	path   string
	schema map[string]any // resolved
	// around makes the smallest curation with a value at the place.
	around func(value any) any
}

// spots are all places below the root, each once for each way to it.
func spots(t *testing.T) []spot {
	t.Helper()
	root := decoded(t, Schema()).(map[string]any)
	var list []spot
	var visit func(s spot)
	visit = func(s spot) {
		s.schema = resolved(t, root, s.schema)
		list = append(list, s)
		for name, sub := range mapOf(s.schema["properties"]) {
			if sub, ok := sub.(map[string]any); ok {
				base := smallest(s.schema, name)
				visit(spot{s.path + "." + name, sub, func(v any) any { return s.around(with(base, name, v)) }})
			}
		}
		below := mapOf(s.schema["patternProperties"])
		names := map[string]any{"x": s.schema["additionalProperties"]}
		for pattern, sub := range below {
			for _, name := range []string{"x", "*"} {
				if regexp.MustCompile(pattern).MatchString(name) {
					names[name] = sub
				}
			}
		}
		for name, sub := range names {
			if sub, ok := sub.(map[string]any); ok {
				visit(spot{s.path + "." + name, sub, func(v any) any { return s.around(map[string]any{name: v}) }})
			}
		}
		if items, ok := s.schema["items"].(map[string]any); ok {
			visit(spot{s.path + "[]", items, func(v any) any { return s.around([]any{v}) }})
		}
		for _, key := range []string{"anyOf"} {
			for _, form := range listOf(s.schema[key]) {
				if form := form.(map[string]any); form["required"] == nil { // else a condition
					visit(spot{s.path, form, s.around})
				}
			}
		}
	}
	visit(spot{"", root, func(v any) any { return v }})
	slices.SortStableFunc(list, func(a, b spot) int { return strings.Compare(a.path, b.path) })
	return list
}

// resolved merges what a $ref names below what stands beside it.
func resolved(t *testing.T, root, s map[string]any) map[string]any {
	ref, ok := s["$ref"].(string)
	if !ok {
		return s
	}
	target, ok := mapOf(root["$defs"])[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
	if !ok {
		t.Fatalf("%s is nowhere", ref)
	}
	whole := maps.Clone(resolved(t, root, target))
	maps.Copy(whole, s)
	return whole
}

func mapOf(v any) map[string]any { m, _ := v.(map[string]any); return m }
func listOf(v any) []any         { l, _ := v.([]any); return l }

// smallest is the schema's own smallest value, the one with a key where there is
// one.
func smallest(s map[string]any, key string) map[string]any {
	all := listOf(s["examples"])
	for _, e := range all {
		if e := mapOf(e); e[key] != nil {
			return e
		}
	}
	if len(all) == 0 {
		return map[string]any{}
	}
	return mapOf(all[0])
}

func with(base map[string]any, key string, value any) map[string]any {
	base = maps.Clone(base)
	base[key] = value
	return base
}

func read(t *testing.T, curation any) Findings {
	t.Helper()
	text, err := json.Marshal(curation)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Parse("c.yaml", text, func(string) ([]byte, error) { return []byte("version: 1"), nil })
	findings, _ := err.(Findings)
	return findings
}

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("curation.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("curation.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// validates holds a curation's text against the schema.
func validates(t *testing.T, s *jsonschema.Schema, text []byte) error {
	t.Helper()
	var v any
	if err := yaml.Unmarshal(text, &v); err != nil {
		return err
	}
	plain, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(plain))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(doc)
}

// sourceWords are all the words that the package's source quotes: what any mapping
// might take for a key.
func sourceWords(t *testing.T) []string {
	t.Helper()
	seen := map[string]bool{"no_such_key": true}
	files, _ := filepath.Glob("*.go")
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`"([a-z][a-z_]*)"`).FindAllSubmatch(text, -1) {
			seen[string(m[1])] = !strings.HasSuffix(name, "_test.go") || seen[string(m[1])]
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// mappings are what the source calls the mappings it reads.
func mappings(t *testing.T) []string {
	t.Helper()
	found := []string{"pick", "drop"} // of reader.picked
	files, _ := filepath.Glob("*.go")
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`r\.(?:mapping|selector|auth)\([^"\n]*, "([^"]+)"`).FindAllSubmatch(text, -1) {
			found = append(found, string(m[1]))
		}
	}
	if len(found) < 24 {
		t.Fatalf("only %q", found)
	}
	return found
}
