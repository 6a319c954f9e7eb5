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

// arrayKeys orders an array's keys: numbers first, as numbers, then names. It is
// a total order, also of 1, 01 and +1.
func arrayKeys(a, b string) int {
	m, errM := strconv.Atoi(a)
	n, errN := strconv.Atoi(b)
	switch {
	case errM == nil && errN == nil:
		return cmp.Or(cmp.Compare(m, n), cmp.Compare(a, b))
	case errM == nil:
		return -1
	case errN == nil:
		return 1
	}
	return cmp.Compare(a, b)
}
