package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolpress/curate/change"
)

// W87: the exit codes that CI decides by: 5 is drift, 3 a change that was not to
// be, 2 two sides that cannot be compared.
func TestDriftExitCodes(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	recording := func(locale, arg string) string {
		return fmt.Sprintf(`{"format":"toolpress/site/1","url":"https://a.example","root":"https://a.example/wp-json/","locale":%q,"abilities_api":"listed","abilities":[
			{"name":"acme/find","label":"Find","description":"Find.","input_schema":{"type":"object","properties":{%q:{"type":"string"}}},"meta":{"annotations":{"readonly":true}}}]}`, locale, arg)
	}
	old, renamed, german := write("old.json", recording("", "q")), write("new.json", recording("", "query")), write("german.json", recording("de_DE", "q"))
	catalog := filepath.Join(dir, "catalog.json")
	for _, test := range []struct {
		line string
		code int
	}{
		{"generate --from " + old + " -o " + catalog, exitOK},
		{"generate --from " + old + " -o " + catalog + " --check", exitOK},
		{"generate --from " + renamed + " -o " + catalog + " --check", exitDrift},
		// Another reading that gives the same tools is none.
		{"generate --from " + german + " -o " + catalog + " --check", exitOK},
		{"diff " + old + " " + renamed, exitFindings},
		{"diff --fail-on never " + old + " " + renamed, exitOK},
		{"diff " + old + " " + german, exitUsage},
		{"diff --across " + old + " " + german, exitOK},
		{"diff " + catalog + " " + renamed, exitFindings},
		{"diff --from " + renamed + " " + catalog, exitFindings},
		{"diff --from " + old + " " + catalog, exitOK},
		{"diff " + catalog, exitUsage}, // no site is named
		{"diff " + old + " " + filepath.Join(dir, "gone.json"), exitUsage},
	} {
		var out, errs strings.Builder
		code := run(t.Context(), strings.Fields(test.line), func(string) string { return "" }, strings.NewReader(""), &out, &errs)
		if code != test.code {
			t.Errorf("%s: exit %d, want %d\n%s%s", test.line, code, test.code, &out, &errs)
		}
	}
}

// What the site or a curation says is text in a comment and in an annotation,
// never markup, a mention or a command.
func TestHostileDifferences(t *testing.T) {
	all := []change.Difference{{
		Profiles: []string{"default"}, Tool: "find", Cause: change.CauseCuration, At: "a,b:c.yaml:3:5",
		Change: change.Change{Rule: "text-changed", Kind: change.Text, Path: "q`|x", Message: "its description: \"<b>@team</b> | [x](y)\n::error::boo %0A\""},
	}}
	var comment, annotations strings.Builder
	if err := printDifferencesMarkdown(&comment, all); err != nil {
		t.Fatal(err)
	}
	const row = "| text | find | `q'|x`: its description: \"&lt;b&gt;@\u200bteam&lt;/b&gt; \\| \\[x\\](y) ::error::boo %0A\" | the curation, `a,b:c.yaml:3:5` |\n"
	if !strings.Contains(comment.String(), strings.Replace(row, "q'|x", `q'\|x`, 1)) {
		t.Errorf("%s", &comment)
	}
	if err := printAnnotations(&annotations, all); err != nil {
		t.Fatal(err)
	}
	const want = "::notice file=a%2Cb%3Ac.yaml,line=3,col=5,title=text%3A find::q`|x: its description: \"<b>@team</b> | [x](y)%0A::error::boo %250A\" [the curation]\n" +
		"::notice title=toolpress diff::1 text: a patch version\n"
	if diff := cmp.Diff(want, annotations.String()); diff != "" {
		t.Error(diff)
	}
}

// docs/diff.md has every rule, with its kinds, and no other.
func TestDiffDocument(t *testing.T) {
	text, err := os.ReadFile("../../docs/diff.md")
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, r := range change.Rules() {
		var kinds []string
		for _, k := range r.Kinds {
			kinds = append(kinds, string(k))
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s |\n", r.ID, strings.Join(kinds, ", "), r.What))
	}
	want := "| Rule | Kind | When |\n|---|---|---|\n" + strings.Join(rows, "") + "\n"
	if !strings.Contains(string(text), want) {
		t.Errorf("the table of rules is to be\n%s", want)
	}
}
