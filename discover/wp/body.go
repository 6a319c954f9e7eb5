package wp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Noise is what a site printed around its JSON: a plugin's notice before it,
// a cache's comment after it. Both are at most 200 bytes.
type Noise struct {
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// read takes the answer's body: its first head bytes where that is not 0, else all
// of it. One that is over the limit is cut to its beginning, so that what is
// refused costs no more than the limit, and once.
func (x *exchange) read(body io.Reader, head int64) error {
	if head > 0 {
		var err error
		x.body, err = io.ReadAll(io.LimitReader(body, head))
		return err
	}
	var parts [][]byte
	size, left := int64(beginning), x.most+1
	for {
		part, err := readPart(body, min(size, left))
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		parts = append(parts, part)
		left -= int64(len(part))
		if x.cut = x.cut || left == 0; x.cut {
			x.body = parts[0]
			return nil
		}
		if err != nil {
			x.body = bytes.Join(parts, nil)
			return nil
		}
		size = min(2*size, largestPart)
	}
}

// readPart reads size bytes; where the error is not nil, it may be less.
func readPart(body io.Reader, size int64) (part []byte, err error) {
	part = make([]byte, size)
	read := 0
	for n := 0; read < len(part) && err == nil; read += n {
		n, err = body.Read(part[read:])
	}
	return part[:read], err
}

var errDeep = fmt.Errorf("nested deeper than %d levels", MaxDepth)

// ReadJSON finds the JSON value of a body. A byte order mark, text before it
// and a comment or text after it are survived and reported. An HTML document
// never holds data, and where two values could be the answer none is taken.
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
		return nil, Noise{}, ErrPage
	}
	if compressed(text) {
		return nil, Noise{}, errors.New("the body is compressed in a way that was not asked for, or twice")
	}
	value, noise, err := insideNoise(text)
	if err != nil {
		return nil, Noise{}, err
	}
	// Noise may hold an odd quote, which blinds the first check.
	return value, noise, checkDepth(value)
}

// compressed reports gzip (RFC 1952, section 2.3.1): net/http has taken off the one
// that it asked for.
func compressed(text []byte) bool { return bytes.HasPrefix(text, []byte("\x1f\x8b")) }

var trailingComments = regexp.MustCompile(`(?s)(?:\s*<!--(?:[^-]|-[^-]|--[^>])*-->)+\s*$`)

// page is the beginning of a document, which holds no data of ours wherever it
// stands before a value.
var page = regexp.MustCompile(`(?i)<(?:!doctype|html|head|body|\?xml)\b`)

// insideNoise looks for the value where PHP puts it: it ends the body, after
// what a plugin printed and but for a cache's comment, or it begins the body,
// before what was printed at shutdown.
func insideNoise(text []byte) (json.RawMessage, Noise, error) {
	inner := text
	if at := trailingComments.FindIndex(text); at != nil {
		inner = text[:at[0]]
	}
	last, from := suffix(inner)
	first := prefix(text)
	switch {
	case last != nil && first != nil && from >= len(first):
		return nil, Noise{}, errors.New("the body holds two JSON values")
	case last != nil && page.Match(text[:from]):
		return nil, Noise{}, ErrPage
	case last != nil:
		return last, Noise{Before: excerpt(text[:from], 200), After: excerpt(text[len(inner):], 200)}, nil
	case first != nil:
		return first, Noise{After: excerpt(text[len(first):], 200)}, nil
	}
	return nil, Noise{}, errors.New("the body is not JSON")
}

// suffix returns the longest value that ends the text, and where it begins. A
// scalar has to stand on a line of its own: the last word of a notice is none.
func suffix(text []byte) (json.RawMessage, int) {
	starts, most := 0, maxStarts
	if len(text) > large {
		most = fewStarts
	}
	for at := 0; at < len(text) && starts < most; at++ {
		fresh := at == 0 || text[at-1] == '\n' || text[at-1] == '>'
		if c := text[at]; c != '{' && c != '[' && (!fresh || strings.IndexByte(`"-0123456789tfn`, c) < 0) {
			continue
		}
		starts++
		if json.Valid(text[at:]) {
			return json.RawMessage(text[at:]), at
		}
	}
	return nil, 0
}

// prefix returns the object or list that begins the text; nil when none does.
func prefix(text []byte) json.RawMessage {
	if text[0] != '{' && text[0] != '[' {
		return nil
	}
	var value json.RawMessage
	if json.NewDecoder(bytes.NewReader(text)).Decode(&value) != nil {
		return nil
	}
	return value
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
