package runtime

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

// errTooLarge says that an answer does not fit, whatever is cut from it.
var errTooLarge = errors.New("the answer is too large")

// Bounds of shortening: no text is cut below minText bytes, and a cut one ends
// in the marker.
const (
	minText = 16
	marker  = "… [shortened]"
)

// span is where the inside of a string stands in a text.
type span struct{ from, to int }

func (s span) len() int { return s.to - s.from }

// shorten cuts the longest strings of a compact JSON value, all to the same
// length, so that it takes at most most bytes. Names are never cut. It works
// on the text: numbers, order and everything else stay as they are.
func shorten(raw json.RawMessage, most int) (json.RawMessage, error) {
	if len(raw) <= most {
		return raw, nil
	}
	spans := texts(raw)
	size := func(limit int) int {
		n := len(raw)
		for _, s := range spans {
			n -= s.len() - keptOf(raw, s, limit)
		}
		return n
	}
	if size(minText) > most {
		return nil, errTooLarge
	}
	// The largest limit that fits; size grows with it.
	low, high := minText, max(minText, most)
	for low < high {
		if middle := (low + high + 1) / 2; size(middle) <= most {
			low = middle
		} else {
			high = middle - 1
		}
	}
	var b bytes.Buffer
	at := 0
	for _, s := range spans {
		if keptOf(raw, s, low) == s.len() {
			continue
		}
		b.Write(raw[at : s.from+cut(raw[s.from:s.to], low)])
		b.WriteString(marker)
		at = s.to
	}
	b.Write(raw[at:])
	return b.Bytes(), nil
}

// keptOf is the length a string has under limit: its own, when the marker
// would make it longer.
func keptOf(raw []byte, s span, limit int) int {
	if s.len() <= limit+len(marker) {
		return s.len()
	}
	return cut(raw[s.from:s.to], limit) + len(marker)
}

// cut returns where a string's inside ends under limit: between two
// characters, never within an escape or a surrogate pair.
func cut(inside []byte, limit int) int {
	at := 0
	for at < len(inside) {
		next := at + unit(inside[at:])
		if next > limit {
			break
		}
		at = next
	}
	return at
}

// unit is the length of the first character as it is written.
func unit(inside []byte) int {
	if inside[0] != '\\' {
		_, n := utf8.DecodeRune(inside)
		return n
	}
	const escape = len(`\ud83d`)
	switch {
	case len(inside) < escape || inside[1] != 'u':
		return len(`\n`)
	case len(inside) < 2*escape || inside[escape] != '\\' || inside[escape+1] != 'u':
		return escape
	case surrogate(inside[2:], "89ab") && surrogate(inside[escape+2:], "cdef"):
		return 2 * escape
	}
	return escape
}

// surrogate reports whether the hex digits begin with d and one of second.
func surrogate(hex []byte, second string) bool {
	const lower = 0x20
	return hex[0]|lower == 'd' && strings.IndexByte(second, hex[1]|lower) >= 0
}

// texts finds the strings of a compact value that are no names.
func texts(raw []byte) []span {
	var list []span
	for at := 0; at < len(raw); at++ {
		if raw[at] != '"' {
			continue
		}
		end := at + 1
		for ; end < len(raw) && raw[end] != '"'; end++ {
			if raw[end] == '\\' {
				end++
			}
		}
		if end+1 >= len(raw) || raw[end+1] != ':' {
			list = append(list, span{at + 1, end})
		}
		at = end
	}
	return list
}
