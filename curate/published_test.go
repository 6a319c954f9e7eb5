package curate

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"toolpress/generate"
)

// A number as a slug is one more that no schema says: it leads to the route of
// numbers.
//
// said are operations of which a schema in the common dialect cannot say all:
// arguments that go with a kind are named in a description, and so is what the text of
// a file is, and that a url may be given instead.
var said = map[string]bool{
	"POST /wp/v2/media":           true,
	"POST /wp/v2/media/{id}/edit": true,
}

// A model that goes by what is published, in the common dialect, is not refused:
// on all four recorded sites, for every tool and drawn arguments.
func TestWhatIsPublishedIsTaken(t *testing.T) {
	c, err := Parse("curation.yaml", []byte(`version: 1
defaults: { confirm: { when: never } }
expose:
  - { route: "/**", writes: true }
  - { ability: "**", writes: true }
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range recordings {
		t.Run(name, func(t *testing.T) {
			catalog, _ := c.Apply(generate.FromSite(recordedSite(t, name)), nil)
			tools, refused := catalog.Profiles[DefaultProfile].Tools, 0
			for i, tool := range tools {
				d := model{rand.New(rand.NewPCG(uint64(i), 7))}
				published := decoded(t, tool.InputSchema).(map[string]any)
				for range 15 {
					arguments := d.value(published, 0)
					text, err := json.Marshal(arguments)
					if err != nil {
						t.Fatal(err)
					}
					_, err = tool.Request(text)
					if err != nil && !said[tool.Operation] && !strings.Contains(err.Error(), "leads to another route") {
						if refused++; refused < 10 {
							t.Errorf("%s (%s) %s: %v", tool.Name, tool.Operation, text, err)
						}
					}
				}
			}
			t.Logf("%d tools, %d calls refused", len(tools), refused)
		})
	}
}

// model draws what a model would send that has read a published schema.
type model struct{ *rand.Rand }

var texts = []string{"qlmbrt", "70418", "kwz-9", "QLMBRT", "q", "qlm", "11111111111111111111111111111111"}

func (m model) value(s map[string]any, depth int) any {
	if enum, _ := s["enum"].([]any); len(enum) > 0 {
		return enum[m.IntN(len(enum))]
	}
	low, high := 0, 1000
	if v, there := s["minimum"].(float64); there {
		low, high = int(v), max(high, int(v))
	}
	if v, there := s["maximum"].(float64); there {
		high = int(v)
	}
	switch s["type"] {
	case "string":
		return m.text(s)
	case "integer", "number":
		if choice := chosen.FindString(m.description(s)); choice != "" {
			return json.Number(choice)
		}
		return min(high, low+1+m.IntN(max(high-low, 1)))
	case "boolean":
		return m.IntN(2) == 0
	case "array":
		least, _ := s["minItems"].(float64)
		list := []any{}
		for range int(least) + m.IntN(2) {
			list = append(list, m.value(s["items"].(map[string]any), depth+1))
		}
		return list
	}
	object := map[string]any{}
	required, _ := s["required"].([]any)
	for name, p := range s["properties"].(map[string]any) {
		if slices.Contains(required, any(name)) || m.IntN(3+depth) == 0 {
			object[name] = m.value(p.(map[string]any), depth+1)
		}
	}
	return object
}

// chosen is the first of the values that a description lists.
var chosen = regexp.MustCompile(`-?\d+(?:\.\d+)?`)

func (model) description(s map[string]any) string {
	text, _ := s["description"].(string)
	_, list, _ := strings.Cut(text, "(one of ")
	return list
}

// text is one that the pattern takes, where there is one.
func (m model) text(s map[string]any) any {
	if about, _ := s["description"].(string); strings.Contains(about, "such as 2026-") {
		return "2026-01-31T09:00:00"
	}
	pattern, _ := s["pattern"].(string)
	for _, i := range m.Perm(len(texts)) {
		if matched, err := regexp.MatchString(pattern, texts[i]); err == nil && matched {
			return texts[i]
		}
	}
	return "q"
}
