package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"toolpress/curate"
	"toolpress/discover"
	"toolpress/discover/wp"
	"toolpress/runtime"
)

// addProfile adds --profile to a command that speaks of one.
func addProfile(c *cobra.Command, name *string) {
	c.Flags().StringVar(name, "profile", curate.DefaultProfile, "the profile of the curation")
}

// profileOf finds a profile by its name.
func profileOf(catalog *curate.Catalog, name string) (*curate.Profile, error) {
	if p := catalog.Profiles[name]; p != nil {
		return p, nil
	}
	return nil, usage(fmt.Sprintf("there is no profile %q", name), "name one with --profile: "+strings.Join(catalog.ProfileNames(), ", "))
}

// endpoint is the path a profile is served at.
func endpoint(profile string) string {
	if profile == curate.DefaultProfile {
		return "/mcp"
	}
	return "/mcp/" + profile
}

// accessible says what a catalog's profiles need of the environment and of files
// and do not find there; nil when nothing is missing.
func (s *source) accessible(catalog *curate.Catalog) error {
	profiles := profilesOf(catalog)
	if err := s.keys(profiles); err != nil {
		return err
	}
	for _, p := range profiles {
		if _, err := s.account(p); err != nil {
			return err
		}
	}
	return nil
}

// access is how a profile is reached and as whom it calls, under the profile's
// name. What is missing is left out: the runtime lets nobody in without it.
func (s *source) access(p *curate.Profile) runtime.Access {
	own := runtime.Access{Tokens: s.opening(p)}
	if root, err := s.account(p); err == nil {
		own.Site = cmp.Or(root, s.root).Client().For(p.Name)
	}
	return own
}

// account is the site as a profile's own user calls it; nil where the profile
// names none. Nothing stands in for what is not set: it would be another user.
func (s *source) account(p *curate.Profile) (*discover.Root, error) {
	if p.Auth == (curate.Auth{}) {
		return nil, nil
	}
	missing := func(t curate.Text) error {
		says := usage
		if t != p.Auth.PasswordFile && t != p.Auth.TokenFile {
			says = unset
		}
		return says(fmt.Sprintf("%s: the account of the profile %s is not there: %s is empty or not set", t.Pos, p.Name, t.Value), "its calls are made as this user, and as nobody else")
	}
	var who wp.Credential
	kept := p.Auth.PasswordEnv
	for _, t := range []curate.Text{p.Auth.PasswordFile, p.Auth.TokenEnv, p.Auth.TokenFile} {
		if t.Value != "" {
			kept = t
		}
	}
	if p.Auth.UserEnv.Value != "" {
		if who.User = strings.TrimSpace(s.app.getenv(p.Auth.UserEnv.Value)); who.User == "" {
			return nil, missing(p.Auth.UserEnv)
		}
	}
	file := curate.Text{}
	if kept == p.Auth.PasswordFile || kept == p.Auth.TokenFile {
		file = kept
	}
	value, _, err := s.secret(kept, file, "")
	switch {
	case err != nil:
		return nil, err
	case value == "":
		return nil, missing(kept)
	case who.User == "":
		who.Token = wp.NewSecret(value)
	default:
		who.Password = wp.NewSecret(value)
	}
	root, err := s.root.As(who)
	if err != nil {
		return nil, siteFailure(fmt.Errorf("%s: the account of the profile %s: %w", kept.Pos, p.Name, err))
	}
	return root, nil
}
