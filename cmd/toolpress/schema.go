package main

import (
	"github.com/spf13/cobra"

	"toolpress/curate"
)

func (a *app) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use: "schema", Short: "Print the JSON Schema of curation.yaml, for editors", Args: none,
		Long: `Print a JSON Schema (draft 2020-12) of curation.yaml, with which an editor completes
keys and underlines what is none. An editor with the YAML language server takes it
from a first line as toolpress init writes it:

  # yaml-language-server: $schema=` + schemaFile + `

What only the site can tell, toolpress check says.`,
		Example: "  toolpress schema >" + schemaFile,
		RunE:    func(*cobra.Command, []string) error { return a.write("", curate.Schema()) },
	}
}

// schemaFile is the schema as a curation's first line names it, relative to
// the curation.
const schemaFile = "curation.schema.json"
