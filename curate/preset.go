package curate

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
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

func presetNames() []string {
	entries, _ := fs.ReadDir(presets, "presets")
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	slices.Sort(names)
	return names
}

// presetHint is what to do about a preset that is not among those there are:
// name a version, another one, or update toolpress.
func presetHint(asked string, there []string) string {
	name, version, _ := strings.Cut(asked, "@")
	var versions []int
	for _, p := range there {
		if of, v, _ := strings.Cut(p, "@"); of == name {
			number, _ := strconv.Atoi(v)
			versions = append(versions, number)
		}
	}
	near := nearest(asked, there)
	if len(versions) == 0 && near != "" {
		return fmt.Sprintf("did you mean %q?", "preset:"+near)
	}
	if len(versions) == 0 {
		return "it is misspelt, or came with a newer toolpress"
	}
	oldest, newest := slices.Min(versions), slices.Max(versions)
	switch number, err := strconv.Atoi(version); {
	case err != nil:
		return fmt.Sprintf("name its version: preset:%s@%d", name, newest)
	case number > newest:
		return fmt.Sprintf("it needs a newer toolpress; the newest that this one has is preset:%s@%d", name, newest)
	case number < oldest:
		return fmt.Sprintf("it is too old for this toolpress: extend preset:%s@%d", name, oldest)
	}
	return fmt.Sprintf("extend preset:%s@%d", name, newest)
}
