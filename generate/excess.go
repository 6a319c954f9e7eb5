package generate

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Excess says what in a value is too much for any site, and for checking it; it
// is empty when nothing is.
func Excess(v any) string { return excess(v, 0) }

func excess(v any, level int) string {
	switch v := v.(type) {
	case json.Number:
		if unholdable(v.String()) {
			return "a number that is too long"
		}
	case []any:
		for _, item := range v {
			if what := excess(item, level+1); what != "" {
				return what
			}
		}
	case map[string]any:
		for _, item := range v {
			if what := excess(item, level+1); what != "" {
				return what
			}
		}
	}
	if level > maxLevels {
		return fmt.Sprintf("values nested deeper than %d levels", maxLevels)
	}
	return ""
}

// unholdable reports a number that PHP does not hold, or that is out of all
// proportion.
func unholdable(n string) bool {
	if len(n) > maxDigits {
		return true
	}
	if _, err := strconv.ParseFloat(n, 64); err != nil {
		return true
	}
	if at := strings.IndexAny(n, "eE"); at >= 0 {
		exponent, err := strconv.Atoi(n[at+1:])
		return err != nil || exponent < -maxDigits || exponent > maxDigits
	}
	return false
}
