package curate

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"toolpress/generate"
	"toolpress/generate/schema"
)

// text writes the file.
func (d *starter) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# yaml-language-server: $schema=%s\n#\n", d.schemaName)
	b.WriteString(`# What a language model sees of the site. It begins with what only reads; what a
# line below begins with "# -" is a suggestion: remove the # to take it. Then
#
#   toolpress check
#
# says what is wrong, and what the tools take of a model's context.
version: 1
`)
	if len(d.presets) > 0 {
		fmt.Fprintf(&b, "\n# Tools that come with toolpress; this file wins over them.\nextends: [%s]\n", strings.Join(d.presets, ", "))
	}
	fmt.Fprintf(&b, "\nsite:\n  url: %s\n", scalarText(d.surface.Site))
	b.WriteString(`  # The credential is never written here: toolpress login keeps it, or the
  # environment has it, TOOLPRESS_USER and TOOLPRESS_PASSWORD.
`)
	d.writeExpose(&b)
	b.WriteString(`
groups:                         # described to the model
  read:  { describe: "Look things up; never changes the site" }
  write: { describe: Change content }

profiles:                       # each an endpoint: default is served at /mcp
  default: { groups: [read], max_tools: 25, max_tokens: 6000 }
`)
	if len(d.groups) > 0 {
		fmt.Fprintf(&b, "  # Groups that the presets have besides: %s.\n", strings.Join(d.groups, ", "))
	}
	b.WriteString(`  # Clients that may change something, at /mcp/editor, with a token of their own:
  # editor: { groups: [read, write], token_env: TOOLPRESS_EDITOR_TOKEN }
`)
	return b.String()
}

// writeExpose writes the abilities, then the namespaces of plugins.
func (d *starter) writeExpose(b *strings.Builder) {
	writes, namespaces := d.writes(), d.namespaces()
	if len(d.exposed)+len(d.left)+len(writes)+len(namespaces) == 0 {
		return
	}
	b.WriteString("\n# What becomes a tool under the name that toolpress proposes.\n")
	if len(d.exposed) == 0 {
		b.WriteString("# ")
	}
	b.WriteString("expose:\n")
	if len(d.exposed) > 0 {
		b.WriteString("  # Abilities that only read.\n")
	}
	for _, o := range d.exposed {
		fmt.Fprintf(b, "  - { ability: %s, groups: [read] }   # %s\n", o.Ability, labelled(o))
	}
	if len(d.left) > 0 {
		b.WriteString("  # Abilities that only read and are left out, each with the reason.\n")
	}
	for _, l := range d.left {
		fmt.Fprintf(b, "  # - { ability: %s, groups: [read] }   # %s: %s\n", l.op.Ability, labelled(l.op), schema.CleanText(l.why, 200))
	}
	if len(writes) > 0 {
		b.WriteString("  # Abilities that change the site. Enable the profile editor for them; a person is\n" +
			"  # asked before what may destroy or overwrite something.\n")
	}
	for _, o := range writes {
		fmt.Fprintf(b, "  # - { ability: %s, writes: true, groups: [write] }   # %s\n", o.Ability, labelled(o))
	}
	for _, w := range d.surface.Withheld {
		if id := schema.CleanText(w.ID, 120); strings.HasPrefix(id, "ability:") {
			fmt.Fprintf(b, "  # %s can be no tool: %s\n", id, schema.CleanText(w.Reason, 200))
		}
	}
	if len(namespaces) > 0 {
		b.WriteString("  # Namespaces of plugins. A whole one is a lot for a model: take a part of it with\n" +
			"  # route: \"/acme/v1/things/**\", or name single operations below tools.\n")
	}
	for _, n := range namespaces {
		fmt.Fprintf(b, "  # - { namespace: %s, groups: [read] }   # operations: %d that read, %d that write\n", scalarText(n.name), n.reads, n.writes)
	}
}

// writes are the abilities that may change the site.
func (d *starter) writes() []*generate.Operation {
	var list []*generate.Operation
	for _, o := range d.surface.Operations {
		if o.Ability != "" && !o.Annotations.ReadOnly {
			list = append(list, o)
		}
	}
	return list
}

// offered counts what a namespace offers.
type offered struct {
	name          string
	reads, writes int
}

// namespaces are those of plugins, with the operations that expose would take:
// no plumbing, and not wp/v2, which is of WordPress itself and its presets.
func (d *starter) namespaces() []offered {
	counts := map[string]*offered{}
	for _, o := range d.surface.Operations {
		if o.Ability != "" || o.Plumbing != "" || o.Namespace == "" || o.Namespace == "wp/v2" {
			continue
		}
		n := counts[o.Namespace]
		if n == nil {
			n = &offered{name: o.Namespace}
			counts[o.Namespace] = n
		}
		if o.Annotations.ReadOnly {
			n.reads++
		} else {
			n.writes++
		}
	}
	var list []offered
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, *counts[name])
	}
	return list
}

// labelled is an ability's title and its annotations, in the language's words.
func labelled(o *generate.Operation) string {
	words := []string{"writes"}
	if o.Annotations.ReadOnly {
		words[0] = "read_only"
	}
	for _, a := range []struct {
		is   bool
		word string
	}{{o.Annotations.Destructive, "destructive"}, {o.Annotations.Idempotent, "idempotent"}, {o.Annotations.OpenWorld, "open_world"}} {
		if a.is {
			words = append(words, a.word)
		}
	}
	return fmt.Sprintf("%s (%s)", schema.CleanText(o.Title, 80), strings.Join(words, ", "))
}

var plainText = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_.:-]*/[a-zA-Z0-9_./:-]*[a-zA-Z0-9_/-]$`)

// scalarText writes a text of the site as YAML, quoted where it might be read as
// something else.
func scalarText(s string) string {
	if plainText.MatchString(s) {
		return s
	}
	return strconv.QuoteToASCII(s) // its escapes are YAML's too
}
