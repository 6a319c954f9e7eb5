package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"toolpress/curate"
	"toolpress/curate/change"
	"toolpress/generate/schema"
)

// printSubjects prints what waits for an approval, each with its causes.
func (a *app) printSubjects(subjects []*curate.Subject, prune bool) {
	for _, s := range subjects {
		var b strings.Builder
		b.WriteString(strings.Join(s.Tools, ", "))
		switch {
		case len(s.Tools) == 0:
			b.WriteString(s.Name)
		case s.Operation != "":
			fmt.Fprintf(&b, ", calls %s", s.Operation)
		}
		b.WriteString("\n")
		if s.New {
			b.WriteString("  not in the lock yet. A model would read:\n")
			for _, t := range s.Shown {
				writeShown(&b, t)
			}
		}
		if len(s.Site) > 0 {
			b.WriteString("  the site has changed\n")
			writeChanges(&b, s.Site)
		}
		for _, name := range s.Leaves {
			fmt.Fprintf(&b, "    and the curation would not serve %s any more, as the site has it now\n", name)
		}
		if s.PresetNew && s.New {
			fmt.Fprintf(&b, "  with words of %s\n", strings.Join(s.Presets, " and "))
		} else if s.PresetNew {
			fmt.Fprintf(&b, "  %s says, and nobody has approved\n", strings.Join(s.Presets, " and "))
			for _, field := range slices.Sorted(maps.Keys(s.Texts)) {
				fmt.Fprintf(&b, "    %s: %s\n", field, indentLines(s.Texts[field], "      "))
			}
		}
		if len(s.Preset) > 0 {
			fmt.Fprintf(&b, "  %s has changed\n", strings.Join(s.Presets, " and "))
			writeChanges(&b, s.Preset)
		}
		if len(s.Curation) > 0 {
			by := "the curation, or this toolpress,"
			if len(s.Moved) > 0 {
				by = strings.Join(s.Moved, ", ") + ", or the curation,"
			}
			fmt.Fprintf(&b, "  %s publishes another form of\n    %s\n", by, strings.Join(s.Curation, ", "))
		}
		if prune && len(s.Drops) > 0 {
			fmt.Fprintf(&b, "  would be dropped\n    %s\n", strings.Join(s.Drops, "\n    "))
		}
		fmt.Fprintf(a.stdout, "%s\n", b.String())
	}
}

// writeChanges writes changes, a changed text as a whole.
func writeChanges(b *strings.Builder, changes []change.Change) {
	for _, c := range changes {
		where := ""
		if c.Path != "" {
			where = c.Path + ": "
		}
		if c.Before == "" && c.After == "" {
			fmt.Fprintf(b, "    %-9s %s%s\n", c.Kind, where, c.Message)
			continue
		}
		what, _, _ := strings.Cut(c.Message, ":")
		fmt.Fprintf(b, "    %-9s %s%s\n", c.Kind, where, what)
		for _, side := range []struct{ mark, text string }{{"-", c.Before}, {"+", c.After}} {
			if side.text != "" {
				fmt.Fprintf(b, "      %s %s\n", side.mark, indentLines(side.text, "      "+side.mark+" "))
			}
		}
	}
}

// indentLines puts the lines of a text after the first below it.
func indentLines(text, before string) string {
	return strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n"+before)
}

// writeShown writes what a model would read of a tool.
func writeShown(b *strings.Builder, t *curate.Tool) {
	fmt.Fprintf(b, "    %s (%s)", t.Name, effect(t.Annotations))
	if t.Title != "" {
		fmt.Fprintf(b, ": %s", t.Title)
	}
	fmt.Fprintf(b, "\n      %s\n", indentLines(t.Description, "      "))
	args, open := t.Arguments()
	for _, p := range args {
		writeArgument(b, "      ", "", p)
	}
	if open {
		b.WriteString("      and arguments of any other name\n")
	}
}

func writeArgument(b *strings.Builder, before, within string, p schema.Property) {
	s, path := p.Schema, within+p.Name
	about := []string{strings.Join(s.Types, " or ")}
	if len(s.Types) == 0 {
		about[0] = "any value"
	}
	if p.Required {
		about = append(about, "required")
	}
	if s.HasDefault {
		about = append(about, "else "+settingText(s.Default))
	}
	fmt.Fprintf(b, "%s- %s (%s)", before, path, strings.Join(append(about, limitsOf(s)...), ", "))
	if s.Description != "" {
		fmt.Fprintf(b, ": %s", indentLines(s.Description, before+"  "))
	}
	b.WriteString("\n")
	if s.Items != nil {
		s, path = s.Items, path+"[]"
	}
	for _, inner := range s.Properties {
		writeArgument(b, before, path+".", inner)
	}
}

// sayWithheld says what a first lock takes away: all of which nothing was approved.
func (a *app) sayWithheld(all, chosen []*curate.Subject) {
	tools, groups, left := map[string]bool{}, 0, []string(nil)
	for _, s := range all {
		switch {
		case slices.Contains(chosen, s):
		case s.Operation == "" && strings.HasPrefix(s.Name, "groups."):
			groups++
		case s.Operation == "" && len(s.Tools) == 0:
			left = append(left, s.Name)
		default:
			for _, name := range s.Tools {
				tools[name] = true
			}
		}
	}
	if len(tools) > 0 {
		left = append(left, "the other "+count(len(tools), "tool"))
	}
	if groups > 0 {
		left = append(left, "the words of "+count(groups, "group"))
	}
	switch {
	case len(left) == 0:
	case len(left) == 1 && len(tools) == 1:
		a.say("from now on %s is withheld until it is approved", left[0])
	default:
		a.say("from now on %s are withheld until they are approved", strings.Join(left, " and "))
	}
}

// approvalOut is what approve --json prints.
type approvalOut struct {
	Lock     string       `json:"lock,omitempty"`
	Waiting  []subjectOut `json:"waiting"`
	Accepted []string     `json:"accepted"`
	Written  bool         `json:"written"`
}

type subjectOut struct {
	Name      string            `json:"name"`
	Tools     []string          `json:"tools"`
	Operation string            `json:"operation,omitempty"`
	New       bool              `json:"new"`
	Shown     []*curate.Tool    `json:"shown,omitempty"`
	Site      []changeOut       `json:"site"`
	Leaves    []string          `json:"leaves,omitempty"`
	Presets   []string          `json:"presets,omitempty"`
	Preset    []changeOut       `json:"preset"`
	Words     map[string]string `json:"words,omitempty"`
	Curation  []string          `json:"curation,omitempty"`
	Moved     []string          `json:"moved,omitempty"`
	Drops     []string          `json:"drops,omitempty"`
}

type changeOut struct {
	change.Change
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

func changesOut(changes []change.Change) []changeOut {
	all := []changeOut{}
	for _, c := range changes {
		all = append(all, changeOut{c, c.Before, c.After})
	}
	return all
}

// printApproval prints what waits as one line of JSON.
func (a *app) printApproval(lock string, approval *curate.Approval, chosen []*curate.Subject, written, prune bool) error {
	out := approvalOut{Lock: lock, Waiting: []subjectOut{}, Accepted: []string{}, Written: written}
	for _, s := range approval.Subjects {
		one := subjectOut{s.Name, append([]string{}, s.Tools...), s.Operation, s.New, s.Shown, changesOut(s.Site), s.Leaves, s.Presets, changesOut(s.Preset), s.Texts, s.Curation, s.Moved, nil}
		if prune {
			one.Drops = s.Drops
		}
		out.Waiting = append(out.Waiting, one)
	}
	for _, s := range chosen {
		out.Accepted = append(out.Accepted, s.Name)
	}
	text, err := schema.Encode(out)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "%s\n", text)
	return err
}
