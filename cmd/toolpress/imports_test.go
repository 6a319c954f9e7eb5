package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// Imports go only upstream: cmd → runtime → curate → generate → generate/schema
// → discover → discover/wp. The imports are parsed: go list from a test may answer from the
// test cache.
func TestImportDirection(t *testing.T) {
	rank := map[string]int{
		"discover/wp": 0, "discover/wptest": 1, "discover/wptest/recorded": 1, "discover": 2, "discover/doctor": 3, "discover/login": 3, "discover/lastgood": 4,
		"generate/clients": 4, "generate/schema": 5, "generate/words": 6, "generate": 7, "generate/lint": 8, "curate": 9, "runtime": 10, "cmd": 11,
	}
	rankOf := func(pkg string) int {
		for ; pkg != "."; pkg = filepath.Dir(pkg) {
			if r, ok := rank[pkg]; ok {
				return r
			}
		}
		return -1
	}
	root, seen := filepath.Join("..", ".."), 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg, _ := filepath.Rel(root, filepath.Dir(path))
		if pkg = filepath.ToSlash(pkg); strings.HasPrefix(pkg, "test") {
			return nil
		}
		if rankOf(pkg) < 0 {
			t.Errorf("%s lies in no layer", pkg)
		}
		for _, spec := range f.Imports {
			name := strings.Trim(spec.Path.Value, `"`)
			imported, ours := strings.CutPrefix(name, "toolpress/")
			pure := strings.HasPrefix(pkg, "generate") || strings.HasPrefix(pkg, "curate")
			switch {
			case ours && rankOf(imported) > rankOf(pkg), ours && rankOf(imported) == rankOf(pkg) && !strings.HasPrefix(imported, pkg) && rankOf(pkg) < 10:
				t.Errorf("%s imports %s, which is downstream", path, imported)
			case pure && (name == "context" || name == "os" || name == "net" || name == "net/http" || name == "log" || name == "log/slog"):
				t.Errorf("%s is pure and imports %s", path, name)
			}
			seen++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 30 {
		t.Fatalf("only %d imports seen", seen)
	}
}
