package main

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// build is what the binary was made of, from its build info.
type build struct {
	version string // the module's; "0.1.0-dev" for a checkout without tags
	commit  string // 12 hex digits; empty where the build was told nothing
	golang  string // go1.26.8
}

func thisBuild() build {
	b := build{version: "0.1.0-dev", golang: "unknown"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	b.golang = info.GoVersion
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.version = strings.TrimPrefix(v, "v")
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			b.commit = s.Value[:min(12, len(s.Value))]
		}
	}
	return b
}

// details are the Go version and the commit, as far as they are known.
func (b build) details() string {
	if b.commit == "" {
		return b.golang
	}
	return b.golang + ", commit " + b.commit
}

// semantic is the version with the commit as build metadata (semver.org, 10).
func (b build) semantic() string {
	if b.commit == "" {
		return b.version
	}
	return b.version + "+" + b.commit
}

// title is what a client may show of the server.
func (b build) title() string { return "toolpress " + b.version + " (" + b.details() + ")" }

func version() string { return thisBuild().version }

// userAgent is what toolpress calls itself to the site.
func userAgent() string {
	b := thisBuild()
	return fmt.Sprintf("toolpress/%s (%s)", b.version, strings.ReplaceAll(b.details(), ",", ";"))
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: none,
		RunE: func(*cobra.Command, []string) error {
			b := thisBuild()
			_, err := fmt.Fprintf(a.stdout, "toolpress %s (%s)\n", b.version, b.details())
			return err
		},
	}
}
