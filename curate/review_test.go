package curate

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolpress/generate"
)

// talk is the shop, and a plugin that does not know how to speak to a model.
func talk(t *testing.T) *generate.Surface {
	t.Helper()
	site := decodedSite(t, "testdata/shop.json")
	site.Abilities = append(site.Abilities, decodedSite(t, "testdata/talk.json").Abilities...)
	return generate.FromSite(site)
}

// Every testdata/review/*.yaml has exactly the findings of its .out; T18, T19, W34: what a
// plugin says to the model is among them, also in arguments and their values.
func TestReview(t *testing.T) {
	files, _ := filepath.Glob("testdata/review/*.yaml")
	var all strings.Builder
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			data, _ := os.ReadFile(name)
			c, err := Parse(name, data, opener)
			if err != nil {
				t.Fatal(err)
			}
			_, findings := c.Check(talk(t), nil)
			for _, f := range findings {
				all.WriteString(f.ID + " ")
			}
			golden(t, strings.TrimSuffix(name, ".yaml")+".out", findings.Error()+"\n")
		})
	}
	for _, r := range reviewRules() {
		if !strings.Contains(all.String(), r.id+" ") {
			t.Errorf("no file shows %s", r.id)
		}
	}
}

// The reference (docs/curation.md) has every id a finding can have, and no other.
func TestFindingsAreInTheReference(t *testing.T) {
	text, err := os.ReadFile("../docs/curation.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Findings\n")
	var documented []string
	for _, row := range regexp.MustCompile("(?m)^\\| (`[a-z-]+`(?:, `[a-z-]+`)*) \\|").FindAllStringSubmatch(section, -1) {
		documented = append(documented, strings.Split(strings.ReplaceAll(row[1], "`", ""), ", ")...)
	}
	ids := map[string]bool{}
	sources, _ := filepath.Glob("*.go")
	given := regexp.MustCompile(`"([a-z-]+)", Severity(?:Error|Warning)|ID: "([a-z-]+)"|share\(.*?, "([a-z-]+)",`)
	for _, name := range sources {
		source, _ := os.ReadFile(name)
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		for _, m := range given.FindAllStringSubmatch(string(source), -1) {
			ids[m[1]+m[2]+m[3]] = true
		}
	}
	for _, r := range reviewRules() {
		ids[r.id] = true
	}
	slices.Sort(documented)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(ids)), documented); diff != "" {
		t.Error(diff)
	}
}

// What serves does not look at words, and takes what allows them.
func TestApplyReviewsNothing(t *testing.T) {
	data, err := os.ReadFile("testdata/review/allowed.yaml")
	if err != nil {
		t.Fatal(err)
	}
	c, err := Parse("allowed.yaml", data, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, findings := c.Apply(talk(t), nil); len(findings) > 0 {
		t.Error(findings.Error())
	}
}

// The shipped presets keep the rules they are spared from, on every recorded
// site; and no word of WordPress or WooCommerce themselves is taken for an order.
func TestPresetsAreReviewed(t *testing.T) {
	for _, site := range recordings {
		t.Run(site, func(t *testing.T) {
			surface := generate.FromSite(recordedSite(t, site))
			for _, name := range presetNames() {
				text, err := Preset(name)
				if err != nil {
					t.Fatal(err)
				}
				c, err := Parse(name, text, nil)
				if err != nil {
					t.Fatal(err)
				}
				_, findings := c.Check(surface, nil)
				for _, f := range findings {
					if isReview(f.ID) {
						t.Error(f)
					}
				}
			}
			whole, err := Parse("curation.yaml", []byte("version: 1\ndefaults: { confirm: { when: never } }\nexpose: [{ route: \"/**\", writes: true }, { ability: \"**\", writes: true }]\n"), nil)
			if err != nil {
				t.Fatal(err)
			}
			_, findings := whole.Check(surface, nil)
			for _, f := range findings {
				if f.ID == speaksToModel {
					t.Error(f)
				}
			}
		})
	}
}

// A preset's words are spared, what the site says in its tools is not.
func TestSpeaksThroughThePreset(t *testing.T) {
	c, err := BuiltIn()
	if err != nil {
		t.Fatal(err)
	}
	_, findings := c.Check(talk(t), nil)
	if len(findings) != 1 || findings[0].ID != speaksToModel || !strings.Contains(findings[0].Message, "talk_bossy") {
		t.Errorf("%v", findings)
	}
}
