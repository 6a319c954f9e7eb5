package wp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// answering is a client of a site that always answers with these headers and this
// body.
func answering(t *testing.T, opts Options, status int, body string, headers ...string) *Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Content-Type"] = nil // else the server guesses one
		for _, h := range headers {
			name, value, _ := strings.Cut(h, ": ")
			w.Header().Set(name, value)
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}))
	t.Cleanup(server.Close)
	u, err := url.Parse(server.URL + "/wp-json/")
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewClient(u, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c.At(u)
}

const (
	pngBytes  = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
	wavBytes  = "RIFF\x24\x00\x00\x00WAVEfmt "
	mp3Bytes  = "\xff\xfb\x90\x64\x00\x0f"
	gzipBytes = "\x1f\x8b\x08\x00\x00"
	zipBytes  = "PK\x03\x04\x14\x00"
	pageBytes = "<!DOCTYPE html><html><body>Blocked. {\"id\":1}</body></html>"
)

// G49, T16: what a file is, its header and its first bytes say together. A text
// is one only from the REST server.
func TestDownloads(t *testing.T) {
	const rest = "Access-Control-Expose-Headers: X-WP-Total, X-WP-TotalPages, Link"
	for _, c := range []struct {
		said, body string
		rest       bool
		want       string // the file's type; else the value or what is wrong
	}{
		{"image/png", pngBytes, false, "image/png"},
		{"IMAGE/PNG; x=y", pngBytes, true, "image/png"},
		{"image/jpeg", pngBytes, true, "image/png"},
		{"", pngBytes, false, "image/png"},
		{"application/json; charset=UTF-8", pngBytes, true, "image/png"}, // echo and exit: core's header stays
		{"text/html", pngBytes, true, "image/png"},
		{"image/png", "\x00\x01\x02", true, "application/octet-stream"},
		{"application/json", "\x00\x01\x02", true, "not JSON: the body is not JSON, claim \"\""},
		{"image/png", pageBytes, true, "not JSON: the body is an HTML page, claim \"image/png\""},
		{"image/png", "<br />\n<b>Notice</b>: x\n" + pngBytes, true, "not JSON: the body is not JSON, claim \"image/png\""},
		{"application/pdf", "Access denied", true, "not JSON: the body is not JSON, claim \"application/pdf\""},
		{"audio/mpeg", pageBytes, true, "not JSON: the body is an HTML page, claim \"audio/mpeg\""},
		{"image/svg+xml", `<?xml version="1.0"?><svg></svg>`, true, "image/svg+xml"},
		{"image/svg+xml", `<svg onload="x()"></svg>`, true, "image/svg+xml"},
		{"image/svg+xml", pageBytes, true, "not JSON: the body is an HTML page, claim \"image/svg+xml\""},
		{"image/png", `<svg></svg>`, true, "not JSON: the body is not JSON, claim \"image/png\""},
		{"audio/mpeg", mp3Bytes, true, "audio/mpeg"},
		{"audio/mpeg", "ID3\x03\x00", true, "audio/mpeg"},
		{"audio/mpeg", "\x00\x01\x02", true, "application/octet-stream"},
		{"audio/flac", "fLaC\x00", true, "audio/flac"},
		{"audio/x-wav", wavBytes, true, "audio/x-wav"},
		{"application/json", wavBytes, true, "audio/wave"},
		{"application/gzip", gzipBytes, false, "application/gzip"},
		{"image/png", gzipBytes, false, "application/x-gzip"},
		{"application/json", gzipBytes, true, "not JSON: the body is compressed in a way that was not asked for, or twice, claim \"\""},
		{"", gzipBytes, true, "not JSON: the body is compressed in a way that was not asked for, or twice, claim \"\""},
		{"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", zipBytes, true, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
		{"application/octet-stream", zipBytes, true, "application/zip"},
		{"image/png", zipBytes, true, "application/zip"},
		{"application/pdf", "%PDF-1.4\n", false, "application/pdf"},
		{"text/csv", "id,price\n1,2\n3", true, "text/csv"},
		{"text/csv", "3", true, "text/csv"},
		{"text/csv", "id,price\n1,2\nx", false, "not JSON: the body is not JSON, claim \"\""}, // a page in front
		{"text/plain", "id\n1\n", true, "text/plain"},
		{"text/html", pageBytes, true, "text/html"},
		{"text/html", pageBytes, false, "not JSON: the body is an HTML page, claim \"\""},
		{"application/json", pageBytes, true, "not JSON: the body is an HTML page, claim \"\""},
		{"", "", true, "not JSON: the body is empty, claim \"\""},
		// JSON stays JSON, whatever it says it is.
		{"text/html", `{"id":1}`, true, `{"id":1}`},
		{"text/html", "<br />Notice\n{\"id\":1}", true, `{"id":1}`},
		{"image/png", `[1]`, false, `[1]`},
		{"text/csv", "\n{\"id\":1}\n", true, `{"id":1}`},
		{"text/plain", "3", false, "3"},
	} {
		headers := []string{"Content-Type: " + c.said}
		if c.rest {
			headers = append(headers, rest)
		}
		client := answering(t, Options{}, 200, c.body, headers...)
		if got := answered(client, Request{Method: "GET", Files: true}); got != c.want {
			t.Errorf("%q %.30q, REST %t: %s, want %s", c.said, c.body, c.rest, got, c.want)
		}
		// Who asks for data gets no file.
		if got := answered(client, Request{Method: "GET"}); strings.Contains(c.want, "/") && !strings.HasPrefix(c.want, "not") && strings.HasPrefix(got, c.want) {
			t.Errorf("%q %.30q: a file for who asks for data: %s", c.said, c.body, got)
		}
	}
	refused := answering(t, Options{}, 403, pngBytes, "Content-Type: image/png", rest)
	if got := answered(refused, Request{Method: "GET", Files: true}); !strings.HasPrefix(got, "not JSON") {
		t.Errorf("with a status of 403: %s", got)
	}
}

// answered tells an answer in a word.
func answered(c *Client, r Request) string {
	resp, err := c.Do(context.Background(), r)
	var e *Error
	switch {
	case errors.As(err, &e):
		return fmt.Sprintf("%s: %v, claim %q", e.Kind, e.Err, e.Claim)
	case err != nil:
		return err.Error()
	case resp.File != nil:
		return resp.File.Type
	}
	return string(resp.JSON)
}

// A file over the limit is named and not read; anything else over it is refused.
func TestLargeDownload(t *testing.T) {
	opts := Options{MaxBytes: 1000}
	large := pngBytes + strings.Repeat("\x00", 2000)
	length := fmt.Sprint("Content-Length: ", len(large))
	resp, err := answering(t, opts, 200, large, "Content-Type: image/png", length, `Content-Disposition: attachment; filename="../a\\b/cover 1.png"`).
		Do(t.Context(), Request{Method: "GET", Files: true})
	if err != nil || resp.File == nil {
		t.Fatal(resp, err)
	}
	if f := resp.File; f.Data != nil || f.Size != int64(len(large)) || f.Type != "image/png" || f.Name != "cover 1.png" {
		t.Errorf("%+v", f)
	}
	head, err := answering(t, opts, 200, large, "Content-Type: image/png", length).Do(t.Context(), Request{Method: "HEAD"})
	if err != nil || head.Status != 200 { // it has no body, whatever its length says
		t.Errorf("%+v %v", head, err)
	}
	whole, err := answering(t, Options{}, 200, large, "Content-Type: image/png").Do(t.Context(), Request{Method: "GET", Files: true})
	if err != nil || !bytes.Equal(whole.File.Data, []byte(large)) || whole.File.Size != int64(len(large)) || whole.File.Name != "" {
		t.Errorf("%+v %v", whole, err)
	}
	for _, said := range []string{"application/json", "image/png"} {
		client := answering(t, opts, 200, `["`+strings.Repeat("x", 2000)+`"]`, "Content-Type: "+said)
		if got := answered(client, Request{Method: "GET", Files: true}); !strings.HasPrefix(got, "too large: 1000 bytes") {
			t.Errorf("%s: %s", said, got)
		}
	}
}

// An anonymous request has no credential, and the answer says where it was asked,
// by the name the site knows itself by.
func TestAnonymousRequest(t *testing.T) {
	var signed []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		signed = append(signed, r.Method+" "+r.Header.Get("Authorization"))
		w.Header().Set("Content-Type", "image/png")
	}))
	defer server.Close()
	u, _ := url.Parse(server.URL + "/wp-json/")
	c, err := NewClient(u, Options{Credential: Credential{User: "a", Password: NewSecret("b")}, Host: "shop.example"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	resp, err := c.At(u).Do(t.Context(), Request{Method: "HEAD", Segments: []string{"x", "é 1"}, Anonymous: true})
	if err != nil || resp.JSON != nil || resp.Header.Get("Content-Type") != "image/png" || resp.URL != "https://shop.example/wp-json/x/%C3%A9%201" {
		t.Errorf("%+v %v", resp, err)
	}
	if len(signed) != 1 || signed[0] != "HEAD " {
		t.Errorf("%q", signed)
	}
}
