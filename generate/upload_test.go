package generate

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"toolpress/discover"
	"toolpress/discover/wp"
)

// media is a site whose media route has these arguments.
func media(t testing.TB, args string) *Surface {
	t.Helper()
	return FromSite(&discover.Site{Name: "Shop", Root: "https://shop.example/wp-json/", Routes: []discover.Route{
		route(t, `/wp/v2/media`, `[{"methods":["POST"],"args":{`+args+`}}]`),
		route(t, `/wp/v2/media/(?P<id>[\d]+)`, `[{"methods":["POST","PUT","PATCH"],"args":{"title":{"type":"string"}}}]`),
	}})
}

const mediaArgs = `"title":{"type":"object","properties":{"raw":{"type":"string"}}},"alt_text":{"type":"string"},"post":{"type":"integer"},"generate_sub_sizes":{"type":"boolean","default":true}`

// W81: an upload is the bytes of a file with its name, and the other arguments
// in the query.
func TestUpload(t *testing.T) {
	o := media(t, mediaArgs).Operation("POST /wp/v2/media")
	for _, name := range []string{"file", "filename"} {
		if a := o.Arg(name); a == nil || !a.Required || !a.Schema.Is("string") || a.Schema.Description == "" {
			t.Fatalf("%s: %+v", name, a)
		}
	}
	modern, _ := json.Marshal(o.Arg("file").Schema.In("modern"))
	common, _ := json.Marshal(o.Arg("file").Schema.In("common"))
	if !strings.Contains(string(modern), `"contentEncoding":"base64"`) || strings.Contains(string(common), "contentEncoding") || !strings.Contains(string(common), "base64") {
		t.Errorf("%s\n%s", modern, common)
	}
	other := media(t, mediaArgs).Operation("POST /wp/v2/media/{id}")
	if other.Arg("file") != nil || other.Arg("title").In != InBody {
		t.Errorf("a change of what is there is no upload: %+v", other.Args)
	}
	values := decode(t, `{"file":"iVBORw==","filename":"caf\u00e9 (1).PNG","title":"Hi","alt_text":"A caf\u00e9","post":4,"generate_sub_sizes":false}`).(map[string]any)
	r, err := o.Request(values)
	f, is := r.Body.(wp.File)
	if err != nil || !is || string(f.Data) != "\x89PNG" || f.Type != "image/png" || f.Disposition() != `attachment; filename="café (1).PNG"` {
		t.Errorf("%+v %v", r, err)
	}
	query, err := r.Query.Encode()
	if want := "alt_text=A+caf%C3%A9&generate_sub_sizes=0&post=4&title%5Braw%5D=Hi"; err != nil || query != want {
		t.Errorf("%s, want %s: %v", query, want, err)
	}
	// What core would read arguments from is never said of a file.
	for name, want := range map[string]string{"a.json": "application/octet-stream", "a.PDF": "application/pdf", "a.tar.gz": "application/octet-stream"} {
		values["filename"] = name
		r, err := o.Request(values)
		if f, _ := r.Body.(wp.File); err != nil || f.Type != want {
			t.Errorf("%s is %s, want %s: %v", name, f.Type, want, err)
		}
	}
}

// Each fault of a file or its name is told before anything is sent.
func TestUploadFaults(t *testing.T) {
	o := media(t, mediaArgs).Operation("POST /wp/v2/media")
	most := base64.StdEncoding.EncodeToString(make([]byte, maxUpload))
	over := base64.StdEncoding.EncodeToString(make([]byte, maxUpload+1))
	for _, c := range []struct {
		file, name, arg, want string
	}{
		{"iVBORw==", "a.png", "", ""},
		{"iVBO\nRw==\n", "a.png", "", ""}, // as programs wrap it
		{most, "a.bin", "", ""},
		{over, "a.bin", "file", "is too large: it has 8388609 bytes decoded, and at most 8388608 (8 MiB) are sent"},
		{"", "a.png", "file", "must not be empty"},
		{"iVBORw", "a.png", "file", "must be the whole content of a file in base64, without a data: prefix: illegal base64 data at input byte 4"}, // cut off
		{"data:image/png;base64,iVBORw==", "a.png", "file", "without a data: prefix"},
		{"not a file!", "a.png", "file", "in base64"},
		{"iVBORw==", "picture", "filename", "must have a name and an extension, such as picture.png"},
		{"iVBORw==", "picture.", "filename", "must have a name and an extension"},
		{"iVBORw==", ".png", "filename", "must have a name and an extension"},
		{"iVBORw==", `";.png`, "filename", "must have a name and an extension"},
		{"iVBORw==", "", "filename", "must have a name and an extension"},
		{"iVBORw==", "../a.png", "filename", "must be the name alone, without a path"},
		{"iVBORw==", `C:\a.png`, "filename", "must be the name alone, without a path"},
		{"iVBORw==", "a\r\nX-Evil: 1.png", "filename", "must not hold control characters"}, // T06
		{"iVBORw==", strings.Repeat("é", 99) + ".png", "filename", "must not be longer than 200 bytes"},
	} {
		_, err := o.Request(map[string]any{"file": c.file, "filename": c.name})
		got := fault(err)
		for _, a := range []string{"file", "filename"} { // what curation tells all at once
			v := map[string]string{"file": c.file, "filename": c.name}[a]
			if said := o.Sendable(*o.Arg(a), v); (said != nil) != (c.arg == a) || said != nil && a+" "+said.Error() != err.Error() {
				t.Errorf("%.40q %.40q: %s: %v", c.file, c.name, a, said)
			}
		}
		if got != c.arg || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q %.40q: %v, want %s %s", c.file, c.name, err, c.arg, c.want)
		}
	}
	for _, values := range []map[string]any{{"filename": "a.png"}, {"file": "iVBORw=="}, {"file": nil, "filename": nil}, {"file": json.Number("1"), "filename": "a.png"}} {
		if r, err := o.Request(values); err == nil {
			t.Errorf("%v: %+v", values, r)
		}
	}
}

func fault(err error) string {
	var wrong *ArgumentError
	if errors.As(err, &wrong) {
		return wrong.Name
	}
	return ""
}

// Since WordPress 7.1 the site fetches a file itself from a url: then there is
// none to send, and not both.
func TestUploadFromURL(t *testing.T) {
	o := media(t, mediaArgs+`,"url":{"type":"string","format":"uri"}`).Operation("POST /wp/v2/media")
	if o.Arg("file").Required || o.Arg("filename").Required || !strings.Contains(o.Arg("file").Schema.Description, "url") {
		t.Errorf("%+v", o.Args)
	}
	r, err := o.Request(map[string]any{"url": "https://a.example/b.png", "alt_text": "B"})
	if query, _ := r.Query.Encode(); err != nil || r.Body != nil || query != "alt_text=B&url=https%3A%2F%2Fa.example%2Fb.png" {
		t.Errorf("%+v %v", r, err)
	}
	for name, values := range map[string]map[string]any{
		"url":      {"url": "https://a.example/b.png", "file": "iVBORw==", "filename": "b.png"},
		"file":     {"alt_text": "B"},
		"filename": {"file": "iVBORw=="},
	} {
		if _, err := o.Request(values); fault(err) != name {
			t.Errorf("%v: %v", values, err)
		}
	}
}

// A site's own argument keeps its name and its meaning.
func TestUploadNames(t *testing.T) {
	o := media(t, `"file":{"type":"string"},"upload_file":{"type":"string"},"filename":{"type":"string"}`).Operation("POST /wp/v2/media")
	var named []string
	for _, a := range o.Args {
		named = append(named, a.Name+" "+string(a.In))
	}
	want := []string{"upload_filename file name", "upload_upload_file file", "file query", "filename query", "upload_file query"}
	slices.Sort(named)
	slices.Sort(want)
	if !slices.Equal(named, want) {
		t.Errorf("%q, want %q", named, want)
	}
	r, err := o.Request(map[string]any{"file": "own", "filename": "own", "upload_upload_file": "iVBORw==", "upload_filename": "a.png"})
	query, _ := r.Query.Encode()
	if f, _ := r.Body.(wp.File); err != nil || f.Name != "a.png" || query != "file=own&filename=own" {
		t.Errorf("%+v %v", r, err)
	}
}

// The document describes an upload as the site takes it, and no JSON.
func TestUploadInOpenAPI(t *testing.T) {
	s := media(t, mediaArgs)
	text, err := OpenAPI(s)
	o := validated(t, text, err).byIdentity(t)["POST /wp/v2/media"]
	if want := []string{"header Content-Disposition!", "query alt_text", "query generate_sub_sizes", "query post", "query title"}; !slices.Equal(o.parameters(), want) {
		t.Errorf("%q, want %q", o.parameters(), want)
	}
	if _, binary := o.RequestBody.Content["application/octet-stream"]; !binary || len(o.RequestBody.Content) != 1 || !o.RequestBody.Required {
		t.Errorf("%+v", o.RequestBody)
	}
	// A curation fixes the name.
	fixed := *s.Operation("POST /wp/v2/media")
	fixed.Args = slices.Clone(fixed.Args)
	for i, a := range fixed.Args {
		if a.In == InFilename {
			fixed.Args[i].Schema = a.Schema.Clone()
			fixed.Args[i].Schema.Enum = []any{`lo"go.png`}
		}
	}
	text, err = CuratedOpenAPI(s, []*Operation{&fixed})
	for _, p := range validated(t, text, err).byIdentity(t)["POST /wp/v2/media"].Parameters {
		if p["in"] == "header" && !slices.Equal(p["schema"].(map[string]any)["enum"].([]any), []any{`attachment; filename="logo.png"`}) {
			t.Errorf("%v", p)
		}
	}
}
