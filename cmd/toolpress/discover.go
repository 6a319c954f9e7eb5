package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"toolpress/discover"
)

func (a *app) discoverCommand() *cobra.Command {
	var out string
	var summary, keep bool
	c := &cobra.Command{
		Use: "discover [URL]", Short: "Record a site as one canonical JSON file", Args: atMostOne,
		Long: `Record what the site said as one JSON file: every route and ability, with their
schemas, and who the credential is. An unchanged site gives the same bytes. The
file holds no credential; other commands read it with --from. With a curation the
site is asked, too, what the credential may call of what the curation keeps.`,
		Example: "  toolpress discover https://shop.example -o site.json\n  toolpress discover https://shop.example --summary",
		RunE: func(c *cobra.Command, args []string) error {
			start := time.Now()
			s, err := a.load(c.Context(), first(args))
			if err != nil {
				return err
			}
			defer s.close()
			if s.curationName != "" {
				// What it keeps is asked for, and becomes a part of the recording.
				if _, _, _, err := s.permittedToSite(c.Context()); err != nil {
					return err
				}
			}
			if summary {
				printSummary(a.stdout, s.site)
				return nil
			}
			if keep {
				if s.curationName == "" {
					return usage("--kept keeps what a curation uses, and there is none", "name it with --curation FILE")
				}
				_, catalog, _ := s.apply()
				s.site = s.site.Keep(namedIn(catalog))
			}
			text, err := discover.Encode(s.site)
			if err != nil {
				return err
			}
			if err := a.write(out, text); err != nil {
				return err
			}
			a.introduce(s)
			requests := int64(0)
			if s.root != nil {
				requests = s.root.Client().Requests()
			}
			a.say("%d requests, %s", requests, time.Since(start).Round(time.Millisecond))
			return nil
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "the file to write (default: standard output)")
	c.Flags().BoolVar(&summary, "summary", false, "print what the site offers as a table instead of recording it")
	c.Flags().BoolVar(&keep, "kept", false, "record nothing but what the curation uses")
	return c
}

// introduce says which site was read, as whom, and what was survived.
func (a *app) introduce(s *source) {
	site := s.site
	endpoints := 0
	for _, r := range site.Routes {
		endpoints += len(r.Endpoints)
	}
	name := site.Name
	if name == "" {
		name = "(no name)"
	}
	a.say("%s, %s", name, site.URL)
	if site.WordPress != "" {
		a.say("  WordPress   %s", site.WordPress)
	}
	a.say("  REST root   %s (%s)", site.Root, site.RootFrom)
	a.say("  read as     %s", who(s))
	a.say("  routes      %d, with %d endpoints", len(site.Routes), endpoints)
	abilities := fmt.Sprintf("%d", len(site.Abilities))
	switch site.AbilitiesAPI {
	case discover.AbilitiesAbsent:
		abilities = "none: this WordPress has no Abilities API (it came with 6.9)"
	case discover.AbilitiesNotPermitted:
		abilities = "unknown: this user may not list them"
	}
	a.say("  abilities   %s", abilities)
	for _, note := range site.Notes {
		a.say("  note        %s", note)
	}
}

func who(s *source) string {
	switch u := s.site.User; {
	case u == nil && s.root != nil && !s.root.Client().Anonymous():
		return "somebody the site does not name"
	case u == nil:
		return "nobody: only what is public. toolpress login URL, or TOOLPRESS_USER and TOOLPRESS_PASSWORD, for more"
	case u.Administrator:
		return fmt.Sprintf("%s (%s): more than an agent should be; a user with a smaller role is safer", u.Login, strings.Join(u.Roles, ", "))
	case len(u.Roles) == 0:
		return u.Login + " (no role on this site)"
	default:
		return fmt.Sprintf("%s (%s)", u.Login, strings.Join(u.Roles, ", "))
	}
}

func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// write puts a result where it was asked for: a file, replaced whole, or
// standard output.
func (a *app) write(name string, text []byte) error {
	if name == "" || name == "-" {
		_, err := a.stdout.Write(text)
		return err
	}
	if err := replaceFile(name, text, 0o644); err != nil {
		return err
	}
	a.say("wrote %s", name)
	return nil
}
