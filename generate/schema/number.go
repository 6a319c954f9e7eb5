package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Excess says what in a value is too much for any site, and for checking it; it
// is empty when nothing is.
func Excess(v any) string {
	count := 0
	return excess(v, 0, &count)
}

func excess(v any, level int, count *int) string {
	if *count++; *count > maxValues {
		return tooManyValues
	}
	if level > maxLevels {
		return fmt.Sprintf("values nested deeper than %d levels", maxLevels)
	}
	switch v := v.(type) {
	case json.Number:
		if unholdable(v.String()) {
			return "a number that is too long"
		}
	case []any:
		for _, item := range v {
			if what := excess(item, level+1, count); what != "" {
				return what
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if what := excess(v[name], level+1, count); what != "" {
				return what
			}
		}
	}
	return ""
}

var tooManyValues = fmt.Sprintf("more than %d values", maxValues)

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

// phpSpace is what is white space to PHP.
const phpSpace = " \t\n\r\v\f"

var numeric = regexp.MustCompile(`^([+-]?)(\d*)((?:\.\d*)?)((?:[eE][+-]?\d+)?)$`)

// number is the number that a text spells for PHP's is_numeric, in JSON's
// spelling: 007, .5 and "+1 " are numbers, 0x1A is none. What is no such text
// stays as it is.
func number(v any) any {
	text, isText := v.(string)
	if !isText || len(text) > maxDigits {
		return v
	}
	m := numeric.FindSubmatch(bytes.Trim([]byte(text), phpSpace))
	if m == nil || len(m[2]) == 0 && len(m[3]) < 2 {
		return v
	}
	sign, whole, fraction := string(m[1]), strings.TrimLeft(string(m[2]), "0"), string(m[3])
	if whole == "" {
		whole = "0"
	}
	if fraction == "." {
		fraction = ""
	}
	n := json.Number(strings.TrimPrefix(sign, "+") + whole + fraction + string(m[4]))
	if Excess(n) != "" {
		return v
	}
	return n
}

// isWhole reports a number without a fraction: 12, 12.0 and 1.2e1 are.
func isWhole(v any) bool {
	n, isNumber := v.(json.Number)
	if !isNumber || Excess(n) != "" {
		return false
	}
	r, ok := new(big.Rat).SetString(n.String())
	return ok && r.IsInt()
}
