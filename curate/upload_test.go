package curate

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"toolpress/discover/wp"
	"toolpress/generate"
)

// uploads is the tool upload of a curation on a site that takes files.
func uploads(t *testing.T, media, entry string) (*Tool, Findings) {
	t.Helper()
	c, err := Parse("curation.yaml", []byte("version: 1\nsite: { media: "+media+" }\ntools:\n  upload: { from: POST /wp/v2/media, description: Put a file there., "+entry+" }\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	catalog, findings := c.Apply(generate.FromSite(decodedSite(t, "testdata/err/upload.json")), nil)
	if p := catalog.Profiles[DefaultProfile]; p != nil {
		return p.Tool("upload"), findings
	}
	return nil, findings
}

const sources = "{ roots: [/srv/media], hosts: [images.example] }"

// W81: of what gives a file a model sees what the entry shows and the operator allows;
// one alone is required, and of several a call has one.
func TestUploadArguments(t *testing.T) {
	for _, c := range []struct{ media, args, required, told string }{
		{"{}", `{ "*": hidden, file: {}, filename: {} }`, "file filename", ""},
		{sources, `{ "*": hidden, file: {}, filename: {} }`, "file filename", ""},
		{sources, `{ "*": hidden, path: { rename: photo } }`, "photo", ""},
		{sources, `{ "*": hidden, address: {}, filename: {} }`, "address", ""},
		{sources, `{ "*": hidden, url: {} }`, "url", ""},
		{sources, `{ "*": hidden, path: { rename: photo }, address: {} }`, "", "Exactly one of address and photo is given."},
		{sources, `{ "*": hidden, path: { fix: logo.png }, title: {} }`, "", ""},
		{sources, `{}`, "", "Exactly one of address, file, path and url is given."},
	} {
		tool, findings := uploads(t, c.media, "args: "+c.args)
		if tool == nil || len(findings.Errors()) > 0 {
			t.Errorf("%s %s: %v", c.media, c.args, findings)
			continue
		}
		var s struct {
			Required   []string
			Properties map[string]struct{ Description string }
		}
		if err := json.Unmarshal(tool.InputSchema, &s); err != nil || strings.Join(s.Required, " ") != c.required {
			t.Errorf("%s %s: %q, want %q: %v", c.media, c.args, s.Required, c.required, err)
		}
		told := slices.DeleteFunc([]string{s.Properties["path"].Description, s.Properties["photo"].Description, s.Properties["address"].Description}, func(d string) bool {
			return !strings.Contains(d, "Exactly")
		})
		for _, d := range told {
			if !strings.HasSuffix(d, c.told) || c.told == "" {
				t.Errorf("%s: %s, want %s", c.args, d, c.told)
			}
		}
		if c.told != "" && len(told) != 2 {
			t.Errorf("%s: %q", c.args, told)
		}
		if _, r, err := tool.Example(); err != nil || r.Method != "POST" {
			t.Errorf("%s has no example: %v", c.args, err)
		}
		if strings.Contains(string(tool.InputSchema), "/srv/media") {
			t.Errorf("a model sees the directory: %s", tool.InputSchema)
		}
	}
}

// What is wrong with a file is told in the model's own names, all at once; what is
// right says where the file is, and holds what the operator allows.
func TestUploadCalls(t *testing.T) {
	tool, _ := uploads(t, sources, `args: { "*": hidden, file: {}, filename: {}, path: { rename: photo }, address: {} }`)
	for arguments, want := range map[string]string{
		`{}`:                                   "one of address, file and photo is required",
		`{"filename":"a.png"}`:                 "one of address, file and photo is required",
		`{"photo":"a.png","file":"iVBORw=="}`:  "only one of address, file and photo may be given: a call sends one file",
		`{"photo":"../a.png","address":"x"}`:   "address must be a whole address, such as https://images.example/picture.png; only one of address, file and photo may be given: a call sends one file; photo must not hold . or ..: it begins at the directory that files are taken from",
		`{"photo":"scan"}`:                     "photo must have a name and an extension, such as picture.png",
		`{"address":"https://evil.example/a"}`: "address must be on images.example: files are taken from nowhere else",
		`{"path":"a.png"}`:                     "path is not an argument",
		`{"file":"iVBORw=="}`:                  "filename is required",
	} {
		if _, err := tool.Request(json.RawMessage(arguments)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", arguments, err, want)
		}
	}
	r, err := tool.Request(json.RawMessage(`{"photo":"2026/a.png","address":"","file":null}`))
	if f, _ := r.Body.(wp.File); err != nil || f.From == nil || f.From.Path != "2026/a.png" || !slices.Equal(f.From.Roots, []string{"/srv/media"}) {
		t.Errorf("%+v %v", r, err)
	}
	// T40: of an address nothing is noted that may be a secret.
	for name, want := range map[string]string{"address": "https://images.example/a.png?[redacted]", "photo": "https://images.example/a.png?sig=1", "gone": "https://images.example/a.png?sig=1"} {
		if got := tool.Noted(name, "https://images.example/a.png?sig=1"); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// The preset's tool takes files from where the operator says once its entry shows the
// argument.
func TestPresetUpload(t *testing.T) {
	for _, c := range []struct{ entry, required string }{{"", "file filename"}, {"tools: { upload_media: { args: { path: {} } } }\n", ""}} {
		cur, err := Parse("curation.yaml", []byte("version: 1\nextends: preset:wordpress@1\nsite: { media: "+sources+" }\nprofiles: { default: { groups: [write] } }\n"+c.entry), nil)
		if err != nil {
			t.Fatal(err)
		}
		catalog, findings := cur.Apply(generate.FromSite(decodedSite(t, "testdata/err/upload.json")), nil)
		tool := catalog.Profiles[DefaultProfile].Tool("upload_media")
		if tool == nil || len(findings.Errors()) > 0 {
			t.Fatal(findings)
		}
		var s struct{ Required []string }
		if err := json.Unmarshal(tool.InputSchema, &s); err != nil || strings.Join(s.Required, " ") != c.required {
			t.Errorf("%s: %s", c.entry, tool.InputSchema)
		}
	}
}
