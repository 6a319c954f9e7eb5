package curate

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"toolpress/generate"
)

// For any curation of the shop: every operation is served or has a reason, every
// argument of a tool is told once, as shown where the model sees it and as hidden
// or fixed where it does not, and an example of the tool is taken.
func TestExplainLaws(t *testing.T) {
	surface := shop(t)
	rapid.Check(t, func(t *rapid.T) {
		text := drawCuration(t, surface)
		text += drawProfiles(t, text, surface)
		c, err := Parse("curation.yaml", []byte(text), nil)
		if err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
		catalog, _ := c.Apply(surface, nil)
		for _, o := range surface.Operations {
			if e := catalog.Explain(surface, o.ID); len(e.Served)+len(e.Withheld) == 0 {
				t.Fatalf("%s\nnothing is said of %s", text, o.ID)
			}
		}
		for _, name := range catalog.ProfileNames() {
			for _, tool := range catalog.Profiles[name].Tools {
				checkStates(t, tool)
				if arguments, _, err := tool.Example(); err != nil {
					t.Fatalf("%s\n%s: %s: %v", text, tool.Name, arguments, err)
				}
			}
		}
	})
}

// checkStates asserts that what is told of a tool's arguments is so.
func checkStates(t *rapid.T, tool *Tool) {
	states := map[string][]any{}
	for _, s := range tool.Settings() {
		states[s.Field] = append(states[s.Field], s.Value)
		if len(s.From) == 0 || slices.Contains(s.From, "") {
			t.Fatalf("%s: nothing sets %s", tool.Name, s.Field)
		}
	}
	for _, a := range tool.op.Args {
		told := states["args."+a.Name]
		want := "hidden"
		switch {
		case tool.shows(a.Name):
			want = "shown"
		case slices.ContainsFunc(tool.fixed, func(v fixedValue) bool { return v.arg == a.Name }):
			want = "fixed"
		}
		if len(told) != 1 || told[0] != want {
			t.Fatalf("%s: %s is told as %v, and is %s", tool.Name, a.Name, told, want)
		}
	}
}

// Of almost every operation of the recorded sites an example is drawn that a call
// may have; what has none is said to be refused.
func TestRecordedExamples(t *testing.T) {
	c, err := Parse("curation.yaml", []byte("version: 1\ndefaults: { confirm: { when: never } }\nexpose: [{ route: \"/**\", writes: true }, { ability: \"**\", writes: true }]\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range recordings {
		t.Run(name, func(t *testing.T) {
			catalog, _ := c.Apply(generate.FromSite(recordedSite(t, name)), nil)
			tools, without := catalog.Profiles[DefaultProfile].Tools, 0
			for _, tool := range tools {
				if _, _, err := tool.Example(); err != nil {
					without++
					t.Logf("%s: %v", tool.Operation, err)
				}
			}
			if without*100 > len(tools) {
				t.Errorf("%d of %d have no example", without, len(tools))
			}
		})
	}
}
