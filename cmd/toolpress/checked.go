package main

import (
	"fmt"

	"toolpress/curate"
	"toolpress/generate"
	"toolpress/generate/schema"
)

// checked is what check --json prints.
type checked struct {
	// File is the curation's name; empty for the built-in one.
	File     string                    `json:"file,omitempty"`
	Findings curate.Findings           `json:"findings"`
	Profiles map[string]checkedProfile `json:"profiles"`
	Withheld []curate.Withheld         `json:"withheld"`
	Site     checkedSite               `json:"site"`
	// Private is what --prove-private tried; absent without it.
	Private *proof `json:"private,omitempty"`
}

// checkedProfile is what a profile serves, and what that takes of a model's
// context.
type checkedProfile struct {
	Tokens int `json:"tokens"`
	// RawTokens are those of the operations as the site offers them.
	RawTokens int           `json:"raw_tokens"`
	Tools     []checkedTool `json:"tools"`
	// Cuts are what to leave out of a profile that passes its budget.
	Cuts []curate.Cut `json:"cuts,omitempty"`
}

type checkedTool struct {
	Name      string `json:"name"`
	Operation string `json:"operation"`
	Tokens    int    `json:"tokens"`
	RawTokens int    `json:"raw_tokens"`
}

// checkedSite is what of the site can be no tool, and of the rest, by operation,
// what was repaired, why it is plumbing, and which ability does the same.
type checkedSite struct {
	Withheld []generate.Withheld        `json:"withheld"`
	Repairs  map[string][]schema.Repair `json:"repairs"`
	Plumbing map[string]string          `json:"plumbing"`
	SameAs   map[string]string          `json:"same_as"`
}

func newChecked(surface *generate.Surface, catalog *curate.Catalog, findings curate.Findings) checked {
	out := checked{Findings: findings, Withheld: catalog.Withheld, Site: checkedSite{Withheld: surface.Withheld}}.complete()
	for name, p := range catalog.Profiles {
		served := checkedProfile{p.Tokens(), p.RawTokens(), []checkedTool{}, p.Cuts()}
		for _, t := range p.Tools {
			served.Tools = append(served.Tools, checkedTool{t.Name, t.Operation, t.Tokens(), t.RawTokens()})
		}
		out.Profiles[name] = served
	}
	for _, o := range surface.Operations {
		if len(o.Repairs) > 0 {
			out.Site.Repairs[o.ID] = o.Repairs
		}
		if o.Plumbing != "" {
			out.Site.Plumbing[o.ID] = o.Plumbing
		}
		if o.SameAs != "" {
			out.Site.SameAs[o.ID] = o.SameAs
		}
	}
	return out
}

// complete has a list where nothing is, not null.
func (c checked) complete() checked {
	if c.Findings == nil {
		c.Findings = curate.Findings{}
	}
	if c.Profiles == nil {
		c.Profiles = map[string]checkedProfile{}
	}
	if c.Withheld == nil {
		c.Withheld = []curate.Withheld{}
	}
	if c.Site.Withheld == nil {
		c.Site.Withheld = []generate.Withheld{}
	}
	if c.Site.Repairs == nil {
		c.Site.Repairs = map[string][]schema.Repair{}
	}
	if c.Site.Plumbing == nil {
		c.Site.Plumbing, c.Site.SameAs = map[string]string{}, map[string]string{}
	}
	return c
}

// printJSON prints a check as one line of JSON; what fails it is the exit code's.
func (a *app) printJSON(out checked, failing curate.Findings) error {
	out = out.complete()
	text, err := schema.Encode(out)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(a.stdout, "%s\n", text); err != nil {
		return err
	}
	if len(failing) > 0 {
		return &failure{err: errFindings, code: exitFindings}
	}
	return nil
}
