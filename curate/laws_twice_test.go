package curate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A layer that is there twice is there once, whatever it says (principle 2).
func TestTwiceIsOnce(t *testing.T) {
	surface := shop(t)
	rapid.Check(t, func(t *rapid.T) {
		var layer string
		if rapid.Bool().Draw(t, "words") {
			layer, _, _ = drawnLayers(t)
		} else {
			layer = drawCuration(t, surface)
			layer += drawProfiles(t, layer, surface)
		}
		apply := func(extends string) string {
			c, err := Parse("outer.yaml", []byte("version: 1\nextends: "+extends+"\n"), func(string) ([]byte, error) { return []byte(layer), nil })
			if err != nil {
				t.Fatalf("%s\n%v", layer, err)
			}
			catalog, _ := c.Apply(surface, nil)
			return everything(catalog)
		}
		if diff := cmp.Diff(apply("[a.yaml]"), apply("[a.yaml, b.yaml]")); diff != "" {
			t.Fatalf("%s\n%s", layer, diff)
		}
	})
}

// everything is all that a catalog serves: what is listed, and what is not.
func everything(c *Catalog) string {
	var b strings.Builder
	text, _ := c.Encode()
	b.Write(text)
	for _, name := range c.ProfileNames() {
		for _, tool := range c.Profiles[name].Tools {
			r, err := tool.Request(nil)
			fmt.Fprintf(&b, "%s %s: %+v %v %v %s\n", name, tool.Name, tool.Result, tool.Aliases, tool.Timeout, shown(r, err))
		}
		b.WriteString(c.Profiles[name].Instructions)
	}
	for _, w := range c.Withheld {
		fmt.Fprintf(&b, "%s %s %s\n", w.Operation, w.Tool, w.Profile)
	}
	return b.String()
}
