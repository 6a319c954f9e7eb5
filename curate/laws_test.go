package curate

// The laws of the language, and which test holds it to them:
//
//   - rules in their order, field by field, maps merge, lists replace or add:
//     TestLayerLaws, against a second account of the rules; TestLaws
//   - a layer that is there twice is there once: TestTwiceIsOnce
//   - curation only narrows what the site takes: TestOnlyNarrows, TestLaws,
//     TestNestedLaws
//   - a profile never widens what the file's tools take: TestOnlyNarrows,
//     TestProfilesNeverWiden; nor what they give: TestProfilesGiveNoMore (runtime)
//   - hidden is not callable, by whatever name: TestOnlyNarrows, TestNestedLaws,
//     TestLaws, FuzzToolRequest
//   - what is fixed is always sent: TestOnlyNarrows, TestNestedLaws, TestLayerLaws,
//     FuzzToolRequest
//   - private never leaves: TestWhatAlwaysWins for the layers that say it,
//     TestPrivateNeverLeaves (runtime) for the answers
//   - exclude beats all, and a read-only profile never serves what writes:
//     TestWhatAlwaysWins
//   - no order of the site or of a file's keys changes anything:
//     TestOrderChangesNothing
//   - the document for other clients sends what the tools send: TestNarrowedLaw
//   - what explain says is so: TestExplainLaws
//   - whatever a file holds, it is read, and its faults have places: FuzzParse

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"toolpress/generate"
)

var (
	selectors = []string{
		`{ ability: "shop/*" }`, `{ ability: "shop/s*" }`, `{ vendor: shop }`, `{ namespace: wp/v2 }`, `{ route: "/wp/v2/posts/**" }`,
		`{ method: [POST, DELETE] }`, `{ method: GET, namespace: "wp/**" }`, `{ category: info }`,
	}
	// argumentSettings are what may be said of an argument, by the type it fits.
	argumentSettings = map[string][]string{
		"": {`{}`, `hidden`, `{ hide: false }`, `{ describe: D }`, `{ required: true }`, `{ rename: other }`},
		"number": {
			`{ maximum: 20 }`, `{ maximum: 500 }`, `{ minimum: 0 }`, `{ minimum: 3, maximum: 7 }`, `{ fix: 7 }`, `{ fix: 500 }`, `{ default: 4 }`, `{ enum: [3, 500] }`, `{ enum: [3, 5] }`,
			`{ maximum: 1e9999999 }`, `{ minimum: -1e9999999 }`, `{ maximum: 99.5 }`, `{ minimum: -1 }`,
		},
		"text": {
			`{ max_length: 5 }`, `{ max_length: 99999 }`, `{ min_length: 2 }`, `{ min_length: 4, max_length: 6 }`, `{ enum: [draft] }`, `{ enum: [publish, nonsense] }`, `{ enum: [date, id] }`, `{ fix: draft }`, `{ fix: edit }`, `{ fix: nonsense }`,
			`{ default: draft }`, `{ pattern: "^[a-z]+$" }`, `{ max_items: 1 }`, `{ max_items: 9 }`,
		},
	}
)

// drawSetting draws what is said of an argument: something that fits its type,
// mostly.
func drawSetting(t *rapid.T, a generate.Arg) string {
	s, fits := a.Schema, []string{"", "number", "text"}
	if s.Is("array") && s.Items != nil {
		s = s.Items
	}
	switch {
	case rapid.IntRange(0, 7).Draw(t, "unfitting") == 0:
	case s.Is("integer") || s.Is("number"):
		fits = []string{"", "number", "number"}
	case s.Is("string"):
		fits = []string{"", "text", "text"}
	default:
		fits = []string{""}
	}
	return rapid.SampledFrom(argumentSettings[rapid.SampledFrom(fits).Draw(t, "fits")]).Draw(t, "setting")
}

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
	arguments := func(known []generate.Arg, more ...string) string {
		var args []string
		if rapid.IntRange(0, 2).Draw(t, "star") == 0 {
			args = append(args, `"*": hidden`)
		}
		// Few at once: one that does not fit the site takes the whole tool.
		for _, a := range known {
			if rapid.IntRange(0, 3).Draw(t, "named") == 0 {
				args = append(args, a.Name+": "+drawSetting(t, a))
			}
		}
		for _, name := range more {
			switch named := rapid.IntRange(0, 3).Draw(t, "named") == 0; {
			case named && strings.HasSuffix(name, `.*"`):
				args = append(args, name+": hidden")
			case named:
				args = append(args, name+": "+rapid.SampledFrom(argumentSettings[""]).Draw(t, "setting"))
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
		return fmt.Sprintf("{ match: %s, set: { title: Rule %d, args: %s } }", selector(), rapid.IntRange(1, 9).Draw(t, "title"), arguments(slices.DeleteFunc(slices.Clone(surface.Operation("GET /wp/v2/posts").Args), func(a generate.Arg) bool {
			return !slices.Contains([]string{"per_page", "status", "search"}, a.Name)
		})))
	})
	line("tools:")
	line("  none: false")
	for i := range rapid.IntRange(0, 3).Draw(t, "tools") {
		o := rapid.SampledFrom(surface.Operations).Draw(t, "operation")
		var parts []string
		if o.Route == "/shop/v1/orders" {
			parts = []string{`"line_items[].quantity"`, `"line_items[].*"`, "customer.name", "customer.address.city", `"meta.*"`}
		}
		line("  tool_%d: { from: %q, args: %s }", i, o.ID, arguments(o.Args, parts...))
	}
	return b.String()
}

// The laws of the language, for any curation of the shop (curation.md,
// principles 2, 4, 5 and 7).
func TestLaws(t *testing.T) {
	surface, taken := shop(t), 0
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
			checkHidden(t, tool, o)
			taken += checkTaken(t, tool, o, func(string) bool { return true })
		}
	})
	if taken == 0 {
		t.Error("no tool took anything")
	}
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

// drawOrderPart draws a value of one of the objects and lists of the shop's order.
func drawOrderPart(t *rapid.T) any {
	name := rapid.SampledFrom([]string{"name", "other"}).Draw(t, "name")
	item := map[string]any{"product_id": json.Number("1"), rapid.SampledFrom([]string{"quantity", "other"}).Draw(t, "quantity"): json.Number("4")}
	return rapid.SampledFrom([]any{
		map[string]any{name: "draft", "address": map[string]any{"city": "draft"}}, map[string]any{"footnotes": "x"}, map[string]any{}, []any{item}, []any{},
	}).Draw(t, "part")
}
