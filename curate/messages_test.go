package curate

import (
	"go/ast"
	goparser "go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// speakers are what reports something of a curation, and which argument is the
// message.
var speakers = map[string]int{
	"r.fail": 2, "r.add": 2, "b.fail": 3, "a.find": 5, "b.find": 5, "a.share": 5, "b.share": 5, "a.collide": 3, "report": 1,
}

// tellers are functions that return messages, or the end of one, and which of
// the results it is.
var tellers = map[string]int{
	"missing": 0, "missingAbility": 0, "nothing": 0, "checkGlob": 0, "scalar": 1, "widenedBelow": 0, "widenedValues": 0, "widenedCounts": 0, "withholds": 0, "unstyled": 0,
}

// message is a text of the source, in which a verb is anything.
type message struct{ at, text string }

// messages are all that the package says of a curation: what is passed to a
// speaker, and the texts of tellers.
func messages(t *testing.T) []message {
	t.Helper()
	var found []message
	unmet := maps.Clone(tellers)
	files, _ := filepath.Glob("*.go")
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		f, err := goparser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		say := func(e ast.Expr) {
			at := set.Position(e.Pos())
			found = append(found, message{at.Filename + ":" + strconv.Itoa(at.Line), phrase(e)})
		}
		for _, decl := range f.Decls {
			fn, is := decl.(*ast.FuncDecl)
			if !is {
				continue
			}
			ast.Inspect(decl, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					name := called(n)
					at, speaks := speakers[name]
					if _, method, _ := strings.Cut(name, "."); !speaks && (method == "fail" || method == "find" || method == "share" || method == "collide") {
						t.Errorf("%s: %s is no speaker that this test knows", set.Position(n.Pos()), name)
					}
					if speaks && at < len(n.Args) {
						say(n.Args[at])
					}
				case *ast.ReturnStmt:
					if at, tells := tellers[fn.Name.Name]; tells && at < len(n.Results) {
						say(n.Results[at])
						delete(unmet, fn.Name.Name)
					}
				}
				return true
			})
		}
	}
	if len(unmet) > 0 {
		t.Errorf("there is no function %v", slices.Sorted(maps.Keys(unmet)))
	}
	return found
}

// called is the name of what is called, with its receiver.
func called(c *ast.CallExpr) string {
	switch fun := c.Fun.(type) {
	case *ast.Ident:
		return fun.Name
	case *ast.SelectorExpr:
		if x, is := fun.X.(*ast.Ident); is {
			return x.Name + "." + fun.Sel.Name
		}
		return "." + fun.Sel.Name
	}
	return ""
}

// phrase is an expression as a format: what is no text of the source is %v.
func phrase(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return text
		}
	case *ast.BinaryExpr:
		if e.Op != token.ADD {
			break
		}
		return phrase(e.X) + phrase(e.Y)
	case *ast.CallExpr:
		if name := called(e); len(e.Args) > 0 && (name == "fmt.Sprintf" || name == "fmt.Errorf" || name == "errors.New") {
			return phrase(e.Args[0])
		}
	}
	return "%v"
}

var verb = regexp.MustCompile(`%[.0-9]*[a-z]`)

// unshown are messages that no file of testdata shows, each with what does, or
// why nothing can.
var unshown = map[string]string{
	"%s: %v claims less danger than the site says of %s":  "only a preset is told so: TestAnnotations",
	"a curation is made of more than %d files":            "65 files: TestExtends",
	"the aliases stand for more than %d values":           "10,000 values: TestExtends",
	"files cannot be extended here":                       "where none can be opened: TestReadBounds",
	"the file is larger than %d bytes":                    "a file of a mebibyte: TestReadBounds",
	"the lock is larger than %d bytes":                    "a file of 16 MiB: TestLockBounds",
	"the profile takes arguments that %s does not name":   "a guard: a profile's layers begin with those of the tool",
	"it takes an item twice, and the tool's own does not": "a guard: no key takes uniqueItems away",
	"the pattern cannot be read":                          "a guard: every special character of doublestar is escaped",
	"the site answers in %s, and is to be in %s: its texts stay as they were before, and what is new keeps its own": "the texts of an earlier reading: TestOtherLocale",
	"%s is withheld: %v": "a guard: a schema that the site's was repaired to compiles, narrowed too",
}

// Every message of the package is shown by a golden of testdata.
func TestMessagesAreShown(t *testing.T) {
	var shown strings.Builder
	for _, pattern := range []string{"testdata/err/*.out", "testdata/review/*.out", "testdata/lock/*.out", "testdata/held/*.out"} {
		files, _ := filepath.Glob(pattern)
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			shown.Write(text)
		}
	}
	seen, used := 0, map[string]bool{}
	for _, m := range messages(t) {
		literal := verb.Split(m.text, -1)
		if !strings.ContainsFunc(strings.Join(literal, ""), func(r rune) bool { return 'a' <= r && r <= 'z' }) {
			continue // the words are another's
		}
		seen++
		for i := range literal {
			literal[i] = regexp.QuoteMeta(literal[i])
		}
		there := regexp.MustCompile(strings.Join(literal, ".*")).MatchString(shown.String())
		if _, listed := unshown[m.text]; listed == there {
			t.Errorf("%s: shown by a golden is %t, listed as unshown is %t: %s", m.at, there, listed, m.text)
		}
		used[m.text] = true
	}
	for text := range unshown {
		if !used[text] {
			t.Errorf("nothing says %q any more", text)
		}
	}
	if seen < 150 {
		t.Errorf("only %d messages", seen)
	}
}

// T42: what is larger than any curation is not read, and without a way to open
// files none is extended.
func TestReadBounds(t *testing.T) {
	for text, want := range map[string]string{
		"version: 1\n" + strings.Repeat("#\n", maxFile/2): "curation.yaml: the file is larger than 1048576 bytes",
		"version: 1\nextends: house.yaml\n":               "curation.yaml:2:10: files cannot be extended here",
	} {
		if _, err := Parse("curation.yaml", []byte(text), nil); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
