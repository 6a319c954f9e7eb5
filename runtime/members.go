package runtime

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"toolpress/curate"
	"toolpress/generate/schema"
)

// object writes members as they stand.
func object(list []member) (json.RawMessage, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := schema.Encode(m.name)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(m.value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// kind is the first byte of a value: '{', '[', or a scalar's.
func kind(raw json.RawMessage) byte {
	if raw = bytes.TrimLeft(raw, " \t\r\n"); len(raw) > 0 {
		return raw[0]
	}
	return 0
}

// linkDepth is how far below an answer links are looked for: the item of a
// list, the type in a map of types, what is embedded in an item.
const linkDepth = 5

// unasked is how names of what nobody asked for begin.
var unasked = [][]byte{[]byte(`"_links`), []byte(`"yoast_head`), []byte(`"aioseo_head`)}

// unlinked drops what nobody asked for ([curate.Unasked]).
func unlinked(raw json.RawMessage, depth int) (json.RawMessage, error) {
	if depth == 0 || !slices.ContainsFunc(unasked, func(name []byte) bool { return bytes.Contains(raw, name) }) {
		return raw, nil
	}
	switch kind(raw) {
	case '{':
		list, err := members(raw)
		if err != nil {
			return nil, err
		}
		kept := list[:0]
		for _, m := range list {
			if curate.Unasked(m.name) {
				continue
			}
			if m.value, err = unlinked(m.value, depth-1); err != nil {
				return nil, err
			}
			kept = append(kept, m)
		}
		return object(kept)
	case '[':
		list, err := elements(raw)
		if err != nil {
			return nil, err
		}
		for i := range list {
			if list[i], err = unlinked(list[i], depth-1); err != nil {
				return nil, err
			}
		}
		return schema.Encode(list)
	}
	return raw, nil
}

// picks is a tree of picked names; nil picks the whole value.
type picks map[string]picks

// parsePicks reads dotted paths. A path that is a prefix of another wins.
func parsePicks(paths []string) picks {
	root := picks{}
	for _, path := range paths {
		at := root
		names := strings.Split(path, ".")
		for i, name := range names {
			below, known := at[name]
			if known && below == nil {
				break
			}
			if i == len(names)-1 {
				at[name] = nil
				break
			}
			if below == nil {
				below = picks{}
				at[name] = below
			}
			at = below
		}
	}
	return root
}

// maxPickDepth bounds how deep lists within lists are followed: each level
// reads what is below it again.
const maxPickDepth = 16

// of returns what is picked of a value, in the value's own order, without the
// links that are in it; ok is false when that is nothing. A path through a list
// goes to its elements.
func (p picks) of(raw json.RawMessage, depth int) (_ json.RawMessage, ok bool, err error) {
	if p == nil {
		raw, err := unlinked(raw, linkDepth)
		return raw, true, err
	}
	if depth == 0 {
		return nil, false, nil
	}
	switch kind(raw) {
	case '{':
		list, err := members(raw)
		if err != nil {
			return nil, false, err
		}
		kept := []member{}
		for _, m := range list {
			below, picked := p[m.name]
			if !picked {
				continue
			}
			if m.value, picked, err = below.of(m.value, depth-1); err != nil {
				return nil, false, err
			}
			if picked {
				kept = append(kept, m)
			}
		}
		text, err := object(kept)
		return text, len(kept) > 0, err
	case '[':
		list, err := elements(raw)
		if err != nil {
			return nil, false, err
		}
		kept := []json.RawMessage{}
		for _, e := range list {
			value, picked, err := p.of(e, depth-1)
			if err != nil {
				return nil, false, err
			}
			if picked {
				kept = append(kept, value)
			}
		}
		text, err := schema.Encode(kept)
		return text, len(kept) > 0 || len(list) == 0, err
	}
	return nil, false, nil
}

// unescaped writes the texts of a compact value as they read: PHP's
// json_encode escapes every slash and every letter beyond ASCII, which costs a
// model tokens and says nothing.
func unescaped(raw []byte) (json.RawMessage, error) {
	if !bytes.ContainsRune(raw, '\\') {
		return raw, nil
	}
	var b bytes.Buffer
	for at := 0; at < len(raw); {
		open := bytes.IndexByte(raw[at:], '"')
		if open < 0 {
			b.Write(raw[at:])
			break
		}
		b.Write(raw[at : at+open])
		at += open
		end := at + 1
		for raw[end] != '"' {
			if raw[end] == '\\' {
				end++
			}
			end++
		}
		end++
		if bytes.IndexByte(raw[at:end], '\\') < 0 {
			b.Write(raw[at:end])
			at = end
			continue
		}
		var text string
		if err := json.Unmarshal(raw[at:end], &text); err != nil {
			return nil, err
		}
		plain, err := schema.Encode(text)
		if err != nil {
			return nil, err
		}
		b.Write(plain)
		at = end
	}
	return b.Bytes(), nil
}
