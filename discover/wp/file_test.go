package wp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

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

// W81: a file that is read while it is sent has its length, and one that breaks off
// is not taken for the site's fault: whether the site kept a part is not known.
func TestFileIsStreamed(t *testing.T) {
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		got = append(got, fmt.Sprintf("%d %d %t", r.ContentLength, len(body), err == nil))
		fmt.Fprint(w, "{}")
	}))
	u, _ := url.Parse(server.URL + "/wp-json/")
	c, err := NewClient(u, Options{})
	if err != nil {
		t.Fatal(err)
	}
	send := func(f File) error {
		f.Name, f.Type = "a.bin", octets
		_, err := c.At(u).Do(context.Background(), Request{Method: "POST", Segments: []string{"wp", "v2", "media"}, Body: f})
		return err
	}
	const size = 3 << 20
	if err := send(File{Content: strings.NewReader(strings.Repeat("x", size)), Size: size}); err != nil {
		t.Error(err)
	}
	failing := errors.New("the disk is gone")
	for name, content := range map[string]io.Reader{
		"short":  strings.NewReader("xxx"),
		"broken": io.MultiReader(strings.NewReader("xxx"), iotest.ErrReader(failing)),
	} {
		err := send(File{Content: content, Size: size})
		var e *Error
		if !errors.As(err, &e) || e.Kind != Unread || !e.OutcomeUnknown() || name == "broken" && !errors.Is(err, failing) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var unsent *RequestError
	if err := send(File{From: &Source{Path: "a.png"}}); !errors.As(err, &unsent) {
		t.Errorf("a file that was not opened is sent: %v", err)
	}
	c.Close()
	server.Close() // waits for the handlers
	if len(got) == 0 || got[0] != "3145728 3145728 true" || slices.ContainsFunc(got[1:], func(s string) bool { return strings.HasSuffix(s, "true") }) {
		t.Errorf("%q", got)
	}
}

// W81: a web server that takes no such body is heard before it is sent one, and its
// answer is not lost in a connection that it closes.
func TestLargeFileAsksFirst(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Expect") != "100-continue" {
			t.Errorf("%v", r.Header)
		}
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		fmt.Fprint(w, "<html><h1>413 Request Entity Too Large</h1></html>")
	}))
	defer server.Close()
	u, _ := url.Parse(server.URL + "/wp-json/")
	c, err := NewClient(u, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.http.Transport.(*http.Transport).ExpectContinueTimeout = time.Minute
	read := 0
	counted := readerFunc(func(p []byte) (int, error) { read += len(p); return len(p), nil })
	for _, f := range []File{{Content: counted, Size: 32 << 20}, {Data: make([]byte, 2<<20)}} {
		f.Name, f.Type = "a.bin", octets
		_, err := c.At(u).Do(context.Background(), Request{Method: "POST", Segments: []string{"wp", "v2", "media"}, Body: f})
		var e *Error
		if !errors.As(err, &e) || e.Status != http.StatusRequestEntityTooLarge || e.OutcomeUnknown() {
			t.Errorf("%v", err)
		}
	}
	if read != 0 {
		t.Errorf("%d bytes were read of a file that is not taken", read)
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
