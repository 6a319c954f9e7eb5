package wp

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
)

// List reads a list as PHP writes it: a list, or, when its keys have gaps, an
// object with numbers for keys. Anything else is nil.
func List(v any) []any {
	switch v := v.(type) {
	case []any:
		return v
	case map[string]any:
		var values []any
		for _, k := range slices.SortedFunc(maps.Keys(v), arrayKeys) {
			values = append(values, v[k])
		}
		return values
	}
	return nil
}

// arrayKeys orders an array's keys as numbers where they are numbers.
func arrayKeys(a, b string) int {
	m, errM := strconv.Atoi(a)
	n, errN := strconv.Atoi(b)
	if errM == nil && errN == nil {
		return cmp.Compare(m, n)
	}
	return cmp.Compare(a, b)
}
