package generate

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolpress/generate/clients"
	"toolpress/generate/schema"
)

var update = flag.Bool("update", false, "rewrite docs/schemas.md")

// docs/schemas.md says what the rules of clients are, how often each repair is
// needed on the four recordings, and what of them is no operation.
func TestSchemasDocument(t *testing.T) {
	const name = "../docs/schemas.md"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for section, table := range map[string]func() string{"clients": clientsTable, "repairs": func() string { return repairsTable(t) }, "withheld": func() string { return withheldTable(t) }} {
		t.Run(section, func(t *testing.T) {
			begin, end := "<!-- "+section+" -->\n", "<!-- end of "+section+" -->\n"
			before, rest, found := strings.Cut(text, begin)
			there, after, ended := strings.Cut(rest, end)
			if !found || !ended {
				t.Fatalf("no %s in %s", begin, name)
			}
			want := table()
			if *update {
				text = before + begin + want + end + after
			} else if diff := cmp.Diff(there, want); diff != "" {
				t.Errorf("run go test ./generate -update (-there +right):\n%s", diff)
			}
		})
	}
	if *update {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func clientsTable() string {
	var b strings.Builder
	b.WriteString("\n| client | refuses | seen in |\n|---|---|---|\n")
	for _, r := range clients.Rules() {
		what := r.Refuses
		if len(r.Keywords) > 0 {
			what += " (`" + strings.Join(r.Keywords, "`, `") + "`)"
		}
		if r.Contested {
			what += " (contested)"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", r.Client, strings.ReplaceAll(what, "|", `\|`), r.Source)
	}
	return b.String() + "\n"
}

// counted is a table of what is counted for each recording.
func counted(t *testing.T, columns string, count func(*Surface) map[string]int, row func(name string) string) string {
	t.Helper()
	all := map[string][]int{}
	for i, name := range recordings {
		for key, n := range count(FromSite(recordedSite(t, name))) {
			if all[key] == nil {
				all[key] = make([]int, len(recordings))
			}
			all[key][i] = n
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n| %s | %s |\n|---|---%s|\n", columns, strings.Join(recordings, " | "), strings.Repeat("|--:", len(recordings)))
	for _, key := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&b, "| %s |", row(key))
		for _, n := range all[key] {
			fmt.Fprintf(&b, " %d |", n)
		}
		b.WriteByte('\n')
	}
	return b.String() + "\n"
}

func repairsTable(t *testing.T) string {
	return counted(t, "repair | what it does", func(s *Surface) map[string]int {
		n := map[string]int{}
		for rule := range schema.RepairRules() {
			n[rule] = 0
		}
		for _, o := range s.Operations {
			for _, r := range o.Repairs {
				if schema.RepairRules()[r.Rule] == "" {
					t.Errorf("%s: the rule %s says nothing", o.ID, r.Rule)
				}
				n[r.Rule]++
			}
		}
		return n
	}, func(rule string) string { return "`" + rule + "` | " + schema.RepairRules()[rule] })
}

func withheldTable(t *testing.T) string {
	return counted(t, "why | for example", func(s *Surface) map[string]int {
		n := map[string]int{}
		for _, w := range s.Withheld {
			n[w.Reason]++
		}
		return n
	}, func(reason string) string { return reason + " | " + example(t, reason) })
}

// example is the first operation withheld for a reason.
func example(t *testing.T, reason string) string {
	t.Helper()
	for _, name := range recordings {
		for _, w := range FromSite(recordedSite(t, name)).Withheld {
			if w.Reason == reason {
				return "`" + strings.ReplaceAll(w.ID, "|", `\|`) + "`"
			}
		}
	}
	return ""
}
