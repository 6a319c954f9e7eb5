package runtime

import (
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"toolpress/curate"
	"toolpress/discover"
	"toolpress/discover/wp"
	"toolpress/generate"
)

// drawResult draws what a layer says of an answer, as YAML.
func drawResult(t *rapid.T) string {
	paths := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "a.b", "a.b.c", "c", "c.raw", "_links", "a._links"}), 1, 3, rapid.ID)
	var keys []string
	list := func(key string) {
		if rapid.IntRange(0, 2).Draw(t, key) == 0 {
			text := "[" + strings.Join(paths.Draw(t, "paths"), ", ") + "]"
			if rapid.Bool().Draw(t, "add") {
				text = "{ add: " + text + " }"
			}
			keys = append(keys, key+": "+text)
		}
	}
	switch rapid.IntRange(0, 9).Draw(t, "alone") {
	case 0:
		return "raw: true"
	case 1:
		return "pick: []"
	}
	list("pick")
	list("drop")
	if rapid.Bool().Draw(t, "html") {
		keys = append(keys, "html: "+rapid.SampledFrom([]string{"keep", "text", "markdown"}).Draw(t, "how"))
	}
	if rapid.IntRange(0, 3).Draw(t, "rename") == 0 {
		keys = append(keys, fmt.Sprintf("rename: { %s: z }", rapid.SampledFrom([]string{"a", "b", "c.raw"}).Draw(t, "path")))
	}
	return strings.Join(keys, ", ")
}

// everyName is an answer that has a value at every path of a few names, as a text
// with markup and as a comment in it.
func everyName(path string, depth int, canaries *[]canary) string {
	if depth == 0 {
		text, comment := fmt.Sprint(1000000+len(*canaries)), fmt.Sprint(1000001+len(*canaries))
		*canaries = append(*canaries, canary{path, text}, canary{path, comment})
		return `"<p>` + text + `</p><!-- ` + comment + ` -->"`
	}
	var members []string
	for _, name := range []string{"a", "b", "c", "raw", "_links"} {
		members = append(members, strconv.Quote(name)+":"+everyName(path+"."+name, depth-1, canaries))
	}
	return "{" + strings.Join(members, ",") + "}"
}

// What a profile leaves of an answer, the tool itself leaves too, and nothing
// private is in either; a profile that would give more is not served (curation.md,
// principle 5).
func TestProfilesGiveNoMore(t *testing.T) {
	data, err := os.ReadFile("../curate/testdata/shop.json")
	if err != nil {
		t.Fatal(err)
	}
	site, err := discover.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	surface, narrower := generate.FromSite(site), 0
	rapid.Check(t, func(t *rapid.T) {
		private := rapid.SampledFrom([]string{"a.b", "c", "**.raw", "**._links", "x"}).Draw(t, "private")
		var text strings.Builder
		text.WriteString(fmt.Sprintf("version: 1\nprivate: [{ match: { ability: shop/hours }, fields: [%q] }]\ntools: { t: { from: \"ability:shop/hours\", result: { %s } } }\nprofiles:\n  own: {}\n", private, drawResult(t)))
		for i := range 4 {
			text.WriteString(fmt.Sprintf("  p%d: { tools: { t: { result: { %s } } } }\n", i, drawResult(t)))
		}
		c, err := curate.Parse("c.yaml", []byte(text.String()), nil)
		if err != nil {
			t.Fatalf("%s\n%v", text.String(), err)
		}
		catalog, _ := c.Apply(surface, nil)
		var canaries []canary
		answer := everyName("", 3, &canaries)
		left := map[string]string{}
		for _, name := range catalog.ProfileNames() {
			if tool := catalog.Profiles[name].Tool("t"); tool != nil {
				got, err := shape(wp.Request{Method: http.MethodGet}, &wp.Response{JSON: []byte(answer)}, tool.Result, wanted{})
				if err != nil {
					t.Fatal(err)
				}
				left[name] = string(got)
			}
		}
		for name, got := range left {
			for _, c := range canaries {
				switch mine, own := strings.Contains(got, c.value), strings.Contains(left["own"], c.value); {
				case mine && c.private(curate.Fields{strings.Split(private, ".")}):
					t.Fatalf("%s%s is private and leaves %s", text.String(), c.path, name)
				case mine && !own:
					t.Fatalf("%s%s gives %s, which the tool itself does not:\n%s\n%s", text.String(), name, c.path, got, left["own"])
				case own && !mine:
					narrower++
				}
			}
		}
	})
	if narrower == 0 {
		t.Error("no profile left anything out")
	}
}
