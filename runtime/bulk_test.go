package runtime

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	goruntime "runtime"
	"strings"
	"testing"
)

// allocated is how many bytes f allocates, whether or not they are still held.
func allocated(f func()) uint64 {
	var before, after goruntime.MemStats
	goruntime.ReadMemStats(&before)
	f()
	goruntime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// T11: what a message costs is bounded by what it holds and not by its size. One
// long text passes, whatever it has escaped; what is deep, or wide, or has many
// names is refused before anything is made of it.
func TestBulk(t *testing.T) {
	const size = 16 << 20
	message := func(arguments string) []byte {
		return []byte(modernCall("tools/call", `"name":"a","arguments":`+arguments))
	}
	var names strings.Builder
	names.WriteString("{")
	for range maxValues {
		names.WriteString(`"a":1,`)
	}
	for _, c := range []struct {
		what, arguments, refused string
		most                     uint64 // allocated, in times of the size
	}{
		{"one text", `{"file":"` + strings.Repeat("A", size) + `"}`, "", 0},
		{"one text of escapes", `{"file":"` + strings.Repeat(`\\\"[{,`, size/7) + `"}`, "", 0},
		{"as many values as go", `[1` + strings.Repeat(`,1`, maxValues-20) + `]`, "", 0},
		{"one value more", `[1` + strings.Repeat(`,1`, maxValues) + `]`, "more than 20000 values", 1},
		{"depth", strings.Repeat("[", size), "deeper than 512 levels", 0},
		{"depth in objects", strings.Repeat(`{"a":`, size/5), "deeper than 512 levels", 0},
		{"empty objects", "[" + strings.Repeat("{},", size/3) + "{}]", "more than 20000 values", 0},
		{"names", names.String(), "more than 20000 values", 1},
		{"texts", "[" + strings.Repeat(`"",`, size/3), "more than 20000 values", 0},
	} {
		body := message(c.arguments)
		var bad *refusal
		got := allocated(func() { _, bad = openEnvelope(body) })
		if c.refused == "" && bad != nil || c.refused != "" && (bad == nil || !strings.Contains(bad.text, c.refused) || bad.status != http.StatusRequestEntityTooLarge) {
			t.Errorf("%s: %+v", c.what, bad)
		}
		if most := c.most * uint64(len(body)); got > most+128<<10 {
			t.Errorf("%s: %d bytes allocated for %d", c.what, got, len(body))
		}
	}
}

// A text ends where JSON says it does: what follows is counted, what is in it is not.
func TestBulkReadsTexts(t *testing.T) {
	deep := strings.Repeat("[", maxLevels+1)
	for text, counted := range map[string]bool{
		`"` + deep + `"`: false, `"\"` + deep + `"`: false, `"\\` + deep + `"`: false, `"\\\"` + deep: false,
		`"a"` + deep: true, `"\""` + deep: true, `"\\"` + deep: true, `"\\\\"` + deep: true, `"\\\""` + deep: true, `""` + deep: true,
		`"\`: false, `"`: false, ``: false, strings.Repeat("[", maxLevels): false, strings.Repeat("[]", maxLevels): false,
	} {
		if bad := bulky([]byte(text)); (bad != nil) != counted {
			t.Errorf("%.20s: %+v", text, bad)
		}
	}
}

// A raised bound lets a large file through, and what it costs stays in proportion.
func TestMaxBody(t *testing.T) {
	const size = 12 << 20
	for most, status := range map[int64]int{0: 413, 16 << 20: 200} {
		s := NewServer(catalog("one", "a"), Options{Site: answers(`{"id":1}`), MaxBody: most})
		body := modernCall("tools/call", `"name":"a","arguments":{"file":"`+strings.Repeat("A", size)+`"}`)
		r := httptest.NewRequest(http.MethodPost, "http://localhost/mcp", strings.NewReader(body))
		for name, value := range map[string]string{
			"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
			"Mcp-Protocol-Version": modernVersion, "Mcp-Method": "tools/call", "Mcp-Name": "a",
		} {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		got := allocated(func() { s.Handler().ServeHTTP(w, r) })
		if w.Code != status || status == 200 && !bytes.Contains(w.Body.Bytes(), []byte("file is not an argument")) {
			t.Errorf("%d: %d %.300s", most, w.Code, w.Body)
		}
		if times := map[int]uint64{413: 0, 200: 50}[status]; got > 8<<20+times*uint64(len(body)) {
			t.Errorf("%d: %d bytes allocated for %d", most, got, len(body))
		}
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// What is counted is never less than what is there.
func FuzzBulk(f *testing.F) {
	f.Add([]byte(`{"a":[1,"x\\\"",{}],"b":""}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.UseNumber()
		var v any
		if dec.Decode(&v) == nil && bulky(text) == nil && weigh(v) > maxValues {
			t.Errorf("%d values", weigh(v))
		}
	})
}

func weigh(v any) int {
	n := 1
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			n += weigh(item)
		}
	case map[string]any:
		for _, item := range v {
			n += weigh(item)
		}
	}
	return n
}
