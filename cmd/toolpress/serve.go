package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"toolpress/curate"
	"toolpress/discover/wp"
	"toolpress/generate"
	"toolpress/runtime"
	"toolpress/runtime/once"
	"toolpress/runtime/watch"
)

// serveFlags are the flags of serve and demo.
type serveFlags struct {
	listen                       string
	stdio                        bool
	allowedHosts, allowedOrigins []string
	noAuth                       bool
	poll                         time.Duration
	profile                      string
	stateDir                     string
	// forgetful keeps what became of calls in memory alone.
	forgetful bool
}

func (f *serveFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.listen, "listen", "127.0.0.1:8080", "the address to listen on")
	c.Flags().BoolVar(&f.stdio, "stdio", false, "serve on standard input and output instead, for a client that starts toolpress itself")
	c.Flags().StringSliceVar(&f.allowedHosts, "allowed-host", nil, "a host name clients reach toolpress by, besides loopback")
	c.Flags().StringSliceVar(&f.allowedOrigins, "allowed-origin", nil, "an origin browsers may call from, besides loopback")
	c.Flags().BoolVar(&f.noAuth, "no-auth", false, "listen beyond this machine without asking for a token")
	c.Flags().DurationVar(&f.poll, "poll", 0, "how often the site is read again (default: site.poll of the curation, else 5m)")
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
minutes; clients that listen are told when the list of tools changed.

Beyond this machine (--listen with another address than loopback) clients must
send the bearer token of TOOLPRESS_TOKEN, and the names they reach toolpress by
are given with --allowed-host.`,
		Example: "  TOOLPRESS_USER=ana TOOLPRESS_PASSWORD='abcd EFGH …' toolpress serve https://shop.example",
		RunE:    func(c *cobra.Command, args []string) error { return a.serve(c.Context(), first(args), f) },
	}
	f.add(c)
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
	out, err := a.outlet(f)
	if err != nil {
		return err
	}
	defer out.close()
	if err := s.discover(ctx, positional); err != nil {
		return s.whyNot(ctx, positional, err)
	}
	return a.serveSource(ctx, s, f, out)
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

// outlet is where clients reach the server: a listener, or nil for the
// standard streams.
type outlet struct {
	listener net.Listener
	token    wp.Secret
}

// outlet takes the port, before the site is asked: one that is busy is told
// first.
func (a *app) outlet(f serveFlags) (*outlet, error) {
	if f.stdio {
		return &outlet{}, nil
	}
	out := &outlet{token: wp.NewSecret(strings.TrimSpace(a.getenv("TOOLPRESS_TOKEN")))}
	if err := checkListen(f, out.token); err != nil {
		return nil, err
	}
	var err error
	if out.listener, err = net.Listen("tcp", f.listen); err != nil {
		return nil, listenFailure(f.listen, err)
	}
	return out, nil
}

func (o *outlet) close() {
	if o.listener != nil {
		_ = o.listener.Close() // the server has closed it already, where it ran
	}
}

// nextPort is an address with the next port.
func nextPort(address string) string {
	host, port, err := net.SplitHostPort(address)
	n, errPort := strconv.Atoi(port)
	if err != nil || errPort != nil || n >= 65535 {
		return "127.0.0.1:0"
	}
	return net.JoinHostPort(host, strconv.Itoa(n+1))
}

// serveSource serves what was discovered until ctx ends, and follows the
// curation and the site meanwhile.
func (a *app) serveSource(ctx context.Context, s *source, f serveFlags, out *outlet) error {
	defer s.close()
	_, catalog, _ := s.apply()
	if err := s.accessible(catalog); err != nil {
		return err
	}
	surface, catalog, findings, err := s.permitted(ctx)
	if err != nil {
		return err
	}
	if _, err := profileOf(catalog, f.profile); out.listener == nil && err != nil {
		return err
	}
	if f.poll == 0 {
		f.poll = s.poll()
	}
	calls := once.New("")
	if !f.forgetful || f.stateDir != "" {
		calls = a.remembered(f.stateDir, catalog.Site)
	}
	server := runtime.NewServer(catalog, runtime.Options{
		Calls: calls,
		Name:  s.curation.Server().Name.Value, Access: s.access,
		StateKey: wp.NewSecret(strings.TrimSpace(a.getenv("TOOLPRESS_STATE_KEY"))),
		Version:  thisBuild().semantic(), Title: thisBuild().title(), Site: s.root.Client(), Token: out.token,
		Log:          slog.New(slog.NewTextHandler(a.stderr, nil)),
		AllowedHosts: f.allowedHosts, AllowedOrigins: f.allowedOrigins,
		CallTimeout: callTimeout(s.curation.Site()), TTL: min(f.poll, maxTTL),
	})
	a.welcome(s, surface, catalog, findings)
	a.warnForgotten(ctx, catalog, calls)
	reload := newReloader(s, server, catalog, findings)
	loop := &watch.Loop{
		Read:    func() map[string][]byte { return s.files },
		Changed: reload.curation, Poll: f.poll, Ask: reload.ask, Soon: reload.soon,
	}
	watching, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() { defer close(done); loop.Run(watching) }()
	if out.listener == nil {
		a.say("\nserving MCP on standard input and output")
		err = server.ServeStdio(ctx, f.profile, a.stdin, a.stdout)
		if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
			err = nil // the client is gone: that is how it ends
		}
	} else {
		a.invite(f, out, s, catalog)
		err = server.Serve(ctx, out.listener)
	}
	stop()
	<-done
	if err != nil {
		return err
	}
	a.say("stopped")
	return nil
}

// minToken is the shortest bearer token that is taken.
const minToken = 16

// checkListen refuses an address that others reach without a token.
func checkListen(f serveFlags, token wp.Secret) error {
	host, _, err := net.SplitHostPort(f.listen)
	if err != nil {
		return usage(fmt.Sprintf("--listen %s: %v", f.listen, err), "an address is host:port, such as 127.0.0.1:8080")
	}
	if n := len(token.Reveal()); n > 0 && n < minToken {
		return usage(fmt.Sprintf("TOOLPRESS_TOKEN has %d characters, and a token of fewer than %d is guessed", n, minToken), "make one with: openssl rand -hex 32")
	}
	if wp.IsLoopback(host) || f.noAuth || !token.Empty() {
		return nil
	}
	return usage(fmt.Sprintf("--listen %s is open to other machines, and no token is asked for", f.listen),
		"set TOOLPRESS_TOKEN to a secret that clients send as a bearer token, or say --no-auth")
}

func listenFailure(address string, err error) error {
	f := &failure{err: fmt.Errorf("listening on %s: %w", address, err), code: exitFailed}
	if errors.Is(err, syscall.EADDRINUSE) {
		f.hint = "another program has this port: name another, such as --listen " + nextPort(address)
	}
	return f
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
