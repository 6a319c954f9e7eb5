package conformance

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolpress/test/npm"
)

// The suite in both eras; docs/conformance.md says what it finds.
func TestConformance(t *testing.T) {
	node := npm.Install(t)
	baseline := readBaseline(t)
	found := make([][]scenario, len(revisions))
	t.Run("suite", func(t *testing.T) {
		for i, revision := range revisions {
			t.Run(revision, func(t *testing.T) {
				t.Parallel()
				found[i] = runSuite(t, node, revision, serve(t))
				judge(t, revision, found[i], baseline)
			})
		}
	})
	if !t.Failed() {
		compareDocument(t, found, baseline)
	}
}

// compareDocument holds docs/conformance.md against what was found, and rewrites
// its tables with -update.
func compareDocument(t *testing.T, found [][]scenario, baseline []excluded) {
	t.Helper()
	const name = "../../docs/conformance.md"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, section := range []struct{ name, want string }{{"summary", summary(t, found)}, {"left out", leftOut(baseline)}, {"scenarios", scenarios(found)}} {
		begin, end := "<!-- "+section.name+" -->\n", "<!-- end of "+section.name+" -->\n"
		before, rest, begins := strings.Cut(text, begin)
		there, after, ends := strings.Cut(rest, end)
		if !begins || !ends {
			t.Fatalf("no %q in %s", begin, name)
		}
		want := "\n" + section.want + "\n"
		if *update {
			text = before + begin + want + end + after
		} else if diff := cmp.Diff(there, want); diff != "" {
			t.Errorf("run go test ./test/conformance -update (-there +right):\n%s", diff)
		}
	}
	if *update {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// summary counts: what each revision requires, and what passes of it.
func summary(t *testing.T, found [][]scenario) string {
	var b strings.Builder
	fmt.Fprintf(&b, "`%s` %s:\n\n| requirements of | scenarios | pass as a whole | checks | pass |\n|---|---|---|---|---|\n", suite, npm.Version(t, suite))
	for i, revision := range revisions {
		whole, all, pass, checks := 0, 0, 0, 0
		for _, s := range found[i] {
			if s.optional != "" {
				continue
			}
			n := s.passing()
			all, pass, checks = all+1, pass+n, checks+len(s.checks)
			if n == len(s.checks) {
				whole++
			}
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d |\n", revision, all, whole, checks, pass)
	}
	return b.String()
}

func (s scenario) passing() (n int) {
	for _, c := range s.checks {
		if c.passes() {
			n++
		}
	}
	return n
}

// leftOut lists the reasons, with the checks of each.
func leftOut(baseline []excluded) string {
	var b strings.Builder
	for _, e := range baseline {
		fmt.Fprintf(&b, "**%s**\n\n", strings.TrimSuffix(strings.Join(strings.Fields(e.Why), " "), "."))
		for _, part := range []struct {
			in     string
			checks []string
		}{{"", e.Both}, {"2026-07-28 only: ", e.Modern}, {"2025-11-25 only: ", e.Legacy}} {
			if len(part.checks) > 0 {
				fmt.Fprintf(&b, "- %s%s\n", part.in, byScenario(part.checks))
			}
		}
		b.WriteString("\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// byScenario writes SCENARIO:CHECK… as the scenario with its checks, and without
// where the check has the scenario's name.
func byScenario(names []string) string {
	var order []string
	checks := map[string][]string{}
	for _, name := range names {
		scenario, check, _ := strings.Cut(name, ":")
		if _, known := checks[scenario]; !known {
			order = append(order, scenario)
			checks[scenario] = nil
		}
		if check != scenario {
			checks[scenario] = append(checks[scenario], "`"+check+"`")
		}
	}
	for i, scenario := range order {
		order[i] = "`" + scenario + "`"
		if of := checks[scenario]; len(of) > 0 {
			order[i] += " (" + strings.Join(of, ", ") + ")"
		}
	}
	return strings.Join(order, ", ")
}

// scenarios is a table of all scenarios: how many checks pass of how many.
func scenarios(found [][]scenario) string {
	var order []string
	cells := map[string]*[2]string{}
	optional := map[string]string{}
	for i := range found {
		for _, s := range found[i] {
			if cells[s.name] == nil {
				order = append(order, s.name)
				cells[s.name] = &[2]string{}
			}
			cells[s.name][i] = fmt.Sprintf("%d of %d", s.passing(), len(s.checks))
			optional[s.name] = s.optional
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| scenario | %s |\n|---|---|---|\n", strings.Join(revisions, " | "))
	for _, name := range order {
		label := "`" + name + "`"
		if why := optional[name]; why != "" {
			label += " (not required: " + why + ")"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", label, cells[name][0], cells[name][1])
	}
	return b.String()
}
