package runtime

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"toolpress/curate"
)

// unread is an answer that nobody reads.
type unread struct{ header http.Header }

func (w *unread) Header() http.Header         { return w.header }
func (w *unread) WriteHeader(int)             {}
func (w *unread) Write(p []byte) (int, error) { return len(p), nil }

// A list of a thousand tools costs what one of ten does: counted, not timed.
func TestListCostIsFlat(t *testing.T) {
	const times = 20
	bytesPer := func(tools int) uint64 {
		s := NewServer(catalog("one", numbered(tools)...), Options{})
		handler := s.Handler()
		ask := func() {
			r := httptest.NewRequest(http.MethodPost, "http://localhost/mcp", strings.NewReader(modernCall("tools/list", "")))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept", "application/json, text/event-stream")
			r.Header.Set("Mcp-Protocol-Version", modernVersion)
			r.Header.Set("Mcp-Method", "tools/list")
			handler.ServeHTTP(&unread{http.Header{}}, r)
		}
		ask()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range times {
			ask()
		}
		runtime.ReadMemStats(&after)
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		return (after.TotalAlloc - before.TotalAlloc) / times
	}
	few, many := bytesPer(10), bytesPer(1000)
	t.Logf("bytes for a list of 10: %d, of 1,000: %d", few, many)
	if many > few+few/5 {
		t.Errorf("bytes for a list of 10: %d, of 1,000: %d", few, many)
	}
}

// Nothing a client sends is taken for the mark of a page, in any era, and what no
// writer of ours carries is the page itself.
func TestPageMark(t *testing.T) {
	s, web := serve(t, catalog("one", "a", "b"), Options{})
	want := string(s.Tools(curate.DefaultProfile))
	id := session(t, web.URL)
	for number := range 30 {
		mark := string(pageMark(fmt.Sprint(number)))
		asked, _ := json.Marshal(mark)
		list := strings.Replace(modernCall("tools/list", ""), `"id":1`, `"id":`+string(asked), 1)
		legacy := `{"jsonrpc":"2.0","id":` + string(asked) + `,"method":"tools/list"}`
		for era, got := range map[string]reply{
			"modern": send(t, nil, web.URL+"/mcp", list, "Toolpress-Page: "+fmt.Sprint(number)),
			"legacy": send(t, nil, web.URL+"/mcp", legacy, "Mcp-Protocol-Version: ", "Mcp-Method: ", "Mcp-Session-Id: "+id, "Toolpress-Page: "+fmt.Sprint(number)),
		} {
			var message struct {
				ID     string
				Result struct{ Tools json.RawMessage }
			}
			if err := json.Unmarshal([]byte(got.message), &message); err != nil || message.ID != mark || string(message.Result.Tools) != want {
				t.Fatalf("%s: %d %s", era, got.status, got.message)
			}
		}
	}
	batch := send(t, nil, web.URL+"/mcp", `[{"jsonrpc":"2.0","id":"1","method":"tools/list"}]`, "Mcp-Protocol-Version: ", "Mcp-Protocol-Version: 2025-03-26", "Mcp-Method: ", "Mcp-Session-Id: "+session(t, web.URL), "Toolpress-Page: 1")
	if !strings.Contains(batch.message, want) {
		t.Errorf("a batch: %d %s", batch.status, batch.message)
	}
	s.pages.waiting.Range(func(number, _ any) bool { t.Errorf("page %v is kept", number); return true })
}
