package curate

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"toolpress/generate"
	"toolpress/generate/schema"
)

var (
	selectors = []string{
		`{ ability: "shop/*" }`, `{ ability: "shop/s*" }`, `{ vendor: shop }`, `{ namespace: wp/v2 }`, `{ route: "/wp/v2/posts/**" }`,
		`{ method: [POST, DELETE] }`, `{ method: GET, namespace: "wp/**" }`, `{ category: info }`,
	}
	argumentSettings = []string{
		`{}`, `hidden`, `{ hide: false }`, `{ describe: D }`, `{ maximum: 20 }`, `{ maximum: 500 }`, `{ minimum: 0 }`, `{ minimum: 3, maximum: 7 }`,
		`{ max_length: 5 }`, `{ enum: [draft] }`, `{ enum: [publish, nonsense] }`, `{ fix: 7 }`, `{ fix: draft }`, `{ default: 4 }`, `{ required: true }`, `{ rename: other }`,
	}
)

// drawCuration draws a curation over the shop: any layers of it may
// contradict each other.
func drawCuration(t *rapid.T, surface *generate.Surface) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("version: 1")
	if rapid.Bool().Draw(t, "preset") {
		line("extends: preset:wordpress@1")
	}
	line("defaults: { confirm: { when: never } }")
	list := func(key string, most int, item func() string) {
		n := rapid.IntRange(0, most).Draw(t, key)
		if n == 0 {
			return
		}
		line("%s:", key)
		for range n {
			line("  - %s", item())
		}
	}
	selector := func() string { return rapid.SampledFrom(selectors).Draw(t, "selector") }
	arguments := func(names []string) string {
		var args []string
		if rapid.Bool().Draw(t, "star") {
			args = append(args, `"*": hidden`)
		}
		for _, name := range names {
			switch named := rapid.Bool().Draw(t, "named"); {
			case named && strings.HasSuffix(name, `.*"`):
				args = append(args, name+": hidden")
			case named:
				args = append(args, name+": "+rapid.SampledFrom(argumentSettings).Draw(t, "argument"))
			}
		}
		return "{ " + strings.Join(args, ", ") + " }"
	}
	list("expose", 3, func() string {
		s := selector()
		if rapid.Bool().Draw(t, "writes") {
			s = strings.TrimSuffix(s, " }") + ", writes: true }"
		}
		return s
	})
	list("exclude", 2, selector)
	list("rules", 3, func() string {
		return fmt.Sprintf("{ match: %s, set: { title: Rule %d, args: %s } }", selector(), rapid.IntRange(1, 9).Draw(t, "title"), arguments([]string{"per_page", "status", "search"}))
	})
	line("tools:")
	line("  none: false")
	for i := range rapid.IntRange(0, 3).Draw(t, "tools") {
		o := rapid.SampledFrom(surface.Operations).Draw(t, "operation")
		var names []string
		for _, a := range o.Args {
			names = append(names, a.Name)
		}
		if o.Route == "/shop/v1/orders" {
			names = append(names, `"line_items[].quantity"`, `"line_items[].*"`, "customer.name", "customer.address.city", `"meta.*"`)
		}
		line("  tool_%d: { from: %q, args: %s }", i, o.ID, arguments(names))
	}
	return b.String()
}

// The laws of the language, for any curation of the shop (curation.md,
// principles 2, 4, 5 and 7).
func TestLaws(t *testing.T) {
	surface := shop(t)
	rapid.Check(t, func(t *rapid.T) {
		text := drawCuration(t, surface)
		c, err := Parse("curation.yaml", []byte(text), nil)
		if err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
		catalog, _ := c.Apply(surface, nil)
		first, _ := catalog.Encode()
		again, _ := c.Apply(surface, nil)
		if second, _ := again.Encode(); string(first) != string(second) {
			t.Fatal("applied again it differs")
		}
		outer := c.layers[len(c.layers)-1]
		for _, tool := range catalog.Profiles[DefaultProfile].Tools {
			o := surface.Operation(tool.Operation)
			for _, s := range outer.exclude {
				if s.matches(o) {
					t.Fatalf("%s is served and excluded", tool.Name)
				}
			}
			if !o.Annotations.ReadOnly && !strings.HasPrefix(tool.Name, "tool_") && !slices.ContainsFunc(outer.expose, func(e expose) bool { return e.writes && e.matches(o) }) {
				t.Fatalf("%s writes and nothing says writes: true", tool.Name)
			}
			checkRules(t, c, tool, o)
			checkArguments(t, tool, o)
		}
	})
}

// checkRules asserts that the last rule that matches gave the title, where no
// entry did.
func checkRules(t *rapid.T, c *Curation, tool *Tool, o *generate.Operation) {
	preset := len(c.layers) > 1 && slices.ContainsFunc(c.layers[0].tools, func(e entry) bool { return e.name.Value == tool.Name })
	for _, r := range slices.Backward(c.layers[len(c.layers)-1].rules) {
		if r.match.matches(o) {
			if !preset && tool.Title != r.set.title.Value {
				t.Fatalf("%s has the title %q, and the last rule says %q", tool.Name, tool.Title, r.set.title.Value)
			}
			return
		}
	}
}

// checkArguments asserts that what is hidden or fixed cannot be said, and that
// whatever the tool takes, the site's own schema takes.
func checkArguments(t *rapid.T, tool *Tool, o *generate.Operation) {
	visible := map[string]string{}
	for _, pair := range tool.renamed {
		visible[pair[1]] = pair[0]
	}
	for _, a := range o.Args {
		if _, shown := visible[a.Name]; shown || slices.ContainsFunc(tool.renamed, func(p [2]string) bool { return p[0] == a.Name }) {
			continue
		}
		text, _ := schema.Encode(map[string]any{a.Name: "x"})
		if _, err := tool.Request(text); err == nil || !strings.Contains(err.Error(), a.Name+" is not an argument") {
			t.Fatalf("%s takes its hidden %s: %v", tool.Name, a.Name, err)
		}
	}
	arguments := map[string]any{}
	for _, p := range tool.schema.Properties {
		if p.Required || rapid.Bool().Draw(t, "given") {
			arguments[p.Name] = rapid.SampledFrom([]any{json.Number("0"), json.Number("4"), json.Number("150"), "draft", "private", "a long text", true, []any{"draft"}, []any{json.Number("1")}, drawOrderPart(t)}).Draw(t, "value")
		}
	}
	text, _ := schema.Encode(arguments)
	if _, err := tool.Request(text); err != nil {
		return
	}
	wide, err := generate.InputSchema(o.Args, o.Extra).Compile()
	if err != nil {
		t.Fatal(err)
	}
	own, err := tool.check.Coerce(arguments)
	if err != nil {
		t.Fatal(err)
	}
	sent := tool.object(own.(map[string]any))
	read, err := wide.Coerce(sent)
	if err == nil {
		err = wide.Validate(read)
	}
	if err != nil {
		t.Fatalf("%s takes %s, which the site does not: %v", tool.Name, text, err)
	}
}

// drawOrderPart draws a value of one of the objects and lists of the shop's order.
func drawOrderPart(t *rapid.T) any {
	name := rapid.SampledFrom([]string{"name", "other"}).Draw(t, "name")
	item := map[string]any{"product_id": json.Number("1"), rapid.SampledFrom([]string{"quantity", "other"}).Draw(t, "quantity"): json.Number("4")}
	return rapid.SampledFrom([]any{
		map[string]any{name: "draft", "address": map[string]any{"city": "draft"}}, map[string]any{"footnotes": "x"}, map[string]any{}, []any{item}, []any{},
	}).Draw(t, "part")
}
