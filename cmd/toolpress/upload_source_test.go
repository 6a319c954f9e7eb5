package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"toolpress/curate"
)

// uploadFrom is the entry of docs/curation.md that takes files from a directory and a
// host, with these.
func uploadFrom(t *testing.T, root, host string) string {
	t.Helper()
	docs, err := os.ReadFile("../../docs/curation.md")
	if err != nil {
		t.Fatal(err)
	}
	entry := regexp.MustCompile("(?s)```yaml\n(site:\n  media:.*?)```").FindSubmatch(docs)
	if entry == nil {
		t.Fatal("docs/curation.md has no site.media")
	}
	text := strings.NewReplacer("/srv/media,", root+",", "[/srv/media]", "["+root+"]", "images.example,", `"`+host+`",`).Replace(string(entry[1]))
	if !strings.Contains(text, root) || !strings.Contains(text, host) {
		t.Fatalf("the entry was changed\n%s", text)
	}
	name := filepath.Join(t.TempDir(), "curation.yaml")
	if err := os.WriteFile(name, []byte("version: 1\n"+text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// W81: a file of a directory and one of the web go to the bookshop, with title and
// text; a dry run says where each would come from, and asks for neither.
func TestUploadSources(t *testing.T) {
	var picture bytes.Buffer
	_ = png.Encode(&picture, image.NewGray(image.Rect(0, 0, 8, 6)))
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "2026"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "2026", "shelf.png"), picture.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	var asked atomic.Int32
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write(picture.Bytes())
	}))
	defer web.Close()
	address, toolpress := atBookshop(t, uploadFrom(t, root, strings.TrimPrefix(web.URL, "http://")))
	if said, code := toolpress("check"); code != exitOK || strings.Contains(said, "not enforced") {
		t.Errorf("exit %d\n%s", code, said)
	}
	for argument, want := range map[string]string{
		"path=2026/shelf.png":                         "\nContent-Type: image/png\nContent-Disposition: attachment; filename=\"shelf.png\"\n\n(the file 2026/shelf.png below a directory of site.media.roots, opened when it is sent)\n",
		"path=gone/shelf.png":                         "(the file gone/shelf.png below",
		"address=" + web.URL + "/door.png?sig=CANARY": "\nAuthorization: (not shown)\n\n(the file at " + web.URL + "/door.png?[redacted], fetched when it is sent: its name and type are told by it)\n",
	} {
		said, code := toolpress("call", "--dry-run", "upload_file", argument, "title=T")
		if code != exitOK || !strings.HasPrefix(said, "POST "+address+"/wp-json/wp/v2/media?title%5Braw%5D=T\n") || !strings.Contains(said, want) {
			t.Errorf("exit %d\n%s\nlacks %s", code, said, want)
		}
	}
	if said, code := toolpress("explain", "upload_file"); code != exitOK || strings.Contains(said, "is refused") || asked.Load() != 0 {
		t.Errorf("exit %d, %d requests\n%s", code, asked.Load(), said)
	}
	for argument, name := range map[string]string{"path=2026/shelf.png": "/shelf.png", "address=" + web.URL + "/door.png?sig=CANARY": "/door.png"} {
		said, code := toolpress("call", "upload_file", argument, "title=The shelf", "alt_text=Seven books")
		var made struct {
			Address string `json:"source_url"`
			Alt     string `json:"alt_text"`
			Title   struct{ Raw string }
		}
		if err := json.Unmarshal([]byte(said), &made); err != nil || code != exitOK || made.Alt != "Seven books" || made.Title.Raw != "The shelf" || !strings.HasSuffix(made.Address, name) {
			t.Fatalf("exit %d %v\n%s", code, err, said)
		}
		answer, err := http.Get(made.Address)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := io.ReadAll(answer.Body)
		if _ = answer.Body.Close(); !bytes.Equal(got, picture.Bytes()) {
			t.Errorf("%d bytes at %s, want %d", len(got), made.Address, picture.Len())
		}
	}
	for argument, want := range map[string]string{
		"path=gone.png":                      "there is no such file",
		"path=2026":                          "path must have a name and an extension",
		"address=https://evil.example/a.png": "address must be on " + strings.TrimPrefix(web.URL, "http://") + " or cdn.example:8443",
		"title=x":                            "one of address and path is required",
	} {
		if said, code := toolpress("call", "upload_file", argument); code != exitFailed || !strings.Contains(said, want) || strings.Contains(said, root+":") {
			t.Errorf("%s: exit %d\n%s\nlacks %s", argument, code, said, want)
		}
	}
}

// W81: a web server in front of the site that takes no such body is told apart from
// the site, and the outcome is known.
func TestUploadBehindProxy(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "film.mp4"), make([]byte, 6<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	address, toolpress := atBookshop(t, uploadFrom(t, root, "images.example"))
	site, _ := url.Parse(address)
	through := httputil.NewSingleHostReverseProxy(site)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength <= 1<<20 {
			through.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		fmt.Fprint(w, "<html><head><title>413 Request Entity Too Large</title></head></html>")
	}))
	defer proxy.Close()
	said, code := toolpress("call", "upload_file", "path=film.mp4", "--site", proxy.URL)
	if code != exitFailed || !strings.Contains(said, "refused the call with status 413: its body is too large.\nNext: send less: a smaller file") || strings.Contains(said, "unknown") {
		t.Errorf("exit %d\n%s", code, said)
	}
}

// A directory that is not there is told when serving begins, at its place.
func TestMediaRootIsMissing(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	gone := filepath.Join(dir, "gone")
	s := curated(t, fmt.Sprintf("site: { media: { roots: [%s, %s, %s] } }", dir, gone, file), nil)
	found := s.cautions(&curate.Catalog{})
	if len(found) != 2 || found[0].Pos.Line != 2 || !strings.Contains(found[0].Message, "no file can be taken from "+gone+": no such") || !strings.Contains(found[1].Message, file+": it is no directory") {
		t.Errorf("%v", found)
	}
}
