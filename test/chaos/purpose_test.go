package chaos

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"toolpress/test/chaos/history"
)

// meddler is a proxy that breaks what it passes on, on purpose: of two lists of
// different versions it makes one, and it gives an old one again.
type meddler struct {
	under http.RoundTripper

	mu         sync.Mutex // guards the rest
	lists      int
	older, now []json.RawMessage // of two versions
	torn, old  int               // how many it made, and gave again
}

// RoundTrip implements [http.RoundTripper].
func (m *meddler) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := m.under.RoundTrip(r)
	if err != nil {
		return resp, err
	}
	text, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(m.meddle(text)))
	return resp, nil
}

// meddle is what becomes of an answer.
func (m *meddler) meddle(text []byte) []byte {
	before, data := "", text
	if head, rest, event := bytes.Cut(text, []byte("data: ")); event {
		before = string(head) + "data: "
		data, _, _ = bytes.Cut(rest, []byte("\n"))
	}
	var message map[string]json.RawMessage
	var result map[string]json.RawMessage
	var tools []json.RawMessage
	if json.Unmarshal(data, &message) != nil || json.Unmarshal(message["result"], &result) != nil || json.Unmarshal(result["tools"], &tools) != nil || len(tools) < 2 {
		return text
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.now == nil || versionOf(tools[0]) != versionOf(m.now[0]) {
		m.older, m.now = m.now, tools
	}
	m.lists++
	switch {
	case m.older == nil:
		return text
	case m.lists%20 == 0:
		m.torn++
		tools = append([]json.RawMessage{m.older[0]}, tools[1:]...)
	case m.lists%20 == 10:
		m.old++
		tools = m.older
	default:
		return text
	}
	result["tools"], _ = json.Marshal(tools)
	message["result"], _ = json.Marshal(result)
	data, _ = json.Marshal(message)
	return []byte(before + string(data) + "\n\n")
}

// muffled is a stream in which no notice is heard, once it is so.
type muffled struct {
	io.Reader
	so *atomic.Bool
}

// Read implements [io.Reader].
func (m muffled) Read(p []byte) (int, error) {
	n, err := m.Reader.Read(p)
	if m.so.Load() {
		copy(p, bytes.ReplaceAll(p[:n], []byte("list_changed"), []byte("list_......."))[:n])
	}
	return n, err
}

// What the check is for is found where it happens: lists of two versions, lists that
// are old, and a notice that is lost are put in on purpose, between a real server and
// its clients, and each kind is caught. The server's own are none.
func TestFaultsAreCaught(t *testing.T) {
	w := newWorld(t)
	s, o := newSite(t, w, nil), newWriter(w)
	o.start(s)
	h := connections(w)
	m := &meddler{under: h.Transport}
	h.Transport = m
	got := w.rewrite(o, crowd{listeners: 8, lists: 100, users: 4, muffle: 1, storm: min(*lasts, 10*time.Second), patience: 10 * time.Second, http: h})
	bad := w.History(got.reading).Check()
	n := map[history.Rule]int{}
	for _, v := range bad {
		n[v.Rule]++
	}
	t.Logf("seed %d: put in %d torn lists and %d old ones, and one notice was lost:\n%s", seed, m.torn, m.old, history.Summary(bad))
	if m.torn == 0 || n[history.Torn] != m.torn {
		t.Errorf("%d torn lists, and %d are found", m.torn, n[history.Torn])
	}
	if n[history.Back] == 0 || n[history.Back] > m.old {
		t.Errorf("%d old lists, and %d are found", m.old, n[history.Back])
	}
	if !strings.Contains(fmt.Sprint(bad), string(history.Untold)+": "+got.reading[1]+" ") {
		t.Errorf("the notices of %s were lost, and that is not found", got.reading[1])
	}
	// An old list is false evidence too: of what was there when a tool was unknown, and,
	// where it is the last, of what its listener knows.
	if others := len(bad) - n[history.Torn] - n[history.Back] - 1; others > m.old {
		t.Errorf("%d others", others)
	}
	report.purpose = []string{
		fmt.Sprintf("| a list of two versions | %d | %d | %s |", m.torn, n[history.Torn], history.Torn),
		fmt.Sprintf("| a list that was there before | %d | %d | %s |", m.old, n[history.Back], history.Back),
		fmt.Sprintf("| the last notices of one listener taken out | 1 | 1 | %s |", history.Untold),
	}
}
