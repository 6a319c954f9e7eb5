package curate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// layerWord is what one layer says of GET /wp/v2/posts, as it was drawn. It is
// the rules of the language in plain Go: curation.md, principles 2 and 4.
type layerWord struct {
	title, html      string
	star             bool
	args             map[string]string // name → one of argWords
	pick, drop       []string
	addPick, addDrop bool
	rename           map[string]string
	maxText          int
	raw              bool
}

// postArgs are arguments of the list of posts, with a value to fix each to.
var postArgs = map[string]string{"search": "tea", "page": "2", "per_page": "7", "orderby": "id", "context": "embed", "categories": "[4]"}

// drawWord draws a layer, as YAML inside of { }.
func drawWord(t *rapid.T) (string, layerWord) {
	w := layerWord{args: map[string]string{}, rename: map[string]string{}}
	var keys []string
	maybe := func(what string) bool { return rapid.IntRange(0, 2).Draw(t, what) == 0 }
	if maybe("title") {
		w.title = fmt.Sprintf("Title %d", rapid.IntRange(1, 99).Draw(t, "number"))
		keys = append(keys, "title: "+w.title)
	}
	var args []string
	if maybe("star") {
		w.star = true
		args = append(args, `"*": hidden`)
	}
	for _, name := range sorted(postArgs) {
		if word := rapid.SampledFrom([]string{"", "", "", "{}", "hidden", "{ hide: false }", "{ describe: X }", "{ fix: " + postArgs[name] + " }"}).Draw(t, name); word != "" {
			word = strings.ReplaceAll(word, "X", fmt.Sprintf("Words %d", rapid.IntRange(1, 99).Draw(t, "number")))
			w.args[name] = word
			args = append(args, name+": "+word)
		}
	}
	if len(args) > 0 {
		keys = append(keys, "args: { "+strings.Join(args, ", ")+" }")
	}
	if result := w.drawResult(t, maybe); result != "" {
		keys = append(keys, "result: { "+result+" }")
	}
	return "{ " + strings.Join(keys, ", ") + " }", w
}

func (w *layerWord) drawResult(t *rapid.T, maybe func(string) bool) string {
	var keys []string
	list := func(key string, into *[]string, add *bool) {
		if maybe(key) {
			*into = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"id", "a.b", "c", "d"}), 1, 3, rapid.ID).Draw(t, "paths")
			text := "[" + strings.Join(*into, ", ") + "]"
			if *add = rapid.Bool().Draw(t, "add"); *add {
				text = "{ add: " + text + " }"
			}
			keys = append(keys, key+": "+text)
		}
	}
	list("pick", &w.pick, &w.addPick)
	list("drop", &w.drop, &w.addDrop)
	if maybe("rename") {
		path := rapid.SampledFrom([]string{"c", "d"}).Draw(t, "path")
		w.rename[path] = fmt.Sprintf("%s_%d", path, rapid.IntRange(1, 99).Draw(t, "number"))
		keys = append(keys, "rename: { "+path+": "+w.rename[path]+" }")
	}
	if maybe("html") {
		w.html = rapid.SampledFrom([]string{"keep", "text", "markdown"}).Draw(t, "html")
		keys = append(keys, "html: "+w.html)
	}
	if maybe("max_text") {
		w.maxText = rapid.IntRange(1, 900).Draw(t, "characters")
		keys = append(keys, fmt.Sprintf("max_text: %d", w.maxText))
	}
	if len(keys) == 0 && maybe("raw") {
		w.raw = true
		keys = append(keys, "raw: true")
	}
	return strings.Join(keys, ", ")
}

// posts is what layers make of the list of posts.
type posts struct {
	Title  string
	Args   map[string]string // "shown", "shown: DESCRIPTION", "hidden" or "fixed"
	Result ResultShape
}

// folded takes layers, the weakest first, the way the reference says.
func folded(layers []layerWord) posts {
	p := posts{Args: map[string]string{}}
	hidden, fixed, words := map[string]bool{}, map[string]bool{}, map[string]string{}
	var drop []string
	list := func(into, said []string, add bool) []string {
		if said != nil && !add {
			into = nil
		}
		for _, s := range said {
			if !slices.Contains(into, s) {
				into = append(into, s)
			}
		}
		return into
	}
	for _, l := range layers {
		if l.title != "" {
			p.Title = l.title
		}
		for name := range postArgs {
			word, named := l.args[name]
			switch {
			case !named:
				hidden[name] = hidden[name] || l.star
			case strings.HasPrefix(word, "{ fix"):
				fixed[name] = true
			default:
				hidden[name] = word == "hidden"
				fixed[name] = fixed[name] && word != "{ hide: false }"
			}
			if _, text, describes := strings.Cut(word, "describe: "); describes {
				words[name] = strings.TrimSuffix(text, " }")
			}
		}
		p.Result.Pick = list(p.Result.Pick, l.pick, l.addPick)
		drop = list(drop, l.drop, l.addDrop)
		for path, name := range l.rename {
			p.Result.Rename = append(slices.DeleteFunc(p.Result.Rename, func(r Renamed) bool { return r.Path == path }), Renamed{path, name})
		}
		if l.html != "" {
			p.Result.HTML = HTML(l.html)
		}
		if l.maxText > 0 {
			p.Result.MaxText = l.maxText
		}
		if trims := l.pick != nil || l.drop != nil || len(l.rename) > 0 || l.html != "" || l.maxText > 0; trims || l.raw {
			p.Result.Raw = l.raw
		}
	}
	p.Result.Drop = fieldsOf(drop)
	if p.Result.Raw {
		p.Result = ResultShape{Raw: true}
	}
	for name := range postArgs {
		switch {
		case fixed[name]:
			p.Args[name] = "fixed"
		case hidden[name]:
			p.Args[name] = "hidden"
		default:
			p.Args[name] = strings.TrimSuffix("shown: "+words[name], ": ")
		}
	}
	return p
}

// madeOf is the same of a tool.
func madeOf(t *rapid.T, tool *Tool, described map[string]bool) posts {
	p := posts{Title: tool.Title, Args: map[string]string{}, Result: tool.Result}
	p.Result.MaxBytes = 0
	r, err := tool.Request(nil)
	if err != nil {
		t.Fatal(err)
	}
	sent := map[string]any{}
	for _, q := range r.Query {
		sent[q.Name] = q.Value
	}
	for name, fix := range postArgs {
		property := tool.schema.Property(name)
		switch {
		case property == nil && jsonOf(sent[name]) == strings.Trim(jsonOf(fix), `"`) || property == nil && fmt.Sprint(sent[name]) == fix:
			p.Args[name] = "fixed"
		case property == nil:
			p.Args[name] = "hidden"
		case described[name]:
			p.Args[name] = "shown: " + property.Schema.Description
		default:
			p.Args[name] = "shown"
		}
	}
	return p
}

// drawnLayers is a curation of two files, base.yaml under it, and the words that
// reach the list of posts, weakest first.
func drawnLayers(t *rapid.T) (base, outer string, words []layerWord) {
	var rules, entries []layerWord
	files := [2]string{}
	for i := range files {
		var b strings.Builder
		b.WriteString("version: 1\n")
		if i == 0 {
			b.WriteString("expose: [{ route: /wp/v2/posts }]\n")
		} else {
			b.WriteString("extends: base.yaml\n")
		}
		if n := rapid.IntRange(0, 3).Draw(t, "rules"); n > 0 {
			b.WriteString("rules:\n")
			for range n {
				text, word := drawWord(t)
				match := rapid.SampledFrom([]string{"route: /wp/v2/posts", "method: GET", `namespace: "wp/**"`, "method: DELETE", "vendor: shop"}).Draw(t, "match")
				fmt.Fprintf(&b, "  - { match: { %s }, set: %s }\n", match, text)
				if match != "method: DELETE" && match != "vendor: shop" {
					rules = append(rules, word)
				}
			}
		}
		if rapid.Bool().Draw(t, "named") {
			text, word := drawWord(t)
			fmt.Fprintf(&b, "tools: { list_posts: %s }\n", text)
			entries = append(entries, word)
		}
		files[i] = b.String()
	}
	return files[0], files[1], append(rules, entries...)
}

// Layers fold the way the reference says, field by field: rules top to bottom,
// the earlier file's first, then the tools entries; a later one overrides, maps
// merge, lists replace or add, "*" is the weakest word of its layer, and what is
// fixed is sent until a layer shows it (principles 2 and 4).
func TestLayerLaws(t *testing.T) {
	surface := shop(t)
	over := 0
	rapid.Check(t, func(t *rapid.T) {
		base, outer, words := drawnLayers(t)
		c, err := Parse("outer.yaml", []byte(outer), func(string) ([]byte, error) { return []byte(base), nil })
		if err != nil {
			t.Fatalf("%s\n%s\n%v", base, outer, err)
		}
		catalog, findings := c.Apply(surface, nil)
		tool := catalog.Profiles[DefaultProfile].Tool("list_posts")
		if tool == nil {
			t.Fatalf("%s\n%s\n%v", base, outer, findings)
		}
		want, described := folded(words), map[string]bool{}
		if want.Title == "" {
			want.Title = tool.Title
		}
		for name, state := range want.Args {
			described[name] = strings.HasPrefix(state, "shown: ")
		}
		if diff := cmp.Diff(want, madeOf(t, tool, described)); diff != "" {
			t.Fatalf("%s\n%s\n%s", base, outer, diff)
		}
		if len(words) > 2 {
			over++
		}
	})
	if over == 0 {
		t.Error("no layers were over others")
	}
}

func sorted[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
