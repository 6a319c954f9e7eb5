package schema

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"toolpress/generate/clients"
)

// Whatever a site writes, every client takes what the common dialect makes of it,
// and reading that again changes nothing.
func TestCommonIsTakenByAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		written := wildSchema(3).Draw(t, "schema")
		var c Compiler
		c.About(written)
		wire := rapid.SampledFrom([]string{"a", "filter[x]", "0", "__proto__", "a-b", strings.Repeat("long", 30)}).Draw(t, "name")
		s, err := c.Compile(written, wire)
		if err != nil {
			t.Skip(err)
		}
		input := &Schema{Types: []string{"object"}, Closed: true, Properties: []Property{{Name: SafeName(wire), Required: IsRequired(written), Schema: s}}}
		low := input.In(Common)
		text, err := Encode(low)
		if err != nil {
			t.Fatal(err)
		}
		if broken := clients.Check(clients.Tool{Server: "toolpress", Name: "a_tool", Input: plainJSON(t, text)}); len(broken) > 0 {
			t.Errorf("%s: %+v", text, broken)
		}
		if again, _ := Encode(low.In(Common)); !bytes.Equal(text, again) {
			t.Errorf("once  %s\ntwice %s", text, again)
		}
		var c2 Compiler
		s, err = c2.Compile(plainJSON(t, text), "x")
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := Encode(s); !bytes.Equal(text, again) || len(c2.Repairs) > 0 {
			t.Errorf("once     %s\ncompiled %s\n%+v", text, again, c2.Repairs)
		}
	})
}
