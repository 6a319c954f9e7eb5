package curate

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
)

// saidOf are the findings of a file, each without its line and its hint.
func saidOf(err error) []string {
	var found Findings
	errors.As(err, &found)
	lines := []string{}
	for _, f := range found {
		lines = append(lines, strings.TrimPrefix(f.Pos.String(), "c.yaml:")+" "+f.Message)
	}
	return lines
}

func utf16Text(text string, mark string, high, low int) string {
	b := []byte(mark)
	for _, u := range utf16.Encode([]rune(text)) {
		pair := [2]byte{}
		pair[high], pair[low] = byte(u>>8), byte(u)
		b = append(b, pair[:]...)
	}
	return string(b)
}

// What is no text, or no YAML, has its place (T42).
func TestUnreadable(t *testing.T) {
	const ok = "version: 1\n"
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"a byte order mark":          {"\uFEFFversion: 1\nfoo: 1\n", []string{`2:1 a curation has no key "foo"`}},
		"CRLF":                       {"version: 1\r\n# x\r\nfoo: 1\r\n", []string{`3:1 a curation has no key "foo"`}},
		"CR":                         {"version: 1\rfoo: 1\r", []string{`2:1 a curation has no key "foo"`}},
		"UTF-16, little end first":   {utf16Text(ok, "\xff\xfe", 1, 0), []string{"1:1 this is not YAML: the text is UTF-16 or UTF-32"}},
		"UTF-16, big end first":      {utf16Text(ok, "\xfe\xff", 0, 1), []string{"1:1 this is not YAML: the text is UTF-16 or UTF-32"}},
		"UTF-16 without a mark":      {utf16Text(ok, "", 1, 0), []string{"1:2 this is not YAML: the character U+0000 is not allowed"}},
		"Latin-1":                    {ok + "server: { name: Caf\xe9 }\n", []string{"2:20 this is not YAML: the byte 0xe9 is not UTF-8"}},
		"Latin-1 in a comment":       {ok + "# é Caf\xe9\n", []string{"2:8 this is not YAML: the byte 0xe9 is not UTF-8"}},
		"half of a surrogate pair":   {ok + "# \xed\xa0\x80\n", []string{"2:3 this is not YAML: the byte 0xed is not UTF-8"}},
		"NUL":                        {ok + "server: { name: \"a\x00\" }\n", []string{"2:19 this is not YAML: the character U+0000 is not allowed"}},
		"an escape sequence":         {ok + "# \x1b[2J\n", []string{"2:3 this is not YAML: the character U+001B is not allowed"}},
		"a second byte order mark":   {ok + "# \uFEFF\n", []string{"2:3 this is not YAML: the character U+FEFF is not allowed"}},
		"the replacement character":  {ok + "# \uFFFD\n", []string{}},
		"nothing":                    {"", []string{"c.yaml the file is empty"}},
		"white space":                {" \n\t\n", []string{"c.yaml the file is empty"}},
		"comments":                   {"# version: 1\n", []string{"c.yaml the file is empty"}},
		"the end of a document":      {"...\n", []string{"1:1 this is not YAML: did not find expected node content"}},
		"an empty document":          {"---\n", []string{"1:1 a curation is a mapping of keys"}},
		"a list":                     {"- version: 1\n", []string{"1:1 a curation is a mapping of keys"}},
		"the end and nothing more":   {ok + "...\n# x\n", []string{}},
		"a second document":          {ok + "foo: 1\n---\nbar: 1\n---\n[\n", []string{`2:1 a curation has no key "foo"`, "3:1 a second YAML document"}},
		"an empty second document":   {ok + "---\n", []string{"2:1 a second YAML document"}},
		"a broken second document":   {"version: 2\n---\n[a\n", []string{`1:10 version "2" is not known`, "4:1 this is not YAML: did not find expected ',' or ']'"}},
		"YAML 1.2":                   {"%YAML 1.2\n---\n" + ok, []string{"1:1 this is not YAML: found incompatible YAML document"}},
		"a quote that does not end":  {ok + "server: { name: \"abc }\ntools: {}\n", []string{"2:17 this is not YAML: what begins here does not end (while scanning a quoted scalar)"}},
		"a brace that does not end":  {ok + "server: { name: abc\ntools: {}\n", []string{"3:6 this is not YAML: did not find expected ',' or '}'"}},
		"a star":                     {ok + "private: [{ match: { namespace: a }, fields: [**.email] }]\n", []string{"2:47 this is not YAML: unknown anchor '*.email' referenced"}},
		"an at sign":                 {ok + "server: { name: @x }\n", []string{"2:17 this is not YAML: found character that cannot start any token"}},
		"tags":                       {ok + "server: { name: !env NAME, lang: !!str en }\ntools: !!omap {}\n", []string{"2:17 the tag !env is not read", "3:8 the tag !!omap is not read"}},
		"[] in a flow mapping":       {ok + "tools: { o: { from: POST /shop/v1/orders, args: { line_items[].total: hidden } } }\n", []string{"2:61 this is not YAML: did not find expected ',' or '}'"}},
		"keys that are no text":      {ok + "? [a]\n: 1\n? {a: b}\n: 1\n1: 1\n~: 1\n", []string{"2:3 a key must be text", "4:3 a key must be text", `6:1 a curation has no key "1"`, `7:1 a curation has no key "~"`}},
		"one name, two spellings":    {ok + "groups: { 1: {}, \"1\": {} }\n", []string{`2:18 "1" is written twice; first on line 2`}},
		"an alias as a key":          {ok + "&k groups: {}\n*k : {}\n", []string{"3:1 a key must be text"}},
		"an alias of nothing":        {ok + "server: *s\n", []string{"2:9 this is not YAML: unknown anchor 's' referenced"}},
		"the file within itself":     {"&a\nversion: 1\nserver: *a\n", []string{`2:1 server has no key "version"`, `3:1 server has no key "server"`}},
		"extends within itself":      {ok + "extends: &e [*e]\n", []string{"2:10 an entry of extends must be text, not a list"}},
		"a value within itself":      {ok + "tools: { t: { from: \"ability:a/b\", args: { q: { fix: &x [*x] } } } }\n", []string{"2:58 a value is nested deeper than 32 levels"}},
		"an error after a deep one":  {ok + "tools: { t: { from: \"ability:a/b\", args: { q: { fix: " + strings.Repeat("[", 40) + strings.Repeat("]", 40) + " } } } }\nfoo: 1\n", []string{"2:87 a value is nested deeper than 32 levels", `3:1 a curation has no key "foo"`}},
		"ten thousand brackets":      {ok + "server: " + strings.Repeat("[", 10_001) + "\n", []string{"2:10009 this is not YAML: exceeded max depth of 10000"}},
		"nine thousand dashes":       {ok + "exclude: \n  " + strings.Repeat("- ", 9000) + "a\n", []string{"3:5 an entry of exclude must be a mapping of keys, not a list"}},
		"as large as a file may be":  {ok + strings.Repeat("#", maxFile-len(ok)-1) + "\n", []string{}},
		"larger than a file may be":  {ok + strings.Repeat("#", maxFile-len(ok)) + "\n", []string{"c.yaml the file is larger than 1048576 bytes"}},
		"a long line":                {ok + "server: { name: " + strings.Repeat("x", 500_000) + " }\n", []string{`2:17 "` + strings.Repeat("x", 60) + `…" is no server.name`}},
		"a long name":                {ok + "? " + strings.Repeat("x", 500_000) + "\n: 1\n", []string{`2:3 a curation has no key "` + strings.Repeat("x", 60) + `…"`}},
		"aliases that hold more":     {ok + "exclude:\n  - vendor: &v [" + strings.Repeat("a,", 200) + "]\n" + strings.Repeat("  - vendor: *v\n", 60) + "foo: 1\n", []string{"53:13 the aliases stand for more than 10000 values"}},
		"aliases of aliases, deeply": {ok + "tools: { t: { from: \"ability:a/b\", args: { q: { enum: [\n&a0 [x],\n" + chain(40) + "] } } } }\n", []string{"8:6 more than 100 aliases"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("c.yaml", []byte(c.text), nil)
			if diff := cmp.Diff(c.want, saidOf(err)); diff != "" {
				t.Errorf("%s\n%v", diff, err)
			}
		})
	}
}

// chain are anchors, each of them one alias of the one before.
func chain(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "&a%d [*a%d],\n", i+1, i)
	}
	return b.String()
}

// The line that is shown is the line that is meant, whatever ends it: YAML knows
// more ends of lines than \n.
func TestLineShown(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r", "\u0085", "\u2028", "\u2029"} {
		_, err := Parse("c.yaml", []byte("\uFEFFversion: 1"+end+"# two"+end+"foo: 1\n"), nil)
		var found Findings
		if !errors.As(err, &found) || len(found) != 1 || found[0].Pos.Line != 3 || found[0].Source != "foo: 1" {
			t.Errorf("%q: %v", end, err)
		}
	}
	_, err := Parse("c.yaml", []byte("\uFEFFversio: 1\n"), nil)
	if !strings.Contains(err.Error(), "    1 | versio: 1\n      | ^\n") {
		t.Errorf("after a byte order mark: %v", err)
	}
}

// What may be a secret is not shown, also of a file that is no YAML.
func TestSecretsAreNotShown(t *testing.T) {
	for _, text := range []string{
		"site:\n  auth:\n    password: abc: hunter2\n",
		"site: { auth: hunter2 }\n",
		"site: { auth: [hunter2] }\n",
		"site: { woocommerce: hunter2 }\n",
		"site: { auth: { password_env: *hunter2 } }\n",
		"site: { auth: { password_env: hunter-2, token_env: 'hunter 2' } }\n",
		"site: { woocommerce: { secret_env: hunter-2 } }\n",
		"site: { auth: { password: !x hunter2 } }\n",
		"site: { auth: { password: \"hunter2 }\n",
		"site: { auth: { password: @hunter2 } }\n",
		"site: { auth: { password: hunter2\x00 } }\n",
		"site: { auth: { password: hunter2\xe9 } }\n",
		"site: { auth: { password: hunter2 }, foo: 1 }\n",
		"# \u2028# \u2028# x\nserver: { foo: 1 }\nsite: { auth: { password: hunter2 }, foo: 1 }\n# hunter2\n# hunter2\n",
		"\rsite: {}\r\rsite: { auth: { password: hunter2, foo: 1 } }\r",
		"site:\n  auth: { user_env: U }\n  auth: { pw: hunter2 }\n",
		"site: { ath: { password: hunter2 } }\n",
		"server: [password: hunter2]\n",
		"profiles: { default: { token_env: hunter-2, auth: hunter2 } }\n",
	} {
		_, err := Parse("c.yaml", []byte("version: 1\n"+text), nil)
		if err == nil || strings.Contains(strings.NewReplacer("-", "", " ", "").Replace(err.Error()), "hunter2") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Ten thousand tools in one file: all are served, and none costs more memory
// than one of a thousand.
func TestManyTools(t *testing.T) {
	surface := shop(t)
	serve := func(n int) float64 {
		var b strings.Builder
		b.WriteString("version: 1\ntools:\n")
		for i := range n {
			fmt.Fprintf(&b, "  t%d: { from: \"ability:shop/hours\" }\n", i)
		}
		return testing.AllocsPerRun(1, func() {
			c, err := Parse("c.yaml", []byte(b.String()), nil)
			if err != nil {
				t.Fatal(err)
			}
			if catalog, _ := c.Apply(surface, nil); len(catalog.Profiles[DefaultProfile].Tools) != n {
				t.Fatalf("%d of %d are served", len(catalog.Profiles[DefaultProfile].Tools), n)
			}
		})
	}
	if few, many := serve(1000), serve(10_000); many > 12*few {
		t.Errorf("%.0f allocations for 1,000 tools, %.0f for 10,000", few, many)
	}
}
