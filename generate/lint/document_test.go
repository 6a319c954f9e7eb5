package lint

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite docs/lint.md")

// docs/lint.md lists every rule, and no other.
func TestRulesDocument(t *testing.T) {
	const name = "../../docs/lint.md"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(data), "<!-- rules -->\n")
	there, after, found := strings.Cut(rest, "<!-- end of rules -->\n")
	if !found {
		t.Fatalf("%s has no place for the rules", name)
	}
	var b strings.Builder
	b.WriteString("\n| id | severity | what is wrong | what to do |\n|---|---|---|---|\n")
	for _, r := range Rules() {
		what := strings.NewReplacer("{at}", "it", "{leave}", "it", "{name}", "…", "{value}", "…").Replace(r.remedy)
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", r.ID, r.Severity, r.Says, strings.ReplaceAll(what, "|", `\|`))
	}
	want := b.String() + "\n"
	if *update {
		if err := os.WriteFile(name, []byte(before+"<!-- rules -->\n"+want+"<!-- end of rules -->\n"+after), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(there, want); diff != "" {
		t.Errorf("run go test ./generate/lint -update (-there +right):\n%s", diff)
	}
}
