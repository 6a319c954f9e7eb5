package change

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"toolpress/generate"
)

// CatalogFormat begins every catalog.json.
const CatalogFormat = "toolpress/catalog/1"

// A Catalog is what a catalog.json says.
type Catalog struct {
	// Site is the address of the site.
	Site string
	// MadeOf is what it was made of; nil where it does not say.
	MadeOf *MadeOf
	// Profiles are the tools of each, in the order of the list.
	Profiles map[string][]Listed
}

// Listed is a tool of a catalog.
type Listed struct {
	Name string
	// Aliases are other names that it can be called by.
	Aliases []string
	Tool
}

// DecodeCatalog reads a catalog.json.
func DecodeCatalog(data []byte) (*Catalog, error) {
	var file struct {
		Format   string  `json:"format"`
		Site     string  `json:"site"`
		MadeOf   *MadeOf `json:"made_of"`
		Profiles map[string]struct {
			Tools []struct {
				Name         string               `json:"name"`
				Title        string               `json:"title"`
				Description  string               `json:"description"`
				InputSchema  json.RawMessage      `json:"inputSchema"`
				OutputSchema json.RawMessage      `json:"outputSchema"`
				Annotations  generate.Annotations `json:"annotations"`
				Meta         struct {
					Operation string   `json:"toolpress/operation"`
					Aliases   []string `json:"toolpress/aliases"`
				} `json:"_meta"`
			} `json:"tools"`
		} `json:"profiles"`
	}
	if err := json.Unmarshal(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), &file); err != nil {
		return nil, fmt.Errorf("reading the catalog: %w", err)
	}
	if file.Format != CatalogFormat {
		return nil, fmt.Errorf("not a catalog this toolpress reads: its format is %q, want %q", file.Format, CatalogFormat)
	}
	if len(file.Profiles) == 0 {
		return nil, errors.New("the catalog has no profile")
	}
	c := &Catalog{Site: file.Site, MadeOf: file.MadeOf, Profiles: map[string][]Listed{}}
	for name, p := range file.Profiles {
		tools := []Listed{}
		for _, t := range p.Tools {
			tools = append(tools, Listed{t.Name, t.Meta.Aliases, Tool{
				Title: t.Title, Description: t.Description, InputSchema: t.InputSchema, OutputSchema: t.OutputSchema,
				Annotations: t.Annotations, Operation: t.Meta.Operation,
			}})
		}
		c.Profiles[name] = tools
	}
	return c, nil
}

// A Difference is a change of a tool, or of a profile, in a catalog.
type Difference struct {
	// Profiles are those it is in, sorted.
	Profiles []string `json:"profiles"`
	// Tool is its name, the new one where it was renamed; empty for a profile.
	Tool string `json:"tool,omitempty"`
	Change
	// Cause is what made it differ, where that is known: "the site", "the
	// curation", "the preset", "toolpress".
	Cause string `json:"cause,omitempty"`
	// At is where the curation says so, as FILE:LINE:COL.
	At string `json:"at,omitempty"`
}

// Catalogs returns what changed from before to after: by tool, and of each the
// gravest first. What is the same in several profiles is one difference. What
// caused it is left to who knows more than the two catalogs.
func Catalogs(before, after *Catalog) ([]Difference, error) {
	var all []Difference
	for _, profile := range slices.Sorted(maps.Keys(both(before.Profiles, after.Profiles))) {
		old, was := before.Profiles[profile]
		now, is := after.Profiles[profile]
		switch {
		case !is:
			all = append(all, Difference{[]string{profile}, "", Change{Rule: "profile-removed", Kind: Breaking, Message: "the profile is gone"}, "", ""})
		case !was:
			all = append(all, Difference{[]string{profile}, "", Change{Rule: "profile-added", Kind: Additive, Message: fmt.Sprintf("a new profile with tools: %d", len(now))}, "", ""})
		default:
			some, err := tools(profile, old, now)
			if err != nil {
				return nil, err
			}
			all = append(all, some...)
		}
	}
	slices.SortStableFunc(all, func(x, y Difference) int {
		return cmp.Or(cmp.Compare(x.Tool, y.Tool), compareChanges(x.Change, y.Change))
	})
	return gathered(all), nil
}

func both[V any](maps ...map[string]V) map[string]bool {
	names := map[string]bool{}
	for _, m := range maps {
		for name := range m {
			names[name] = true
		}
	}
	return names
}

// gathered makes one of what is the same in several profiles.
func gathered(all []Difference) []Difference {
	var one []Difference
	for _, d := range all {
		if n := len(one) - 1; n >= 0 && d.Tool != "" && one[n].Tool == d.Tool && one[n].Change == d.Change {
			one[n].Profiles = append(one[n].Profiles, d.Profiles...)
			continue
		}
		one = append(one, d)
	}
	return one
}

// tools compares the lists of one profile.
func tools(profile string, before, after []Listed) ([]Difference, error) {
	var all []Difference
	add := func(name string, changes ...Change) {
		for _, c := range changes {
			all = append(all, Difference{[]string{profile}, name, c, "", ""})
		}
	}
	renamed := renames(before, after)
	for _, old := range before {
		now := named(after, old.Name)
		if now == nil {
			now = renamed[old.Name]
		}
		if now == nil {
			add(old.Name, Change{Rule: "tool-removed", Kind: Breaking, Message: fmt.Sprintf("the tool is gone (%s)", old.Operation)})
			continue
		}
		if now.Name != old.Name {
			c := Change{Rule: "tool-renamed", Kind: Breaking, Message: fmt.Sprintf("it was called %s, which no longer works", old.Name)}
			if slices.Contains(now.Aliases, old.Name) {
				c.Kind, c.Message = Additive, fmt.Sprintf("it was called %s, which still works", old.Name)
			}
			add(now.Name, c)
		}
		changes, err := Tools(old.Tool, now.Tool)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", old.Name, err)
		}
		add(now.Name, changes...)
		for _, gone := range without(old.Aliases, append(now.Aliases, now.Name)) {
			add(now.Name, Change{Rule: "alias-removed", Kind: Breaking, Message: fmt.Sprintf("it can no longer be called %s", gone)})
		}
	}
	for _, now := range after {
		isNew := func(other *Listed) bool { return other.Name == now.Name }
		if named(before, now.Name) == nil && !slices.ContainsFunc(slices.Collect(maps.Values(renamed)), isNew) {
			add(now.Name, Change{Rule: "tool-added", Kind: Additive, Message: fmt.Sprintf("a new tool (%s)", now.Operation)})
		}
	}
	return all, nil
}

// renames are the tools that were called otherwise, by their old name: one that
// says so, or the only new one that calls what the only one that is gone called.
func renames(before, after []Listed) map[string]*Listed {
	came := map[string][]*Listed{} // by what they call
	for i := range after {
		if t := &after[i]; named(before, t.Name) == nil {
			came[t.Operation] = append(came[t.Operation], t)
		}
	}
	gone := map[string][]string{}
	for _, t := range before {
		if named(after, t.Name) == nil {
			gone[t.Operation] = append(gone[t.Operation], t.Name)
		}
	}
	renamed := map[string]*Listed{}
	for operation, names := range gone {
		for _, name := range names {
			for _, t := range came[operation] {
				if slices.Contains(t.Aliases, name) || len(names) == 1 && len(came[operation]) == 1 && operation != "" {
					renamed[name] = t
				}
			}
		}
	}
	return renamed
}

func named(list []Listed, name string) *Listed {
	for i := range list {
		if list[i].Name == name {
			return &list[i]
		}
	}
	return nil
}
