package main

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// version is the module's, from the build info; a build of a checkout has none.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "0.1.0-dev"
	}
	return info.Main.Version
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: none,
		RunE: func(*cobra.Command, []string) error {
			var line strings.Builder
			line.WriteString("toolpress " + version())
			if info, ok := debug.ReadBuildInfo(); ok {
				line.WriteString(" (" + info.GoVersion)
				for _, s := range info.Settings {
					if s.Key == "vcs.revision" {
						line.WriteString(", commit " + s.Value[:min(12, len(s.Value))])
					}
				}
				line.WriteString(")")
			}
			_, err := fmt.Fprintln(a.stdout, line.String())
			return err
		},
	}
}
