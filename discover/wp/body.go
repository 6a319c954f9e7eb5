package wp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Noise is what a site printed around its JSON: a plugin's notice before it,
// a cache's comment after it. Both are at most 200 bytes.
type Noise struct {
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// Bounds of a body. MaxDepth is well beyond any schema WordPress sends and
// well below what hurts; maxStarts bounds the search for JSON inside noise.
const (
	MaxDepth  = 256
	maxStarts = 64
)

var errDeep = fmt.Errorf("nested deeper than %d levels", MaxDepth)

// ReadJSON finds the JSON value of a body. A byte order mark, text before and
// text after it are survived and reported; an HTML document never holds data.
func ReadJSON(body []byte) (json.RawMessage, Noise, error) {
	text := bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")))
	if len(text) == 0 {
		return nil, Noise{}, errors.New("the body is empty")
	}
	if err := checkDepth(text); err != nil {
		return nil, Noise{}, err
	}
	if json.Valid(text) {
		return json.RawMessage(text), Noise{}, nil
	}
	lower := bytes.ToLower(text[:min(len(text), 200)])
	if bytes.HasPrefix(lower, []byte("<!doctype")) || bytes.HasPrefix(lower, []byte("<html")) {
		return nil, Noise{}, errors.New("the body is an HTML page")
	}
	value, noise := insideNoise(text)
	if value == nil {
		return nil, Noise{}, errors.New("the body is not JSON")
	}
	// Noise may hold an odd quote, which blinds the first check.
	return value, noise, checkDepth(value)
}

// insideNoise returns the longest object or list that parses as a whole: a
// notice may itself hold a "{}" or "[]", the answer is what is long.
func insideNoise(text []byte) (json.RawMessage, Noise) {
	var best json.RawMessage
	var noise Noise
	starts := 0
	for at := 0; at < len(text) && starts < maxStarts; at++ {
		if text[at] != '{' && text[at] != '[' {
			continue
		}
		starts++
		dec := json.NewDecoder(bytes.NewReader(text[at:]))
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			continue
		}
		end := at + int(dec.InputOffset())
		if len(value) > len(best) {
			best = value
			noise = Noise{Before: excerpt(text[:at], 200), After: excerpt(text[end:], 200)}
		}
		at = end - 1
	}
	return best, noise
}

// checkDepth walks the brackets outside of strings, so that a hostile body is
// refused before anything recursive reads it.
func checkDepth(text []byte) error {
	depth, inString, escaped := 0, false, false
	for _, c := range text {
		switch {
		case escaped:
			escaped = false
		case inString:
			escaped = c == '\\'
			inString = c != '"'
		case c == '"':
			inString = true
		case c == '{' || c == '[':
			if depth++; depth > MaxDepth {
				return errDeep
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return nil
}

// excerpt returns the start of text as one line of printable characters.
func excerpt(text []byte, most int) string {
	if len(text) > most {
		text = text[:most]
	}
	s := strings.ToValidUTF8(string(text), "")
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == utf8.RuneError || (r >= 0x7f && r < 0xa0) {
			return ' '
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}
