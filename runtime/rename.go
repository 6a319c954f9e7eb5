package runtime

import (
	"encoding/json"
	"slices"
	"strings"

	"toolpress/curate"
	"toolpress/generate/schema"
)

// renamed gives fields of an object, or of each item of a list, other names: the
// value at a path becomes a member of the object itself, where the path began. An
// object that is left with nothing goes. Through a list the path goes on in each
// item, and the name is the item's.
func renamed(raw json.RawMessage, renames []curate.Renamed) (json.RawMessage, error) {
	if len(renames) == 0 {
		return raw, nil
	}
	switch kind(raw) {
	case '[':
		list, err := elements(raw)
		if err != nil {
			return nil, err
		}
		for i := range list {
			if list[i], err = renamed(list[i], renames); err != nil {
				return nil, err
			}
		}
		return schema.Encode(list)
	case '{':
		return renamedMembers(raw, renames)
	}
	return raw, nil
}

func renamedMembers(raw json.RawMessage, renames []curate.Renamed) (json.RawMessage, error) {
	list, err := members(raw)
	if err != nil {
		return nil, err
	}
	moved := make([][]member, len(list)) // what stands after each member
	for _, r := range renames {
		name, rest, _ := strings.Cut(r.Path, ".")
		for i := range list {
			if list[i].name != name || list[i].value == nil {
				continue
			}
			value, left, err := taken(list[i].value, rest, r.Name)
			if err != nil {
				return nil, err
			}
			if list[i].value = left; value != nil {
				moved[i] = append(moved[i], member{r.Name, value})
			}
		}
	}
	named := func(name string) bool {
		return slices.ContainsFunc(list, func(m member) bool { return m.name == name && m.value != nil })
	}
	var all []member
	for i, m := range list {
		if m.value != nil {
			all = append(all, m)
		}
		for _, one := range moved[i] {
			// No name is there twice: what would be stays under its whole path.
			if taken := func(m member) bool { return m.name == one.name }; named(one.name) || slices.ContainsFunc(all, taken) {
				at := slices.IndexFunc(renames, func(r curate.Renamed) bool { return r.Name == one.name })
				one.name = renames[at].Path
			}
			all = append(all, one)
		}
	}
	return object(all)
}

// taken takes the value at a path out of another, and gives what is left of
// that; nil where nothing is. In lists on the way the field gets its name there.
func taken(raw json.RawMessage, path, name string) (value, left json.RawMessage, err error) {
	switch {
	case path == "":
		return raw, nil, nil
	case kind(raw) == '[':
		left, err = renamed(raw, []curate.Renamed{{Path: path, Name: name}})
		return nil, left, err
	case kind(raw) != '{':
		return nil, raw, nil
	}
	list, err := members(raw)
	if err != nil {
		return nil, nil, err
	}
	first, rest, _ := strings.Cut(path, ".")
	kept := []member{}
	for _, m := range list {
		if m.name == first && value == nil {
			if value, m.value, err = taken(m.value, rest, name); err != nil {
				return nil, nil, err
			}
		}
		if m.value != nil {
			kept = append(kept, m)
		}
	}
	if value != nil && len(kept) == 0 {
		return value, nil, nil
	}
	left, err = object(kept)
	return value, left, err
}
