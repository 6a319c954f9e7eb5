package curate

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// files are what a curation extends, by name.
type files map[string]string

// open counts how often each is read.
func (f files) open(read map[string]int) Open {
	return func(name string) ([]byte, error) {
		read[name]++
		if text, there := f[name]; there {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}
}

// A file that is extended is read once, however many name it, and so many files
// at most; what names itself, or nothing that can be read, has its place.
func TestExtends(t *testing.T) {
	const leaf = "version: 1\n"
	diamond, chain, links := files{}, files{}, files{}
	for i := range 30 {
		diamond[fmt.Sprintf("d%d.yaml", i)] = leaf + fmt.Sprintf("extends: [l%d.yaml, r%d.yaml]", i, i)
		for _, side := range []string{"l", "r"} {
			diamond[fmt.Sprintf("%s%d.yaml", side, i)] = leaf + fmt.Sprintf("extends: d%d.yaml", min(i+1, 20))
		}
	}
	diamond["d20.yaml"] = leaf
	for i := range 100 {
		chain[fmt.Sprintf("%d.yaml", i)] = leaf + fmt.Sprintf("extends: %d.yaml", i+1)
	}
	links["c.yaml"] = leaf + "extends: [a/c.yaml, b/c.yaml]" // a and b lead to the directory itself
	spelled := func(name string) ([]byte, error) { return []byte(links["c.yaml"]), nil }
	for name, c := range map[string]struct {
		text string
		open Open
		most int // how many files may be read
		want []string
	}{
		"itself":                 {"extends: c.yaml", nil, 0, []string{"2:10 c.yaml extends itself, by way of c.yaml"}},
		"itself, spelt another":  {"extends: ./x/../c.yaml", nil, 0, []string{"2:10 c.yaml extends itself, by way of c.yaml"}},
		"by way of another":      {"extends: [sub/d.yaml]", files{"sub/d.yaml": leaf + "extends: ../c.yaml"}.open(map[string]int{}), 1, []string{"sub/d.yaml:2:10 c.yaml extends itself, by way of c.yaml, sub/d.yaml"}},
		"a diamond of diamonds":  {"extends: [d0.yaml]", diamond.open(map[string]int{}), 61, []string{}},
		"a hundred in a chain":   {"extends: 0.yaml", chain.open(map[string]int{}), 63, []string{"62.yaml:2:10 a curation is made of more than 64 files"}},
		"links to the directory": {links["c.yaml"][len(leaf):], spelled, 63, []string{strings.Repeat("a/", 63) + "c.yaml:2:11 a curation is made of more than 64 files"}},
		"outside of the directory": {
			"extends: [../house.yaml, /etc/house.yaml]",
			files{"../house.yaml": leaf, "/etc/house.yaml": leaf}.open(map[string]int{}), 2,
			[]string{},
		},
		"nothing that is there": {`extends: [gone.yaml, "", "a\0b", "a\nb", "\e[2J", 3, ~, [a], { a: b }]`, files{}.open(map[string]int{}), 2, []string{
			"2:11 reading gone.yaml: file does not exist", `2:22 "" is no name of a file`, `2:26 "a\x00b" is no name of a file`, `2:34 "a\nb" is no name of a file`,
			`2:42 "\x1b[2J" is no name of a file`, "2:51 reading 3: file does not exist", "2:54 an entry of extends must be text, not nothing",
			"2:57 an entry of extends must be text, not a list", "2:62 an entry of extends must be text, not a mapping",
		}},
		"an address": {"extends: [https://example.com/c.yaml, file:///etc/passwd]", files{}.open(map[string]int{}), 0, []string{
			"2:11 https://example.com/c.yaml: a curation is not fetched from the network", "2:39 file:///etc/passwd: a curation is not fetched from the network",
		}},
		"presets": {"extends: [preset:wordpress@1, preset:wordpress@1, 'preset:', preset:../x, preset:wordpress@2]", nil, 0, []string{
			`2:51 there is no preset ""; this toolpress has woocommerce@1, wordpress@1`, `2:62 there is no preset "../x"; this toolpress has woocommerce@1, wordpress@1`,
			`2:75 there is no preset "wordpress@2"; this toolpress has woocommerce@1, wordpress@1`,
		}},
		"broken in two files": {"extends: [a.yaml, b.yaml, a.yaml]\nfoo: 1", files{"a.yaml": leaf + "bar: 1\n", "b.yaml": "version: 1\n extends: a.yaml\n"}.open(map[string]int{}), 2, []string{
			`a.yaml:2:1 a curation has no key "bar"`, "b.yaml:2:9 this is not YAML: mapping values are not allowed in this context", `3:1 a curation has no key "foo"`,
		}},
		"a bomb in an extended file": {"extends: bomb.yaml", files{"bomb.yaml": leaf + "exclude:\n  - vendor: &v [" + strings.Repeat("a,", 9000) + "]\n  - vendor: *v\n  - vendor: *v\n"}.open(map[string]int{}), 1, []string{
			"bomb.yaml:5:13 the aliases stand for more than 10000 values",
		}},
		"where no file is": {"extends: a.yaml", nil, 0, []string{"2:10 files cannot be extended here"}},
	} {
		t.Run(name, func(t *testing.T) {
			read := []string{}
			open := c.open
			if open != nil {
				open = func(name string) ([]byte, error) {
					read = append(read, name)
					return c.open(name)
				}
			}
			_, err := Parse("c.yaml", []byte(leaf+c.text), open)
			if diff := cmp.Diff(c.want, saidOf(err)); diff != "" {
				t.Error(diff)
			}
			if slices.Sort(read); len(read) > c.most || len(slices.Compact(slices.Clone(read))) != len(read) {
				t.Errorf("%d files were read: %v", len(read), read)
			}
		})
	}
}

// A file is the same however the outermost name is spelt.
func TestExtendsItselfSpeltAnother(t *testing.T) {
	_, err := Parse("./a/../c.yaml", []byte("version: 1\nextends: c.yaml\n"), nil)
	if diff := cmp.Diff([]string{"./a/../c.yaml:2:10 c.yaml extends itself, by way of c.yaml"}, saidOf(err)); diff != "" {
		t.Error(diff)
	}
}

// What a preset extends is a preset's too: a site without it is no finding.
func TestPresetsExtend(t *testing.T) {
	gone := []byte("version: 1\nextends: preset:wordpress@1\ntools: { gone: { from: GET /gone/v1/x } }\n")
	for preset, want := range map[bool]int{true: 0, false: 1} {
		c, err := parse("p.yaml", gone, preset, nil)
		if err != nil {
			t.Fatal(err)
		}
		catalog, findings := c.Apply(shop(t), nil)
		if got := len(findings.Errors()); got != want || catalog.Profiles[DefaultProfile].Tool("find_posts") == nil {
			t.Errorf("preset %v: %v", preset, findings)
		}
	}
}
