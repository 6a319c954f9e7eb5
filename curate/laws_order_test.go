package curate

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"toolpress/discover"
	"toolpress/generate"
)

// linePlace is a place of the file, in words.
var linePlace = regexp.MustCompile(`curation\.yaml:\d+:\d+`)

// shuffled is the shop as a site that lists the same in another order.
func shuffled(t *rapid.T, site discover.Site) *generate.Surface {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 0))
	site.Routes, site.Abilities = slices.Clone(site.Routes), slices.Clone(site.Abilities)
	r.Shuffle(len(site.Routes), func(i, j int) { site.Routes[i], site.Routes[j] = site.Routes[j], site.Routes[i] })
	r.Shuffle(len(site.Abilities), func(i, j int) { site.Abilities[i], site.Abilities[j] = site.Abilities[j], site.Abilities[i] })
	for i, route := range site.Routes {
		ends := slices.Clone(route.Endpoints)
		r.Shuffle(len(ends), func(a, b int) { ends[a], ends[b] = ends[b], ends[a] })
		site.Routes[i].Endpoints = ends
	}
	return generate.FromSite(&site)
}

// reordered is a curation with its sections, and what is below its keys that have
// no order, in another order.
func reordered(t *rapid.T, text string) string {
	var sections []string
	for _, line := range strings.SplitAfter(text, "\n") {
		switch {
		case line == "":
		case line[0] != ' ':
			sections = append(sections, line)
		default:
			sections[len(sections)-1] += line
		}
	}
	for i, s := range sections {
		if strings.HasPrefix(s, "tools:") {
			lines := strings.SplitAfter(strings.TrimSuffix(s, "\n"), "\n")
			entries := lines[1:]
			entries[len(entries)-1] += "\n"
			sections[i] = lines[0] + strings.Join(rapid.Permutation(entries).Draw(t, "entries"), "")
		}
	}
	return strings.Join(rapid.Permutation(sections).Draw(t, "sections"), "")
}

// The order in which the site lists what it has, and the order of keys in a file,
// change nothing: not the tools, not what is said of them, not why others are
// not there.
func TestOrderChangesNothing(t *testing.T) {
	site := decodedSite(t, "testdata/shop.json")
	site.Routes = append(site.Routes, decodedSite(t, "testdata/orders.json").Routes...)
	surface := generate.FromSite(site)
	all := func(t *rapid.T, text string, s *generate.Surface) string {
		c, err := Parse("curation.yaml", []byte(text), nil)
		if err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
		catalog, findings := c.Check(s, nil)
		var b strings.Builder
		b.WriteString(everything(catalog))
		var said []string
		for _, f := range findings {
			said = append(said, fmt.Sprintf("%s %s: %s\n", f.ID, f.Message, f.Hint))
		}
		slices.Sort(said) // they are in the order of their lines
		b.WriteString(strings.Join(said, ""))
		for _, o := range surface.Operations {
			e := catalog.Explain(s, o.ID)
			fmt.Fprintf(&b, "%s %v %v\n", o.ID, e.Withheld, len(e.Served))
		}
		return linePlace.ReplaceAllString(b.String(), "LINE")
	}
	rapid.Check(t, func(t *rapid.T) {
		text := drawCuration(t, surface)
		text += drawProfiles(t, text, surface)
		want := all(t, text, surface)
		if diff := cmp.Diff(want, all(t, text, shuffled(t, *site))); diff != "" {
			t.Fatalf("%s\nof the site: %s", text, diff)
		}
		other := reordered(t, text)
		if diff := cmp.Diff(want, all(t, other, surface)); diff != "" {
			t.Fatalf("%s\n%s\nof the file: %s", text, other, diff)
		}
	})
}
