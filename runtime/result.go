package runtime

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"toolpress/curate"
	"toolpress/discover/wp"
)

// wanted is what a result depends on beside the request and the answer.
type wanted struct {
	// part is the part of an object that is wanted, from 1.
	part int
	// offers is what the model calls an argument of the site, where it may give it
	// that number; nil where it may give none.
	offers func(wire string, n int) (name string, ok bool)
	// perPage is how many items a page has where the request does not say; 0 is not
	// known.
	perPage int
	// told is what the model is to know of the call besides.
	told []warning
}

// shape makes a model's result of an answer: one compact JSON object. A list
// becomes {"items": …} with its totals, a scalar or nothing {"value": …}, an
// object stays, and has what is told of its call besides as "warnings". What does not
// fit into how.MaxBytes comes in pages or parts, or its texts are shortened; the
// error is [errTooLarge] when that is not enough, and a [*noPart] when there is no
// such part.
func shape(r wp.Request, resp *wp.Response, how curate.ResultShape, want wanted) (json.RawMessage, error) {
	// encoding/json lets broken UTF-8 through inside of strings.
	raw := resp.JSON
	if !utf8.Valid(raw) {
		raw = bytes.ToValidUTF8(raw, []byte("\uFFFD"))
	}
	if len(raw) == 0 {
		raw = json.RawMessage("null")
	}
	if !json.Valid(raw) {
		return nil, errors.New("the answer is not JSON")
	}
	// What is private goes before anything else sees the answer.
	raw, err := without(raw, how.Private)
	if err != nil {
		return nil, fmt.Errorf("taking out what is private: %w", err)
	}
	t := &trimmer{how: how, picked: parsePicks(how.Pick), objects: objectsOf(r.Query)}
	if kind(raw) == '[' {
		return shapeList(r, resp.Header, raw, t, want)
	}
	if raw, err = t.trim(raw); err != nil {
		return nil, err
	}
	if kind(raw) != '{' {
		if raw, err = object([]member{{"value", raw}}); err != nil {
			return nil, err
		}
	}
	if how.Parts != "" {
		return partOf(raw, how, t.cut, want)
	}
	return fitObject(raw, how.MaxBytes, t.cut, want.told...)
}

// shapeList makes no more items than a page has room for: an answer may be wide.
func shapeList(r wp.Request, header http.Header, raw json.RawMessage, t *trimmer, want wanted) (json.RawMessage, error) {
	p := page{Total: count(header, "X-WP-Total"), TotalPages: count(header, "X-WP-TotalPages")}
	size := 0
	err := eachElement(raw, func(item json.RawMessage) (err error) {
		p.all++
		if t.how.MaxBytes > 0 && size > t.how.MaxBytes+len(",") {
			return nil // those before do not fit: it is left out
		}
		if item, err = t.trim(item); err != nil {
			return err
		}
		p.Items, size = append(p.Items, item), size+len(item)+len(",")
		return nil
	})
	if err != nil {
		return nil, err
	}
	w := windowOf(r.Query, want)
	w.turn(&p)
	return fitPage(p, w, t.how.MaxBytes, t.cut)
}

// trimmer trims the items of an answer.
type trimmer struct {
	how    curate.ResultShape
	picked picks
	// objects are members that the site was asked for parts of: with none of them
	// PHP writes an empty list.
	objects []string
	cut     bool // a text is longer than how.MaxText
}

// objectsOf are the names that _fields has parts of.
func objectsOf(q wp.Query) []string {
	var names []string
	for _, p := range q {
		if list, is := p.Value.(string); is && p.Name == "_fields" {
			for field := range strings.SplitSeq(list, ",") {
				if first, _, nested := strings.Cut(field, "."); nested {
					names = append(names, first)
				}
			}
		}
	}
	return names
}

// trim keeps what is picked of an object, or drops what nobody asked for, takes out
// what is dropped, cleans the texts, renames, and writes it compactly. Anything but
// an object has nothing to pick from and stays.
func (t *trimmer) trim(raw json.RawMessage) (json.RawMessage, error) {
	var err error
	switch {
	case t.how.Raw:
	case len(t.picked) > 0 && kind(raw) == '{':
		raw, _, err = t.picked.of(raw, maxPickDepth)
		if err == nil && len(t.objects) > 0 {
			raw, err = t.whole(raw)
		}
	default:
		raw, err = unlinked(raw, linkDepth)
	}
	if err == nil {
		raw, err = without(raw, t.how.Drop)
	}
	if err == nil && !t.how.Raw {
		// Before anything is renamed: what is called raw stays.
		raw, err = t.reworded(raw)
	}
	if err == nil {
		raw, err = renamed(raw, t.how.Rename)
	}
	if err != nil {
		return nil, fmt.Errorf("trimming the answer: %w", err)
	}
	var b bytes.Buffer
	b.Grow(len(raw))
	if err := json.Compact(&b, raw); err != nil {
		return nil, fmt.Errorf("reading the answer: %w", err)
	}
	return unescaped(b.Bytes())
}

// whole drops the members that are empty lists in the place of objects: of the
// whole answer nothing would be picked of them.
func (t *trimmer) whole(raw json.RawMessage) (json.RawMessage, error) {
	list, err := members(raw)
	if err != nil {
		return nil, err
	}
	return object(slices.DeleteFunc(list, func(m member) bool {
		return slices.Contains(t.objects, m.name) && kind(m.value) == '[' && len(bytes.Trim(m.value, "[] \t\r\n")) == 0
	}))
}

// count reads a total; nil when the site, or a proxy before it, left it out.
func count(header http.Header, name string) *int {
	n, err := strconv.Atoi(header.Get(name))
	if err != nil || n < 0 {
		return nil
	}
	return &n
}
