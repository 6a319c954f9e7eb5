// Package tokens holds toolpress's estimate of tokens against tokenizers from npm,
// and writes what it finds into docs/tokens.md:
//
//	go test ./bench/tokens -update
//
// [toolpress/test/npm] says what happens without npm. The tables of the recorded
// sites are skipped where there are no recordings; those of the embedded bookshop
// need nothing besides.
package tokens

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolpress/test/npm"
)

var update = flag.Bool("update", false, "rewrite docs/tokens.md")

// tokenizers are those of count.mjs, in the order of the tables.
var tokenizers = []string{"o200k_base", "cl100k_base", "claude"}

// counts are numbers of tokens by tokenizer, in the order of the texts.
type counts map[string][]int

// count runs count.mjs.
func count(t *testing.T, texts []string) counts {
	t.Helper()
	node := npm.Install(t)
	input, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	cmd := node.Node(t, "count.mjs")
	cmd.Dir, cmd.Stdin = node.Programs(t, "count.mjs"), bytes.NewReader(input)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("count.mjs: %v\n%s", err, &said)
	}
	var n counts
	if err := json.Unmarshal(out, &n); err != nil {
		t.Fatal(err)
	}
	for _, name := range tokenizers {
		if len(n[name]) != len(texts) {
			t.Fatalf("%s counted %d of %d texts", name, len(n[name]), len(texts))
		}
	}
	return n
}

// docs/tokens.md says how far the estimate is off, in every list and language,
// and what a model reads for one task.
func TestTokensDocument(t *testing.T) {
	const name = "../../docs/tokens.md"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, section := range []struct {
		name  string
		write func(t *testing.T) string
	}{{"recordings", recordingsTable}, {"bookshop", bookshopTable}, {"languages", languagesTable}, {"task", taskTables}, {"shop", shopTable}} {
		t.Run(section.name, func(t *testing.T) {
			begin, end := "<!-- "+section.name+" -->\n", "<!-- end of "+section.name+" -->\n"
			before, rest, found := strings.Cut(text, begin)
			there, after, ended := strings.Cut(rest, end)
			if !found || !ended {
				t.Fatalf("no %s in %s", begin, name)
			}
			want := "\n" + section.write(t) + "\n"
			t.Log(want)
			if *update {
				text = before + begin + want + end + after
			} else if diff := cmp.Diff(there, want); diff != "" {
				t.Errorf("run go test ./bench/tokens -update (-there +right):\n%s", diff)
			}
		})
	}
	if *update {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
