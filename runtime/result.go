package runtime

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"toolpress/curate"
	"toolpress/discover/wp"
	"toolpress/generate/schema"
)

// page is the structured content of a list. What the site did not say is
// absent.
type page struct {
	Items      []json.RawMessage `json:"items"`
	Total      *int              `json:"total,omitempty"`
	TotalPages *int              `json:"total_pages,omitempty"`
	NextPage   *int              `json:"next_page,omitempty"`
	Truncated  string            `json:"truncated,omitempty"`
}

// shape makes a model's result of an answer: one compact JSON object. A list
// becomes {"items": …} with its totals, a scalar or nothing {"value": …}, an
// object stays, and has what is told of its call besides as "warnings". The error is
// [errTooLarge] when it cannot be brought below how.MaxBytes.
func shape(r wp.Request, resp *wp.Response, how curate.ResultShape, told ...warning) (json.RawMessage, error) {
	// encoding/json lets broken UTF-8 through inside of strings.
	raw := json.RawMessage(bytes.ToValidUTF8(resp.JSON, []byte("\uFFFD")))
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
	if kind(raw) == '[' {
		return shapeList(r, resp.Header, raw, how)
	}
	raw, err = trim(raw, parsePicks(how.Pick), how)
	if err != nil {
		return nil, err
	}
	if kind(raw) != '{' {
		if raw, err = object([]member{{"value", raw}}); err != nil {
			return nil, err
		}
	}
	return fitObject(raw, how.MaxBytes, told...)
}

func shapeList(r wp.Request, header http.Header, raw json.RawMessage, how curate.ResultShape) (json.RawMessage, error) {
	picked := parsePicks(how.Pick)
	var items []json.RawMessage
	of, size := 0, 0
	err := eachElement(raw, func(item json.RawMessage) (err error) {
		of++
		if how.MaxBytes > 0 && size > how.MaxBytes+len(",") {
			return nil // those before do not fit: it is left out
		}
		if item, err = trim(item, picked, how); err != nil {
			return err
		}
		items, size = append(items, item), size+len(item)+len(",")
		return nil
	})
	if err != nil {
		return nil, err
	}
	p := page{Items: items, Total: count(header, "X-WP-Total"), TotalPages: count(header, "X-WP-TotalPages")}
	if at, pages := pageOf(r.Query); pages && p.TotalPages != nil && at < *p.TotalPages {
		next := at + 1
		p.NextPage = &next
	}
	return fitPage(p, of, how.MaxBytes)
}

// trim keeps what is picked of an object, or drops its links, takes out what is
// dropped, renames, and writes it compactly. Anything but an object has nothing to
// pick from and stays.
func trim(raw json.RawMessage, picked picks, how curate.ResultShape) (json.RawMessage, error) {
	var err error
	switch {
	case how.Raw:
	case len(picked) > 0 && kind(raw) == '{':
		raw, _, err = picked.of(raw, maxPickDepth)
	default:
		raw, err = unlinked(raw, linkDepth)
	}
	if err == nil {
		raw, err = without(raw, how.Drop)
	}
	if err == nil {
		raw, err = renamed(raw, how.Rename)
	}
	if err == nil {
		raw, err = reworded(raw, how)
	}
	if err != nil {
		return nil, fmt.Errorf("trimming the answer: %w", err)
	}
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return nil, fmt.Errorf("reading the answer: %w", err)
	}
	return unescaped(b.Bytes())
}

// count reads a total; nil when the site, or a proxy before it, left it out.
func count(header http.Header, name string) *int {
	n, err := strconv.Atoi(header.Get(name))
	if err != nil || n < 0 {
		return nil
	}
	return &n
}

// pageOf is the page that was asked for. ok is false when an offset was: then
// WordPress ignores the page (WP_Query).
func pageOf(q wp.Query) (at int, ok bool) {
	at = 1
	for _, p := range q {
		switch p.Name {
		case "offset":
			return 0, false
		case "page":
			n, err := strconv.Atoi(fmt.Sprint(p.Value))
			if err != nil || n < 1 {
				return 0, false
			}
			at = n
		}
	}
	return at, true
}

// fitPage leaves whole items out, from the end, until the page, which has the first
// of so many, fits into most bytes (0: any size). When not even one does, its texts
// are shortened.
func fitPage(p page, of, most int) (json.RawMessage, error) {
	if p.Items == nil {
		p.Items = []json.RawMessage{}
	}
	text, err := schema.Encode(p)
	if err != nil || most <= 0 || len(text) <= most && len(p.Items) == of {
		return text, err
	}
	all := p.Items
	p.Truncated = leftOut(of, of)
	frame, err := p.frame()
	if err != nil {
		return nil, err
	}
	kept, size := 0, frame
	for _, item := range all {
		if size += len(item) + len(","); size > most+len(",") {
			break
		}
		kept++
	}
	if kept == 0 {
		return fitOne(p, of, most)
	}
	p.Items, p.Truncated = all[:kept], leftOut(of-kept, of)
	return schema.Encode(p)
}

// frame is the size of the page around its items.
func (p page) frame() (int, error) {
	p.Items = []json.RawMessage{}
	text, err := schema.Encode(p)
	return len(text), err
}

// fitOne keeps the first item alone and shortens its texts.
func fitOne(p page, of, most int) (json.RawMessage, error) {
	if of == 0 {
		return nil, errTooLarge
	}
	p.Truncated = shortened
	if of > 1 {
		p.Truncated = leftOut(of-1, of) + " " + shortened
	}
	frame, err := p.frame()
	if err != nil {
		return nil, err
	}
	item, err := shorten(p.Items[0], most-frame)
	if err != nil {
		return nil, err
	}
	p.Items = []json.RawMessage{item}
	return schema.Encode(p)
}

func leftOut(n, of int) string {
	return fmt.Sprintf("%d of %d items left out to keep the answer small: ask for fewer at a time to see them; next_page would skip them.", n, of)
}

const shortened = "Long texts were shortened: ask for fewer fields or a single item."

// fitObject shortens the longest texts of an object until it fits into most
// bytes (0: any size), and says so in it. What is told besides is not shortened.
func fitObject(raw json.RawMessage, most int, told ...warning) (json.RawMessage, error) {
	whole, err := warned(raw, told)
	if err != nil || most <= 0 || len(whole) <= most {
		return whole, err
	}
	// What does not fit without the note either may be wide: nothing is made of it.
	if _, err := shorten(raw, most); err != nil {
		return nil, err
	}
	list, err := members(raw)
	if err != nil {
		return nil, err
	}
	note := member{name: freeName(list, "truncated")}
	if note.value, err = schema.Encode(shortened); err != nil {
		return nil, err
	}
	short, err := shorten(raw, most-(len(whole)-len(raw))-len(note.name)-len(note.value)-len(`"":,`))
	if err != nil {
		return nil, err
	}
	if list, err = members(short); err != nil {
		return nil, err
	}
	if short, err = object(append(list, note)); err != nil {
		return nil, err
	}
	return warned(short, told)
}
