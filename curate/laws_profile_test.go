package curate

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"toolpress/generate"
	"toolpress/generate/schema"
)

// fromLine is a tool of drawCuration and what it is from.
var fromLine = regexp.MustCompile(`(?m)^  tool_\d: { from: "([^"]*)"`)

// drawProfiles draws profiles that narrow, widen or contradict the tools of
// drawCuration.
func drawProfiles(t *rapid.T, curation string, surface *generate.Surface) string {
	tools := fromLine.FindAllStringSubmatch(curation, -1)
	var b strings.Builder
	b.WriteString("profiles:\n")
	for _, name := range []string{"default", "editor"} {
		fmt.Fprintf(&b, "  %s:\n    read_only: %v\n    tools:\n      none: false\n", name, rapid.Bool().Draw(t, "read only"))
		for i, tool := range tools {
			o := surface.Operation(tool[1])
			if rapid.IntRange(0, 4).Draw(t, "dropped") == 0 {
				fmt.Fprintf(&b, "      tool_%d: false\n", i)
				continue
			}
			// Few at once: one that does not fit the site takes the whole tool.
			var args []string
			if rapid.IntRange(0, 3).Draw(t, "star") == 0 {
				args = append(args, `"*": hidden`)
			}
			if len(o.Args) > 0 {
				a := rapid.SampledFrom(o.Args).Draw(t, "named")
				args = append(args, a.Name+": "+drawSetting(t, a))
			}
			fmt.Fprintf(&b, "      tool_%d: { args: { %s } }\n", i, strings.Join(args, ", "))
		}
	}
	return b.String()
}

// A profile never widens (curation.md, principles 5 and 7): what it serves is
// served without it, it takes no argument that the tool itself refuses, and
// what it sends, the tool itself would send. One that is read-only serves
// nothing that writes, and excluded stays excluded.
func TestProfilesNeverWiden(t *testing.T) {
	surface := shop(t)
	served := 0
	rapid.Check(t, func(t *rapid.T) {
		text := drawCuration(t, surface)
		without, err := Parse("curation.yaml", []byte(text+"profiles: { default: {} }\n"), nil)
		if err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
		with, err := Parse("curation.yaml", []byte(text+drawProfiles(t, text, surface)), nil)
		if err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
		all, _ := without.Apply(surface, nil)
		catalog, findings := with.Apply(surface, nil)
		outer := with.layers[len(with.layers)-1]
		for i, name := range []string{"default", "editor"} {
			for _, tool := range catalog.Profiles[name].Tools {
				o := surface.Operation(tool.Operation)
				if outer.profiles.list[i].readOnly && !o.Annotations.ReadOnly {
					t.Fatalf("%s writes in a read-only profile", tool.Name)
				}
				for _, s := range outer.exclude {
					if s.matches(o) {
						t.Fatalf("%s is served and excluded", tool.Name)
					}
				}
				base := all.Profiles[DefaultProfile].Tool(tool.Name)
				if base == nil || base.Operation != tool.Operation {
					t.Fatalf("%s is served by the profile only", tool.Name)
				}
				if tool.schema != base.schema {
					served++
				}
				checkNarrower(t, base, tool, findings.Errors())
			}
		}
	})
	if served == 0 {
		t.Error("no profile narrowed a tool")
	}
}

// checkNarrower asserts that whatever a profile's tool makes of drawn arguments,
// the tool itself makes of the same, said out.
func checkNarrower(t *rapid.T, base, tool *Tool, findings Findings) {
	given, said := map[string]any{}, map[string]any{}
	for _, p := range tool.schema.Properties {
		switch {
		case !p.Required && rapid.Bool().Draw(t, "left out"):
		case rapid.Bool().Draw(t, "near"):
			given[p.Name] = drawNear(t, p.Schema)
		default:
			given[p.Name] = rapid.SampledFrom([]any{json.Number("0"), json.Number("4"), json.Number("60"), json.Number("150"), "draft", "publish", "a long text", true, []any{"draft"}, []any{"publish", "private"}, []any{json.Number("1")}}).Draw(t, "value")
		}
	}
	text, _ := schema.Encode(given)
	sent, err := tool.Request(text)
	if err != nil {
		return
	}
	read, err := tool.check.Coerce(given) // what it is read as is what it says
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range read.(map[string]any) {
		said[tool.siteName(name)] = v
	}
	for _, list := range [][]fixedValue{tool.defaults, tool.fixed} {
		for _, f := range list {
			if _, there := said[f.arg]; !there {
				said[f.arg] = f.value
			}
		}
	}
	asked := map[string]any{}
	added := map[string]any{} // fixed by the profile, on what the tool hides
	for arg, v := range said {
		switch fixed := base.fixedTo(arg); {
		case base.shows(arg):
			asked[base.modelName(arg)] = v
		case fixed != nil:
			if diff := cmp.Diff(encoded(fixed), encoded(v)); diff != "" {
				t.Fatalf("%s sends another %s: %s", tool.Name, arg, diff)
			}
		case tool.shows(arg):
			t.Fatalf("%s shows %s, which is hidden\n%v", tool.Name, arg, findings)
		default:
			added[arg] = v
		}
	}
	text, _ = schema.Encode(asked)
	would, err := base.Request(text)
	if err != nil {
		t.Fatalf("%s takes %v, which the tool itself does not: %v\n%v", tool.Name, said, err, findings)
	}
	if len(added) == 0 && len(base.defaults) == 0 && shown(sent, nil) != shown(would, nil) {
		t.Fatalf("%s sends %s, the tool itself %s", tool.Name, shown(sent, nil), shown(would, nil))
	}
}

// fixedTo is the value a tool always sends of an argument; nil without one.
func (t *Tool) fixedTo(arg string) any {
	if t.shows(arg) {
		return nil
	}
	for _, list := range [][]fixedValue{t.fixed, t.defaults} {
		for _, f := range list {
			if f.arg == arg {
				return f.value
			}
		}
	}
	return nil
}
