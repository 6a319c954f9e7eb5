package generate

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"toolpress/discover/wp"
)

var everywhere = Sources{Roots: []string{"/srv/media"}, Hosts: []string{"images.example", "127.0.0.1:8000"}}

// W81: where an operator lists directories and hosts an upload says where its file is;
// nothing is opened for that, and nobody asked.
func TestUploadSources(t *testing.T) {
	plain := media(t, mediaArgs)
	o := plain.From(everywhere).Operation("POST /wp/v2/media")
	for name, want := range map[string]string{"file": "base64", "path": "in the directory", "address": "on images.example or 127.0.0.1:8000.", "filename": "keeps its own"} {
		if a := o.Arg(name); a == nil || a.Required || !strings.Contains(a.Schema.Description, want) {
			t.Errorf("%s: %+v", name, a)
		}
	}
	for _, c := range []struct {
		values map[string]any
		want   wp.File
	}{
		{map[string]any{"path": "2026/a.PNG", "file": nil, "address": ""}, wp.File{Name: "a.PNG", Type: "image/png", From: &wp.Source{Path: "2026/a.PNG", Roots: everywhere.Roots}}},
		{map[string]any{"path": "scan", "filename": "scan.pdf"}, wp.File{Name: "scan.pdf", Type: "application/pdf", From: &wp.Source{Path: "scan", Roots: everywhere.Roots}}},
		{map[string]any{"address": "https://images.example/a.png?b=1"}, wp.File{From: &wp.Source{Address: "https://images.example/a.png?b=1", Hosts: everywhere.Hosts}}},
		{map[string]any{"address": "http://127.0.0.1:8000/a", "filename": "b.png"}, wp.File{Name: "b.png", From: &wp.Source{Address: "http://127.0.0.1:8000/a", Hosts: everywhere.Hosts}}},
		{map[string]any{"file": "iVBORw==", "filename": "c.png", "path": ""}, wp.File{Name: "c.png", Type: "image/png", Data: []byte("\x89PNG")}},
	} {
		c.values["alt_text"] = "B"
		r, err := o.Request(c.values)
		query, _ := r.Query.Encode()
		if diff := cmp.Diff(c.want, r.Body); err != nil || diff != "" || query != "alt_text=B" {
			t.Errorf("%v: %v %s %s", c.values, err, query, diff)
		}
	}
	for name, values := range map[string]map[string]any{
		"address must be on":       {"address": "https://evil.example/a.png"},
		"address must begin with":  {"address": "http://images.example/a.png"},
		"path must not hold":       {"path": "../a.png"},
		"path must have a name":    {"path": "2026/scan"},
		"path must be text":        {"path": []any{"a.png"}},
		"filename must have":       {"path": "a.png", "filename": "b"},
		"path cannot go with":      {"path": "a.png", "address": "https://images.example/a.png"},
		"file is required":         {"filename": "a.png"},
		"filename is required":     {"file": "iVBORw=="},
		"path must be relative, s": {"path": "/srv/media/a.png"},
	} {
		if _, err := o.Request(values); err == nil || !strings.HasPrefix(err.Error(), name) {
			t.Errorf("%v: %v, want %s", values, err, name)
		}
	}
	// The site's own surface stays as it is, and so does one without sources.
	if plain.Operation("POST /wp/v2/media").Arg("path") != nil || plain.From(Sources{}) != plain {
		t.Error("the surface was changed")
	}
	for want, only := range map[string]Sources{"path": {Roots: everywhere.Roots}, "address": {Hosts: everywhere.Hosts}} {
		o := plain.From(only).Operation("POST /wp/v2/media")
		if (o.Arg("path") != nil) != (want == "path") || (o.Arg("address") != nil) != (want == "address") {
			t.Errorf("%+v", o.Args)
		}
	}
}

// A site's own arguments keep their names; WordPress's own url stays what it is.
func TestUploadSourcesBesideOwn(t *testing.T) {
	o := media(t, mediaArgs+`,"path":{"type":"string"},"url":{"type":"string","format":"uri"}`).From(everywhere).Operation("POST /wp/v2/media")
	r, err := o.Request(map[string]any{"path": "own", "upload_path": "a.png"})
	query, _ := r.Query.Encode()
	if f, _ := r.Body.(wp.File); err != nil || f.From == nil || f.From.Path != "a.png" || query != "path=own" {
		t.Errorf("%+v %v", r, err)
	}
	if r, err := o.Request(map[string]any{"url": "https://a.example/b.png", "address": ""}); err != nil || r.Body != nil {
		t.Errorf("%+v %v", r, err)
	}
	if _, err := o.Request(map[string]any{"url": "https://a.example/b.png", "address": "https://images.example/a.png"}); fault(err) != "url" {
		t.Errorf("%v", err)
	}
}

// To who calls the site himself an upload is what it was: the file as the body.
func TestUploadSourcesInOpenAPI(t *testing.T) {
	s := media(t, mediaArgs)
	o := *s.From(everywhere).Operation("POST /wp/v2/media")
	for _, left := range [][]string{{"file", "filename", "path", "address", "alt_text"}, {"path", "alt_text"}} {
		narrowed := o
		narrowed.Args = slices.DeleteFunc(slices.Clone(o.Args), func(a Arg) bool { return !slices.Contains(left, a.Name) })
		text, err := CuratedOpenAPI(s, []*Operation{&narrowed})
		got := validated(t, text, err).byIdentity(t)["POST /wp/v2/media"]
		want := []string{"header Content-Disposition!", "query alt_text"}
		if _, binary := got.RequestBody.Content["application/octet-stream"]; !slices.Equal(got.parameters(), want) || !binary || !got.RequestBody.Required {
			t.Errorf("%v: %q %+v", left, got.parameters(), got.RequestBody)
		}
	}
}
