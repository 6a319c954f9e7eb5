package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// uploading is the entry of docs/curation.md as a curation, and one that sends
// more.
func uploading(t *testing.T) string {
	t.Helper()
	docs, err := os.ReadFile("../../docs/curation.md")
	if err != nil {
		t.Fatal(err)
	}
	entry := regexp.MustCompile("(?s)```yaml\n(tools:\n  upload_media:.*?)```").FindSubmatch(docs)
	if entry == nil {
		t.Fatal("docs/curation.md has no upload_media")
	}
	name := filepath.Join(t.TempDir(), "curation.yaml")
	text := "version: 1\n" + string(entry[1]) + `
  upload_all: { from: POST /wp/v2/media, confirm: { when: never }, result: { raw: true } }
  drop: { from: "DELETE /wp/v2/media/{id}", confirm: { when: never } }
`
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// uploaded is what the site says of a file.
type uploaded struct {
	ID      int
	Address string `json:"source_url"`
	Alt     string `json:"alt_text"`
	Type    string `json:"mime_type"`
	Title   struct{ Raw string }
	Caption struct{ Raw string }
	Post    int
	Status  string
	Comment string `json:"comment_status"`
}

// upload calls a tool with a file; what it answers is an error or decoded.
func upload(t *testing.T, session *mcp.ClientSession, tool string, file []byte, arguments map[string]any) (uploaded, string) {
	t.Helper()
	arguments["file"] = base64.StdEncoding.EncodeToString(file)
	text, _ := json.Marshal(arguments)
	said := call(t, session, tool, string(text))
	var up uploaded
	if !strings.HasPrefix(said, "error: ") {
		if err := json.Unmarshal([]byte(said), &up); err != nil {
			t.Fatalf("%s: %v", said, err)
		}
	}
	return up, said
}

// W81: a model puts a picture into the media library, and the bytes that the site
// serves are those it sent; the site's refusal reaches it.
func TestUpload(t *testing.T) {
	picture := image.NewNRGBA(image.Rect(0, 0, 9, 7))
	picture.Set(3, 4, color.NRGBA{200, 30, 60, 255})
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	at, _ := serve(t, "EDITOR", uploading(t))
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			session, _ := connect(t, at, era)
			up, said := upload(t, session, "upload_media", b.Bytes(), map[string]any{
				"filename": "shelf " + era + ".png", "title": `The "shelf" & more`, "alt_text": "Sieben Bücher",
			})
			if up.Title.Raw != `The "shelf" & more` || up.Alt != "Sieben Bücher" || up.Type != "image/png" || path.Base(up.Address) != "shelf-"+era+".png" {
				t.Errorf("%+v %s", up, said)
			}
			serves(t, up.Address, b.Bytes())
			hold(t, call(t, session, "drop", `{"id":`+strconv.Itoa(up.ID)+`,"force":true}`), `"deleted":true`)

			// A name beyond ASCII, with what would end it, and every other argument.
			up, said = upload(t, session, "upload_all", b.Bytes(), map[string]any{
				"filename": `写真 café; "1" ` + era + ".png", "caption": "A shelf", "post": 4, "status": "private", "comment_status": "closed",
			})
			name, _ := url.PathUnescape(path.Base(up.Address))
			if up.Caption.Raw != "A shelf" || up.Post != 4 || up.Status != "private" || up.Comment != "closed" || !strings.HasPrefix(name, "写真-caf") || !strings.HasSuffix(name, "-1-"+era+".png") {
				t.Errorf("%q %+v %s", name, up, said)
			}
			serves(t, up.Address, b.Bytes())
			hold(t, call(t, session, "drop", `{"id":`+strconv.Itoa(up.ID)+`,"force":true}`), `"deleted":true`)

			_, said = upload(t, session, "upload_media", []byte("<?php echo 1;"), map[string]any{"filename": "shelf.php"})
			hold(t, said, "error: ", "rest_upload_sideload_error", "not allowed to upload this file type", "nothing was kept")
			if strings.Contains(said, "unknown") {
				t.Errorf("the outcome is known: %s", said)
			}
			_, said = upload(t, session, "upload_media", nil, map[string]any{"filename": "a/b"})
			hold(t, said, "error: Nothing was sent", "file must not be empty", "filename must be the name alone")
			_, said = upload(t, session, "upload_all", b.Bytes(), map[string]any{"filename": "a.png", "description": strings.Repeat("long ", 2000)})
			hold(t, said, "error: Nothing was sent", "description is too large")
		})
	}
}

// serves fails unless an address has these bytes. Only its path is of interest:
// the test knows the site's address.
func serves(t *testing.T, address string, want []byte) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.Get(os.Getenv("TOOLPRESS_TEST_SITE") + u.EscapedPath())
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if got, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode != http.StatusOK || !bytes.Equal(got, want) {
		t.Errorf("%s: %d with %d bytes, want %d: %v", address, answer.StatusCode, len(got), len(want), err)
	}
}
