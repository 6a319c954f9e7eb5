package schema

import (
	"maps"
	"slices"
	"strings"
)

// Brief is a value as a note shows it.
func Brief(v any) string {
	if v == Nothing {
		return ""
	}
	left := maxBrief
	text, _ := Encode(beginningOf(v, &left))
	return CleanText(string(text), 40)
}

// beginningOf is a value without what no note shows of it: writing all of a
// megabyte to show 40 bytes costs as much as the megabyte. left is how many bytes
// may still be written.
func beginningOf(v any, left *int) any {
	*left -= 2 // what parts it from the next one
	switch v := v.(type) {
	case string:
		v = v[:min(len(v), max(*left, 0))]
		*left -= len(v)
		return strings.ToValidUTF8(v, "")
	case []any:
		list := []any{}
		for i := 0; i < len(v) && *left > 0; i++ {
			list = append(list, beginningOf(v[i], left))
		}
		return list
	case map[string]any:
		object := map[string]any{}
		for _, name := range firstNames(v, *left/4+1) {
			if *left <= 0 {
				break
			}
			cut := name[:min(len(name), *left)]
			*left -= len(cut)
			object[strings.ToValidUTF8(cut, "")] = beginningOf(v[name], left)
		}
		return object
	}
	return v
}

// firstNames are the first names of an object in their order, so many at most.
// Sorting all of them costs more.
func firstNames(object map[string]any, most int) []string {
	if len(object) <= most {
		return slices.Sorted(maps.Keys(object))
	}
	var names []string
	for name := range object {
		if len(names) == most && name > names[most-1] {
			continue
		}
		at, _ := slices.BinarySearch(names, name)
		names = slices.Insert(names, at, name)
		names = names[:min(len(names), most)]
	}
	return names
}

// larger reports that a value has more than so many bytes as JSON, without writing
// it.
func larger(v any, most int) bool { return roomAfter(v, most) < 0 }

// roomAfter is what of so many bytes is left beside a value; negative where there
// is no room for it, and then the rest of it is not looked at.
func roomAfter(v any, room int) int {
	switch v := v.(type) {
	case string:
		return room - len(v) - 2
	case []any:
		room -= 1 + max(len(v), 1)
		for i := 0; i < len(v) && room >= 0; i++ {
			room = roomAfter(v[i], room)
		}
		return room
	case map[string]any:
		room -= 1 + max(len(v), 1)
		for name, inner := range v {
			if room -= len(name) + 3; room < 0 {
				break
			}
			room = roomAfter(inner, room)
		}
		return room
	}
	return room - 1
}

// publishable reports a value that may stand in a schema: of a size that does
// not displace a model's context, and without characters that are not seen.
func publishable(v any) bool {
	if larger(v, maxValue) || Excess(v) != "" {
		return false
	}
	text, err := Encode(v)
	return err == nil && len(text) <= maxValue && !strings.ContainsFunc(string(text), Unseen)
}
