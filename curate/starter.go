package curate

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"toolpress/discover"
	"toolpress/generate"
)

// Starter writes a first curation of a site: the presets that fit it, its
// read-only abilities, and as comments all that would need a decision. schemaName
// is what the first line calls the file with [Schema].
//
// An ability is exposed only where that brings no finding; else it is a comment
// with the reason, so that the text checks clean as it stands wherever the site
// offers anything that reads. The same site gives the same bytes.
func Starter(s *generate.Surface, may discover.Permissions, schemaName string) ([]byte, error) {
	d := &starter{surface: s, may: may, schemaName: schemaName}
	if err := d.choosePresets(); err != nil {
		return nil, err
	}
	if err := d.chooseGroups(); err != nil {
		return nil, err
	}
	if err := d.chooseAbilities(); err != nil {
		return nil, err
	}
	return []byte(d.text()), nil
}

// starter is a curation that is being written.
type starter struct {
	surface    *generate.Surface
	may        discover.Permissions
	schemaName string
	presets    []string
	// groups are those of the presets that the text does not describe.
	groups  []string
	exposed []*generate.Operation
	// left are read-only abilities that are not exposed, each with the reason.
	left []leftOut
}

type leftOut struct {
	op  *generate.Operation
	why string
}

// try applies a curation to the site.
func (d *starter) try(text string) (*Catalog, Findings, error) {
	c, err := Parse("curation.yaml", []byte(text), nil)
	if err != nil {
		return nil, nil, err
	}
	catalog, findings := c.Apply(d.surface, Rights{SiteAccount: d.may})
	return catalog, findings, nil
}

// chooseGroups finds the groups of the presets besides the starter's own.
func (d *starter) chooseGroups() error {
	c, err := Parse("curation.yaml", []byte("version: 1\nextends: ["+strings.Join(d.presets, ", ")+"]\n"), nil)
	if err != nil {
		return err
	}
	for _, f := range c.layers {
		for _, g := range f.groups {
			if name := g.name.Value; name != "read" && name != "write" && !slices.Contains(d.groups, name) {
				d.groups = append(d.groups, name)
			}
		}
	}
	return nil
}

// choosePresets takes the newest version of each preset of which the site has
// anything.
func (d *starter) choosePresets() error {
	newest := map[string]string{}
	for _, name := range presetNames() {
		base, version, _ := strings.Cut(name, "@")
		if old := newest[base]; len(version) > len(old) || len(version) == len(old) && version > old {
			newest[base] = version
		}
	}
	// WordPress goes first: a plugin's preset is the later layer.
	for _, base := range slices.SortedFunc(maps.Keys(newest), func(a, b string) int {
		return cmp.Or(strings.Compare(strconv.FormatBool(b == "wordpress"), strconv.FormatBool(a == "wordpress")), strings.Compare(a, b))
	}) {
		name := "preset:" + base + "@" + newest[base]
		catalog, _, err := d.try("version: 1\nextends: [" + name + "]\n")
		if err != nil {
			return err
		}
		if len(catalog.Profiles[DefaultProfile].Tools) > 0 {
			d.presets = append(d.presets, name)
		}
	}
	return nil
}

// chooseAbilities exposes the read-only abilities that bring no finding.
func (d *starter) chooseAbilities() error {
	_, before, err := d.try(d.text())
	if err != nil {
		return err
	}
	for _, o := range d.surface.Operations {
		if o.Ability == "" || !o.Annotations.ReadOnly {
			continue
		}
		d.exposed = append(d.exposed, o)
		_, after, err := d.try(d.text())
		if err != nil {
			return err
		}
		if len(after) > len(before) {
			d.exposed = d.exposed[:len(d.exposed)-1]
			d.left = append(d.left, leftOut{o, reason(o, before, after)})
			continue
		}
		before = after
	}
	return nil
}

// reason is what a finding says that was not there before; rather one of the
// ability's own line.
func reason(o *generate.Operation, before, after Findings) string {
	why := ""
	for _, f := range after {
		if slices.ContainsFunc(before, func(old Finding) bool { return old.Message == f.Message }) {
			continue
		}
		own := strings.Contains(f.Source, "ability: "+o.Ability+",")
		if own || why == "" {
			why = strings.TrimPrefix(f.Message, "this exposes nothing: ")
		}
		if own {
			break
		}
	}
	return why
}
