package serving

import (
	"bufio"
	"flag"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite docs/benchmarks.md from bench/results/serving.txt")

// settle is how long after an event a file is looked at (runtime/watch).
const settle = 30 * time.Millisecond

// results are figures by benchmark and unit, of each time that it ran.
type results map[string]map[string][]float64

var processors = regexp.MustCompile(`-\d+$`)

// readResults reads what go test -bench prints.
func readResults(name string) (results, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	all := results{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		benchmark := processors.ReplaceAllString(strings.TrimPrefix(fields[0], "Benchmark"), "")
		if all[benchmark] == nil {
			all[benchmark] = map[string][]float64{}
		}
		for i := 2; i+1 < len(fields); i += 2 {
			value, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", fields[0], err)
			}
			all[benchmark][fields[i+1]] = append(all[benchmark][fields[i+1]], value)
		}
	}
	return all, nil
}

// of is the median of a figure; what is missing is not a number.
func (r results) of(benchmark, unit string) float64 {
	values := slices.Sorted(slices.Values(r[benchmark][unit]))
	if len(values) == 0 {
		return math.NaN()
	}
	return values[len(values)/2]
}

// times is how often one benchmark fits into another's time, and between which of
// the runs that varies: they run one after the other, and each pair is a ratio.
func (r results) times(benchmark, than string) string {
	ours, theirs := r[benchmark]["ns/op"], r[than]["ns/op"]
	var ratios []float64
	for i := range min(len(ours), len(theirs)) {
		ratios = append(ratios, ours[i]/theirs[i])
	}
	if len(ratios) == 0 {
		return "?"
	}
	slices.Sort(ratios)
	return fmt.Sprintf("%s (%s to %s)", short(ratios[len(ratios)/2]), short(ratios[0]), short(ratios[len(ratios)-1]))
}

// short is a ratio as far as it can be relied on.
func short(ratio float64) string {
	if ratio < 10 {
		return fmt.Sprintf("%.1f", ratio)
	}
	return fmt.Sprintf("%.0f", ratio)
}

func kib(n float64) string { return fmt.Sprintf("%.0f KiB", n/1024) }

func listTable(r results) string {
	var b strings.Builder
	b.WriteString("| tools | first page | times as long as writing it, over loopback | toolpress allocates, without a network | in |\n|--:|--:|--:|--:|--:|\n")
	for _, tools := range []int{50, 500, 5000} {
		at := fmt.Sprintf("List/tools=%d/", tools)
		fmt.Fprintf(&b, "| %d | %s | %s | %s | %.0f allocations |\n", tools, kib(r.of(at+"toolpress", "bytes")), r.times(at+"toolpress", at+"plain"),
			kib(r.of(at+"toolpress-handler", "B/op")), r.of(at+"toolpress-handler", "allocs/op"))
	}
	return b.String()
}

func callTable(r results) string {
	var b strings.Builder
	b.WriteString("| the site answers | tool | clients | times as long as the proxy | allocated, the proxy | allocations, the proxy |\n|---|---|--:|--:|--:|--:|\n")
	for _, site := range [][2]string{{"ready", "at once"}, {"10ms", "after 10 ms"}} {
		for _, tool := range []string{"read_post", "find_posts"} {
			for _, clients := range []int{1, 64} {
				at := fmt.Sprintf("Call/site=%s/tool=%s/clients=%d/", site[0], tool, clients)
				ours, proxy := at+"toolpress", at+"proxy"
				fmt.Fprintf(&b, "| %s | `%s` | %d | %s | %s, %s | %.0f, %.0f |\n", site[1], tool, clients, r.times(ours, proxy),
					kib(r.of(ours, "B/op")), kib(r.of(proxy, "B/op")), r.of(ours, "allocs/op"), r.of(proxy, "allocs/op"))
			}
		}
	}
	return b.String()
}

func streamTable(r results) string {
	var b strings.Builder
	b.WriteString("| | toolpress | a plain handler | times |\n|---|--:|--:|--:|\n")
	for _, n := range []int{1, streams} {
		at := fmt.Sprintf("ListChanged/listeners=%d/", n)
		fmt.Fprintf(&b, "| from a change until %s | | | %s |\n", map[int]string{1: "the one listener knows", streams: "the last of 1,000 listeners knows"}[n], r.times(at+"toolpress", at+"plain"))
	}
	for _, row := range [][2]string{{"memory of an open stream", "B/stream"}, {"goroutines of one", "goroutines/stream"}} {
		ours, plain := r.of("Stream/listen", row[1]), r.of("Stream/plain", row[1])
		show := kib
		if row[1] != "B/stream" {
			show = func(n float64) string { return fmt.Sprintf("%.0f", n) }
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", row[0], show(ours), show(plain), short(ours/plain))
	}
	mib := func(unit string) string { return fmt.Sprintf("%.1f", r.of("Listens", unit)/(1<<20)) }
	fmt.Fprintf(&b, "\nThirty thousand streams, opened and closed: after each ten thousand %s, %s and %s MiB are\nheld, and in the end %.0f goroutines more.\n",
		mib("heap-10k"), mib("heap-20k"), mib("heap-30k"), math.Max(0, r.of("Listens", "goroutines-more")))
	fmt.Fprintf(&b, "\nFrom a saved curation until the one client of `toolpress demo` knows: %s times the %v after\nwhich a file is looked at; until the last of 1,000 knows, %s times.\n",
		short(r.of("SaveToNotice/listeners=1", "ns/op")/float64(settle)), settle, short(r.of(fmt.Sprintf("SaveToNotice/listeners=%d", streams), "ns/op")/float64(settle)))
	return b.String()
}

// every is how often the site is polled where nothing else is said.
const every = 5 * time.Minute

func pollTable(r results) string {
	ours, plain := "Poll/toolpress", "Poll/plain"
	var b strings.Builder
	fmt.Fprintf(&b, "| | toolpress | fetching alone | times |\n|---|--:|--:|--:|\n")
	fmt.Fprintf(&b, "| processor | | | %s |\n", short(r.of(ours, "cpu-ms/op")/r.of(plain, "cpu-ms/op")))
	fmt.Fprintf(&b, "| allocated | %.1f MiB | %.1f MiB | %s |\n", r.of(ours, "B/op")/(1<<20), r.of(plain, "B/op")/(1<<20), short(r.of(ours, "B/op")/r.of(plain, "B/op")))
	fmt.Fprintf(&b, "| allocations | %.0f | %.0f | |\n", r.of(ours, "allocs/op"), r.of(plain, "allocs/op"))
	share := r.of(ours, "cpu-ms/op") / float64(every.Milliseconds())
	fmt.Fprintf(&b, "\nEvery %v that is %.2f %% of one processor here, with the recording's own part.\n", every, 100*share)
	return b.String()
}

// docs/benchmarks.md says what the last run kept in bench/results found.
func TestBenchmarksDocument(t *testing.T) {
	const name = "../../docs/benchmarks.md"
	r, err := readResults("../results/serving.txt")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, section := range []struct {
		name  string
		write func(results) string
	}{{"lists", listTable}, {"calls", callTable}, {"streams", streamTable}, {"poll", pollTable}} {
		if section.name == "poll" && r["Poll/toolpress"] == nil {
			t.Log("the recording was not there when make bench ran: its figures stay")
			continue
		}
		begin, end := "<!-- "+section.name+" -->\n", "<!-- end of "+section.name+" -->\n"
		before, rest, found := strings.Cut(text, begin)
		there, after, ended := strings.Cut(rest, end)
		if !found || !ended {
			t.Fatalf("no %s in %s", begin, name)
		}
		want := "\n" + section.write(r) + "\n"
		if strings.Contains(want, "NaN") || strings.Contains(want, "?") {
			t.Errorf("bench/results/serving.txt lacks figures: run make bench\n%s", want)
		}
		if *update {
			text = before + begin + want + end + after
		} else if diff := cmp.Diff(there, want); diff != "" {
			t.Errorf("run go test ./bench/serving -update (-there +right):\n%s", diff)
		}
	}
	if *update {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
