package wire

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolpress/generate/schema"
)

// perRequest is how many values go in one request.
const perRequest = 300

// What the site takes is taken here, and what is taken here the site takes: for
// drawn values around schemas of every keyword, but for the differences that
// are listed.
func TestDifferences(t *testing.T) {
	t.Run("written", func(t *testing.T) { compare(t, pool(t), 40) })
	for _, name := range []string{"woocommerce-10.5", "wordpress-7.1"} {
		t.Run(name, func(t *testing.T) { compare(t, recordedPool(t, name), 20) })
	}
}

// compare draws values around schemas and asks for them in so many requests.
func compare(t *testing.T, schemas []any, requests int) {
	root := site(t)
	from := drawFrom(t)
	counted := map[string]int{}
	taken, refusedBoth, skipped, unlisted := 0, 0, 0, 0
	for request := range requests {
		cases := make([]judged, perRequest)
		for i := range cases {
			n := from + request*perRequest + i
			s := schemas[n%len(schemas)]
			cases[i] = judged{schema: s, value: values(s).Example(n)}
		}
		judge(t, root.Client(), cases)
		for _, j := range cases {
			way := j.way()
			switch listed := j.listed(); {
			case j.skipped:
				skipped++
			case way == "" && j.fault == nil:
				taken++
			case way == "":
				refusedBoth++
			case listed != nil:
				counted[way+": "+listed.what]++
			case unlisted < 10:
				unlisted++
				t.Errorf("%s, and not listed:\n%s", way, j)
			}
		}
	}
	for what, n := range counted {
		t.Logf("%5d %s", n, what)
	}
	t.Logf("%d schemas: %d values taken by both, %d refused by both, %d not shown", len(schemas), taken, refusedBoth, skipped)
	if taken < requests*perRequest/5 || refusedBoth < requests*perRequest/20 {
		t.Error("the values say little: too few are taken, or refused")
	}
}

// listed is the difference that explains how the two differ; nil when none does.
func (j judged) listed() *difference {
	for i := range differences {
		if d := &differences[i]; d.way == j.way() && d.is(j) {
			return d
		}
	}
	return nil
}

// Every difference is a real one: its example differs in that way.
func TestDifferencesAreReal(t *testing.T) {
	root := site(t)
	var cases []judged
	for _, d := range differences {
		cases = append(cases, judged{schema: decode(t, d.schema), value: decode(t, d.value)})
	}
	judge(t, root.Client(), cases)
	for i, d := range differences {
		if cases[i].way() != d.way || !d.is(cases[i]) {
			t.Errorf("%s: %s\nis %q:\n%s", d.way, d.what, cases[i].way(), cases[i])
		}
	}
}

const introduction = `# What toolpress checks before it calls the site

A call's arguments are checked against the schema the tool shows, before anything
is sent: all faults at once, each with its place (` + "`line_items[0].quantity`" + `) in the
names the model was given. What the site takes is taken. So a value gets the type
that WordPress would read it as (` + "`rest_sanitize_value_from_schema`" + `), and that is what
is checked and sent:

| wanted | also taken |
|---|---|
| integer, number | its text: ` + "`\"12\"`, `\" 7 \"`, `\".5\"`" + ` |
| boolean | ` + "`\"true\"`, `\"false\"`, `\"1\"`, `\"0\"`, `1`, `0`" + ` |
| list | one number or word, or several with commas or spaces between them; ` + "`\"\"` and `{}`" + ` are empty; the text of a JSON list |
| object | ` + "`\"\"` and `[]`" + ` are empty; the text of a JSON object |
| one of several types | the first, in the site's order, that WordPress reads it as |
| what may be left out | ` + "`null`" + `, where the schema does not allow it |

A JSON number keeps its digits: ` + "`9007199254740993` and `1.0`" + ` arrive as they are. No
more than 256 levels, no argument of more than 5000 values, and no number beyond PHP's
(` + "`1e309`" + `) are taken, and neither is a call that would take long to check: many values
of which each may have many forms.

A query cannot carry everything that JSON can: what PHP would read otherwise, such
as ` + "`null`" + `, a dot in a parameter's name or a key with ` + "`]`" + `, is an error that names the
argument, and so is what makes path and query longer than 8000 bytes: web servers
refuse more. Integers of a route are sent with commas before that; an ability's input
is never sent by another method.

What a tool does not name is refused at its root, with what may have been meant, also
where the site would take no notice of it; an ability that describes nothing takes any
name. An argument that a query cannot carry as null is left out by it.

## Where toolpress and WordPress differ

The tests compare toolpress with WordPress's own ` + "`rest_validate_value_from_schema`" + ` for
drawn values, and fail on a difference that is not in these tables. They also
write this page (` + "`go test ./test/wire -update`" + `).
`

// docs/validation.md lists the differences that the tests allow.
func TestDocument(t *testing.T) {
	var text bytes.Buffer
	text.WriteString(introduction)
	for _, part := range []struct{ way, title string }{
		{refused, "Refused here, though WordPress takes it"},
		{left, "Taken here, for the site to refuse"},
		{mended, "Refused by WordPress, and mended here"},
		{read, "Taken by both, and not read alike"},
	} {
		text.WriteString("\n### " + part.title + "\n\n| what | for example | why |\n|---|---|---|\n")
		for _, d := range differences {
			if d.way == part.way {
				value, err := schema.Encode(decode(t, d.value))
				if err != nil {
					t.Fatal(err)
				}
				example := "`" + string(value) + "` for `" + d.schema + "`"
				text.WriteString("| " + d.what + " | " + strings.ReplaceAll(example, "|", `\|`) + " | " + d.why + " |\n")
			}
		}
	}
	name := filepath.Join("..", "..", "docs", "validation.md")
	if *update {
		if err := os.WriteFile(name, text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(got), text.String()); diff != "" {
		t.Errorf("docs/validation.md is not what the tests allow; run with -update (-file +tests):\n%s", diff)
	}
}
