package curate

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The keys of each mapping are those that the walker knows there, which is asked
// of it word by word, and each says what it is.
func TestSchemaKeys(t *testing.T) {
	words := sourceWords(t)
	asked := map[string]bool{}
	for _, s := range spots(t) {
		properties := mapOf(s.schema["properties"])
		if properties == nil || s.schema["type"] != "object" {
			continue
		}
		for key, sub := range properties {
			if mapOf(sub)["description"] == nil && resolved(t, decoded(t, Schema()).(map[string]any), mapOf(sub))["description"] == nil {
				t.Errorf("%s.%s has no description", s.path, key)
			}
			if !slices.Contains(words, key) {
				t.Errorf("%s.%s: the source has no such word", s.path, key)
			}
		}
		for _, word := range words {
			known := true
			for _, f := range read(t, s.around(with(smallest(s.schema, ""), word, nil))) {
				if what, _, refused := strings.Cut(f.Message, fmt.Sprintf(" has no key %q", word)); refused {
					asked[what], known = true, false
				}
				if f.Message == fmt.Sprintf("%q is not supported yet", word) {
					known = false
				}
			}
			if _, listed := properties[word]; listed != known {
				t.Errorf("%s.%s: in the schema %t, known to the walker %t", s.path, word, listed, known)
			}
		}
	}
	// Each mapping that the walker reads was asked: none is missing as a whole.
	for _, what := range mappings(t) {
		if !asked[what] {
			t.Errorf("the schema has no place for %s", what)
		}
	}
}

// samples are values of every kind that the language has.
var samples = []any{
	nil, true, false, 0, 1, 300, -1, 1.5, "", " ", "x", "x y", "no", "1", "GET", "GET /wp/v2/posts", "ability:a/b", "ability:a", "a.b", "**.b", "a[]",
	"5m", "0s", "1000h", "24KiB", "10/m", "hidden", "never", "refuse", "text", "string", "modern", "én", `"`, "preset:wordpress@1", "pt-BR", "pt_PT", "x.json", "/x", "/", "/x/../y", "c:/x", "WP_X", "comma", "warn", 101, 1001,
	[]any{},
	[]any{"x"},
	[]any{1},
	[]any{nil},
	[]any{"GET"},
	[]any{"GET /x"},
	[]any{[]any{"x"}},
	[]any{map[string]any{}},
	[]any{"x y"},
	map[string]any{},
	map[string]any{"x": "x"},
	map[string]any{"x": map[string]any{}},
	map[string]any{"add": "x"},
	map[string]any{"*": "hidden"},
	map[string]any{"window": "1h"},
	map[string]any{"vendor": "x"},
	map[string]any{"vendor": []any{}},
	map[string]any{"x y": map[string]any{}},
	map[string]any{"x": false},
	map[string]any{"raw": true, "pick": "x"},
}

// beyond are the messages of what the walker refuses and the schema cannot say.
var beyond = []string{
	"no pattern that every client reads alike", "replaces itself", "max_bytes must be at least 256", " must be from 1", "asks for a secret",
	"there is no preset", "extends itself", "is written twice", "the tag ", "nested deeper than", ": no such file", "more than 100 aliases", "this is not YAML", "the file is empty", "a second YAML document",
}

// agree wants the walker to refuse what the schema refuses, and the schema what
// the walker does, but for what is beyond it.
func agree(t *testing.T, where string, schema error, walker Findings, met map[string]bool) {
	t.Helper()
	sayable := false
	for _, f := range walker {
		at := slices.IndexFunc(beyond, func(message string) bool { return strings.Contains(f.Message, message) })
		if at < 0 {
			sayable = true
		} else {
			met[beyond[at]] = true
		}
	}
	if schema == nil && sayable || schema != nil && len(walker) == 0 {
		t.Errorf("%s\nschema: %v\nwalker: %v", where, schema, walker)
	}
}

// The schema and the walker take the same values at every place, but for what is
// beyond a schema.
func TestSchemaValues(t *testing.T) {
	schema, met := compiled(t), map[string]bool{}
	places := slices.CompactFunc(spots(t), func(a, b spot) bool { return a.path == b.path })
	for _, s := range places {
		for _, v := range samples {
			curation := s.around(v)
			text, err := json.Marshal(curation)
			if err != nil {
				t.Fatal(err)
			}
			agree(t, s.path, validates(t, schema, text), read(t, curation), met)
		}
	}
	if len(places) < 100 {
		t.Errorf("only %d places", len(places))
	}
}

// Of testdata/err the schema refuses what is wrong in shape, and takes what is
// wrong only on a site.
func TestSchemaRefuses(t *testing.T) {
	schema, met, refusedFiles := compiled(t), map[string]bool{}, 0
	files, _ := filepath.Glob("testdata/err/*.yaml")
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Parse(name, text, opener)
		findings, _ := err.(Findings)
		findings = slices.DeleteFunc(slices.Clone(findings), func(f Finding) bool { return f.Pos.File != name })
		refused := validates(t, schema, text)
		agree(t, name, refused, findings, met)
		if refused != nil {
			refusedFiles++
		}
	}
	if refusedFiles < 20 {
		t.Errorf("only %d files were refused", refusedFiles)
	}
	for _, message := range beyond {
		if !met[message] {
			t.Errorf("no file shows %q, which is beyond the schema", message)
		}
	}
}

// Every curation that is read validates.
func TestSchemaTakes(t *testing.T) {
	schema := compiled(t)
	files, _ := filepath.Glob("testdata/ok/*.yaml")
	more, _ := filepath.Glob("presets/*.yaml")
	files = append(append(files, more...), "../curation.yaml", "../cmd/toolpress/demo.yaml")
	if len(files) < 10 {
		t.Fatalf("only %q", files)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := validates(t, schema, text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
