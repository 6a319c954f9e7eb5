package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/spf13/cobra"

	"toolpress/curate"
	"toolpress/discover/wptest"
)

//go:embed demo.yaml
var demoCuration string

func (a *app) demoCommand() *cobra.Command {
	var f serveFlags
	var write bool
	c := &cobra.Command{
		Use: "demo", Short: "Serve an embedded WordPress: the whole thing with nothing to set up", Args: none,
		Long: `Start a small bookshop's WordPress in memory, discover it over HTTP, curate it and
serve the result: what serve does for a site of yours. What a tool writes is
there for the next read, and gone when the demo ends.

--print writes the demo's curation to standard output: save it, and
--curation FILE lets you change it while the demo runs.`,
		Example: "  toolpress demo\n  toolpress demo --print >my.yaml && toolpress demo --curation my.yaml",
		RunE: func(c *cobra.Command, _ []string) error {
			if write {
				return a.write("", []byte(demoCuration))
			}
			return a.demo(c.Context(), f)
		},
	}
	f.add(c)
	c.Flag("state-dir").Usage = "where calls of tools with idempotency are remembered (default: nowhere, they are forgotten with the demo)"
	c.Flags().BoolVar(&write, "print", false, "print the demo's curation and end")
	return c
}

func (a *app) demo(ctx context.Context, f serveFlags) error {
	if a.from != "" || a.site != "" {
		return usage("the demo has a site of its own", "leave --site and --from out, or use toolpress serve")
	}
	f.forgetful = true // as the bookshop is
	shop := wptest.New()
	address, end, err := startBookshop(shop)
	if err != nil {
		return err
	}
	defer end()
	v, s, err := a.enterBookshop(address, shop.Users())
	if err != nil {
		return err
	}
	out, err := a.outlet(s, f)
	if err != nil {
		return err
	}
	defer out.close()
	if err := s.discover(ctx, ""); err != nil {
		return err
	}
	if err := s.settle(ctx, nil); err != nil {
		return err
	}
	if !f.stdio {
		a.say("the bookshop's WordPress runs at %s. For the other commands:\n", address)
		a.say("  export TOOLPRESS_SITE=%s TOOLPRESS_USER=%s TOOLPRESS_PASSWORD='%s'", address, v.user.Login, v.user.Password)
		file := s.curationName
		if file == "" {
			file = "demo.yaml"
			a.say("  toolpress demo --print >%s   # the same tools", file)
		}
		a.say("  toolpress check --curation %s\n", file)
	}
	return v.serveSource(ctx, s, f, out, arrival{})
}

// startBookshop serves the embedded WordPress on this machine until end is
// called.
func startBookshop(shop *wptest.Site) (address string, end func(), err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("starting the bookshop: %w", err)
	}
	server := &http.Server{Handler: shop, ReadHeaderTimeout: 5 * time.Second}
	ended := make(chan struct{})
	go func() { defer close(ended); _ = server.Serve(listener) }() // says that it was closed
	return "http://" + listener.Addr().String(), func() { _ = server.Close(); <-ended }, nil
}

// visitor is the app as one user of the bookshop.
type visitor struct {
	app
	user wptest.User
}

// enterBookshop points a copy of the app at the bookshop as its editor: what
// the environment says of other sites is not for this one.
func (a *app) enterBookshop(address string, users []wptest.User) (*visitor, *source, error) {
	v := &visitor{app: *a}
	for _, u := range users {
		if u.Role == "editor" {
			v.user = u
		}
	}
	environment := map[string]string{"TOOLPRESS_SITE": address, "TOOLPRESS_USER": v.user.Login, "TOOLPRESS_PASSWORD": v.user.Password}
	v.getenv = func(name string) string {
		if value, ours := environment[name]; ours {
			return value
		}
		return a.getenv(name)
	}
	s := &source{app: &v.app, curationName: a.curation, desktop: []string{"demo", "--stdio"}, withoutName: "the demo's own: toolpress demo --print shows it", without: func() (*curate.Curation, error) {
		return curate.Parse("demo.yaml", []byte(demoCuration), nil)
	}}
	curation, err := s.readCuration()
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil, &failure{err: err, code: exitFindings, hint: "toolpress demo --print >" + a.curation + " makes one to begin with"}
	}
	s.curation = curation
	return v, s, err
}
