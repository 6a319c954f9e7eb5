package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"toolpress/generate"
)

// generateFlags are what one run of generate is asked for.
type generateFlags struct {
	out, page, openapi, curated, profile string
	check                                bool
	format                               string
}

func (a *app) generateCommand() *cobra.Command {
	var f generateFlags
	c := &cobra.Command{
		Use: "generate [URL]", Short: "Write the curated catalog, a page to sign off, and OpenAPI documents", Args: atMostOne,
		Long: `Write catalog.json, the tools as a client would list them, and beside it
catalog.md, the same as a page that a person reads and signs: what a model may do,
and never gets. --markdown gives the page another name; standard output has none.
OpenAPI 3.1 documents are for programs that call the site themselves, without a
model: --openapi has everything the site offers, --openapi-curated what the tools
call, as narrow as the tools of --profile are. The same site and curation give the
same bytes.

With --check nothing is written: what would be is compared with what is there.
Exits 5 when that differs, and says what changed and why.`,
		Example: `  toolpress generate --from site.json -o catalog.json --openapi openapi.json
  toolpress generate --from site.json -o catalog.json --openapi-curated tools.openapi.json
  toolpress generate --from site.json -o catalog.json --check`,
		RunE: func(c *cobra.Command, args []string) error { return a.generate(c.Context(), first(args), f) },
	}
	c.Flags().StringVarP(&f.out, "output", "o", "", "the catalog to write (default: standard output)")
	c.Flags().StringVar(&f.page, "markdown", "", "the page for a person to write (default: beside -o NAME.json, as NAME.md)")
	c.Flags().StringVar(&f.openapi, "openapi", "", "the OpenAPI document of the whole site to write")
	c.Flags().StringVar(&f.curated, "openapi-curated", "", "the OpenAPI document of the tools to write")
	c.Flags().BoolVar(&f.check, "check", false, "compare instead of writing, and exit 5 on drift")
	c.Flags().StringVar(&f.format, "format", "text", "with --check, how what changed is printed: text, json, markdown or github")
	addProfile(c, &f.profile)
	return c
}

func (a *app) generate(ctx context.Context, positional string, f generateFlags) error {
	switch {
	case f.check && (f.out == "" || f.out == "-"):
		return usage("--check has nothing to compare with", "name the catalog that was written: -o catalog.json")
	case formats[f.format] == nil:
		return usage("--format "+f.format, "it is text, json, markdown or github")
	}
	s, err := a.load(ctx, positional)
	if err != nil {
		return err
	}
	defer s.close()
	g, err := s.generated(ctx)
	if err != nil {
		return err
	}
	files, err := a.files(g, f)
	if err != nil {
		return err
	}
	if f.check {
		return a.checkDrift(g, f, files)
	}
	for _, file := range files {
		if err := a.write(file.name, file.text); err != nil {
			return err
		}
	}
	printFindings(a.stderr, g.findings)
	printTotals(a.stderr, g.surface, g.catalog)
	if len(g.findings.Errors()) > 0 {
		return &failure{err: errFindings, code: exitFindings}
	}
	return nil
}

// output is a file as it is to be.
type output struct {
	name string
	text []byte
}

// files are all that generate writes, the catalog first.
func (a *app) files(g *generated, f generateFlags) ([]output, error) {
	files := []output{{f.out, g.text}}
	if page := pageName(f.page, f.out); page != "" {
		files = append(files, output{page, markdown(g.catalog)})
	}
	p, err := profileOf(g.catalog, f.profile)
	if err != nil && f.curated != "" {
		return nil, err
	}
	for _, d := range []struct {
		name    string
		project func() ([]byte, error)
	}{
		{f.openapi, func() ([]byte, error) { return generate.OpenAPI(g.surface) }},
		{f.curated, func() ([]byte, error) { return generate.CuratedOpenAPI(g.surface, p.Operations()) }},
	} {
		if d.name == "" {
			continue
		}
		text, err := d.project()
		if err != nil {
			return nil, err
		}
		files = append(files, output{d.name, text})
		if g.surface.PlainPermalinks() {
			a.say("%s: the site has plain permalinks, which most generated clients have to be told about: see its info.description", d.name)
		}
	}
	return files, nil
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
