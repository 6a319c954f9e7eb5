package curate

import (
	"embed"
	"io/fs"
	"slices"
	"strings"
)

//go:embed presets/*.yaml
var presets embed.FS

// Preset returns the text of a shipped curation file, such as wordpress@1. A
// released preset never changes.
func Preset(name string) ([]byte, error) { return presets.ReadFile("presets/" + name + ".yaml") }

// builtIn is the curation that serves without one.
const builtIn = `version: 1
extends: [preset:wordpress@1, preset:woocommerce@1]
expose:
  - { ability: "**", groups: [read] }
profiles:
  default: { groups: [read], read_only: true }
`

// BuiltIn is the curation that serves without one: read-only abilities and, of the
// presets that fit, the group read. Like a preset's, its entries are optional: a
// site without abilities is no finding.
func BuiltIn() (*Curation, error) { return parse("(built in)", []byte(builtIn), true, nil) }

func presetNames(prefix string) []string {
	entries, _ := fs.ReadDir(presets, "presets")
	var names []string
	for _, e := range entries {
		names = append(names, prefix+strings.TrimSuffix(e.Name(), ".yaml"))
	}
	slices.Sort(names)
	return names
}
