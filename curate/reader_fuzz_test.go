package curate

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// Whatever a file holds, reading it ends, and so does using it; all that is said
// of it is bounded, printable, and of a place that the file has, and the line
// that is shown is the one that stands there.
func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/*/*.yaml")
	presets, _ := filepath.Glob("presets/*.yaml")
	for _, name := range append(files, presets...) {
		data, _ := os.ReadFile(name)
		f.Add(string(data))
	}
	for _, text := range []string{
		"\uFEFFversion: 1\r\nfoo: 1\u2028bar: [\u0085", "version: 1\n---\n[", "version: 1\nextends: [c.yaml, ./c.yaml, preset:wordpress@1, d/c.yaml, gone.yaml]\n",
		"version: 1\ntools: { t: { from: [\"ability:shop/open\", GET /shop/v1/items], args: { a: { fix: &a [*a, !x y, 1e999, <<] } } } }\n", "\xff\xfev\x00", "&a {version: 1, *a : *a}", "!x%1ey z", "? |\n  a\n: >-\n b\n",
	} {
		f.Add(text)
	}
	surface := shop(f)
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse("c.yaml", []byte(text), func(name string) ([]byte, error) {
			if strings.HasSuffix(name, "c.yaml") {
				return []byte(text), nil
			}
			return nil, errors.New("not there")
		})
		var found Findings
		if err != nil && (!errors.As(err, &found) || len(found) == 0) {
			t.Fatalf("%v is no list of findings", err)
		}
		if err == nil {
			_, found = c.Check(surface, nil)
		}
		for _, one := range found {
			if wrong := misplaced(one, text); wrong != "" {
				t.Fatalf("%s: %#v", wrong, one)
			}
		}
	})
}

// misplaced says what is wrong with the place of a finding, or with its words.
func misplaced(f Finding, text string) string {
	if f.Message == "" || len(f.Message)+len(f.Hint) > 1<<14 || strings.ContainsFunc(f.Message, func(r rune) bool { return r != '\n' && unicode.IsControl(r) }) {
		return "the words"
	}
	if strings.HasPrefix(f.Pos.File, "preset:") {
		return ""
	}
	lines := linesOf([]byte(text))
	switch {
	case f.Pos.Line == 0 && f.Pos.Col == 0:
		return ""
	case f.Pos.Line < 1 || f.Pos.Line > len(lines) || f.Pos.Col < 1:
		return "the line"
	}
	line := lines[f.Pos.Line-1]
	if f.Pos.Col > utf8.RuneCountInString(line)+1 {
		return "the column"
	}
	if f.Source != "" && f.Source != strings.TrimRight(line, " \t") {
		return "the line shown"
	}
	return ""
}
