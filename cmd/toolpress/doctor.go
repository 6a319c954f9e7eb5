package main

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/spf13/cobra"

	"toolpress/discover/doctor"
	"toolpress/discover/login"
)

func (a *app) doctorCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "doctor [URL]", Short: "Say what stands between this machine and the site, and how to mend it", Args: atMostOne,
		Long: `Ask the site a few questions and print a checklist: ✓ is fine, ! works but wants
a look, ✗ keeps the site from being used. It takes seconds and changes nothing.
The exit code is 4 when the site cannot be used.`,
		Example: "  toolpress doctor https://shop.example",
		RunE: func(c *cobra.Command, args []string) error {
			if a.from != "" {
				return usage("doctor examines a site, and a recording is none", "leave --from out")
			}
			s, err := a.open(first(args))
			if err != nil {
				return err
			}
			report, err := s.examine(c.Context(), first(args))
			if err != nil {
				return err
			}
			if asJSON {
				enc := json.NewEncoder(a.stdout)
				enc.SetEscapeHTML(false)
				enc.SetIndent("", "  ")
				err = enc.Encode(report)
			} else {
				err = doctor.WriteText(a.stdout, report.Checks)
			}
			if err == nil && !report.OK {
				err = &failure{err: errors.New("the site cannot be used as it is"), code: exitSite}
			}
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the checklist as JSON")
	return c
}

// examine runs the checklist on the site that is meant, as it is served.
func (s *source) examine(ctx context.Context, positional string) (doctor.Report, error) {
	address, _, err := s.address(positional)
	if err != nil {
		return doctor.Report{}, err
	}
	opts, err := s.options()
	if err != nil {
		return doctor.Report{}, err
	}
	if opts.Credential.Anonymous() {
		if opts.Credential, _, err = login.Lookup(configDir(), address.String()); err != nil {
			return doctor.Report{}, storeFailure(err)
		}
	}
	return doctor.Run(ctx, address, doctor.Options{WP: opts}), nil
}

// whyNot adds to a failure to reach the site the failing lines of doctor's
// checklist, in the place of the usual hint. Where the checklist finds nothing
// wrong, or the failure is another, it stays as it is.
func (s *source) whyNot(ctx context.Context, positional string, failed error) error {
	var f *failure
	if !errors.As(failed, &f) || f.code != exitSite || ctx.Err() != nil {
		return failed
	}
	report, err := s.examine(ctx, positional)
	if err != nil || report.OK {
		return failed
	}
	s.app.say("what toolpress doctor says about the site:")
	if err := doctor.WriteText(s.app.stderr, report.Failing()); err != nil {
		return failed
	}
	return &failure{err: f.err, code: f.code, hint: "toolpress doctor prints the whole checklist"}
}
