package media

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"toolpress/discover/wp"
)

// site is a WordPress that counts what it is sent.
func site(t *testing.T) (*wp.Client, *atomic.Int64) {
	t.Helper()
	got := new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		got.Add(n)
		if n != r.ContentLength {
			t.Logf("%d of %d bytes", n, r.ContentLength)
		}
		fmt.Fprint(w, "{}")
	}))
	u, _ := url.Parse(server.URL + "/wp-json/")
	c, err := wp.NewClient(u, wp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(); server.Close() })
	return c.At(u), got
}

// upload opens a file and sends it.
func upload(ctx context.Context, c *wp.Client, f wp.File) error {
	opened, closer, err := new(Opener).Open(ctx, f)
	if err != nil {
		return err
	}
	defer closer.Close()
	_, err = c.Do(ctx, wp.Request{Method: http.MethodPost, Segments: []string{"wp", "v2", "media"}, Body: opened})
	return err
}

// W81: a file of 48 MiB goes from the disk, and from the web, to the site, and takes
// less memory than a tenth of it.
func TestStreaming(t *testing.T) {
	const size = 48 << 20
	root := t.TempDir()
	f, err := os.Create(filepath.Join(root, "film.mp4"))
	if err != nil || f.Truncate(size) != nil || f.Close() != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(root)))
	defer server.Close()
	c, got := site(t)
	for name, from := range map[string]wp.Source{
		"path":    {Path: "film.mp4", Roots: []string{root}},
		"address": {Address: server.URL + "/film.mp4", Hosts: []string{strings.TrimPrefix(server.URL, "http://")}},
	} {
		kind := ""
		if name == "path" { // as its name tells
			kind = "video/mp4"
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got.Store(0)
		err := upload(t.Context(), c, wp.File{Name: "film.mp4", Type: kind, From: &from})
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; err != nil || got.Load() != size || took > size/10 {
			t.Errorf("%s: %d bytes arrived, %d were allocated: %v", name, got.Load(), took, err)
		}
	}
}

// A large file that breaks off while it is sent leaves it unknown what the site has; a
// small one does not reach it.
func TestBreaksOff(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		size := 2 * held
		if r.URL.Path == "/small.png" {
			size = held
		}
		w.Header().Set("Content-Type", "image/png")
		w.Header().Set("Content-Length", fmt.Sprint(size))
		_, _ = io.WriteString(w, png+strings.Repeat("x", size/2))
	}))
	defer server.Close()
	c, _ := site(t)
	send := func(name string) error {
		return upload(t.Context(), c, wp.File{From: &wp.Source{Address: server.URL + name, Hosts: []string{strings.TrimPrefix(server.URL, "http://")}}})
	}
	if why := (*Error)(nil); !errors.As(send("/small.png"), &why) || c.Requests() != 0 {
		t.Errorf("%v after %d requests", why, c.Requests())
	}
	if why := (*wp.Error)(nil); !errors.As(send("/large.png"), &why) || why.Kind != wp.Unread || !why.OutcomeUnknown() || c.Requests() != 1 {
		t.Errorf("%v after %d requests", why, c.Requests())
	}
}
