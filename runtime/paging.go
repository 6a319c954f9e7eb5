package runtime

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

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
	// PastEnd says that there is no such page, and fewer than that.
	PastEnd bool `json:"past_end,omitempty"`
	// Next are the arguments that give what follows, beside those of the call.
	Next      following `json:"next,omitempty"`
	Truncated string    `json:"truncated,omitempty"`

	all int // items of the answer, of which those here are the first
}

// following are arguments, by the model's names.
type following map[string]int

// String writes them as a model is told: page: 2, per_page: 4.
func (n following) String() string {
	text, _ := json.Marshal(n) // numbers, sorted by name
	return strings.NewReplacer(`"`, "", ":", ": ", ",", ", ", "{", "", "}", "").Replace(string(text))
}

// window is where in a list a request looks.
type window struct {
	wanted
	page    int // from 1; 0: not known
	per     int // items of a page; 0: not known
	start   int // items before; -1: not known
	offsets bool
}

// windowOf reads page, per_page and offset. With an offset WordPress ignores the
// page (WP_Query).
func windowOf(q wp.Query, want wanted) window {
	w := window{wanted: want, page: 1, per: want.perPage, start: -1}
	for _, p := range q {
		n, err := strconv.Atoi(fmt.Sprint(p.Value))
		if err != nil || n < 0 {
			n = 0
		}
		switch p.Name {
		case "offset":
			w.offsets, w.start = true, n
		case "page":
			w.page = n
		case "per_page":
			w.per = n
		}
	}
	switch {
	case w.offsets:
		w.page = 0
	case w.page == 1:
		w.start = 0
	case w.page > 1 && w.per > 0:
		w.start = (w.page - 1) * w.per
	}
	return w
}

// turn says what follows a page that is whole, where the model can ask for it.
func (w window) turn(p *page) {
	more := p.Total != nil && p.all > 0 && w.start+p.all < *p.Total
	switch {
	case w.offsets && more:
		p.Next = w.from(w.start + p.all)
	case w.page == 0 || p.TotalPages == nil:
	case w.page < *p.TotalPages:
		number := w.page + 1
		if w.offers == nil || w.says("page", number) {
			p.NextPage = &number
		} else if more && w.start >= 0 {
			p.Next = w.from(w.start + p.all)
		}
	case p.all == 0 && w.page > 1:
		p.PastEnd = true
	}
}

// says reports that a model can give an argument that number.
func (w window) says(wire string, n int) bool {
	_, ok := w.offers(wire, n)
	return ok
}

// from is the call that begins at an item by its offset; nil where the model
// cannot say that.
func (w window) from(start int) following {
	if w.offers == nil || start < 0 {
		return nil
	}
	if name, ok := w.offers("offset", start); ok {
		return following{name: start}
	}
	return nil
}

// cut is the call that gives what follows the first items of a page, none twice
// and none left out, and how many items these are: at most so many as fit, and
// fewer where that makes larger pages. A page of a number of items begins at a
// multiple of it, so both have to agree. It is nil where the tool shows no
// arguments that say it.
func (w window) cut(fit int) (keep int, call following) {
	if w.start < 0 || w.offers == nil {
		return fit, nil
	}
	if call := w.from(w.start + fit); call != nil {
		return fit, call
	}
	if w.offsets {
		return fit, nil
	}
	perName, _ := w.offers("per_page", 1)
	pageName, _ := w.offers("page", 1)
	if perName == "" || pageName == "" { // not shown
		return fit, nil
	}
	for per := min(fit, maxPerPage); per > 0; per-- {
		first := fit - (w.start+fit)%per
		if first <= fit/2 {
			continue
		}
		number := (w.start+first)/per + 1
		if w.says("per_page", per) && w.says("page", number) {
			return first, following{perName: per, pageName: number}
		}
	}
	return fit, nil
}

// maxPerPage bounds the pages that are tried: those of core have no more items
// (WP_REST_Controller::get_collection_params).
const maxPerPage = 100

// fitPage leaves whole items out, from the end, until the page fits into most
// bytes (0: any size), and says which call gives them. When not even one fits, its
// texts are shortened. cut says that some are already.
func fitPage(p page, w window, most int, cut bool) (json.RawMessage, error) {
	if p.Items == nil {
		p.Items = []json.RawMessage{}
	}
	text, err := schema.Encode(p.first(len(p.Items), w, cut))
	if err != nil || most <= 0 || len(text) <= most {
		return text, err
	}
	// What is said beside them takes room too, and depends on how many there are.
	for kept, over := len(p.Items), len(text)-most; ; over = len(text) - most {
		for ; kept > 0 && over > 0; kept-- {
			over -= len(p.Items[kept-1]) + len(",")
		}
		if kept == 0 {
			return fitOne(p, w, most)
		}
		if text, err = schema.Encode(p.first(kept, w, cut)); err != nil || len(text) <= most {
			return text, err
		}
	}
}

// first is the page with its first items alone, as many as fit or fewer, and what
// becomes of the others. short says that texts are.
func (p page) first(fit int, w window, short bool) page {
	var said []string
	if fit < p.all {
		p.NextPage, p.Next = nil, nil // what is left out comes next
		fit, p.Next = w.cut(fit)
		said = append(said, leftOut(p.all-fit, p.all, p.Next))
	}
	if short {
		said = append(said, notWhole+" A tool that reads one item may have more of them.")
	}
	p.Items, p.Truncated = p.Items[:fit], strings.Join(said, " ")
	return p
}

// fitOne keeps the first item alone and shortens its texts.
func fitOne(p page, w window, most int) (json.RawMessage, error) {
	if len(p.Items) == 0 {
		return nil, errTooLarge
	}
	p = p.first(1, w, true)
	item := p.Items[0]
	p.Items = []json.RawMessage{}
	frame, err := schema.Encode(p)
	if err != nil {
		return nil, err
	}
	if item, err = shorten(item, most-len(frame)); err != nil {
		return nil, err
	}
	p.Items = []json.RawMessage{item}
	return schema.Encode(p)
}

func leftOut(n, of int, call following) string {
	if call == nil {
		return fmt.Sprintf("%d of %d items left out to keep the answer small, and no page of this tool would have them: narrow the search to see them.", n, of)
	}
	return fmt.Sprintf("%d of %d items left out to keep the answer small. Next: call again with %s, all else the same.", n, of, call)
}
