package main

import (
	"regexp"
	"slices"
	"strings"

	"toolpress/curate"
	"toolpress/curate/change"
)

// cause is what made a tool differ, as far as what is served now tells, and
// where the curation says so.
func (g *generated) cause(before *change.Catalog, d *change.Difference) (cause, at string) {
	switch d.Rule {
	case "profile-added", "profile-removed":
		return change.CauseCuration, ""
	case "tool-renamed", "alias-removed", "operation-changed":
		_, at := g.from(*d, "name")
		return change.CauseCuration, at
	case "tool-added": // whoever names it; what the site had before is not known
		return g.from(*d, "from")
	case "tool-removed":
		return g.gone(before, d)
	}
	t := g.tool(*d)
	if t == nil {
		return "", ""
	}
	settings := t.Settings()
	for _, field := range fieldsOf(d.Change, settings) {
		if i := slices.IndexFunc(settings, func(s curate.Setting) bool { return s.Field == field }); i >= 0 {
			return saidBy(settings[i].From)
		}
	}
	return change.CauseSite, "" // no layer speaks of it
}

// tool is what a difference is about, as it is now; nil where there is none.
func (g *generated) tool(d change.Difference) *curate.Tool {
	for _, name := range d.Profiles {
		if p := g.catalog.Profiles[name]; p != nil && p.Tool(d.Tool) != nil {
			return p.Tool(d.Tool)
		}
	}
	return nil
}

// from is what sets a field of the tool, and where.
func (g *generated) from(d change.Difference, field string) (cause, at string) {
	if t := g.tool(d); t != nil {
		for _, s := range t.Settings() {
			if s.Field == field {
				return saidBy(s.From)
			}
		}
	}
	return "", ""
}

// place is one of a file, in a reason.
var place = regexp.MustCompile(`(\S+):\d+:\d+`)

// gone is why a tool is not served any more, and adds to the difference what is
// said of that.
func (g *generated) gone(before *change.Catalog, d *change.Difference) (cause, at string) {
	operation := ""
	for _, name := range d.Profiles {
		for _, t := range before.Profiles[name] {
			if t.Name == d.Tool {
				operation = t.Operation
			}
		}
	}
	if g.surface.Operation(operation) == nil {
		return change.CauseSite, ""
	}
	withheld := g.catalog.Explain(g.surface, d.Tool).Withheld
	if len(withheld) == 0 {
		withheld = g.catalog.Explain(g.surface, operation).Withheld
	}
	for _, w := range withheld {
		d.Message += ": " + w.Reason
		switch w.Reason {
		case curate.NotPermitted, curate.ChangedSince:
			return change.CauseSite, ""
		case curate.NotApproved:
			return change.CauseLock, ""
		}
		if said := place.FindString(w.Reason); said != "" {
			return saidBy([]string{said})
		}
	}
	return change.CauseCuration, ""
}

// saidBy is the cause that places stand for, and where that is.
func saidBy(from []string) (cause, at string) {
	last := from[len(from)-1]
	switch {
	case last == curate.FromSite:
		return change.CauseSite, ""
	case last == curate.FromToolpress, strings.HasPrefix(last, "(built in)"):
		return change.CauseToolpress, ""
	case strings.HasPrefix(last, "preset:"):
		return change.CausePreset, ""
	case !place.MatchString(last): // it names the lock, and the day of the approval
		return change.CauseLock, ""
	}
	return change.CauseCuration, last
}

// keyOf are the keys of a curation that set a keyword.
var keyOf = map[string]string{
	"description": "describe", "enum": "enum", "const": "enum", "minimum": "minimum", "maximum": "maximum", "minLength": "min_length",
	"maxLength": "max_length", "maxItems": "max_items", "pattern": "pattern", "default": "default", "required": "required", "type": "type",
	"readOnlyHint": "read_only", "destructiveHint": "destructive", "idempotentHint": "idempotent", "openWorldHint": "open_world",
}

// fieldsOf are the fields of a tool that may have set what changed, the likeliest
// first.
func fieldsOf(c change.Change, settings []curate.Setting) []string {
	path, isResult := strings.CutPrefix(c.Path, "result.")
	switch {
	case c.Path == "" && (c.Keyword == "title" || c.Keyword == "description"):
		return []string{c.Keyword}
	case c.Path == "" && keyOf[c.Keyword] != "":
		return []string{"annotations." + keyOf[c.Keyword]}
	case isResult || c.Path == "result":
		return []string{"result.rename." + path, "result.pick", "result.drop"}
	}
	field := "args." + asWritten(path, settings)
	return []string{field + "." + keyOf[c.Keyword], field, "args.*"}
}

// asWritten is the path of an argument as a curation writes it, of the one that a
// model sees.
func asWritten(path string, settings []curate.Setting) string {
	for _, s := range settings {
		field, isRename := strings.CutSuffix(strings.TrimPrefix(s.Field, "args."), ".rename")
		if !isRename {
			continue
		}
		to := s.Value.(string)
		if i := strings.LastIndex(field, "."); i >= 0 {
			to = field[:i+1] + to
		}
		if path == to || strings.HasPrefix(path, to+".") || strings.HasPrefix(path, to+"[]") {
			return field + path[len(to):]
		}
	}
	return path
}
