package curate

import (
	"strings"
	"testing"

	"toolpress/generate"
)

const extendsBoth = "version: 1\nextends: [preset:wordpress@1, preset:woocommerce@1]\ndefaults: { confirm: { when: never } }\n"

// On the recorded shop the preset serves all it has, within what it may take of a
// model's context: by itself, and with WordPress's own in one profile that reads.
func TestWooCommerceBudget(t *testing.T) {
	c, err := Parse("curation.yaml", []byte(extendsBoth+"profiles:\n  default: { groups: [read, reports], read_only: true, max_tools: 25, max_tokens: 6000 }\n  write: { groups: [write] }\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	catalog, findings := c.Check(generate.FromSite(recordedSite(t, "woocommerce-10.5")), nil)
	if len(findings) > 0 {
		t.Error(findings)
	}
	for _, b := range []struct {
		profile       string
		tools, tokens int
	}{{DefaultProfile, 9, 1450}, {"write", 7, 1050}} {
		tools, tokens := 0, 0
		for _, tool := range catalog.Profiles[b.profile].Tools {
			if !strings.Contains(tool.Operation, " /wc/v3/") {
				continue
			}
			tools, tokens = tools+1, tokens+tool.Tokens()
			if reads := b.profile == DefaultProfile; reads != tool.Annotations.ReadOnly {
				t.Errorf("%s is in the profile %s", tool.Name, b.profile)
			}
		}
		if tools != b.tools || tokens > b.tokens {
			t.Errorf("%s: %d tools, %d tokens; want %d, and at most %d", b.profile, tools, tokens, b.tools, b.tokens)
		}
	}
}

// The preset keeps the rules about words as a curation's own file has to, whom
// nothing is spared.
func TestWooCommerceWords(t *testing.T) {
	text, err := Preset("woocommerce@1")
	if err != nil {
		t.Fatal(err)
	}
	c, err := Parse("curation.yaml", append(text, "\ndefaults: { confirm: { when: never } }\nprofiles:\n  default: { groups: [read, reports] }\n  write: { groups: [write] }\n"...), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, findings := c.Check(generate.FromSite(recordedSite(t, "woocommerce-10.5")), nil)
	for _, f := range findings {
		if f.ID != "not-enforced" {
			t.Errorf("%v", f)
		}
	}
	if len(findings) == 0 {
		t.Error("no scopes, and no key against ordering twice")
	}
}

// A site without WooCommerce gets not a word of it.
func TestWithoutWooCommerce(t *testing.T) {
	c, err := Parse("curation.yaml", []byte(extendsBoth), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range recordings[:3] {
		t.Run(name, func(t *testing.T) {
			catalog, findings := c.Check(generate.FromSite(recordedSite(t, name)), nil)
			if len(findings) > 0 || len(catalog.Profiles[DefaultProfile].Tools) == 0 {
				t.Errorf("%v, %d tools", findings, len(catalog.Profiles[DefaultProfile].Tools))
			}
			for _, tool := range catalog.Profiles[DefaultProfile].Tools {
				if strings.Contains(tool.Operation, "/wc/") {
					t.Errorf("%s", tool.Operation)
				}
			}
		})
	}
}
