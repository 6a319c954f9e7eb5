package media

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"toolpress/discover/wp"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// web is a server on this machine, which is on the list, and how a file is taken from
// it.
func web(t *testing.T, handler http.HandlerFunc) (hosts []string, take func(address string) (wp.File, string, *Error)) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	hosts = []string{strings.TrimPrefix(server.URL, "http://")}
	return hosts, func(address string) (wp.File, string, *Error) {
		t.Helper()
		if strings.HasPrefix(address, "/") {
			address = server.URL + address
		}
		f, closer, err := new(Opener).Open(t.Context(), wp.File{From: &wp.Source{Address: address, Hosts: hosts}})
		return read(t, f, closer, err)
	}
}

// W81: a file is taken from an address, under the name and as the type that it goes by
// there.
func TestFetch(t *testing.T) {
	large := png + strings.Repeat("x", held)
	_, take := web(t, func(w http.ResponseWriter, r *http.Request) {
		kind, content := "image/png", png
		switch r.URL.Path {
		case "/named":
			w.Header().Set("Content-Disposition", `attachment; filename="../Größe; 1.PNG"`)
		case "/large.png":
			content = large
			w.Header().Set("Content-Length", fmt.Sprint(len(large)))
		case "/chunked.png":
			w.(http.Flusher).Flush()
		case "/a.mp4", "/octets":
			kind = "application/octet-stream"
		case "/list":
			kind, content = "text/csv; charset=utf-8", "a,b\n"
		case "/moved":
			http.Redirect(w, r, "/moved/twice?sig=CANARY", http.StatusMovedPermanently)
			return
		case "/moved/twice":
			http.Redirect(w, r, "/shelf.png", http.StatusTemporaryRedirect)
			return
		}
		w.Header().Set("Content-Type", kind)
		_, _ = io.WriteString(w, content)
	})
	for address, want := range map[string]string{
		"/2026/shelf.png?sig=CANARY#top": "shelf.png image/png",
		"/a%20b%2Fc.png":                 "c.png image/png",
		"/named":                         "Größe 1.PNG image/png",
		"/large.png":                     "large.png image/png",
		"/chunked.png":                   "chunked.png image/png",
		"/octets":                        "octets.png image/png",
		"/a.mp4":                         "a.png image/png",
		"/photo.php":                     "photo.php.png image/png",
		"/photo.jpg":                     "photo.png image/png",
		"/":                              "file.png image/png",
		"/list":                          "list.csv text/csv",
		"/moved":                         "shelf.png image/png",
		"/" + strings.Repeat("ö", 99):    strings.Repeat("ö", 50) + ".png image/png",
	} {
		f, content, err := take(address)
		if got := f.Name + " " + f.Type; err != nil || got != want || !strings.HasPrefix(content, png) && content != "a,b\n" || address == "/large.png" && content != large {
			t.Errorf("%s: %s with %d bytes, want %s: %v", address, got, len(content), want, err)
		}
	}
}

// T01, T03: every hop is on the list, and none is told of another, nor by whom it is
// asked.
func TestRedirects(t *testing.T) {
	var mu sync.Mutex
	asked, hops := map[string]http.Header{}, 0
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a host that is not on the list was asked") }))
	defer other.Close()
	_, take := web(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked[r.URL.Path] = r.Header
		mu.Unlock()
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "CANARY"})
		switch to := r.URL.Query().Get("to"); {
		case to != "":
			http.Redirect(w, r, to, http.StatusFound)
		case r.URL.Path == "/loop":
			hops++
			http.Redirect(w, r, "/loop", http.StatusFound)
		default:
			_, _ = io.WriteString(w, png)
		}
	})
	if _, _, err := take("/first?sig=CANARY&to=/second.png"); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/first", "/second.png"} {
		h := asked[path]
		if len(h) != 3 || h.Get("Accept") == "" || h.Get("User-Agent") != "toolpress" || h.Get("Connection") != "close" || strings.Contains(fmt.Sprint(h), "CANARY") {
			t.Errorf("%s: %v", path, h)
		}
	}
	for to, want := range map[string]string{
		"/x?to=" + other.URL + "/a.png?sig=CANARY": "the address redirects to " + other.URL + ", from where nothing is fetched",
		"/x?to=http://169.254.169.254/latest":      "redirects to http://169.254.169.254,",
		"/x?to=https://evil.example/":              "redirects to https://evil.example,",
		"/x?to=//evil.example/":                    "redirects to http://evil.example,",
		"/x?to=file:///etc/passwd":                 "redirects to file://,",
		"/loop":                                    "redirects more than 3 times",
	} {
		_, _, err := take(to)
		if err == nil || !strings.Contains(err.Message, want) || strings.Contains(err.Error()+err.Next, "CANARY") {
			t.Errorf("%s: %v, want %s", to, err, want)
		}
	}
	if hops != 1+maxRedirects {
		t.Errorf("%d addresses were asked", hops)
	}
}

// W81: each thing that is no file has its own words, and none of them the query.
func TestFetchRefused(t *testing.T) {
	hosts, take := web(t, func(w http.ResponseWriter, r *http.Request) {
		kind, content, status := "image/png", png, http.StatusOK
		switch r.URL.Path {
		case "/gone.png":
			status = http.StatusNotFound
		case "/login.png":
			status = http.StatusForbidden
		case "/part.png":
			status = http.StatusPartialContent
		case "/page":
			kind, content = "text/html", page
		case "/data":
			kind, content = "application/json", `{"a":1}`
		case "/lie.png":
			content = page
		case "/lie.jpg":
			kind = "image/jpeg"
		case "/code":
			kind, content = "application/octet-stream", "<?php echo 1;"
		case "/packed.png":
			w.Header().Set("Content-Encoding", "gzip")
		case "/empty.png":
			content = ""
		case "/declared.png":
			w.Header().Set("Content-Length", fmt.Sprint(maxFile+1))
		case "/short.png":
			w.Header().Set("Content-Length", "1000")
		case "/endless.png":
			w.Header().Set("Content-Type", kind)
			_, _ = io.WriteString(w, png)
			for r.Context().Err() == nil {
				if _, err := w.Write(make([]byte, 1<<16)); err != nil {
					return
				}
			}
		}
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, content)
	})
	for address, want := range map[string]string{
		"/gone.png":     "there is no file at the address: it answers with status 404",
		"/login.png":    "it answers with status 403",
		"/part.png":     "it answers with status 206",
		"/page":         "there is a web page, and no picture, recording or document",
		"/data":         "there is something that says it is application/json, and no picture",
		"/lie.png":      "said to be image/png, and its first bytes are those of a web page",
		"/lie.jpg":      "said to be image/jpeg, and its first bytes are those of something else",
		"/code":         "something that says it is application/octet-stream",
		"/packed.png":   "compressed",
		"/empty.png":    "is empty",
		"/declared.png": "has 67108865 bytes, and at most 67108864 (64 MiB) are sent",
		"/short.png":    "broke off while it was fetched",
		"/endless.png":  "does not say how large it is, and has more than the 4 MiB that are taken then",
	} {
		_, _, err := take(address + "?sig=CANARY")
		if err == nil || !strings.Contains(err.Message, want) || strings.Contains(err.Error()+err.Next, "CANARY") {
			t.Errorf("%s: %v, want %s", address, err, want)
		}
	}
	for address, want := range map[string]string{
		"https://" + hosts[0] + "/a.png": "its host gave no answer", // it speaks no TLS
		"https://evil.example/a.png":     "the address must be on " + hosts[0],
	} {
		if _, _, err := take(address + "?sig=CANARY"); err == nil || !strings.Contains(err.Message, want) || strings.Contains(err.Error(), "CANARY") {
			t.Errorf("%s: %v, want %s", address, err, want)
		}
	}
}

// A certificate that nobody vouches for is refused, and said.
func TestFetchCertificate(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("asked") }))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // it speaks of the handshake
	server.StartTLS()
	defer server.Close()
	_, _, err := new(Opener).Open(t.Context(), wp.File{From: &wp.Source{Address: server.URL + "/a.png", Hosts: []string{strings.TrimPrefix(server.URL, "https://")}}})
	if why := (*Error)(nil); !errors.As(err, &why) || !strings.Contains(why.Message, "certificate") {
		t.Errorf("%v", err)
	}
}

// never is a body that does not come before its context ends.
type never struct{ context.Context }

func (n never) Read([]byte) (int, error) { <-n.Done(); return 0, n.Err() }

// What does not arrive in half of the time of a call is given up, so that the site has
// the rest; what is read while it is sent has all of it.
func TestFetchDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		start := time.Now()
		own, stop, _ := waiting(ctx)
		defer stop()
		_, err := never{own}.Read(nil)
		if why := (*Error)(nil); !errors.As(broken(own, err), &why) || why.Message != "the file did not arrive in time" || time.Since(start) != 15*time.Second {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		own, end, arrived := waiting(ctx)
		defer end()
		arrived()
		_, _ = never{own}.Read(nil)
		if time.Since(start) != 30*time.Second || !late(own) {
			t.Errorf("after %v", time.Since(start))
		}
	})
}
