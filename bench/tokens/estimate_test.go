package tokens

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"toolpress/curate"
)

// What docs/tokens.md promises, in percent of any of the tokenizers.
const (
	wholeBound = 10
	toolBound  = 20
)

// measured is a list of tools, estimated and counted.
type measured struct {
	tools     []tool
	estimates []int // of each tool
	estimate  int   // of all, as check prints it
	each      counts
	whole     map[string]int // the list as one JSON array
	// handed is the o200k_base of the list without titles and annotations.
	handed int
}

func measure(t *testing.T, c *curate.Catalog) measured {
	t.Helper()
	m := measured{tools: list(t, c), estimate: c.Profiles[curate.DefaultProfile].Tokens(), whole: map[string]int{}}
	var texts []string
	handed := slices.Clone(m.tools)
	sum := 0
	for i, one := range m.tools {
		handed[i].Title, handed[i].Annotations = "", nil
		text := encode(t, one)
		n := curate.Tokens([]byte(text))
		texts, m.estimates, sum = append(texts, text), append(m.estimates, n), sum+n
	}
	if sum != m.estimate {
		t.Errorf("check says %d tokens, and what a client lists is %d", m.estimate, sum)
	}
	n := len(texts)
	m.each = count(t, append(texts, encode(t, m.tools), encode(t, handed)))
	m.handed = m.each["o200k_base"][n+1]
	for name, all := range m.each {
		m.each[name], m.whole[name] = all[:n], all[n]
	}
	return m
}

// off is how much an estimate says too much, in percent.
func off(estimate, tokens int) float64 { return 100 * (float64(estimate)/float64(tokens) - 1) }

// spread is how far the estimates of the single tools are off.
type spread struct {
	median float64
	within float64 // 95 of 100 tools are off by no more, either way
	worst  float64
	tool   string // the worst one
}

func (m measured) spread(tokenizer string) spread {
	errors := make([]float64, len(m.tools))
	s := spread{}
	for i, n := range m.each[tokenizer] {
		errors[i] = off(m.estimates[i], n)
		if math.Abs(errors[i]) > math.Abs(s.worst) {
			s.worst, s.tool = errors[i], m.tools[i].Name
		}
	}
	slices.Sort(errors)
	s.median = (errors[(len(errors)-1)/2] + errors[len(errors)/2]) / 2
	slices.SortFunc(errors, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	s.within = math.Abs(errors[(95*len(errors)+99)/100-1])
	return s
}

const estimateColumns = "| site | tools | estimate | tokenizer | tokens | all together | a tool, median | 95 of 100 tools within | the worst tool |\n|---|--:|--:|---|--:|--:|--:|--:|---|\n"

// rows are a list's lines of the table. What passes the bounds is an error.
func (m measured) rows(t *testing.T, site string) string {
	t.Helper()
	var b strings.Builder
	for _, name := range tokenizers {
		whole, s := off(m.estimate, m.whole[name]), m.spread(name)
		if math.Abs(whole) > wholeBound || math.Abs(s.worst) > toolBound {
			t.Errorf("%s, %s: the list is off by %.1f %%, %s by %.1f %%", site, name, whole, s.tool, s.worst)
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %s | %d | %+.1f %% | %+.1f %% | %.1f %% | %+.1f %% `%s` |\n",
			site, len(m.tools), m.estimate, name, m.whole[name], whole, s.median, s.within, s.worst, s.tool)
	}
	return b.String()
}

// estimates are the table of one or more sites: everything, and what is served
// without a curation.
func estimates(t *testing.T, sites []string, open func(name string) *read) string {
	t.Helper()
	var whole, builtIn, handed strings.Builder
	for _, name := range sites {
		site := open(name)
		all, few := measure(t, site.raw()), measure(t, site.curated(t, nil))
		whole.WriteString(all.rows(t, name))
		builtIn.WriteString(few.rows(t, name))
		fmt.Fprintf(&handed, "| %s | %d of %d | %d of %d |\n", name, all.handed, all.whole["o200k_base"], few.handed, few.whole["o200k_base"])
	}
	return "Everything the site offers, each operation as one tool:\n\n" + estimateColumns + whole.String() +
		"\nWhat is served without a curation:\n\n" + estimateColumns + builtIn.String() +
		"\nWithout titles and annotations, o200k_base:\n\n| site | everything | without a curation |\n|---|--:|--:|\n" + handed.String()
}

func recordingsTable(t *testing.T) string {
	bounds := fmt.Sprintf("Each list is within %d %% of each tokenizer, and each tool within %d %%.\n\n", wholeBound, toolBound)
	return bounds + estimates(t, recordings, func(name string) *read { return recordedSite(t, name) })
}

func bookshopTable(t *testing.T) string {
	return estimates(t, []string{"bookshop"}, func(string) *read { return bookshop(t) })
}
