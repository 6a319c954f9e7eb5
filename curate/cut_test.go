package curate

import (
	"slices"
	"testing"
)

const cutTools = `
tools:
  find: { from: GET /wp/v2/posts, description: "Find posts.", args: { "*": hidden, search: { describe: A text of some length that says what to look for. }, page: {}, per_page: { required: true } } }
  read: { from: "GET /wp/v2/posts/{id}", description: "Read a post.", args: { "*": hidden, id: {} } }
`

// What saves most comes first, arguments before tools; what is required is no cut.
// Each saves what it says: the tool without it takes so much less.
func TestCuts(t *testing.T) {
	catalog, _ := apply(t, "version: 1\nprofiles: { default: { max_tokens: 10 } }"+cutTools)
	p := catalog.Profiles[DefaultProfile]
	var got []string
	for _, c := range p.Cuts() {
		got = append(got, c.Tool+"."+c.Argument)
	}
	if want := []string{"find.page", "find.search", "find.", "read."}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	without, _ := apply(t, "version: 1\nprofiles: { default: { tools: { find: { args: { page: hidden } } } } }"+cutTools)
	if saved := p.Tokens() - without.Profiles[DefaultProfile].Tokens(); saved != p.Cuts()[0].Saves {
		t.Errorf("hiding page saves %d, not %d", saved, p.Cuts()[0].Saves)
	}
	for _, c := range p.Cuts() {
		if c.Argument == "" && c.Saves != p.Tool(c.Tool).Tokens() {
			t.Errorf("%+v", c)
		}
	}
}

// Within the budget nothing has to go, and too many tools are no matter of
// arguments.
func TestCutsOfTools(t *testing.T) {
	catalog, _ := apply(t, "version: 1\nprofiles: { default: { max_tools: 2, max_tokens: 6000 }, one: { max_tools: 1 } }"+cutTools)
	if cuts := catalog.Profiles[DefaultProfile].Cuts(); cuts != nil {
		t.Errorf("%v", cuts)
	}
	cuts := catalog.Profiles["one"].Cuts()
	if len(cuts) != 2 || cuts[0].Tool != "find" || cuts[0].Argument != "" {
		t.Errorf("%v", cuts)
	}
}

// Raw is what the site itself would have a model read, whatever is curated.
func TestRawTokens(t *testing.T) {
	catalog, _ := apply(t, "version: 1"+cutTools)
	whole, _ := apply(t, "version: 1\nexpose: [{ route: /wp/v2/posts, method: GET }]")
	find, list := catalog.Profiles[DefaultProfile].Tool("find"), whole.Profiles[DefaultProfile].Tool("list_posts")
	if find.RawTokens() != list.Tokens() || find.RawTokens() <= find.Tokens() {
		t.Errorf("raw %d, exposed %d, curated %d", find.RawTokens(), list.Tokens(), find.Tokens())
	}
}
