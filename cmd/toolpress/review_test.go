package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toolpress/discover/wptest"
)

// What ships as an example keeps the rules: the demo's curation, the annotated
// curation.yaml and no file at all, on a site that has what they name.
func TestShippedCurationsAreReviewed(t *testing.T) {
	shop := wptest.New()
	address, end, err := startBookshop(shop)
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	editor := shop.Users()[0]
	sample, err := filepath.Abs("../../curation.yaml")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("demo.yaml", []byte(demoCuration), 0o600); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"TOOLPRESS_SITE": address, "TOOLPRESS_USER": editor.Login, "TOOLPRESS_PASSWORD": editor.Password}
	for _, args := range [][]string{{"demo.yaml"}, {sample}, {}} {
		var out, errs bytes.Buffer
		code := run(t.Context(), append([]string{"check", "--fail-on", "warning"}, args...), func(name string) string { return env[name] }, io.MultiReader(), &out, &errs)
		if code != exitOK || strings.Contains(out.String(), "warning:") {
			t.Errorf("%v: %d\n%s%s", args, code, &out, &errs)
		}
	}
}
