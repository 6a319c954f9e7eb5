package runtime

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
)

// pageHeader numbers a request for a list from the HTTP front to the answer. It is
// always set or removed here, whatever a client sends.
const pageHeader = "Toolpress-Page"

// pages are those that answers wait for, by the number of the request. The SDK
// reads and copies each result several times; of a list it gets a mark, which
// [writer] writes the page for. So a list costs what writing it costs.
type pages struct {
	last    atomic.Uint64
	waiting sync.Map // number, pageHeader's → json.RawMessage
}

// expect has w write, for the mark of this request, the page that is put for it,
// until done.
func (p *pages) expect(w *writer, r *http.Request) (done func()) {
	number := strconv.FormatUint(p.last.Add(1), 10)
	r.Header.Set(pageHeader, number)
	mark := pageMark(number)
	w.parts = func(text []byte) [][]byte {
		page, put := p.waiting.Load(number)
		before, after, found := bytes.Cut(text, mark)
		if !put || !found {
			return [][]byte{text}
		}
		return [][]byte{before, page.(json.RawMessage), after}
	}
	return func() { p.waiting.Delete(number) }
}

// put keeps the page that a request is answered with and returns the result for
// the SDK: its mark, or the page itself where nobody writes it.
func (p *pages) put(h http.Header, page json.RawMessage) *listResult {
	number := h.Get(pageHeader)
	if number == "" {
		return &listResult{encoded: page}
	}
	p.waiting.Store(number, page)
	return &listResult{encoded: pageMark(number)}
}

// pageMark is what nothing else in the answer to a list can be: a text that a
// client has in there, as its id, has its quotes escaped.
func pageMark(number string) json.RawMessage {
	return json.RawMessage(`{"toolpress.page":"` + number + `"}`)
}
