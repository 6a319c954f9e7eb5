package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"toolpress/curate"
	"toolpress/generate"
	"toolpress/generate/schema"
)

// markdown is a catalog as a page that somebody reads and signs: what a model may
// do in each profile, in plain words. It has no date and no version, so that the
// same catalog gives the same bytes. What the site or a curation says is text in
// it, never markup.
func markdown(catalog *curate.Catalog) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# What models may do at %s\n\nEach tool below is one thing that a model may ask the site for, and there is no\nother. The site decides in the end: a tool can do no more than the user whose\ncredential is used.\n", plain(catalog.Site))
	for _, name := range catalog.ProfileNames() {
		writeProfile(&b, catalog.Profiles[name])
	}
	if len(catalog.Withheld) > 0 {
		b.WriteString("\n## Not served\n\nAsked for by the curation, and left out of every profile:\n\n")
		for _, w := range catalog.Withheld {
			fmt.Fprintf(&b, "- %s, %s: %s\n", code(w.Tool), code(w.Operation), plain(w.Reason))
		}
	}
	b.WriteString("\n## Approval\n\nApproved by:\n\nOn:\n")
	return []byte(b.String())
}

func writeProfile(b *strings.Builder, p *curate.Profile) {
	fmt.Fprintf(b, "\n## Profile %s\n\nServed at %s: %s.", plain(p.Name), code(endpoint(p.Name)), count(len(p.Tools), "tool"))
	if p.OwnTokens() {
		b.WriteString(" Only who has a token of the profile's own gets in.")
	}
	if p.Auth != (curate.Auth{}) {
		b.WriteString(" The site is called as a user of the profile's own.")
	}
	changes := slices.ContainsFunc(p.Tools, func(t *curate.Tool) bool { return !t.Annotations.ReadOnly })
	if !changes {
		b.WriteString(" Its tools only look things up.")
	}
	b.WriteString("\n")
	if p.Instructions != "" {
		fmt.Fprintf(b, "\nA model is told: %s\n", plain(p.Instructions))
	}
	for _, t := range p.Tools {
		writeTool(b, t)
	}
}

func writeTool(b *strings.Builder, t *curate.Tool) {
	title := t.Title
	if title == "" {
		title = generate.Title(t.Name)
	}
	fmt.Fprintf(b, "\n### %s\n\n%s\n\n", plain(title), plain(t.Description))
	fmt.Fprintf(b, "- **Tool:** %s, which calls %s\n", code(t.Name), code(t.Operation))
	fmt.Fprintf(b, "- **May:** %s\n", may(t))
	if i := t.Idempotency; i != nil {
		what := "a call that is repeated"
		if i.Argument != "" {
			what += " with its " + code(i.Argument)
		}
		fmt.Fprintf(b, "- **Once:** %s within %s is not made again\n", what, briefly(i.Window))
	}
	if u := t.Unmodified; u != nil {
		when := ""
		if !u.Required {
			when = "where the model gives it, "
		}
		fmt.Fprintf(b, "- **Unless changed since:** %sonly while its last change is still that of %s\n", when, code(u.Argument))
	}
	var takes []string
	args, open := t.Arguments()
	for _, p := range args {
		takes = append(takes, taken("", p)...)
	}
	if open {
		takes = append(takes, "whatever else a model names: the tool is open")
	}
	writeList(b, "Takes", takes, "nothing")
	writeList(b, "Always sends", sends(t), "")
	writeList(b, "Returns only", codes(t.Result.Returned()), "")
	var never, dropped []string
	for _, path := range t.Result.Private {
		never = append(never, strings.Join(path, "."))
	}
	for _, path := range t.Result.Drop {
		dropped = append(dropped, strings.Join(path, "."))
	}
	writeList(b, "Leaves out", codes(dropped), "")
	writeList(b, "Never returns", codes(never), "nothing is marked private")
}

// briefly is a time without what is nothing in it: 24h, 10m, 1h30m.
func briefly(d time.Duration) string {
	text := d.String()
	for _, none := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, none) {
			text = text[:len(text)-2]
		}
	}
	return text
}

// writeList writes the items below their name, or what stands for none; without
// that, nothing.
func writeList(b *strings.Builder, name string, items []string, none string) {
	switch {
	case len(items) > 0:
		fmt.Fprintf(b, "- **%s:**\n", name)
		for _, item := range items {
			fmt.Fprintf(b, "  - %s\n", item)
		}
	case none != "":
		fmt.Fprintf(b, "- **%s:** %s\n", name, none)
	}
}

// may is what a tool may do, in plain words.
func may(t *curate.Tool) string {
	h := t.Annotations
	if h.ReadOnly {
		words := "look things up. It changes nothing."
		if t.Asks() {
			words += " " + asked(t)
		}
		return words + claimed(t)
	}
	words := "add something. It changes nothing that is there."
	if h.Destructive {
		words = "change, overwrite or delete what is there."
	}
	if h.Idempotent {
		words += " Done twice, it is as if done once."
	}
	return words + " " + asked(t) + claimed(t)
}

// asked is who has a say in a call.
func asked(t *curate.Tool) string {
	switch {
	case !t.Asks():
		return "Nobody is asked first."
	case t.Confirm.WithoutElicitation == curate.TwoStep:
		return "A person is asked first, where their client can; else the model has to call twice."
	}
	return "A person is asked first, each time."
}

// claimed says that a curation, and not the site, tells what a tool does.
func claimed(t *curate.Tool) string {
	var places []string
	for _, s := range t.Settings() {
		if strings.HasPrefix(s.Field, "annotations.") && !slices.Contains(s.From, curate.FromSite) {
			places = append(places, s.From...)
		}
	}
	if len(places) == 0 {
		return ""
	}
	return " The curation says so, at " + plain(strings.Join(places, ", ")) + ", and not the site."
}

// taken are an argument and what is in it, one line each.
func taken(within string, p schema.Property) []string {
	path := within + p.Name
	s := p.Schema
	line := code(path)
	if p.Required {
		line += " (required)"
	}
	if s.Description != "" {
		line += ": " + plain(s.Description)
	}
	if limits := limitsOf(s); len(limits) > 0 {
		line += " [" + strings.Join(limits, ", ") + "]"
	}
	lines := []string{line}
	if s.Items != nil {
		s, path = s.Items, path+"[]"
	}
	for _, inner := range s.Properties {
		lines = append(lines, taken(path+".", inner)...)
	}
	return lines
}

// limitsOf are the bounds of an argument as a person reads them.
func limitsOf(s *schema.Schema) []string {
	var limits []string
	if s.MaxItems != nil {
		limits = append(limits, fmt.Sprintf("at most %s", count(*s.MaxItems, "item")))
	}
	if s.Is("array") && s.Items != nil {
		s = s.Items
	}
	if s.Enum != nil {
		var values []string
		for _, v := range s.Enum {
			values = append(values, code(settingText(v)))
		}
		limits = append(limits, "one of "+strings.Join(values, ", "))
	}
	if s.Minimum != "" {
		limits = append(limits, "at least "+s.Minimum.String())
	}
	if s.Maximum != "" {
		limits = append(limits, "at most "+s.Maximum.String())
	}
	if s.MaxLength != nil {
		limits = append(limits, fmt.Sprintf("at most %s", count(*s.MaxLength, "character")))
	}
	if s.Pattern != "" {
		limits = append(limits, "like "+code(s.Pattern))
	}
	return limits
}

// sends are the values that a tool sends and a model neither gives nor sees.
func sends(t *curate.Tool) []string {
	var list []string
	settings := t.Settings()
	for i, s := range settings[:max(len(settings)-1, 0)] {
		next := settings[i+1]
		if s.Value == "fixed" && next.Field == s.Field+".fix" || s.Value == "hidden" && next.Field == s.Field+".default" {
			list = append(list, code(strings.TrimPrefix(s.Field, "args."))+" as "+code(settingText(next.Value)))
		}
	}
	return list
}

func codes(texts []string) []string {
	var list []string
	for _, t := range texts {
		list = append(list, code(t))
	}
	return list
}

// code is text between backticks, of which it has none itself (CommonMark, code
// spans).
func code(text string) string {
	return "`" + strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "`", "'") + "`"
}

// markup is what CommonMark, or the HTML in it, reads as more than text.
var markup = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "#", `\#`, "|", `\|`, "!", `\!`, "~", `\~`)

// plain is text on one line that nothing is read into.
func plain(text string) string { return markup.Replace(strings.Join(strings.Fields(text), " ")) }
