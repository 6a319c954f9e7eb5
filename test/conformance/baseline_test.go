package conformance

import (
	"bytes"
	"os"
	"testing"

	"go.yaml.in/yaml/v4"
)

// excluded are checks that do not pass, for one reason. A check is
// SCENARIO:CHECK, as the suite's own baselines have it.
type excluded struct {
	Why string
	// Both are those of either revision, the others of one alone.
	Both   []string
	Modern []string `yaml:"2026-07-28"`
	Legacy []string `yaml:"2025-11-25"`
}

// in are the checks of a revision.
func (e excluded) in(revision string) []string {
	of := map[string][]string{revisions[0]: e.Modern, revisions[1]: e.Legacy}
	return append(append([]string{}, e.Both...), of[revision]...)
}

func readBaseline(t *testing.T) []excluded {
	t.Helper()
	text, err := os.ReadFile("baseline.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var list []excluded
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	if err := dec.Decode(&list); err != nil {
		t.Fatalf("baseline.yaml: %v", err)
	}
	for _, e := range list {
		if e.Why == "" || len(e.Both)+len(e.Modern)+len(e.Legacy) == 0 {
			t.Errorf("baseline.yaml: an entry has a reason and checks: %+v", e)
		}
	}
	return list
}

// judge holds what the suite found against the baseline: a check passes or has
// a reason, and none has one that passes, or two.
func judge(t *testing.T, revision string, found []scenario, baseline []excluded) {
	t.Helper()
	reasons := map[string]int{}
	for _, e := range baseline {
		for _, name := range e.in(revision) {
			reasons[name]++
		}
	}
	for _, s := range found {
		for _, c := range s.checks {
			name := s.name + ":" + c.ID
			switch n := reasons[name]; {
			case n == 0 && !c.passes():
				t.Errorf("%s: %s: %s: %s", revision, name, c.Status, c.Message)
			case n > 0 && c.passes():
				t.Errorf("%s: %s passes: take it out of baseline.yaml", revision, name)
			case n > 1:
				t.Errorf("%s: %s has %d reasons in baseline.yaml", revision, name, n)
			}
			delete(reasons, name)
		}
	}
	for name := range reasons {
		t.Errorf("%s: there is no check %s, which baseline.yaml names", revision, name)
	}
}
