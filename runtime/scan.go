package runtime

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

// member is one name of a JSON object, in its order.
type member struct {
	name  string
	value json.RawMessage
}

var (
	errNoObject = errors.New("not a JSON object")
	errNoList   = errors.New("not a JSON list")
)

// members reads an object and keeps its order, its duplicates and its numbers.
// raw is valid JSON: a call takes answers apart level by level, and each level
// would be checked again with all that is below it. The values are parts of raw.
func members(raw json.RawMessage) ([]member, error) {
	s := scan{raw: raw}
	if s.next() != '{' {
		return nil, errNoObject
	}
	var list []member
	for s.at++; s.next() != '}'; s.comma() {
		if s.next() != '"' {
			return nil, errNoObject
		}
		name := s.value()
		if len(name) < len(`""`) || s.next() != ':' {
			return nil, errNoObject
		}
		s.at++
		m := member{name: text(name), value: s.value()}
		if len(m.value) == 0 {
			return nil, errNoObject
		}
		list = append(list, m)
	}
	return list, nil
}

// elements reads a list, or null as none; raw is as in [members].
func elements(raw json.RawMessage) ([]json.RawMessage, error) {
	if (&scan{raw: raw}).next() == 'n' {
		return nil, nil
	}
	list := []json.RawMessage{}
	err := eachElement(raw, func(value json.RawMessage) error {
		list = append(list, value)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// eachElement goes through the values of a list as they stand, and holds none of
// them: small ones take less than what points to them. An error of do ends it.
func eachElement(raw json.RawMessage, do func(value json.RawMessage) error) error {
	s := scan{raw: raw}
	if s.next() != '[' {
		return errNoList
	}
	for s.at++; s.next() != ']'; s.comma() {
		value := s.value()
		if len(value) == 0 {
			return errNoList
		}
		if err := do(value); err != nil {
			return err
		}
	}
	return nil
}

// text is a JSON string as it reads.
func text(quoted json.RawMessage) string {
	inner := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner)
	}
	var read string
	_ = json.Unmarshal(quoted, &read) // valid
	return read
}

// scan finds the ends of values. Of what is no JSON it gives empty ones, and
// never goes past the end.
type scan struct {
	raw []byte
	at  int
}

// next is the byte after white space; 0 at the end.
func (s *scan) next() byte {
	for s.at < len(s.raw) {
		switch c := s.raw[s.at]; c {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return c
		}
	}
	return 0
}

// comma steps over the comma between two values.
func (s *scan) comma() {
	if s.next() == ',' {
		s.at++
	}
}

// value is the value that comes next.
func (s *scan) value() json.RawMessage {
	first := s.next()
	from := s.at
	switch first {
	case '"':
		s.quoted()
	case '{', '[':
		s.nested()
	default:
		for s.at < len(s.raw) && strings.IndexByte(" \t\r\n,:]}", s.raw[s.at]) < 0 {
			s.at++
		}
	}
	return s.raw[from:s.at:s.at]
}

// quoted goes to the end of a string.
func (s *scan) quoted() { s.at = min(endOfText(s.raw, s.at)+1, len(s.raw)) }

// endOfText is where the text ends that begins at a quote: at its other quote, or
// with everything.
func endOfText(text []byte, at int) int {
	quote := at
	for at++; at < len(text); {
		if quote < at {
			next := bytes.IndexByte(text[at:], '"')
			if next < 0 {
				break
			}
			quote = at + next
		}
		escape := bytes.IndexByte(text[at:quote], '\\')
		if escape < 0 {
			return quote
		}
		at += escape + 2 // what is escaped may be the quote
	}
	return len(text)
}

// nested goes to the end of an object or a list.
func (s *scan) nested() {
	depth := 0
	for s.at < len(s.raw) {
		switch s.raw[s.at] {
		case '"':
			s.quoted()
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if s.at++; depth == 0 {
			return
		}
	}
}
