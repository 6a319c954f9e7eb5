package curate

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"toolpress/discover"
	"toolpress/generate"
)

// begun is a site's first curation, which has to be read, to validate and to be
// the same when it is written again.
func begun(t *testing.T, s *generate.Surface) (string, *Curation) {
	t.Helper()
	text, err := Starter(s, nil, "curation.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	again, err := Starter(s, nil, "curation.schema.json")
	if err != nil || string(again) != string(text) {
		t.Errorf("written twice it differs: %v\n%s\n%s", err, text, again)
	}
	if err := validates(t, compiled(t), text); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	c, err := Parse("curation.yaml", text, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return string(text), c
}

// clean wants a first curation that brings no finding and serves only what reads.
func clean(t *testing.T, s *generate.Surface, c *Curation) *Profile {
	t.Helper()
	catalog, findings := c.Apply(s, nil)
	if len(findings) > 0 {
		t.Errorf("%v", findings)
	}
	if len(catalog.Profiles) != 1 {
		t.Errorf("the profiles %v", catalog.ProfileNames())
	}
	p := catalog.Profiles[DefaultProfile]
	if len(p.Tools) == 0 || len(p.Tools) > 25 || p.Tokens() > 6000 {
		t.Errorf("%d tools, %d tokens", len(p.Tools), p.Tokens())
	}
	for _, tool := range p.Tools {
		if !tool.Annotations.ReadOnly {
			t.Errorf("%s is not read-only", tool.Operation)
		}
	}
	return p
}

// The first curation of the shop, whole.
func TestStarter(t *testing.T) {
	s := shop(t)
	text, c := begun(t, s)
	clean(t, s, c)
	golden(t, "testdata/starter.yaml", text)
}

// Those of the recorded sites: no finding, each ability somewhere in it, and each
// suggestion can be taken.
func TestRecordedStarters(t *testing.T) {
	for _, name := range recordings {
		t.Run(name, func(t *testing.T) {
			s := generate.FromSite(recordedSite(t, name))
			text, c := begun(t, s)
			clean(t, s, c)
			for _, o := range s.Operations {
				if o.Ability != "" && !strings.Contains(text, "- { ability: "+o.Ability+", ") {
					t.Errorf("%s is not in it", o.ID)
				}
			}
			if name == "woocommerce-10.5" && !regexp.MustCompile(`(?m)^  # - \{ namespace: wc/v3, groups: \[read\] \}   # operations: \d\d+ that read, \d\d+ that write$`).MatchString(text) {
				t.Errorf("wc/v3 is not suggested:\n%s", text)
			}
			shop := name == "woocommerce-10.5"
			for _, line := range []string{", preset:woocommerce@1]\n", "\n  # Groups that the presets have besides: reports.\n"} {
				if strings.Contains(text, line) != shop {
					t.Errorf("%q: %v\n%s", line, !shop, text)
				}
			}
			takeSuggestions(t, s, text)
		})
	}
}

// takeSuggestions takes all of them at once: what comes of it is read, and every
// group and profile in it is known.
func takeSuggestions(t *testing.T, s *generate.Surface, text string) {
	t.Helper()
	taken := regexp.MustCompile(`(?m)^( *)# (- \{|expose:|editor: )`).ReplaceAllString(text, "$1$2")
	if taken == text {
		t.Error("nothing is suggested")
	}
	c, err := Parse("curation.yaml", []byte(taken), nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, taken)
	}
	_, findings := c.Apply(s, nil)
	for _, f := range findings {
		if f.ID == "unknown-group" || f.ID == "no-group" || f.ID == "syntax" {
			t.Errorf("%v", f)
		}
	}
}

// What an ability's author or a plugin wrote ends no comment and adds no line
// (T05), and what would bring a finding is left out with the reason: too many
// for the budget, two of one name, one that is not for agents.
func TestStarterOfAHostileSite(t *testing.T) {
	readOnly := map[string]any{"annotations": map[string]any{"readonly": true}}
	site := &discover.Site{URL: "https://shop.example", Abilities: []discover.Ability{
		{Name: "a/b-c", Label: "One\n  - { ability: \"**\", writes: true }", Meta: readOnly},
		{Name: "a/b_c", Label: "Two\r\u2028\u0085tools: {}", Meta: readOnly},
		{Name: "a/writes", Label: "Three\nexpose:", Meta: map[string]any{}},
		{Name: "a b/c\nexpose: x", Label: "Four", Meta: readOnly},
		{Name: "a/quiet", Label: "Five", Meta: map[string]any{"annotations": map[string]any{"readonly": true}, "mcp": map[string]any{"public": false}}},
	}}
	for i := range 40 {
		site.Abilities = append(site.Abilities, discover.Ability{Name: fmt.Sprintf("many/read-%02d", i), Label: "Read", Meta: readOnly})
	}
	s := generate.FromSite(site)
	text, c := begun(t, s)
	p := clean(t, s, c)
	if len(p.Tools) != 25 {
		t.Errorf("%d tools; the budget is 25", len(p.Tools))
	}
	for _, want := range []string{
		"  # - { ability: a/quiet, groups: [read] }   # Five (read_only, idempotent, open_world): what it chooses is marked as not for agents",
		"  # - { ability: many/read-39, groups: [read] }   # Read (read_only, idempotent, open_world): ",
		"  # - { ability: a/writes, writes: true, groups: [write] }   # Three expose: (writes, destructive, open_world)\n",
		"  # ability:a b/c expose: x can be no tool: ",
		"  # - { ability: a/b_c, groups: [read] }   # Two tools: {} (read_only, idempotent, open_world): ability:a/b-c and ability:a/b_c would both be called a_b_c\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("want %q in\n%s", want, text)
		}
	}
	takeSuggestions(t, s, text)
}

// A name of the site's is that name in the file, whatever it holds (T05).
func TestScalarText(t *testing.T) {
	for _, name := range []string{"wc/v3", "null", "true", "1/2", "x: y", "x\": v1\n\u0085expose: \x00\ufeff", "- a/b", "a/b:", "a/b #c", "http://127.0.0.1:8080", "http://[::1]", "café/v1", ""} {
		var got map[string]any
		if err := yaml.Unmarshal([]byte("{ k: "+scalarText(name)+" }"), &got); err != nil || got["k"] != name {
			t.Errorf("%q became %s, read as %#v: %v", name, scalarText(name), got["k"], err)
		}
	}
	if got := scalarText("wc/v3") + scalarText("https://shop.example"); got != "wc/v3https://shop.example" {
		t.Errorf("%s is quoted without need", got)
	}
}

// A site of which no preset and no ability is there has none in it.
func TestStarterOfAnEmptySite(t *testing.T) {
	text, c := begun(t, generate.FromSite(&discover.Site{URL: "https://shop.example"}))
	if strings.Contains(text, "extends") || strings.Contains(text, "expose") || c.Site().URL.Value != "https://shop.example" {
		t.Error(text)
	}
}
