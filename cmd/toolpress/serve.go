package main

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"toolpress/curate"
	"toolpress/discover/wp"
	"toolpress/generate"
	"toolpress/runtime"
	"toolpress/runtime/once"
)

// serveFlags are the flags of serve and demo.
type serveFlags struct {
	listen, adminListen          string
	stdio                        bool
	maxBody                      byteSize
	allowedHosts, allowedOrigins []string
	noAuth                       bool
	poll                         time.Duration
	profile                      string
	audit                        string
	auditValues                  bool
	stateDir                     string
	// forgetful keeps what became of calls in memory alone.
	forgetful bool
	// acceptShrunken takes the site as it reads at the start.
	acceptShrunken bool
	// patience is for tests; zero: [startPatience].
	patience time.Duration
}

func (f *serveFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.listen, "listen", "127.0.0.1:8080", "the address to listen on")
	c.Flags().BoolVar(&f.stdio, "stdio", false, "serve on standard input and output instead, for a client that starts toolpress itself")
	c.Flags().StringSliceVar(&f.allowedHosts, "allowed-host", nil, "a host name clients reach toolpress by, besides loopback")
	c.Flags().StringSliceVar(&f.allowedOrigins, "allowed-origin", nil, "an origin browsers may call from, besides loopback")
	c.Flags().StringVar(&f.adminListen, "admin-listen", "", "where /healthz, /readyz, /metrics, /-/status and POST /-/reload are served to the operator, such as 127.0.0.1:9090; :9090 is this machine alone (default: nowhere)")
	c.Flags().Var(&f.maxBody, "max-body", "the largest request, 64KiB to 64MiB; a file is a third larger in it (default 1MiB)")
	c.Flags().BoolVar(&f.noAuth, "no-auth", false, "listen beyond this machine without asking for a token")
	c.Flags().DurationVar(&f.poll, "poll", 0, "how often the site is read again (default: site.poll of the curation, else 5m)")
	c.Flags().StringVar(&f.audit, "audit", "", "a file that gets one line of JSON for each call (docs/audit.md), or - for standard error")
	c.Flags().BoolVar(&f.auditValues, "audit-values", false, "with --audit: the values of arguments too, and not only their digests")
	addStateDir(c, &f.stateDir)
	addProfile(c, &f.profile)
	c.Flag("profile").Usage += ", with --stdio; otherwise all are served"
	c.MarkFlagsMutuallyExclusive("listen", "stdio")
}

func (a *app) serveCommand() *cobra.Command {
	var f serveFlags
	c := &cobra.Command{
		Use: "serve [URL]", Short: "Discover the site, curate it, and serve it to MCP clients", Args: atMostOne,
		Long: `Discover the site, apply the curation, and serve the tools over MCP: those of the
profile default at /mcp, of any other at /mcp/NAME.

Without a curation file: read-only abilities, and tools that find and read posts
and pages. The curation is read again when it changes, the site every five
minutes, both at SIGHUP; clients that listen are told when the list of tools
changed.

Beyond this machine (--listen with another address than loopback) clients must
send a bearer token: that of TOOLPRESS_TOKEN, one of the file that
TOOLPRESS_TOKEN_FILE names, or for a profile with tokens of its own one of those.
The names they reach toolpress by are given with --allowed-host.`,
		Example: "  TOOLPRESS_USER=ana TOOLPRESS_PASSWORD='abcd EFGH …' toolpress serve https://shop.example",
		RunE:    func(c *cobra.Command, args []string) error { return a.serve(c.Context(), first(args), f) },
	}
	f.add(c)
	c.Flags().BoolVar(&f.acceptShrunken, "accept-shrunken", false, "take the site as it reads at the start, also where much is gone since it was read last (docs/reload.md)")
	return c
}

func (a *app) serve(ctx context.Context, positional string, f serveFlags) error {
	if a.from != "" {
		return usage("serve needs a site: a recording takes no calls", "leave --from out")
	}
	s, err := a.open(positional)
	if err != nil {
		return err
	}
	if err := a.knowLock(s, f.stateDir); err != nil {
		return err
	}
	out, err := a.outlet(s, f)
	if err != nil {
		return err
	}
	defer out.close()
	how, err := s.arrive(ctx, positional, f)
	if err != nil {
		s.close()
		return err
	}
	return a.serveSource(ctx, s, f, out, how)
}

// maxTTL is how long clients may keep a list at most: an edit of the curation
// shows before the site is read again.
const maxTTL = 5 * time.Minute

// callTimeout lets a call wait as long as the site may take.
func callTimeout(site curate.SiteSettings) time.Duration {
	if site.Timeout == 0 {
		return 0 // the runtime's own
	}
	return site.Timeout + 5*time.Second
}

// serveSource serves what was discovered until ctx ends, and follows the
// curation and the site meanwhile.
func (a *app) serveSource(ctx context.Context, s *source, f serveFlags, out *outlet, how arrival) error {
	defer s.close()
	a.arrived(s, how)
	surface, catalog, findings := s.apply()
	if _, err := profileOf(catalog, f.profile); out.listener == nil && err != nil {
		return err
	}
	if out.listener != nil && f.profile != curate.DefaultProfile {
		return usage("--profile "+f.profile+" is for --stdio: over HTTP every profile is served, at /mcp/ and its name", "leave --profile out")
	}
	if f.poll == 0 {
		f.poll = s.poll()
	}
	calls := once.New("")
	if !f.forgetful || f.stateDir != "" {
		calls = a.remembered(f.stateDir, catalog.Site)
	}
	options := s.serving(f, out)
	options.Calls = calls
	reload := newReloader(s, catalog, findings, f.poll, how)
	var err error
	if options.Hint = reload.hint; out.listener != nil {
		if options.Webhook, err = s.webhookSecret(); err != nil {
			return err
		}
	}
	reload.server = runtime.NewServer(catalog, options)
	reload.cautions = s.cautions(catalog)
	a.welcome(s, surface, catalog, append(slices.Clip(findings), reload.cautions...))
	a.warnForgotten(ctx, catalog, calls)
	a.warnPinned(s)
	if out.admin != nil {
		a.say("\nserving the operator at http://%s/healthz and /readyz, /-/status and /metrics, and POST /-/reload", out.admin.Addr())
	}
	if out.listener == nil {
		a.say("\nserving MCP on standard input and output")
	} else {
		a.invite(f, out, s, catalog)
	}
	if err := a.attend(ctx, reload, f, out); err != nil { // from here on s is the loop's
		return err
	}
	a.say("stopped")
	return nil
}

// serving are how it is served.
func (s *source) serving(f serveFlags, out *outlet) runtime.Options {
	return runtime.Options{
		Name: s.curation.Server().Name.Value, Version: thisBuild().semantic(), Title: thisBuild().title(),
		Site: s.root.Client(), Access: s.access, Log: slog.New(slog.NewTextHandler(s.app.stderr, nil)),
		StateKey:     wp.NewSecret(strings.TrimSpace(s.app.getenv("TOOLPRESS_STATE_KEY"))),
		AllowedHosts: f.allowedHosts, AllowedOrigins: f.allowedOrigins, MaxBody: int64(f.maxBody),
		CallTimeout: callTimeout(s.curation.Site()), TTL: min(f.poll, maxTTL),
		Audit: out.audit, AuditValues: f.auditValues,
	}
}

// welcome prints what is served.
func (a *app) welcome(s *source, surface *generate.Surface, catalog *curate.Catalog, findings curate.Findings) {
	a.say("toolpress %s", version())
	a.introduce(s)
	a.say("  curation    %s\n", s.describe())
	printFindings(a.stderr, findings)
	printTools(a.stderr, catalog)
	printTotals(a.stderr, surface, catalog)
}
