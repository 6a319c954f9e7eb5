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

// rewrite copies a JSON value member by member, in one pass, whatever its depth:
// without the fields that are gone, and with each text as text gives it; nil
// leaves the texts. Order, doubled names and the spelling of numbers stay.
type rewrite struct {
	text func(name, text string) string

	dec *json.Decoder
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
	w.dec = json.NewDecoder(bytes.NewReader(raw))
	w.dec.UseNumber()
	if err := w.value("", gone, 0); err != nil {
		return nil, err
	}
	return w.out.Bytes(), nil
}

// value copies the next value; name is the member's that it is, or is in a list
// of.
func (w *rewrite) value(name string, gone curate.Fields, depth int) error {
	token, err := w.dec.Token()
	switch token := token.(type) {
	case json.Delim:
		if depth == maxRewriteDepth {
			return errNoValue
		}
		if token == '{' {
			return w.object(gone, depth+1)
		}
		return w.list(name, gone, depth+1)
	case string:
		if w.text != nil {
			token = w.text(name, token)
		}
		return w.encode(token)
	case json.Number:
		w.out.WriteString(token.String())
		return nil
	}
	if err != nil {
		return err
	}
	return w.encode(token) // true, false or null
}

func (w *rewrite) object(gone curate.Fields, depth int) error {
	w.out.WriteByte('{')
	for first := true; w.dec.More(); {
		token, err := w.dec.Token()
		if err != nil {
			return err
		}
		name, _ := token.(string)
		below := gone.Below(name)
		if below.Whole() {
			var skipped json.RawMessage
			if err := w.dec.Decode(&skipped); err != nil {
				return err
			}
			continue
		}
		if !first {
			w.out.WriteByte(',')
		}
		first = false
		if w.text != nil {
			name = schema.Visible(name)
		}
		if err := w.encode(name); err != nil {
			return err
		}
		w.out.WriteByte(':')
		if err := w.value(name, below, depth); err != nil {
			return err
		}
	}
	return w.end('}')
}

func (w *rewrite) list(name string, gone curate.Fields, depth int) error {
	w.out.WriteByte('[')
	for first := true; w.dec.More(); first = false {
		if !first {
			w.out.WriteByte(',')
		}
		if err := w.value(name, gone, depth); err != nil {
			return err
		}
	}
	return w.end(']')
}

func (w *rewrite) end(delim byte) error {
	_, err := w.dec.Token()
	w.out.WriteByte(delim)
	return err
}

func (w *rewrite) encode(v any) error {
	text, err := schema.Encode(v)
	w.out.Write(text)
	return err
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
