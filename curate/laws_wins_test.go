package curate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"toolpress/generate"
)

// choices are the operations that each of selectors chooses, as the reference says.
var choices = map[string]func(o *generate.Operation) bool{
	`{ ability: "shop/*" }`:  func(o *generate.Operation) bool { return strings.HasPrefix(o.ID, "ability:shop/") },
	`{ ability: "shop/s*" }`: func(o *generate.Operation) bool { return strings.HasPrefix(o.ID, "ability:shop/s") },
	`{ vendor: shop }`: func(o *generate.Operation) bool {
		return strings.HasPrefix(o.ID, "ability:shop/") || strings.Contains(o.ID, " /shop/")
	},
	`{ namespace: wp/v2 }`:                func(o *generate.Operation) bool { return strings.Contains(o.ID, " /wp/v2/") },
	`{ route: "/wp/v2/posts/**" }`:        func(o *generate.Operation) bool { return strings.Contains(o.ID+"/", " /wp/v2/posts/") },
	`{ method: [POST, DELETE] }`:          func(o *generate.Operation) bool { return o.Method == "POST" || o.Method == "DELETE" },
	`{ method: GET, namespace: "wp/**" }`: func(o *generate.Operation) bool { return strings.HasPrefix(o.ID, "GET /wp/") },
	`{ category: info }`:                  func(o *generate.Operation) bool { return o.ID == "ability:shop/hours" },
}

// onlyReads reports what the shop says of an operation: a route by its method, an
// ability by its name.
func onlyReads(id string) bool {
	return strings.HasPrefix(id, "GET ") || slices.Contains([]string{"ability:shop/hours", "ability:shop/price", "ability:shop/private", "ability:shop/search"}, id)
}

// drawnWins are three files, each over the one before, that contradict one
// another; and what all of them together exclude and keep private.
type drawnWins struct {
	files    map[string]string
	excluded []string            // selectors
	private  map[string][]string // selector → fields
	readOnly map[string]bool     // by profile, of the last file that has any
}

func drawWins(t *rapid.T, surface *generate.Surface) drawnWins {
	w := drawnWins{files: map[string]string{}, private: map[string][]string{}}
	selector := func() string { return rapid.SampledFrom(selectors).Draw(t, "selector") }
	operation := func() string { return rapid.SampledFrom(surface.Operations).Draw(t, "operation").ID }
	under := "preset:wordpress@1"
	for _, name := range []string{"a.yaml", "b.yaml", "outer.yaml"} {
		sections := map[string][]string{}
		for range rapid.IntRange(0, 2).Draw(t, "exposed") {
			sections["expose"] = append(sections["expose"], "  - "+strings.TrimSuffix(selector(), " }")+", writes: true }")
		}
		if rapid.Bool().Draw(t, "excludes") {
			s := selector()
			w.excluded = append(w.excluded, s)
			sections["exclude"] = append(sections["exclude"], "  - "+s)
		}
		if rapid.Bool().Draw(t, "private") {
			s, field := selector(), rapid.SampledFrom([]string{"billing.**", "**.email", "link"}).Draw(t, "field")
			w.private[s] = append(w.private[s], field)
			sections["private"] = append(sections["private"], fmt.Sprintf("  - { match: %s, fields: [%q] }", s, field))
		}
		for i := range rapid.IntRange(0, 3).Draw(t, "tools") {
			entry := fmt.Sprintf("  t_%d: { from: %q, aliases: [old_%s_%d], annotations: { read_only: true }, result: { raw: true } }", i, operation(), name[:1], i)
			if rapid.IntRange(0, 3).Draw(t, "replaces") == 0 {
				entry = fmt.Sprintf("  %s_%d: { replaces: t_%d, aliases: [t_%d], result: { pick: { add: [link, billing.email] }, rename: { link: safe } } }", name[:1], i, i, i+5)
			}
			sections["tools"] = append(sections["tools"], entry)
		}
		if rapid.Bool().Draw(t, "profiles") || name == "outer.yaml" {
			w.readOnly = map[string]bool{}
			for _, profile := range []string{"default", "other"} {
				w.readOnly[profile] = rapid.Bool().Draw(t, "read only")
				sections["profiles"] = append(sections["profiles"], fmt.Sprintf("  %s: { read_only: %v, tools: { t_0: { result: { pick: [link, billing.email] } }, t_1: {} } }", profile, w.readOnly[profile]))
			}
		}
		var text strings.Builder
		text.WriteString("version: 1\nextends: [" + under + "]\ndefaults: { confirm: { when: never } }\n")
		for _, key := range rapid.Permutation(sorted(sections)).Draw(t, "order") {
			text.WriteString(key + ":\n" + strings.Join(sections[key], "\n") + "\n")
		}
		w.files[name], under = text.String(), name
	}
	return w
}

// Exclude, private and read-only win, in whatever layer they stand, over whatever
// exposes, names, renames or narrows, in any profile and under any alias
// (curation.md, principle 5).
func TestWhatAlwaysWins(t *testing.T) {
	surface := shop(t)
	served, kept := 0, map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		w := drawWins(t, surface)
		c, err := Parse("outer.yaml", []byte(w.files["outer.yaml"]), func(name string) ([]byte, error) { return []byte(w.files[name]), nil })
		if err != nil {
			t.Fatalf("%v\n%v", w.files, err)
		}
		catalog, _ := c.Apply(surface, nil)
		for _, name := range catalog.ProfileNames() {
			profile := catalog.Profiles[name]
			for _, tool := range profile.Tools {
				served++
				w.check(t, name, tool, surface.Operation(tool.Operation), kept)
				for _, called := range append([]string{tool.Name}, tool.Aliases...) {
					if reached := profile.Tool(called); reached != nil && reached != tool {
						t.Fatalf("%v\n%s is a name of %s, and reaches %s", w.files, called, tool.Name, reached.Name)
					}
				}
			}
		}
	})
	if served == 0 || kept["private"] == 0 || kept["read"] == 0 || kept["writes"] == 0 {
		t.Errorf("%d tools were served, %v", served, kept)
	}
}

func (w drawnWins) check(t *rapid.T, profile string, tool *Tool, o *generate.Operation, kept map[string]int) {
	for _, s := range w.excluded {
		if choices[s](o) {
			t.Fatalf("%v\n%s of %s is excluded by %s, and served", w.files, tool.Operation, profile, s)
		}
	}
	switch {
	case w.readOnly[profile] && !onlyReads(o.ID):
		t.Fatalf("%v\n%s writes, and %s only reads", w.files, tool.Operation, profile)
	case w.readOnly[profile]:
		kept["read"]++
	case !onlyReads(o.ID):
		kept["writes"]++
	}
	for s, fields := range w.private {
		for _, field := range fields {
			if choices[s](o) && !slices.ContainsFunc(tool.Result.Private, func(p []string) bool { return strings.Join(p, ".") == field }) {
				t.Fatalf("%v\n%s of %s gives %s, which is private", w.files, tool.Operation, profile, field)
			}
			kept["private"]++
		}
	}
}

// What the reference says each selector chooses is what it chooses.
func TestChosen(t *testing.T) {
	for _, o := range shop(t).Operations {
		for _, s := range selectors {
			c, err := Parse("c.yaml", []byte("version: 1\nexclude: ["+s+"]\n"), nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := c.layers[0].exclude[0].matches(o); got != choices[s](o) {
				t.Errorf("%s and %s: %v", s, o.ID, got)
			}
		}
	}
}
