package versions

import (
	"bytes"
	"strings"
	"testing"

	"toolpress/discover"
)

// The sites of a network share their users, their passwords and their code, and
// nothing that a model may read or write.
func TestNetwork(t *testing.T) {
	t.Parallel()
	s := start(t, network.flags...)
	t.Run("second site", func(t *testing.T) { secondSite(t, s) })
	network.everything(t, s)
}

func secondSite(t *testing.T, s *site) {
	first, second := s.home, s.env["SECOND_SITE"]
	equal(t, "the second site", second, first+"/second")
	user := s.as("SECOND")

	recording, site, said := user.discover(t, second+"/")
	equal(t, "site", []any{site.Name, site.Description, site.URL, site.Root, site.RootFrom},
		[]any{"Maple Street Music", "Records and sheet music", second, second + "/wp-json/", discover.FromLink})
	equal(t, "user", []any{site.User.Login, site.User.Roles}, []any{"second", []string{"editor"}})
	equal(t, "abilities", []any{site.AbilitiesAPI, len(site.Abilities)}, []any{discover.AbilitiesListed, len(abilities(t, user, second))})
	hold(t, said, "Maple Street Music, "+second)
	again, _, _ := user.discover(t, second+"/")
	if !bytes.Equal(recording, again) {
		t.Error("two recordings of the unchanged site differ")
	}

	titles := titles(t, user.on(second))
	equal(t, "posts of the second site", titles, []string{"A Piano by the Door", "Vinyl Friday"})
	link := user.on(second).call(t, "find_posts", "query=Vinyl")["items"].([]any)[0].(map[string]any)["link"].(string)
	if !strings.HasPrefix(link, second+"/") || !strings.HasSuffix(link, "/2025/03/07/vinyl-friday/") {
		t.Errorf("the article is at %s", link)
	}
	_, bare, _ := strings.Cut(second, "://")
	for name, address := range map[string]string{
		"without scheme or slash": bare, "article": link, "wp-admin": second + "/wp-admin/", "wp-login.php": second + "/wp-login.php",
	} {
		t.Run(name, func(t *testing.T) {
			_, site, _ := user.discover(t, address)
			equal(t, "name, url, root", []string{site.Name, site.URL, site.Root}, []string{"Maple Street Music", second, second + "/wp-json/"})
		})
	}
	for query, at := range map[string]string{"Vinyl": first, "Middlemarch": second} {
		equal(t, query+" on "+at, user.on(at).call(t, "find_posts", "query="+query)["total"], 0)
	}
	network.drafts(t, user, second)

	// The password is good on both sites, and the user nobody on the other.
	for _, c := range []struct {
		role, at, name string
	}{
		{"SECOND", first, "Maple Street Books"},
		{"EDITOR", second, "Maple Street Music"},
	} {
		t.Run(strings.ToLower(c.role)+" on "+c.name, func(t *testing.T) {
			p := s.as(c.role).on(c.at)
			_, site, said := p.discover(t, c.at)
			equal(t, "site", []any{site.Name, site.URL, site.User.Login, len(site.User.Roles), site.AbilitiesAPI, len(site.Abilities)},
				[]any{c.name, c.at, p.user, 0, discover.AbilitiesNotPermitted, 0})
			hold(t, said, p.user+" (no role on this site)", "unknown: this user may not list them")
			equal(t, "tools", p.checked(t), preset)
			out, said, code := p.run(t, "call", "--curation", curation, "draft_post", "title=No")
			equal(t, "a write", []any{out, code}, []any{"", 1})
			hold(t, said, "403 rest_cannot_create", "Sorry, you are not allowed to create posts as this user.", "the account toolpress uses may not do this")
		})
	}
}

// titles are those of a site's posts, the newest first.
func titles(t *testing.T, p toolpress) []string {
	t.Helper()
	var titles []string
	items, _ := p.call(t, "find_posts", "per_page=50")["items"].([]any)
	for _, item := range items {
		post, _ := item.(map[string]any)
		title, _ := post["title"].(string)
		titles = append(titles, title)
	}
	return titles
}
