package curate

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"toolpress/discover"
)

const threeAccounts = `version: 1
defaults: { confirm: { when: never } }
tools:
  add: { from: POST /wp/v2/posts }
  find: { from: GET /wp/v2/posts }
  trash: { from: "DELETE /wp/v2/posts/{id}" }
profiles:
  default: {}
  author:
    auth: { user_env: WP_AUTHOR, password_env: WP_AUTHOR_PASSWORD }
  robot:
    auth: { token_env: WP_ROBOT }
    tools: { trash: false }
`

// Each profile is judged by its own account, and by the site's own where nothing
// is known of one; the finding and explain say which profile and whose account.
func TestRights(t *testing.T) {
	const (
		add, find, trash = "POST /wp/v2/posts", "GET /wp/v2/posts", "DELETE /wp/v2/posts/{id}"
		no               = "the site does not let the account"
	)
	allow := func(denied ...string) discover.Permissions {
		may := discover.Permissions{add: discover.Allowed, find: discover.Allowed, trash: discover.Unknown}
		for _, id := range denied {
			may[id] = discover.Denied
		}
		return may
	}
	for name, c := range map[string]struct {
		may                     Rights
		site, author, robot     string // what is served
		findings, withheld, why []string
	}{
		"nothing is known": {nil, "add find trash", "add find trash", "add find", nil, nil, nil},
		"one account is known, and stands for all": {
			Rights{SiteAccount: allow(add)},
			"find trash", "find trash", "find",
			[]string{"4:3 add: " + NotPermitted},
			[]string{add + " " + NotPermitted},
			[]string{": " + NotPermitted},
		},
		"a profile may do less than the site's own": {
			Rights{SiteAccount: allow(), "author": allow(add)},
			"add find trash", "find trash", "add find",
			[]string{"4:3 add: " + no + " of the profile author (WP_AUTHOR) call it"},
			nil,
			[]string{"author: " + no + " of the profile author (WP_AUTHOR) call it"},
		},
		"and more": {
			Rights{SiteAccount: allow(add), "author": allow(add), "robot": allow()},
			"find trash", "find trash", "add find",
			[]string{"4:3 add: " + no + "s of the profiles default (the site's own), author (WP_AUTHOR) call it"},
			nil,
			[]string{"default: " + no + " of the profile default (the site's own) call it", "author: " + no + " of the profile author (WP_AUTHOR) call it"},
		},
		"no account may, and one was not asked": {
			Rights{SiteAccount: allow(add), "robot": allow(add)},
			"find trash", "find trash", "find",
			[]string{"4:3 add: " + no + "s of the profiles default (the site's own), author (the site's own), robot (WP_ROBOT) call it"},
			[]string{add + " " + no + "s of the profiles default (the site's own), author (the site's own), robot (WP_ROBOT) call it"},
			[]string{": " + no + "s of the profiles default (the site's own), author (the site's own), robot (WP_ROBOT) call it"},
		},
		"what a profile leaves out by itself is no finding": {
			Rights{"robot": allow(trash)}, "add find trash", "add find trash", "add find", nil, nil, nil,
		},
		"nothing is left of a profile": {
			Rights{"robot": allow(add, find)},
			"add find trash", "add find trash", "",
			[]string{"4:3 add: " + no + " of the profile robot (WP_ROBOT) call it", "5:3 find: " + no + " of the profile robot (WP_ROBOT) call it", "11:3 the profile robot serves nothing: no tool is left"},
			nil,
			[]string{"robot: " + no + " of the profile robot (WP_ROBOT) call it"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			curation, err := Parse("curation.yaml", []byte(threeAccounts), nil)
			if err != nil {
				t.Fatal(err)
			}
			surface := shop(t)
			catalog, findings := curation.Apply(surface, c.may)
			for profile, want := range map[string]string{DefaultProfile: c.site, "author": c.author, "robot": c.robot} {
				if got := strings.Join(toolNames(catalog.Profiles[profile]), " "); got != want {
					t.Errorf("%s serves %q, want %q", profile, got, want)
				}
			}
			var found, withheld, why []string
			for _, f := range findings {
				found = append(found, strings.TrimPrefix(f.Pos.String(), "curation.yaml:")+" "+f.Message)
			}
			for _, w := range catalog.Withheld {
				withheld = append(withheld, w.Operation+" "+w.Reason)
			}
			for _, w := range catalog.Explain(surface, "add").Withheld {
				why = append(why, w.Profile+": "+w.Reason)
			}
			if diff := cmp.Diff([][]string{c.findings, c.withheld, c.why}, [][]string{found, withheld, why}); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What tools share an entry and their profiles share a finding; others of the
// entry have one of their own, always in one order.
func TestRightsOfOneEntry(t *testing.T) {
	curation, err := Parse("curation.yaml", []byte(`version: 1
expose: [{ route: "/wp/v2/posts/**" }]
profiles:
  one: { auth: { token_env: ONE } }
  two: { auth: { token_env: TWO } }
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, findings := curation.Apply(shop(t), Rights{"one": {"GET /wp/v2/posts": discover.Denied}, "two": {"GET /wp/v2/posts/{id}": discover.Denied}})
	want := "curation.yaml:2:10: warning: list_posts: the site does not let the account of the profile one (ONE) call it\n"
	also := "curation.yaml:2:10: warning: get_post: the site does not let the account of the profile two (TWO) call it\n"
	if text := findings.Error(); len(findings) != 2 || !strings.HasPrefix(text, want) || !strings.Contains(text, also) ||
		!strings.Contains(text, "\n  hint: give the profile a user who may, or leave the tool out there: tools: { get_post: false }") {
		t.Errorf("%s", text)
	}
}

// For any curation and any rights: a profile serves what it would serve if
// everything were allowed, without what its account may not call, whatever the
// other accounts may; and it knows what it is without.
func TestRightsLaws(t *testing.T) {
	surface, withheld := shop(t), 0
	rapid.Check(t, func(t *rapid.T) {
		text := drawCuration(t, surface)
		text = text + drawProfiles(t, text, surface)
		curation, err := Parse("curation.yaml", []byte(text), nil)
		if err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
		may := Rights{}
		for _, name := range []string{SiteAccount, DefaultProfile, "editor"} {
			if rapid.Bool().Draw(t, "known") {
				may[name] = discover.Permissions{}
				for _, o := range surface.Operations {
					may[name][o.ID] = rapid.SampledFrom([]discover.Permission{discover.Allowed, discover.Denied, discover.Unknown, ""}).Draw(t, o.ID)
				}
			}
		}
		all, _ := curation.Apply(surface, nil)
		catalog, _ := curation.Apply(surface, may)
		for _, name := range []string{DefaultProfile, "editor"} {
			own := may[name]
			if own == nil {
				own = may[SiteAccount]
			}
			var want []string
			for _, tool := range all.Profiles[name].Tools {
				if own[tool.Operation] != discover.Denied {
					want = append(want, tool.Name)
				} else if withheld++; !slices.Contains(catalog.Profiles[name].NotPermitted, tool.Operation) {
					t.Fatalf("%s\n%s of %s is not among what it is without: %v", text, tool.Name, name, catalog.Profiles[name].NotPermitted)
				}
			}
			if diff := cmp.Diff(want, toolNames(catalog.Profiles[name])); diff != "" {
				t.Fatalf("%s\n%v\n%s: %s", text, may, name, diff)
			}
			for _, tool := range catalog.Profiles[name].Tools {
				x, _ := tool.MarshalJSON()
				if y, _ := all.Profiles[name].Tool(tool.Name).MarshalJSON(); string(x) != string(y) {
					t.Fatalf("%s\n%s is another tool for it: %s, %s", text, tool.Name, x, y)
				}
			}
		}
	})
	if withheld == 0 {
		t.Error("nothing was withheld")
	}
}

func toolNames(p *Profile) []string {
	var names []string
	for _, t := range p.Tools {
		names = append(names, t.Name)
	}
	return names
}
