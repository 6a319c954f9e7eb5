package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"toolpress/discover"
	"toolpress/discover/login"
	"toolpress/discover/wp"
)

func (a *app) loginCommand() *cobra.Command {
	var noBrowser bool
	var patience time.Duration
	c := &cobra.Command{
		Use: "login [URL]", Short: "Get an application password through the browser, and keep it", Args: atMostOne,
		Long: `Open the site's own page that asks whether toolpress may connect. WordPress makes
an application password for the user who approves, the browser brings it to
toolpress on this machine (127.0.0.1), and it is tried and kept for later
commands in the user's configuration directory, readable for this user only.
TOOLPRESS_USER and TOOLPRESS_PASSWORD win over it. logout forgets it.`,
		Example: "  toolpress login https://shop.example",
		RunE: func(c *cobra.Command, args []string) error {
			return a.login(c.Context(), first(args), !noBrowser, patience)
		},
	}
	c.Flags().BoolVar(&noBrowser, "no-browser", false, "only print the address to open")
	c.Flags().DurationVar(&patience, "wait", 10*time.Minute, "how long to wait for the browser")
	return c
}

// configDir is where credentials are kept; empty where this user has no place.
func configDir() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return dir
}

func (a *app) login(ctx context.Context, positional string, open bool, patience time.Duration) error {
	address, opts, err := a.visited(positional)
	if err != nil {
		return err
	}
	if address.Scheme == "http" && !a.insecureHTTP && !wp.IsLoopback(address.Hostname()) {
		return siteFailure(fmt.Errorf("logging in to %s: %w", address, wp.ErrPlainHTTP))
	}
	root, err := a.own(ctx, address, opts)
	if err != nil {
		return err
	}
	defer root.Client().Close()
	site, err := login.Ask(ctx, root.Client(), root.URL)
	if err != nil {
		return siteFailure(fmt.Errorf("asking %s where to log in: %w", root.URL, err))
	}
	if err := a.confirm(ctx, root, site.Files(), opts); err != nil {
		return err
	}
	answer, err := a.browse(ctx, site, open, patience)
	if err != nil {
		return loginFailure(ctx, site, err)
	}
	if answer.Warning != "" {
		a.say("warning: %s", answer.Warning)
	}
	opts.Credential = answer.Credential
	client, err := signed(root, opts)
	if err != nil {
		return siteFailure(fmt.Errorf("trying the new password: %w", err))
	}
	defer client.Close()
	who, err := login.Try(ctx, client)
	if err != nil {
		return a.untaken(site, err)
	}
	return a.keep(configDir(), site, answer.Credential, who)
}

// own finds a site as nobody, and asks the address it gives for itself again:
// what lies beside another site on one host is not to pass for it.
func (a *app) own(ctx context.Context, address *url.URL, opts wp.Options) (*discover.Root, error) {
	root, err := discover.Find(ctx, address, opts)
	if err != nil {
		return nil, siteFailure(fmt.Errorf("looking for the site at %s: %w", address, err))
	}
	front, err := discover.ParseAddress(root.URL)
	if err != nil {
		return nil, err
	}
	if err := a.confirm(ctx, root, front, opts); err != nil {
		root.Client().Close()
		return nil, err
	}
	return root, nil
}

// confirm fails where an address that a site calls its own is another's.
func (a *app) confirm(ctx context.Context, root *discover.Root, address *url.URL, opts wp.Options) error {
	again, err := discover.Find(ctx, address, opts)
	if err != nil {
		return siteFailure(fmt.Errorf("looking for the site at %s, which %s says it is: %w", address, root.Client().Root(), err))
	}
	defer again.Client().Close()
	if again.URL == root.URL && again.Client().Root() == root.Client().Root() {
		return nil
	}
	return &failure{
		err:  fmt.Errorf("%s says that %s is its own, and that is the site with the REST API at %s: a password for the one is not for the other", root.Client().Root(), address, again.Client().Root()),
		code: exitSite, hint: "make an application password in WordPress under Users → Profile, and set TOOLPRESS_USER and TOOLPRESS_PASSWORD",
	}
}

// signed is a client of the root that was found, with a credential.
func signed(root *discover.Root, opts wp.Options) (*wp.Client, error) {
	at, err := url.Parse(root.Client().Root())
	if err != nil {
		return nil, err
	}
	client, err := wp.NewClient(at, opts)
	if err != nil {
		return nil, err
	}
	return client.At(at), nil
}

// visited settles which site is meant, and how it is asked by nobody.
func (a *app) visited(positional string) (*url.URL, wp.Options, error) {
	if a.from != "" {
		return nil, wp.Options{}, usage("a recording has no login", "leave --from out")
	}
	s, err := a.open(positional)
	if err != nil {
		return nil, wp.Options{}, err
	}
	address, _, err := s.address(positional)
	if err != nil {
		return nil, wp.Options{}, err
	}
	if configDir() == "" {
		return nil, wp.Options{}, usage("there is no place to keep a password: this user has no configuration directory", "set HOME or XDG_CONFIG_HOME, or use TOOLPRESS_USER and TOOLPRESS_PASSWORD")
	}
	opts, err := s.anonymous()
	return address, opts, err
}

// browse sends the person to the site and waits for what comes back.
func (a *app) browse(ctx context.Context, site *login.Site, open bool, patience time.Duration) (login.Answer, error) {
	visit, err := login.Listen(site)
	if err != nil {
		return login.Answer{}, err
	}
	defer visit.Close()
	a.say("Approve %q in the browser, as the user an agent is to be:\n\n  %s\n", site.Application, visit.URL())
	if open {
		if err := login.OpenBrowser(visit.URL(), a.getenv); err != nil {
			a.say("No browser opened here (%v): open the address yourself.", err)
			a.say("In a browser on another machine, first give it this port: ssh -L %d:127.0.0.1:%d THIS-MACHINE", visit.Port(), visit.Port())
		}
	}
	a.say("Waiting %s for the answer; Ctrl+C ends it.", patience)
	return visit.Wait(ctx, patience)
}

func loginFailure(ctx context.Context, site *login.Site, err error) error {
	f := &failure{err: fmt.Errorf("logging in to %s: %w", site.URL, err), code: exitFailed}
	made := "If WordPress made a password, delete it: " + profile(site)
	var other *login.OtherSiteError
	switch {
	case ctx.Err() != nil:
		f.err = fmt.Errorf("logging in to %s: stopped", site.URL)
	case errors.Is(err, login.ErrRejected):
		f.hint = "nothing was changed"
	case errors.Is(err, login.ErrNoAnswer):
		f.hint = "the browser has to run on this machine, or reach its port; --wait takes longer. " + made
	case errors.Is(err, login.ErrNoAccount):
		f.code, f.hint = exitSite, "an administrator can allow them, or log in as another user"
	case errors.As(err, &other):
		f.hint = "if that is the site: toolpress login " + other.Says + ". Delete the password that was made: " + profile(site)
	default:
		f.hint = "start again. " + made
	}
	return f
}

// untaken explains a password that the site made a moment ago and does not take.
func (a *app) untaken(site *login.Site, err error) error {
	f := &failure{err: fmt.Errorf("trying the new password: %w", err), code: exitSite, hint: discover.Advice(err)}
	var e *wp.Error
	if errors.As(err, &e) && e.Kind == wp.Refused && e.Status == http.StatusUnauthorized {
		f.hint = "WordPress has just made this password: the web server strips the Authorization header, or a plugin asks for another login. " +
			"Apache: add \"CGIPassAuth On\" to .htaccess; nginx with FPM: pass \"fastcgi_param HTTP_AUTHORIZATION $http_authorization;\""
	}
	a.say("The password is not kept. Delete it: %s", profile(site))
	return f
}

// profile is where a person deletes a password.
func profile(site *login.Site) string {
	return site.Admin("profile.php") + "#application-passwords-section"
}

// keep stores a password that works, and says what it is good for.
func (a *app) keep(dir string, site *login.Site, credential wp.Credential, who login.Identity) error {
	before, had, _ := login.Read(dir, site.URL)
	name, err := login.Save(dir, login.Stored{Site: site.URL, Credential: credential, Application: site.Application, Profile: profile(site)})
	if err != nil {
		return &failure{err: err, code: exitFailed, hint: "delete the password that was made: " + profile(site)}
	}
	title := site.Name
	if title == "" {
		title = site.URL
	}
	a.say("Logged in to %s as %s (%s).", title, who.Login, strings.Join(who.Roles, ", "))
	a.say("  kept in     %s, for this user only", name)
	if had {
		a.say("  before      a password of %s was kept; it is valid until it is deleted: %s", before.Credential.User, before.Profile)
	}
	if a.getenv("TOOLPRESS_USER") != "" {
		a.say("  note        TOOLPRESS_USER is set, and wins over what is kept")
	}
	a.say("  next        toolpress serve %s", site.URL)
	if who.Administrator {
		a.smaller(site)
	}
	return nil
}

// smaller prints how to make a user that suits an agent better.
func (a *app) smaller(site *login.Site) {
	host := "example.com"
	if u, err := url.Parse(site.URL); err == nil && strings.Contains(u.Hostname(), ".") && !wp.IsLoopback(u.Hostname()) {
		host = u.Hostname()
	}
	a.say("\nwarning: this user is an administrator: who has this password can do everything on the site, and so can an agent.")
	a.say("A user with a smaller role is safer. Make one, on the server:\n")
	a.say("  wp user create toolpress toolpress@%s --role=editor\n", host)
	a.say("or in the browser, with the role Editor or Author: %s", site.Admin("user-new.php"))
	a.say("Then log in as that user, in a private window:\n\n  toolpress logout --revoke %s\n  toolpress login --no-browser %s", site.URL, site.URL)
}
