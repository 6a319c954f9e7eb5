package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"toolpress/curate"
	"toolpress/discover"
	"toolpress/discover/wp"
)

// Exit codes, as the README documents them.
const (
	exitOK       = 0
	exitFailed   = 1
	exitUsage    = 2
	exitFindings = 3
	exitSite     = 4
	exitDrift    = 5
)

// app is one invocation: where it reads settings from and where it talks to.
type app struct {
	getenv         func(string) string
	stdin          io.Reader
	stdout, stderr io.Writer

	site, from, curation string
	insecureHTTP, asJSON bool
}

// run is the whole command as a function of its inputs; it returns the exit code.
func run(ctx context.Context, args []string, getenv func(string) string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{getenv: getenv, stdin: stdin, stdout: stdout, stderr: stderr}
	root := a.root()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	return a.report(err)
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "toolpress",
		Short: "Serve a WordPress site to language models as MCP tools that a person chose",
		Long: `toolpress reads what a WordPress site can do (its REST API and its abilities),
lets you decide in one curation.yaml what a language model sees of it, and
serves the result as MCP tools.

The credential is an application password: TOOLPRESS_USER and
TOOLPRESS_PASSWORD, or the one that toolpress login keeps for the site; or, for a
site with a plugin that takes one, a bearer token: TOOLPRESS_SITE_TOKEN.
WooCommerce keys, for wc/ routes beside it, are TOOLPRESS_WC_KEY and
TOOLPRESS_WC_SECRET. The site is the URL, else TOOLPRESS_SITE, else site.url of
curation.yaml.`,
		Version:       version(),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usage(err.Error(), "see "+c.CommandPath()+" --help")
	})
	flags := root.PersistentFlags()
	flags.StringVar(&a.site, "site", "", "the site's address, such as https://shop.example")
	flags.StringVar(&a.from, "from", "", "a recording made by discover, instead of a site")
	flags.StringVar(&a.curation, "curation", "", "the curation file (default ./curation.yaml when it exists and no URL is given)")
	flags.BoolVar(&a.insecureHTTP, "insecure-http", false, "let the credential go over plain http to another machine")
	root.AddCommand(a.demoCommand(), a.serveCommand(), a.loginCommand(), a.logoutCommand(), a.doctorCommand(), a.discoverCommand(), a.initCommand(), a.approveCommand(), a.generateCommand(), a.checkCommand(), a.explainCommand(), a.diffCommand(), a.lintCommand(), a.schemaCommand(), a.callCommand(), a.statusCommand(), a.healthCommand(), a.versionCommand())
	return root
}

// failure is an error with its exit code and what to do about it.
type failure struct {
	err  error
	code int
	hint string
	// unset says that a variable is not there, which only a start can change.
	unset bool
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

func usage(message, hint string) error {
	return &failure{err: errors.New(message), code: exitUsage, hint: hint}
}

// unset is what a variable that a curation names, and that is not there, fails with.
func unset(message, hint string) error {
	return &failure{err: errors.New(message), code: exitUsage, hint: hint, unset: true}
}

// report prints an error as its reader needs it and gives the exit code.
func (a *app) report(err error) int {
	var findings curate.Findings
	var f *failure
	switch {
	case errors.As(err, &findings):
		fmt.Fprintln(a.stderr, findings.Error())
		return exitFindings
	case errors.As(err, &f):
		a.say("toolpress: %v", f.err)
		a.hint(f.hint)
		return f.code
	case strings.HasPrefix(err.Error(), "unknown command"):
		a.say("toolpress: %v", err)
		a.hint("see toolpress --help")
		return exitUsage
	}
	a.say("toolpress: %v", err)
	return exitFailed
}

// siteFailure gives a failure to reach or read a site its code and advice.
func siteFailure(err error) error {
	if err == nil {
		return nil
	}
	f := &failure{err: err, code: exitSite, hint: discover.Advice(err)}
	if errors.Is(err, wp.ErrPlainHTTP) || errors.Is(err, wp.ErrStoreHTTP) {
		f.code = exitUsage
	}
	return f
}

// atMostOne takes one positional argument, or none.
func atMostOne(c *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usage(fmt.Sprintf("%s takes one argument, not %d", c.Name(), len(args)), "see "+c.CommandPath()+" --help")
	}
	return nil
}

// none takes no positional argument.
func none(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage(fmt.Sprintf("%s takes no argument, and %q is one", c.Name(), args[0]), "see "+c.CommandPath()+" --help")
	}
	return nil
}

// count is a number and what it counts: "1 tool", "4 tools".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%s %ss", thousands(n), what)
}

// say talks to the person at the terminal. An address may have been given with a
// password in it, also where none belongs: that is not repeated.
func (a *app) say(format string, args ...any) {
	fmt.Fprintln(a.stderr, userinfo.ReplaceAllString(fmt.Sprintf(format, args...), "://[redacted]@"))
}

// userinfo is the user and the password in an address.
var userinfo = regexp.MustCompile(`://[^/@\s]+@`)

func (a *app) hint(hint string) {
	if hint != "" {
		a.say("  hint: %s", hint)
	}
}
