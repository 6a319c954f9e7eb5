package doctor_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolpress/discover/doctor"
)

const introduction = `# What doctor says about a site that does not work

` + "`toolpress doctor https://shop.example`" + ` asks a site a few questions, takes seconds, changes
nothing, and prints a checklist: ✓ is fine, ! works but wants a look, ✗ keeps the
site from being used. Below each ! and ✗ is what to do. The list ends where an
answer is missing that the rest needs.

` + "`--json`" + ` prints the same for machines: ` + "`{\"checks\": [{id, status, title, evidence, remedy}], \"ok\": true}`" + `,
with the status ` + "`ok`, `warn` or `fail`" + `. The exit code is 4 when the site cannot be used, else 0.
No password and no query string is ever printed, and of a page its title or a short excerpt.
Nothing the site returns is followed. Where WordPress itself does not tell a wrong
password from a lost Authorization header, its XML-RPC, where it is open, is asked once.

This page is written by the tests that reproduce each cause
(` + "`go test ./discover/doctor -update`" + `).
`

// docs/troubleshooting.md is doctor's output for the sites of these tests that
// have a title.
func TestTroubleshooting(t *testing.T) {
	var text bytes.Buffer
	text.WriteString(introduction)
	shown := 0
	for _, tr := range troubles {
		if tr.title == "" {
			continue
		}
		shown++
		text.WriteString("\n## " + tr.title + "\n\n" + tr.story + "\n\n```\n$ toolpress doctor https://shop.example\n")
		var list strings.Builder
		if err := doctor.WriteText(&list, tr.examine(t).Checks); err != nil {
			t.Fatal(err)
		}
		text.WriteString(list.String() + "```\n")
	}
	if shown < 10 {
		t.Errorf("only %d sites", shown)
	}
	name := filepath.Join("..", "..", "docs", "troubleshooting.md")
	if *update {
		if err := os.WriteFile(name, text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(got), text.String()); diff != "" {
		t.Errorf("docs/troubleshooting.md is not what doctor says; run with -update (-file +doctor):\n%s", diff)
	}
}
