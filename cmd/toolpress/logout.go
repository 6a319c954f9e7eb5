package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"toolpress/discover"
	"toolpress/discover/login"
	"toolpress/discover/wp"
)

func (a *app) logoutCommand() *cobra.Command {
	var revoke bool
	c := &cobra.Command{
		Use: "logout [URL]", Short: "Forget a site's application password", Args: atMostOne,
		Long: `Forget the application password that login keeps for a site. It stays valid until
it is deleted in WordPress: --revoke does that first, with the password itself.`,
		Example: "  toolpress logout --revoke https://shop.example",
		RunE:    func(c *cobra.Command, args []string) error { return a.logout(c.Context(), first(args), revoke) },
	}
	c.Flags().BoolVar(&revoke, "revoke", false, "delete the password in WordPress too")
	return c
}

func (a *app) logout(ctx context.Context, positional string, revoke bool) error {
	address, opts, err := a.visited(positional)
	if err != nil {
		return err
	}
	dir := configDir()
	stored, found, err := login.Read(dir, address.String())
	if err != nil && revoke {
		return storeFailure(err)
	}
	if found && revoke {
		if err := a.revoke(ctx, stored, opts); err != nil {
			return err
		}
	}
	forgotten, err := login.Forget(dir, address.String())
	if err != nil {
		return err
	}
	if !forgotten {
		f := &failure{err: fmt.Errorf("no password is kept for %s", address), code: exitFailed}
		if sites := login.Sites(dir); len(sites) > 0 {
			f.hint = "one is kept for " + strings.Join(sites, ", ")
		}
		return f
	}
	a.say("Forgot the password for %s.", address)
	if found && !revoke {
		a.say("It is valid until it is deleted in WordPress: Users → Profile → Application Passwords, %q of %s:\n  %s", stored.Application, stored.Credential.User, stored.Profile)
	}
	return nil
}

// revoke deletes a kept password on its site, by its own right.
func (a *app) revoke(ctx context.Context, stored login.Stored, opts wp.Options) error {
	address, err := discover.ParseAddress(stored.Site)
	if err != nil {
		return err
	}
	root, err := a.own(ctx, address, opts)
	if err != nil {
		return err
	}
	defer root.Client().Close()
	if kept, found, err := login.Read(configDir(), root.URL); err != nil || !found || kept.Site != stored.Site {
		return &failure{
			err: fmt.Errorf("%s leads to %s now: nothing is deleted or forgotten", stored.Site, root.URL), code: exitSite,
			hint: "without --revoke the password is only forgotten. Delete it in WordPress: " + stored.Profile,
		}
	}
	opts.Credential = stored.Credential
	client, err := signed(root, opts)
	if err != nil {
		return siteFailure(fmt.Errorf("deleting the password on %s: %w", stored.Site, err))
	}
	defer client.Close()
	name, err := login.Revoke(ctx, client)
	if err != nil {
		return &failure{
			err: fmt.Errorf("deleting the password on %s: %w", stored.Site, err), code: exitSite,
			hint: "it is still kept: without --revoke it is only forgotten. Delete it in WordPress: " + stored.Profile,
		}
	}
	a.say("Deleted the application password %q of %s in WordPress.", name, stored.Credential.User)
	return nil
}

// find locates the site's REST root, with the credential that is given, else
// with the one that login keeps for exactly the site that is found: not for
// what else lies on its host.
func (a *app) find(ctx context.Context, address *url.URL, from string, opts wp.Options) (*discover.Root, error) {
	root, err := discover.Find(ctx, address, opts)
	if err != nil {
		return nil, siteFailure(fmt.Errorf("looking for the site at %s%s: %w", address, from, err))
	}
	if !opts.Credential.Anonymous() {
		return root, nil
	}
	stored, found, err := login.Lookup(configDir(), root.URL)
	if err == nil && !found {
		return root, nil
	}
	root.Client().Close()
	if err != nil {
		return nil, storeFailure(err)
	}
	opts.Credential = stored
	if address, err = discover.ParseAddress(root.URL); err != nil {
		return nil, err
	}
	again, err := discover.Find(ctx, address, opts)
	if err != nil {
		return nil, siteFailure(fmt.Errorf("looking for the site at %s with the password that is kept for it: %w", address, err))
	}
	if again.URL != root.URL {
		return nil, siteFailure(fmt.Errorf("%s says that it is %s: the password that is kept for the one is not for the other", root.URL, again.URL))
	}
	return again, nil
}

// storeFailure is a kept password that cannot be used.
func storeFailure(err error) error {
	if err == nil {
		return nil
	}
	f := &failure{err: err, code: exitUsage}
	var exposed *login.ExposedError
	if errors.As(err, &exposed) {
		f.hint = exposed.Hint()
	}
	return f
}
