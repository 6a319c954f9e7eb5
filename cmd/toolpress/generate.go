package main

import (
	"strings"

	"github.com/spf13/cobra"

	"toolpress/curate"
	"toolpress/generate"
)

func (a *app) generateCommand() *cobra.Command {
	var out, page, openapi, curated, profile string
	c := &cobra.Command{
		Use: "generate [URL]", Short: "Write the curated catalog, a page to sign off, and OpenAPI documents", Args: atMostOne,
		Long: `Write catalog.json, the tools as a client would list them, and beside it
catalog.md, the same as a page that a person reads and signs: what a model may do,
and never gets. --markdown gives the page another name; standard output has none.
OpenAPI 3.1 documents are for programs that call the site themselves, without a
model: --openapi has everything the site offers, --openapi-curated what the tools
call, as narrow as the tools of --profile are. The same site and curation give the
same bytes.`,
		Example: `  toolpress generate --from site.json -o catalog.json --openapi openapi.json
  toolpress generate --from site.json -o catalog.json --openapi-curated tools.openapi.json`,
		RunE: func(c *cobra.Command, args []string) error {
			s, err := a.load(c.Context(), first(args))
			if err != nil {
				return err
			}
			defer s.close()
			surface, catalog, findings, err := s.permittedToSite(c.Context())
			if err != nil {
				return err
			}
			text, err := catalog.Encode()
			if err != nil {
				return err
			}
			p, err := profileOf(catalog, profile)
			if err != nil && curated != "" {
				return err
			}
			if err := a.write(out, text); err != nil {
				return err
			}
			if page = pageName(page, out); page != "" {
				if err := a.write(page, markdown(catalog)); err != nil {
					return err
				}
			}
			if err := a.writeDocuments(surface, p, openapi, curated); err != nil {
				return err
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
	c.Flags().StringVar(&page, "markdown", "", "the page for a person to write (default: beside -o NAME.json, as NAME.md)")
	c.Flags().StringVar(&openapi, "openapi", "", "the OpenAPI document of the whole site to write")
	c.Flags().StringVar(&curated, "openapi-curated", "", "the OpenAPI document of the tools to write")
	addProfile(c, &profile)
	return c
}

// pageName is the page for a person: as it was named, else beside a catalog that
// ends in .json. Empty: none is written.
func pageName(said, catalog string) string {
	name, isJSON := strings.CutSuffix(catalog, ".json")
	if said != "" || !isJSON || name == "" {
		return said
	}
	return name + ".md"
}

// writeDocuments writes the OpenAPI documents that have a name.
func (a *app) writeDocuments(surface *generate.Surface, p *curate.Profile, whole, curated string) error {
	for _, d := range []struct {
		name    string
		project func() ([]byte, error)
	}{
		{whole, func() ([]byte, error) { return generate.OpenAPI(surface) }},
		{curated, func() ([]byte, error) {
			return generate.CuratedOpenAPI(surface, p.Operations())
		}},
	} {
		if d.name == "" {
			continue
		}
		text, err := d.project()
		if err != nil {
			return err
		}
		if err := a.write(d.name, text); err != nil {
			return err
		}
		if surface.PlainPermalinks() {
			a.say("%s: the site has plain permalinks, which most generated clients have to be told about: see its info.description", d.name)
		}
	}
	return nil
}
