package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"toolpress/curate/change"
	"toolpress/discover"
)

// diffFlags are what one run of diff is asked for.
type diffFlags struct {
	format, failOn string
	across         bool
}

func (a *app) diffCommand() *cobra.Command {
	var f diffFlags
	c := &cobra.Command{
		Use: "diff OLD [NEW]", Short: "Say what changed between two catalogs, recordings or sites", Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 && len(args) != 2 {
				return usage("diff takes an old and a new side", "each is a catalog.json, a recording, or a site's address; without NEW it is what the site or --from gives now")
			}
			return nil
		},
		Long: `Compare the tools of two sides: each is a catalog.json that generate wrote, a
recording, or a site. Recordings and sites go through the curation first. Without
NEW, the new side is the site or the recording that generate would take.

Each change is breaking, additive, or text alone, by the rules of docs/diff.md, and
has the cause where that is known. Exits 3 when there is a change of --fail-on or
graver.`,
		Example: "  toolpress diff catalog.json\n  toolpress diff --format markdown staging.json production.json\n  toolpress diff https://staging.shop.example https://shop.example",
		RunE:    func(c *cobra.Command, args []string) error { return a.diff(c.Context(), &f, args) },
	}
	c.Flags().StringVar(&f.format, "format", "text", "text, json, markdown for a comment, or github for annotations")
	c.Flags().BoolVar(&a.asJSON, "json", false, "the same as --format json")
	c.Flags().StringVar(&f.failOn, "fail-on", string(change.Breaking), "exit 3 on changes of this kind and graver ones: breaking, additive, text; or never")
	c.Flags().BoolVar(&f.across, "across", false, "compare although the two differ in language, or in who was asking")
	return c
}

// diff compares two sides and prints what changed.
func (a *app) diff(ctx context.Context, f *diffFlags, args []string) error {
	if a.asJSON {
		f.format = "json"
	}
	if formats[f.format] == nil {
		return usage("--format "+f.format, "it is text, json, markdown or github")
	}
	failing := slices.Index(kindsOf, f.failOn)
	if failing < 0 && f.failOn != "never" {
		return usage("--fail-on "+f.failOn, "it is breaking, additive, text or never")
	}
	old, err := a.side(ctx, args[0])
	if err != nil {
		return err
	}
	next := ""
	if len(args) == 2 {
		next = args[1]
	}
	now, err := a.side(ctx, next)
	if err != nil {
		return err
	}
	if why := change.Unlike(old.read, now.read); why != "" && !f.across {
		return usage("the two sides are not alike: "+why, "ask both in one language and as users of one role; --across compares all the same")
	}
	if now.made != nil {
		printFindings(a.stderr, now.made.grave())
	}
	all, err := now.differences(old.read)
	if err != nil {
		return err
	}
	if err := formats[f.format](a.stdout, all); err != nil {
		return err
	}
	gravest := slices.Index(kindsOf, string(gravestOf(all)))
	if gravest >= 0 && gravest <= failing {
		return &failure{err: errors.New(verdict(all)), code: exitFindings}
	}
	return nil
}

// kindsOf are the kinds of changes, the gravest first.
var kindsOf = []string{string(change.Breaking), string(change.Additive), string(change.Text)}

// side reads one side: a catalog as it is; a recording, a site, or without a name
// what generate would take, through the curation.
func (a *app) side(ctx context.Context, name string) (*side, error) {
	one := *a // each side is a site of its own
	switch {
	case name == "":
	case strings.Contains(name, "://"):
		one.site, one.from = name, ""
	default:
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, usage(fmt.Sprintf("reading %s: %v", name, cause(err)), "a side is a catalog.json, a recording, or an address that begins with https://")
		}
		read, err := change.DecodeCatalog(data)
		if err == nil {
			return &side{read: read}, nil
		}
		if _, notSite := discover.Decode(data); notSite != nil {
			return nil, usage(fmt.Sprintf("%s is neither a catalog nor a recording: %v", name, err), "make one with toolpress generate -o catalog.json, the other with toolpress discover -o site.json")
		}
		one.site, one.from = "", name
	}
	if one.curation == "" && name != "" {
		if _, err := os.Stat("curation.yaml"); err == nil {
			one.curation = "curation.yaml" // as for a recording; naming a site leaves it out elsewhere
		}
	}
	s, err := one.load(ctx, "")
	if err != nil {
		return nil, err
	}
	defer s.close()
	g, err := s.generated(ctx)
	if err != nil {
		return nil, err
	}
	read, err := change.DecodeCatalog(g.text)
	return &side{read: read, made: g}, err
}

// side is one of what is compared; made is nil for a catalog that was read.
type side struct {
	read *change.Catalog
	made *generated
}

// differences are what changed from another side to this one.
func (s *side) differences(before *change.Catalog) ([]change.Difference, error) {
	if s.made != nil {
		return s.made.differences(before)
	}
	all, err := change.Catalogs(before, s.read)
	for i := range all {
		all[i].Cause = change.Only(before, s.read)
	}
	return all, err
}
