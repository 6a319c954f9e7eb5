package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// sourced is the entry of docs/curation.md that takes files from a directory and a
// host, with these.
func sourced(t *testing.T, root, host string) string {
	t.Helper()
	docs, err := os.ReadFile("../../docs/curation.md")
	if err != nil {
		t.Fatal(err)
	}
	entry := regexp.MustCompile("(?s)```yaml\n(site:\n  media:.*?)```").FindSubmatch(docs)
	if entry == nil {
		t.Fatal("docs/curation.md has no site.media")
	}
	text := strings.NewReplacer("[/srv/media]", "["+root+"]", "images.example,", `"`+host+`",`).Replace(string(entry[1]))
	name := filepath.Join(t.TempDir(), "curation.yaml")
	text = "version: 1\n" + text + "  drop: { from: \"DELETE /wp/v2/media/{id}\", confirm: { when: never } }\n"
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// W81: a file of a directory and one of the web are in WordPress's media library byte
// for byte, with title and text; one larger than is held goes through. T01, T41: what
// may not be had is not, and each has its words.
func TestUploadSources(t *testing.T) {
	picture := image.NewNRGBA(image.Rect(0, 0, 9, 7))
	picture.Set(3, 4, color.NRGBA{20, 130, 60, 255})
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	film := append([]byte("\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom"), make([]byte, 6<<20)...)
	root := t.TempDir()
	for name, data := range map[string][]byte{"2026/shelf.png": b.Bytes(), "film.mp4": film} {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc/hostname", filepath.Join(root, "host.txt")); err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/out.png":
			http.Redirect(w, r, os.Getenv("TOOLPRESS_TEST_SITE"), http.StatusFound)
			return
		case "/endless.png":
			for r.Context().Err() == nil {
				if _, err := w.Write(b.Bytes()); err != nil {
					return
				}
			}
		case "/film":
			w.Header().Set("Content-Type", "video/mp4")
			w.Header().Set("Content-Length", fmt.Sprint(len(film)))
			_, _ = w.Write(film)
		case "/page.png":
			_, _ = io.WriteString(w, "<!DOCTYPE html><title>Log in</title>")
		default:
			w.Header().Set("Content-Type", "image/png")
			_, _ = w.Write(b.Bytes())
		}
	}))
	defer web.Close()
	at, log := serve(t, "EDITOR", sourced(t, root, strings.TrimPrefix(web.URL, "http://")))
	session, _ := connect(t, at, eras[0])
	for _, c := range []struct {
		argument, value, name string
		want                  []byte
	}{
		{"path", "2026/shelf.png", "shelf.png", b.Bytes()},
		{"path", "film.mp4", "film.mp4", film},
		{"address", web.URL + "/front%20door.png?sig=CANARY", "front-door.png", b.Bytes()},
		{"address", web.URL + "/film", "film.mp4", film},
	} {
		arguments, _ := json.Marshal(map[string]any{c.argument: c.value, "title": `The "shelf" & more`, "alt_text": "Sieben Bücher"})
		said := call(t, session, "upload_file", string(arguments))
		var up uploaded
		if err := json.Unmarshal([]byte(said), &up); err != nil || up.Title.Raw != `The "shelf" & more` || up.Alt != "Sieben Bücher" || path.Base(up.Address) != c.name {
			t.Errorf("%s: %v %s", c.value, err, said)
			continue
		}
		serves(t, up.Address, c.want)
		hold(t, call(t, session, "drop", `{"id":`+strconv.Itoa(up.ID)+`,"force":true}`), `"deleted":true`)
	}
	for value, want := range map[string]string{
		"path host.txt":        "Nothing was sent: the path does not lead to a file within the directory",
		"path 2026/gone.png":   "Nothing was sent: there is no such file in the directory",
		"path /etc/hosts.txt":  "path must be relative",
		"address /out.png":     "Nothing was sent: the address redirects to " + os.Getenv("TOOLPRESS_TEST_SITE") + ", from where nothing is fetched",
		"address /endless.png": "Nothing was sent: the file does not say how large it is, and has more than the 4 MiB",
		"address /page.png":    "Nothing was sent: there is a web page, and no picture",
	} {
		argument, value, _ := strings.Cut(value, " ")
		if argument == "address" {
			value = web.URL + value
		}
		hold(t, call(t, session, "upload_file", fmt.Sprintf(`{%q:%q}`, argument, value)), "error: ", want)
	}
	if strings.Contains(log.String(), "CANARY") {
		t.Errorf("a query is in the log:\n%s", log.String())
	}
}
