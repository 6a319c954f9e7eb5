package main

import (
	"github.com/spf13/cobra"

	"toolpress/generate"
)

func (a *app) generateCommand() *cobra.Command {
	var out, openapi string
	c := &cobra.Command{
		Use: "generate [URL]", Short: "Write the curated catalog, and the site's OpenAPI document", Args: atMostOne,
		Long: `Write catalog.json, the tools as a client would list them, and with --openapi the
OpenAPI 3.1 document of everything the site offers. The same site and curation
give the same bytes.`,
		Example: "  toolpress generate --from site.json -o catalog.json --openapi openapi.json",
		RunE: func(c *cobra.Command, args []string) error {
			s, err := a.load(c.Context(), first(args))
			if err != nil {
				return err
			}
			defer s.close()
			surface, catalog, findings, err := s.permitted(c.Context())
			if err != nil {
				return err
			}
			text, err := catalog.Encode()
			if err != nil {
				return err
			}
			if err := a.write(out, text); err != nil {
				return err
			}
			if openapi != "" {
				document, err := generate.OpenAPI(surface)
				if err != nil {
					return err
				}
				if err := a.write(openapi, document); err != nil {
					return err
				}
			}
			printFindings(a.stderr, findings)
			printTotals(a.stderr, surface, catalog)
			if len(findings.Errors()) > 0 {
				return &failure{err: errFindings, code: exitFindings}
			}
			return nil
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "the catalog to write (default: standard output)")
	c.Flags().StringVar(&openapi, "openapi", "", "the OpenAPI document to write")
	return c
}
