package conformance

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"toolpress/test/npm"
	"toolpress/test/running"
)

const suite = "@modelcontextprotocol/conformance"

// requirements are the scenarios of a revision, of the package's own list.
type requirements struct {
	Server    []string
	NotScored []struct {
		Scenario, Leg, Reason string
	} `yaml:"not_scored"`
}

func readRequirements(t *testing.T, node *npm.Packages, revision string) requirements {
	t.Helper()
	var r requirements
	text, err := os.ReadFile(node.Modules(suite, "requirements", revision+".yaml"))
	if err == nil {
		err = yaml.Unmarshal(text, &r)
	}
	if err != nil || len(r.Server) == 0 {
		t.Fatalf("reading the requirements of %s: %v", revision, err)
	}
	return r
}

// scenario is what became of one scenario.
type scenario struct {
	name string
	// optional is why the revision does not ask for it; empty where it does.
	optional string
	checks   []check // sorted by id
}

// check is what became of all checks of one id.
type check struct {
	ID      string `json:"id"`
	Status  string `json:"status"`
	Message string `json:"errorMessage"`
}

func (c check) passes() bool { return severity(c.Status) == 0 }

// severity orders what a check can say: INFO and SUCCESS are none.
func severity(status string) int {
	return slices.Index([]string{"SKIPPED", "WARNING", "FAILURE"}, status) + 1
}

// runSuite runs the scenarios of a revision against a server, and returns them in the
// order of the requirements.
func runSuite(t *testing.T, node *npm.Packages, revision, address string) []scenario {
	t.Helper()
	dir := t.TempDir()
	cmd := node.Node(t, node.Modules(".bin", "conformance"), "server", "--url", address, "--requirements", revision, "--output-dir", dir)
	cmd.Dir = t.TempDir()
	said := &running.Log{}
	cmd.Stdout, cmd.Stderr = said, said
	// It fails where any check does: what counts is what it wrote.
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	found := results(t, dir)
	needs := readRequirements(t, node, revision)
	var list []scenario
	for _, name := range needs.Server {
		list = append(list, scenario{name: name, checks: found[name]})
	}
	for _, s := range needs.NotScored {
		if s.Leg == "server" {
			list = append(list, scenario{name: s.Scenario, optional: s.Reason, checks: found[s.Scenario]})
		}
	}
	for _, s := range list {
		if s.checks == nil {
			t.Errorf("%s: %s was not run:\n%s", revision, s.name, said)
		}
		delete(found, s.name)
	}
	for name := range found {
		t.Errorf("%s: %s was run and is not among its requirements", revision, name)
	}
	return list
}

// dated is the end of a result folder's name.
var dated = regexp.MustCompile(`-\d{4}-\d{2}-\d{2}T[\dZ-]+$`)

// results reads what the suite wrote: a folder for each scenario. Of checks with
// the same id the worst counts.
func results(t *testing.T, dir string) map[string][]check {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "server-*", "checks.json"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]check{}
	for _, name := range names {
		scenario := dated.ReplaceAllString(strings.TrimPrefix(filepath.Base(filepath.Dir(name)), "server-"), "")
		text, err := os.ReadFile(name)
		var all []check
		if err == nil {
			err = json.Unmarshal(text, &all)
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		slices.SortStableFunc(all, func(a, b check) int {
			if a.ID != b.ID {
				return strings.Compare(a.ID, b.ID)
			}
			return severity(b.Status) - severity(a.Status)
		})
		found[scenario] = slices.CompactFunc(all, func(a, b check) bool { return a.ID == b.ID })
	}
	return found
}
