package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"toolpress/curate"
	"toolpress/discover"
	"toolpress/generate"
)

// account is a credential that calls are made with. One that several profiles
// have is one account, and is asked once.
type account struct {
	root *discover.Root // asks the site as it
	site bool           // it is the site's own
	// profiles are those that name it; the site's own may have none.
	profiles []*curate.Profile
	// ids are the operations that are called as it, or would be if it could.
	ids []string
}

// answer is what an account may call, or why that is not known.
type answer struct {
	*account
	may discover.Permissions
	err error
}

// permitted is apply, after the site was asked what the account of each profile
// may call of what the profile keeps. A recording has been asked already, or never,
// and as the site's own account alone.
func (s *source) permitted(ctx context.Context) (*generate.Surface, *curate.Catalog, curate.Findings, error) {
	if err := s.permit(ctx); err != nil {
		return nil, nil, nil, err
	}
	surface, catalog, findings := s.apply()
	return surface, catalog, findings, nil
}

// permit asks what the account of each profile may call of what the profile keeps.
func (s *source) permit(ctx context.Context) error {
	if s.root == nil {
		return nil
	}
	_, catalog, _ := s.apply()
	all, missing := s.accounts(catalog)
	for _, err := range missing {
		s.app.say("%v: its tools are listed as the site's own account may call them", err)
	}
	return s.ask(ctx, all)
}

// permittedToSite is permitted for what is written down: as if every profile
// called as the site's own account, whatever the environment holds of others.
func (s *source) permittedToSite(ctx context.Context) (*generate.Surface, *curate.Catalog, curate.Findings, error) {
	if s.root != nil {
		_, catalog, _ := s.apply()
		if err := s.ask(ctx, []*account{{root: s.root, site: true, ids: keptIn(catalog)}}); err != nil {
			return nil, nil, nil, err
		}
		s.site.Permissions = s.may[curate.Auth{}]
	}
	surface, catalog, findings := s.apply()
	return surface, catalog, findings, nil
}

// ask asks the site what accounts may call. One after the other: the site is as
// busy with one as it is meant to be.
func (s *source) ask(ctx context.Context, all []*account) error {
	for _, one := range all {
		known := one.ask(ctx, s.site, s.app.progress("asking what "+one.String()+" may do"))
		if known.err != nil {
			return known.err
		}
		for _, key := range one.keys() {
			s.may[key], s.asked[key] = known.may, one.root.Client()
		}
	}
	return nil
}

// rights are what is known of the accounts of the curation's profiles.
func (s *source) rights() curate.Rights {
	may := curate.Rights{curate.SiteAccount: s.may[curate.Auth{}]}
	for profile, auth := range s.curation.Accounts() {
		may[profile] = s.may[unplaced(auth)]
	}
	return may
}

// unplaced is where a credential is kept, wherever that is written.
func unplaced(a curate.Auth) curate.Auth {
	for _, t := range []*curate.Text{&a.UserEnv, &a.PasswordEnv, &a.PasswordFile, &a.TokenEnv, &a.TokenFile} {
		t.Pos = curate.Pos{}
	}
	return a
}

// accounts are those that a catalog's profiles call as, and what is missing of
// them. A profile whose account is not there is asked about as the site's own.
func (s *source) accounts(catalog *curate.Catalog) (all []*account, missing []error) {
	for _, name := range catalog.ProfileNames() {
		p := catalog.Profiles[name]
		root, err := s.account(p)
		if err != nil {
			missing = append(missing, err)
		}
		if root == nil {
			root = s.root
		}
		i := slices.IndexFunc(all, func(a *account) bool { return a.root.Client().SameAs(root.Client()) })
		if i < 0 {
			i, all = len(all), append(all, &account{root: root, site: root.Client().SameAs(s.root.Client())})
		}
		if err == nil && p.Auth != (curate.Auth{}) {
			all[i].profiles = append(all[i].profiles, p)
		}
		all[i].ids = append(all[i].ids, kept(p)...)
	}
	for _, one := range all {
		slices.Sort(one.ids)
		one.ids = slices.Compact(one.ids)
	}
	return all, missing
}

// kept are the operations a profile calls, and those it would call if its
// account could, or if they were approved.
func kept(p *curate.Profile) []string {
	ids := slices.Clone(p.NotPermitted)
	for _, w := range p.NotApproved {
		ids = append(ids, w.Operation)
	}
	for _, t := range p.Tools {
		ids = append(ids, t.Operation)
	}
	return ids
}

// keptIn are the operations that any profile of a catalog keeps.
func keptIn(catalog *curate.Catalog) []string {
	var ids []string
	for _, p := range catalog.Profiles {
		ids = append(ids, kept(p)...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// namedIn are those of [keptIn], and what the curation asks for and nothing
// serves: a recording without it would say that the site does not have it.
func namedIn(catalog *curate.Catalog) []string {
	ids := keptIn(catalog)
	for _, w := range catalog.Withheld {
		ids = append(ids, w.Operation)
	}
	return ids
}

// ask asks the site, which its own account has read, what this one may call.
func (one *account) ask(ctx context.Context, site *discover.Site, progress func(done, all int)) answer {
	var err error
	if !one.site {
		if site, err = one.root.Identify(ctx, site); err != nil {
			return answer{one, nil, one.failure(err)}
		}
	}
	may, err := one.root.Probe(ctx, site, one.ids, progress)
	return answer{one, may, siteFailure(err)}
}

// failure says whose account it is that cannot be asked, and where its
// credential is kept.
func (one *account) failure(err error) error {
	auth := one.profiles[0].Auth
	f := &failure{err: fmt.Errorf("%s: %s: %w", auth.KeptIn().Pos, one, err), code: exitSite, hint: discover.Advice(err)}
	if errors.Is(err, discover.ErrCredential) {
		f.hint = auth.KeptIn().Value + " has to hold a token that the site takes"
		if password := auth.PasswordEnv.Value + auth.PasswordFile.Value; password != "" {
			f.hint = fmt.Sprintf("%s has to hold the login name of a user, and %s an application password of this user, made under Users → Profile → Application Passwords", auth.KeptIn().Value, password)
		}
	}
	return f
}

// String is the account as messages call it: by its profiles, and by where its
// credential is kept.
func (one *account) String() string {
	if len(one.profiles) == 0 {
		return "this user"
	}
	var names []string
	for _, p := range one.profiles {
		names = append(names, p.Name)
	}
	of := "profile"
	if len(names) > 1 {
		of = "profiles"
	}
	return fmt.Sprintf("the account of the %s %s (%s)", of, strings.Join(names, ", "), one.profiles[0].Auth.KeptIn().Value)
}

// keys are where the account's permissions are kept.
func (one *account) keys() []curate.Auth {
	var keys []curate.Auth
	if one.site {
		keys = append(keys, curate.Auth{})
	}
	for _, p := range one.profiles {
		keys = append(keys, unplaced(p.Auth))
	}
	return keys
}

// knows reports that the site was asked about all that is called as the account.
func (s *source) knows(one *account) bool {
	return !slices.ContainsFunc(one.ids, func(id string) bool {
		return !strings.HasPrefix(id, "ability:") && slices.ContainsFunc(one.keys(), func(key curate.Auth) bool { return s.may[key][id] == "" })
	})
}
