package chaos

import (
	"fmt"
	"maps"
	"os"
	goruntime "runtime"
	"slices"
	"strings"

	"toolpress/test/chaos/history"
)

// report is what the scenarios of this run saw.
var report struct {
	scenarios []scenario
	ending    endings
	purpose   []string
}

// scenario is one column.
type scenario struct {
	name  string
	facts map[string]int
}

// rows are the facts, in their order.
var rows = []string{
	"versions written", "texts that cannot be used", "readings of the site that cannot be used", "versions that clients saw", "lists", "calls that ran",
	"calls of a tool that was gone", "listeners", "of them never read", "streams opened", "notices", "violations",
}

// tell says what a scenario saw, and keeps it for the document. Facts that are not of
// the history are the caller's.
func (w *world) tell(name string, got *seen, facts map[string]int) {
	w.t.Helper()
	h := w.verdict(got.reading)
	c := count(h)
	maps.Copy(facts, map[string]int{
		"versions written": len(h.Versions), "versions that clients saw": c.versions, "lists": c.lists, "calls that ran": c.ran, "calls of a tool that was gone": c.unknown,
		"listeners": len(got.reading) + got.stalled, "of them never read": got.stalled, "streams opened": int(got.opened.Load()), "notices": c.notices,
	})
	w.t.Logf("seed %d: %v", seed, facts)
	if c.versions < 2 || c.ran == 0 {
		w.t.Error("nothing changed: this shows nothing")
	}
	report.scenarios = append(report.scenarios, scenario{name, facts})
}

// counts are how often what was seen.
type counts struct{ lists, versions, ran, unknown, notices int }

func count(h history.History) (c counts) {
	versions := map[int]bool{}
	for _, e := range h.Events {
		switch {
		case e.Kind == history.List:
			c.lists++
			for _, v := range e.Tools {
				versions[v] = true
			}
		case e.Kind == history.Ran:
			c.ran++
		case e.Kind == history.Notice:
			c.notices++
		case e.Kind == history.Call && e.Outcome == history.Unknown:
			c.unknown++
		}
	}
	c.versions = len(versions)
	return c
}

// write puts a run of all scenarios into the document, between its marks.
func write() error {
	const name = "../../docs/chaos.md"
	if len(report.scenarios) != 3 || report.ending.rounds == 0 || report.purpose == nil {
		return fmt.Errorf("%s is written from a run of all scenarios", name)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	begin, end := "<!-- run -->\n", "<!-- end of run -->\n"
	before, rest, found := strings.Cut(string(data), begin)
	_, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		return fmt.Errorf("no %s in %s", begin, name)
	}
	return os.WriteFile(name, []byte(before+begin+document()+end+after), 0o644)
}

// document is the run as Markdown.
func document() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nSeed %d, %v each, on %d processors: `make chaos SEED=%d FOR=%v`.\n\n|", seed, *lasts, goruntime.NumCPU(), seed, *lasts)
	slices.SortFunc(report.scenarios, func(a, b scenario) int { return strings.Compare(a.name, b.name) })
	for _, s := range report.scenarios {
		b.WriteString(" | " + s.name)
	}
	b.WriteString(" |\n|---|" + strings.Repeat("--:|", len(report.scenarios)) + "\n")
	for _, row := range rows {
		b.WriteString("| " + row)
		for _, s := range report.scenarios {
			n, counted := s.facts[row]
			text := fmt.Sprint(n)
			if !counted && row != "violations" {
				text = ""
			}
			b.WriteString(" | " + text)
		}
		b.WriteString(" |\n")
	}
	e := report.ending
	fmt.Fprintf(&b, "\nTold to end %d times, each in a storm of `SIGHUP`: the exit code was 0, %d calls that were under way\nwere answered, and %d streams ended and were not cut.\n", e.rounds, e.calls, e.streams)
	b.WriteString("\n| put in on purpose | times | found | as |\n|---|--:|--:|---|\n" + strings.Join(report.purpose, "\n") + "\n\n")
	return b.String()
}
