package runtime

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"toolpress/curate"
	"toolpress/discover"
	"toolpress/discover/wp"
	"toolpress/discover/wptest"
	"toolpress/generate"
)

// filing are tools of the bookshop's routes that answer with files.
const filing = `version: 1
defaults: { confirm: { when: never } }
tools:
  cover: { from: "GET /bookshop/v1/cover/{id}" }
  picked_cover: { from: "GET /bookshop/v1/cover/{id}", result: { pick: [id] } }
  sample: { from: "GET /bookshop/v1/sample/{id}" }
  prices: { from: GET /bookshop/v1/price-list }
  leaflet: { from: GET /bookshop/v1/leaflet, result: { pick: [id] } }
  logo: { from: GET /bookshop/v1/logo }
  receipt: { from: "GET /bookshop/v1/receipt/{id}" }
  make_receipt: { from: "POST /bookshop/v1/receipt/{id}" }
  fixed: { from: "GET /bookshop/v1/cover/{id}", args: { id: { fix: 21 } } }
`

// shopOfFiles is the bookshop and what its editor is served of it.
func shopOfFiles(t *testing.T, curation string) (*curate.Catalog, *wp.Client) {
	t.Helper()
	shop := wptest.New(wptest.Files())
	server := httptest.NewServer(shop)
	t.Cleanup(server.Close)
	at, _ := url.Parse(server.URL)
	editor := shop.Users()[slices.IndexFunc(shop.Users(), func(u wptest.User) bool { return u.Role == "editor" })]
	root, err := discover.Find(t.Context(), at, wp.Options{Credential: wp.Credential{User: editor.Login, Password: wp.NewSecret(editor.Password)}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(root.Client().Close)
	site, err := root.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c, err := curate.Parse("curation.yaml", []byte(curation), nil)
	if err != nil {
		t.Fatal(err)
	}
	made, _ := c.Apply(generate.FromSite(site), nil)
	return made, root.Client()
}

// inLines is a result in lines: its text, and what else is in it.
func inLines(res *mcp.CallToolResult) string {
	var lines []string
	for _, c := range res.Content {
		switch c := c.(type) {
		case *mcp.TextContent:
			lines = append(lines, c.Text)
		case *mcp.ResourceLink:
			size := int64(-1)
			if c.Size != nil {
				size = *c.Size
			}
			lines = append(lines, fmt.Sprintf("link %s %s %s %d", c.URI, c.Name, c.MIMEType, size))
		case *mcp.ImageContent:
			lines = append(lines, fmt.Sprintf("image %s %d", c.MIMEType, len(c.Data)))
		case *mcp.AudioContent:
			lines = append(lines, fmt.Sprintf("audio %s %d", c.MIMEType, len(c.Data)))
		}
	}
	return strings.Join(lines, "\n")
}

// G49: a picture and a recording go to the model, of anything else where it is,
// if anybody gets it there. A revision that has no such content gets a text.
func TestCase_G49(t *testing.T) {
	shop, client := shopOfFiles(t, filing)
	site := strings.TrimSuffix(client.Root(), "/") + "/bookshop/v1"
	_, web := serve(t, shop, Options{Site: client})
	direct, err := client.Do(t.Context(), wp.Request{Method: "GET", Segments: []string{"bookshop", "v1", "cover", "21"}, Files: true})
	if err != nil {
		t.Fatal(err)
	}
	cover := direct.File.Data
	const file = "The site answered with a file instead of data: "
	const shown = ". It is not shown here: anybody gets it, without logging in, at this address. Give it to the user if they asked for the file."
	for _, era := range append(slices.Clone(eras), "2024-11-05") {
		cs := connect(t, web.URL+"/mcp", era, nil, nil)
		address := func(name, path, media, file string, size int) string {
			if era < "2025-06-18" {
				return "\n" + site + path
			}
			return fmt.Sprintf("\nlink %s%s %s %s %d", site, path, file, media, size)
		}
		sample := file + "audio/wav, 124 bytes. It follows.\naudio audio/wav 124"
		if era < "2025-03-26" {
			sample = file + "audio/wav, 124 bytes" + shown + address("sample", "/sample/21", "audio/wav", "sample", 124)
		}
		for tool, want := range map[string]string{
			"cover":   file + fmt.Sprintf("image/png, %d bytes. It follows.\nimage image/png %[1]d", len(cover)),
			"sample":  sample,
			"prices":  file + "price-list.csv, text/csv, 61 bytes" + shown + address("prices", "/price-list", "text/csv", "price-list.csv", 61),
			"leaflet": file + "text/html, 103 bytes" + shown + address("leaflet", "/leaflet", "text/html", "leaflet", 103),
			"logo":    file + "image/svg+xml, 67 bytes" + shown + address("logo", "/logo", "image/svg+xml", "logo", 67), // it may hold scripts
		} {
			arguments := json.RawMessage(`{}`)
			if tool == "cover" || tool == "sample" {
				arguments = json.RawMessage(`{"id":21}`)
			}
			res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
			if err != nil || res.IsError {
				t.Errorf("%s %s: %+v %v", era, tool, res, err)
				continue
			}
			if diff := cmp.Diff(want, inLines(res)); diff != "" {
				t.Errorf("%s %s (-want +got):\n%s", era, tool, diff)
			}
			if tool == "cover" && !bytes.Equal(res.Content[1].(*mcp.ImageContent).Data, cover) {
				t.Errorf("%s: another picture", era)
			}
			// A tool without an output schema has no structure: some clients show
			// nothing else where there is one.
			if structured := res.StructuredContent != nil; structured != (tool == "leaflet") {
				t.Errorf("%s %s: structure %v", era, tool, res.StructuredContent)
			}
		}
	}
}

// What is no file for everybody is named, and neither shown nor linked.
func TestFileThatIsKept(t *testing.T) {
	shop, client := shopOfFiles(t, filing+`private:
  - { match: { route: "/bookshop/v1/sample/*" }, fields: [customer] }
  - { match: { route: /bookshop/v1/price-list }, fields: [customer] }
`)
	_, web := serve(t, shop, Options{Site: client})
	for _, era := range []string{eras[0], eras[3]} {
		cs := connect(t, web.URL+"/mcp", era, nil, nil)
		for tool, want := range map[string]string{
			"receipt": "The site answered with a file instead of data: receipt-21.pdf, application/pdf, 28 bytes. It is not handed on: it is too large for a result, or of a kind that does not go into one, and no address is known where anybody gets it.\n" +
				"Next: do not repeat the call. Tell the user what the file is; they get it from the site, logged in.",
			"make_receipt": "Done: the site carried it out. It answered with a file instead of data: receipt-21.pdf, application/pdf, 28 bytes. The file is not handed on: it is too large for a result, or of a kind that does not go into one, and no address is known where anybody gets it.\n" +
				"Next: do not repeat the call; read what it changed if that is needed.",
			// Their answers have something private, which a name may tell as well.
			"prices": "The site answered with a file instead of data: text/csv, 61 bytes. It is not handed on: parts of what this tool answers are private, and cannot be taken out of a file.\n" +
				"Next: do not repeat the call. Tell the user what the file is; they get it from the site, logged in.",
			"sample": "The site answered with a file instead of data: audio/wav, 124 bytes. It is not handed on: parts of what this tool answers are private, and cannot be taken out of a file.\n" +
				"Next: do not repeat the call. Tell the user what the file is; they get it from the site, logged in.",
		} {
			arguments := json.RawMessage(`{"id":21}`)
			if tool == "prices" {
				arguments = nil
			}
			res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
			if err != nil || !res.IsError || res.StructuredContent != nil {
				t.Errorf("%s %s: %+v %v", era, tool, res, err)
				continue
			}
			if diff := cmp.Diff(want, inLines(res)); diff != "" {
				t.Errorf("%s %s (-want +got):\n%s", era, tool, diff)
			}
		}
	}
}

// A client that checks structures against the output schema takes a file too.
func TestFileFitsTheOutputSchema(t *testing.T) {
	shop, client := shopOfFiles(t, filing)
	s, _ := serve(t, shop, Options{Site: client})
	for tool, arguments := range map[string]string{"picked_cover": `{"id":21}`, "leaflet": ""} {
		res, err := s.Call(t.Context(), curate.DefaultProfile, tool, json.RawMessage(arguments))
		if err != nil || res.IsError {
			t.Fatal(res, err)
		}
		text, _ := json.Marshal(res.StructuredContent)
		value, _ := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err := compiled(t, shop.Profiles[curate.DefaultProfile].Tool(tool).OutputSchema).Validate(value); err != nil || !bytes.Contains(text, []byte("mime_type")) {
			t.Errorf("%s: %s: %v", tool, text, err)
		}
	}
}

// Only what a model asked for by itself, and without a query, is asked for again
// without the credential, and only what is then the same is linked.
func TestPublicAddress(t *testing.T) {
	f := &wp.Download{Type: "application/pdf", Size: 3}
	plain := *thing()
	shop, _ := shopOfFiles(t, filing)
	for _, c := range []struct {
		what  string
		tool  *curate.Tool
		r     wp.Request
		said  string
		asked bool
		want  string
	}{
		{"a path", &plain, wp.Request{Method: "GET", Segments: []string{"a"}}, "application/pdf", true, "https://shop.example/a"},
		{"parameters", &plain, wp.Request{Method: "GET"}, "Application/PDF; x=y", true, "https://shop.example/a"},
		{"a login page", &plain, wp.Request{Method: "GET"}, "text/html", true, ""},
		{"a query", &plain, wp.Request{Method: "GET", Query: wp.Query{{Name: "key", Value: "s"}}}, "application/pdf", false, ""},
		{"what is left out", &plain, wp.Request{Method: "GET", Query: wp.Query{{Name: "_fields", Value: "id"}, {Name: "_embed", Value: "author"}}}, "application/pdf", true, "https://shop.example/a"},
		{"a value of the curation's", shop.Profiles[curate.DefaultProfile].Tool("fixed"), wp.Request{Method: "GET"}, "application/pdf", false, ""},
		{"a write", &plain, wp.Request{Method: "POST"}, "application/pdf", false, ""},
	} {
		asked := false
		a := admission{tool: c.tool, site: siteFunc(func(_ context.Context, r wp.Request) (*wp.Response, error) {
			asked = true
			if r.Method != "HEAD" || !r.Anonymous || !slices.Equal(r.Segments, c.r.Segments) {
				t.Errorf("%s: asked %+v", c.what, r)
			}
			return &wp.Response{Header: http.Header{"Content-Type": {c.said}}, URL: "https://shop.example/a"}, nil
		})}
		if got := a.public(t.Context(), c.r, f); got != c.want || asked != c.asked {
			t.Errorf("%s: %q, asked %t", c.what, got, asked)
		}
	}
	// Nor what could not be asked for.
	a := admission{tool: &plain, site: fails(&wp.Error{Kind: wp.Refused, Status: 401})}
	if got := a.public(t.Context(), wp.Request{Method: "GET"}, f); got != "" {
		t.Error(got)
	}
}

// A file beyond the cap, and a picture of a kind that ends conversations, stay out.
func TestInline(t *testing.T) {
	a := admission{revision: modernVersion}
	for _, c := range []struct {
		f    wp.Download
		want bool
	}{
		{wp.Download{Type: "image/webp", Data: make([]byte, maxInline)}, true},
		{wp.Download{Type: "image/webp", Data: make([]byte, maxInline+1)}, false},
		{wp.Download{Type: "audio/mpeg", Data: make([]byte, maxInline)}, true},
		{wp.Download{Type: "audio/mpeg", Data: make([]byte, maxInline+1)}, false},
		{wp.Download{Type: "image/png", Size: 5 << 20}, false}, // it was not read
		{wp.Download{Type: "image/tiff", Data: []byte{1}}, false},
		{wp.Download{Type: "image/svg+xml", Data: []byte{1}}, false},
		{wp.Download{Type: "video/mp4", Data: []byte{1}}, false},
	} {
		if got := a.inline(&c.f) != nil; got != c.want {
			t.Errorf("%s, %d bytes: %t", c.f.Type, len(c.f.Data), got)
		}
	}
}

// T16: a page that says it is a picture is called what it is; nothing of it
// reaches a model.
func TestPageThatSaysItIsAPicture(t *testing.T) {
	at := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/png")
		fmt.Fprint(w, "<!DOCTYPE html><html><body>CANARY</body></html>")
	}))
	defer at.Close()
	u, _ := url.Parse(at.URL)
	client, err := wp.NewClient(u, wp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	s, _ := serve(t, catalog("one", "a"), Options{Site: client.At(u)})
	res, err := s.Call(t.Context(), curate.DefaultProfile, "a", nil)
	if err != nil || !res.IsError || inLines(res) != "The site answered with status 200 and an HTML page that says it is image/png: a firewall, a login page or a fault in a plugin stands before the REST API.\n"+
		"Next: do not repeat the call; tell the user, whose administrator has to look at the site." {
		t.Errorf("%s %v", inLines(res), err)
	}
}
