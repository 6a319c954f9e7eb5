package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/png"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The entry of docs/curation.md uploads a file to the bookshop; explain shows the
// request without the bytes (W81).
func TestUpload(t *testing.T) {
	docs, err := os.ReadFile("../../docs/curation.md")
	if err != nil {
		t.Fatal(err)
	}
	entry := regexp.MustCompile("(?s)```yaml\n(tools:\n  upload_media:.*?)```").FindSubmatch(docs)
	if entry == nil {
		t.Fatal("docs/curation.md has no upload_media")
	}
	dir := t.TempDir()
	curation, arguments := filepath.Join(dir, "curation.yaml"), filepath.Join(dir, "arguments.json")
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(curation, "version: 1\n"+string(entry[1]))
	address, toolpress := atBookshop(t, curation)

	said, code := toolpress("check")
	if code != exitOK || strings.Contains(said, "warning") {
		t.Errorf("exit %d\n%s", code, said)
	}
	said, code = toolpress("explain", "upload_media")
	for _, want := range []string{
		"POST " + address + "/wp-json/wp/v2/media?alt_text=alt_text&title%5Braw%5D=title\n",
		"\nContent-Type: image/png\nContent-Disposition: attachment; filename=\"picture.png\"\n\n(8 bytes of image/png)\n",
	} {
		if code != exitOK || !strings.Contains(said, want) {
			t.Errorf("exit %d\n%s\nlacks %s", code, said, want)
		}
	}

	var picture bytes.Buffer
	_ = png.Encode(&picture, image.NewGray(image.Rect(0, 0, 8, 6)))
	upload := func(name string) (string, int) {
		text, _ := json.Marshal(map[string]string{"file": base64.StdEncoding.EncodeToString(picture.Bytes()), "filename": name, "title": "The shelf", "alt_text": "Seven books"})
		write(arguments, string(text))
		return toolpress("call", "upload_media", "--input", "@"+arguments)
	}
	said, code = upload("shelf.png")
	var made struct {
		Address string `json:"source_url"`
		Alt     string `json:"alt_text"`
		Title   struct{ Raw string }
	}
	if err := json.Unmarshal([]byte(said), &made); err != nil || code != exitOK || made.Alt != "Seven books" || made.Title.Raw != "The shelf" {
		t.Fatalf("exit %d %v\n%s", code, err, said)
	}
	answer, err := http.Get(made.Address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if got, _ := io.ReadAll(answer.Body); !bytes.Equal(got, picture.Bytes()) || !strings.HasSuffix(made.Address, "/shelf.png") {
		t.Errorf("%d bytes at %s, want %d", len(got), made.Address, picture.Len())
	}
	for name, want := range map[string]string{
		"shelf.php": "nothing was kept", "a/shelf.png": "- filename must be the name alone", "shelf": "- filename must have a name and an extension",
	} {
		if said, code := upload(name); code != exitFailed || !strings.Contains(said, want) || strings.Contains(said, "unknown") {
			t.Errorf("%s: exit %d\n%s\nlacks %s", name, code, said, want)
		}
	}
	// All at once, and what is missing.
	said, _ = toolpress("call", "upload_media", "file=data:,x", "filename=x")
	for _, want := range []string{"- file must be the whole content", "- filename must have a name"} {
		if !strings.Contains(said, want) {
			t.Errorf("%s\nlacks %s", said, want)
		}
	}
	said, code = toolpress("call", "upload_media", "title=x")
	if code != exitFailed || !strings.Contains(said, "file is required") || !strings.Contains(said, "filename is required") {
		t.Errorf("exit %d\n%s", code, said)
	}
}

// What a request may have is a flag: a picture of some megabytes goes through with
// it, in both eras, and not without it.
func TestLargeUpload(t *testing.T) {
	docs, err := os.ReadFile("../../docs/curation.md")
	if err != nil {
		t.Fatal(err)
	}
	entry := regexp.MustCompile("(?s)```yaml\n(tools:\n  upload_media:.*?)```").FindSubmatch(docs)
	name := filepath.Join(t.TempDir(), "curation.yaml")
	if err := os.WriteFile(name, append([]byte("version: 1\n"), entry[1]...), 0o600); err != nil {
		t.Fatal(err)
	}
	noise := image.NewNRGBA(image.Rect(0, 0, 1200, 1000))
	random := rand.NewChaCha8([32]byte{})
	_, _ = random.Read(noise.Pix)
	var picture bytes.Buffer
	_ = (&png.Encoder{CompressionLevel: png.NoCompression}).Encode(&picture, noise)
	for flag, refused := range map[string]bool{"16MiB": false, "1MiB": true} {
		log := start(t, nil, io.Discard, "demo", "--listen", "127.0.0.1:0", "--max-body", flag, "--curation", name)
		log.Await(t, "Inspector", patience)
		_, rest, _ := strings.Cut(log.String(), "serving MCP at ")
		url := strings.Fields(rest)[0]
		for _, era := range eras {
			session, _ := connect(t, &mcp.StreamableClientTransport{Endpoint: url, MaxRetries: -1}, era)
			arguments := map[string]any{"file": base64.StdEncoding.EncodeToString(picture.Bytes()), "filename": "noise.png"}
			if refused {
				if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "upload_media", Arguments: arguments}); err == nil {
					t.Errorf("%s, %s: %d bytes go through", flag, era, picture.Len())
				}
				continue
			}
			answer, err := http.Get(call(t, session, "upload_media", arguments)["source_url"].(string))
			if err != nil {
				t.Fatal(err)
			}
			got, _ := io.ReadAll(answer.Body)
			_ = answer.Body.Close()
			if !bytes.Equal(got, picture.Bytes()) || len(got) < 3<<20 {
				t.Errorf("%s, %s: %d bytes, want %d", flag, era, len(got), picture.Len())
			}
		}
	}
}
