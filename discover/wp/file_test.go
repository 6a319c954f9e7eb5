package wp

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// W81, T06: a file goes as its bytes, and nothing in its name makes another header
// or ends it.
func TestFileIsSent(t *testing.T) {
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = append(got, fmt.Sprintf("%s|%s|%q", r.Header.Get("Content-Type"), r.Header.Get("Content-Disposition"), body))
		if r.Header.Get("X-Evil") != "" || len(r.Header) != 7 {
			t.Errorf("%v", r.Header)
		}
		fmt.Fprint(w, "{}")
	}))
	defer server.Close()
	u, _ := url.Parse(server.URL + "/wp-json/")
	c, err := NewClient(u, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, name := range []string{"a b.png", "café (1).png", "x\";\r\nX-Evil: 1; filename=\"y.php", `..\../z.png`} {
		if _, err := c.At(u).Do(context.Background(), Request{Method: "POST", Segments: []string{"wp", "v2", "media"}, Body: File{Name: name, Type: "image/png", Data: []byte("\x89\x00\xff")}}); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	want := []string{}
	for _, name := range []string{"a b.png", "café (1).png", "xX-Evil: 1 filename=y.php", "....z.png"} {
		want = append(want, `image/png|attachment; filename="`+name+`"|"\x89\x00\xff"`)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
