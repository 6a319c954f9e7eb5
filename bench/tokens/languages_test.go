package tokens

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// languageBound is how far, in percent, the estimate of a tool in any language is
// outside of what the tokenizers span: they differ among themselves by more.
const languageBound = 15

// languagesTable is one tool, described in several languages.
func languagesTable(t *testing.T) string {
	curation, err := os.ReadFile("languages.yaml")
	if err != nil {
		t.Fatal(err)
	}
	m := measure(t, bookshop(t).curated(t, curation))
	var b strings.Builder
	fmt.Fprintf(&b, "No tool is more than %d %% outside of what the tokenizers span.\n\n", languageBound)
	b.WriteString("| language | estimate | " + strings.Join(tokenizers, " | ") + " |\n|---|--:|--:|--:|--:|\n")
	for i, tool := range m.tools {
		estimate := m.estimates[i]
		least, most := m.each[tokenizers[0]][i], 0
		fmt.Fprintf(&b, "| %s | %d |", tool.Name, estimate)
		for _, name := range tokenizers {
			n := m.each[name][i]
			least, most = min(least, n), max(most, n)
			fmt.Fprintf(&b, " %d (%+.0f %%) |", n, off(estimate, n))
		}
		b.WriteByte('\n')
		if off(estimate, least) < -languageBound || off(estimate, most) > languageBound {
			t.Errorf("%s: the estimate is %d, and the tokenizers say %d to %d", tool.Name, estimate, least, most)
		}
	}
	return b.String()
}
