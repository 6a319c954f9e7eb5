package wp

import (
	"strings"
	"testing"
)

const (
	pngHead  = "\x89PNG\x0d\x0a\x1a\x0a\x00\x00\x00\x0dIHDR"
	jpegHead = "\xff\xd8\xff\xe0\x00\x10JFIF"
	zipHead  = "PK\x03\x04\x14\x00"
	pageHead = "<!DOCTYPE html><html><title>Log in</title>"
	unknown  = "\x00\x01\x02\x03\x04"
)

// W81: what a file is on the web its server says and its first bytes confirm; what is
// no file of a media library is nothing.
func TestTypeOf(t *testing.T) {
	for _, c := range []struct {
		said, head, want string
		agrees           bool
	}{
		{"image/png", pngHead, "image/png", true},
		{"Image/PNG; charset=binary", pngHead, "image/png", true},
		{"image/jpg", jpegHead, "image/jpeg", true},
		{"image/png", jpegHead, "image/png", false},
		{"image/png", pageHead, "image/png", false},
		{"image/png", `{"code":1}`, "image/png", false},
		{"image/svg+xml", pageHead, "image/svg+xml", false},
		{"image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg"/>`, "image/svg+xml", true},
		{"image/avif", unknown, "image/avif", true},
		{"image/avif", pngHead, "image/avif", false},
		{"application/pdf", zipHead, "application/pdf", false},
		{"application/pdf", "%PDF-1.7", "application/pdf", true},
		{"application/vnd.oasis.opendocument.text", zipHead, "application/vnd.oasis.opendocument.text", true},
		{"application/vnd.oasis.opendocument.text", pageHead, "application/vnd.oasis.opendocument.text", false},
		{"video/mp4", unknown, "video/mp4", true},
		{"video/mp4", pngHead, "video/mp4", false},
		{"audio/mpeg", "ID3\x04", "audio/mpeg", true},
		{"text/csv", "a,b\n1,2\n", "text/csv", true},
		{"text/csv", pageHead, "text/csv", false},
		{"text/plain", unknown, "text/plain", false},
		{"", pngHead, "image/png", true},
		{"binary/octet-stream", pngHead, "image/png", true},
		{"application/octet-stream", pageHead, "", true},
		{"application/octet-stream", unknown, "", true},
		{"text/html", pageHead, "", true},
		{"application/json", `{"a":1}`, "", true},
		{"application/x-php", "<?php", "", true},
		{"", "words", "", true},
	} {
		if got, agrees := TypeOf(c.said, []byte(c.head)); got != c.want || agrees != c.agrees {
			t.Errorf("%s %.20q: %s %t, want %s %t", c.said, c.head, got, agrees, c.want, c.agrees)
		}
	}
}

// The types that core reads arguments from are said of no file, and every type has an
// extension that leads back to it.
func TestTypesByName(t *testing.T) {
	for ext, media := range mediaTypes {
		if TypeByName("a"+strings.ToUpper(ext)) != media || TypeByName("a"+Extension(media)) != media {
			t.Errorf("%s %s %s", ext, media, Extension(media))
		}
		if isJSON(media) || strings.Contains(media, "form-") {
			t.Errorf("%s", media)
		}
	}
	if Extension("image/jpeg") != ".jpg" || Extension("text/html") != "" || TypeByName("a.json") != octets || TypeByName("png") != octets {
		t.Error("a type is another one's")
	}
}
