package runtime

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"

	"toolpress/curate"
	"toolpress/generate/schema"
)

// rewrite copies a valid JSON value member by member, in one pass, whatever its
// depth: without the fields that are gone, and with each text as text gives it; nil
// leaves the texts. Order, doubled names and the spelling of what does not change
// stay.
type rewrite struct {
	text func(name, text string) string

	scan
	out bytes.Buffer
}

var errNoValue = errors.New("not a JSON value")

// maxRewriteDepth is the depth that encoding/json reads.
const maxRewriteDepth = 10000

// without takes fields out of a value, at any depth.
func without(raw json.RawMessage, gone curate.Fields) (json.RawMessage, error) {
	switch {
	case len(gone) == 0:
		return raw, nil
	case gone.Whole():
		return json.RawMessage("null"), nil
	}
	return (&rewrite{}).of(raw, gone)
}

func (w *rewrite) of(raw json.RawMessage, gone curate.Fields) (json.RawMessage, error) {
	w.raw = raw
	w.out.Grow(len(raw))
	if err := w.copied("", gone, 0); err != nil {
		return nil, err
	}
	return w.out.Bytes(), nil
}

// copied copies the next value; name is the member's that it is, or is in a list
// of.
func (w *rewrite) copied(name string, gone curate.Fields, depth int) error {
	first := w.next()
	if (first == '{' || first == '[') && depth == maxRewriteDepth {
		return errNoValue
	}
	switch first {
	case '{':
		return w.object(gone, depth+1)
	case '[':
		return w.list(name, gone, depth+1)
	}
	value := w.value()
	if len(value) == 0 {
		return errNoValue
	}
	if first == '"' && w.text != nil {
		return w.string(value, func(text string) string { return w.text(name, text) })
	}
	w.out.Write(value)
	return nil
}

// string copies a text or a name as change gives it.
func (w *rewrite) string(quoted json.RawMessage, change func(string) string) error {
	is := text(quoted)
	next := change(is)
	if next == is {
		w.out.Write(quoted)
		return nil
	}
	encoded, err := schema.Encode(next)
	w.out.Write(encoded)
	return err
}

func (w *rewrite) object(gone curate.Fields, depth int) error {
	w.out.WriteByte('{')
	w.at++
	for first := true; w.next() != '}'; w.comma() {
		quoted := w.value()
		if len(quoted) < len(`""`) || w.next() != ':' {
			return errNoValue
		}
		w.at++
		name := text(quoted)
		below := gone.Below(name)
		if below.Whole() {
			w.value()
			continue
		}
		if !first {
			w.out.WriteByte(',')
		}
		first = false
		if w.text != nil {
			if err := w.string(quoted, schema.Visible); err != nil {
				return err
			}
			name = schema.Visible(name)
		} else {
			w.out.Write(quoted)
		}
		w.out.WriteByte(':')
		if err := w.copied(name, below, depth); err != nil {
			return err
		}
	}
	return w.end('}')
}

func (w *rewrite) list(name string, gone curate.Fields, depth int) error {
	w.out.WriteByte('[')
	w.at++
	for first := true; w.next() != ']'; w.comma() {
		if !first {
			w.out.WriteByte(',')
		}
		first = false
		if err := w.copied(name, gone, depth); err != nil {
			return err
		}
	}
	return w.end(']')
}

// end steps over the end of an object or a list.
func (w *rewrite) end(delim byte) error {
	w.at++
	w.out.WriteByte(delim)
	return nil
}

// reworded writes the texts of a value as the tool gives them: without what is not
// for reading, without markup, and not too long.
func (t *trimmer) reworded(raw json.RawMessage) (json.RawMessage, error) {
	w := rewrite{text: func(name, text string) string {
		short := clipped(cleaned(name, unmarked(name, text, t.how.HTML)), t.how.MaxText)
		t.cut = t.cut || t.how.MaxText > 0 && strings.HasSuffix(short, marker)
		return short
	}}
	return w.of(raw, nil)
}

// clipped cuts a text to so many characters (0: any), and says so.
func clipped(text string, most int) string {
	if most == 0 || len(text) <= most || utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + marker
}
