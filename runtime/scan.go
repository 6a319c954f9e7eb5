package runtime

import "bytes"

// skip is where valid JSON goes on after white space.
func skip(raw []byte, at int) int {
	for raw[at] == ' ' || raw[at] == '\t' || raw[at] == '\n' || raw[at] == '\r' {
		at++
	}
	return at
}

// endOfValue is where a value ends that begins at a place of valid JSON, within an
// object or a list.
func endOfValue(raw []byte, at int) int {
	for level := 0; ; at++ {
		switch raw[at] {
		case '"':
			at = endOfText(raw, at)
		case '{', '[':
			level++
			continue
		case '}', ']':
			if level--; level < 0 {
				return at
			}
		case ',', ' ', '\t', '\n', '\r':
			if level == 0 {
				return at
			}
			continue
		default:
			continue
		}
		if level == 0 {
			return at + 1
		}
	}
}

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
