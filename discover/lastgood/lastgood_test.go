package lastgood

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"toolpress/discover"
)

func reading() *Reading {
	return &Reading{
		Key: Key{Address: "https://shop.example/blog", Account: "user ana"},
		Site: &discover.Site{
			Format: discover.Format, URL: "https://shop.example/blog", Root: "https://shop.example/blog/wp-json/", Name: "<Shop>", Namespaces: []string{"wp/v2"},
			User:   &discover.User{ID: "3", Login: "ana"},
			Routes: []discover.Route{{Path: "/wp/v2/posts", Pattern: "/wp/v2/posts", Endpoints: []discover.Endpoint{{Methods: []string{"GET"}}}}},
		},
		May: map[string]discover.Permissions{"user ana": {"GET /wp/v2/posts": discover.Allowed}, "user bob": {"GET /wp/v2/posts": discover.Denied}},
	}
}

// What was kept is what is read again, byte for byte the same recording; the file is
// this user's alone, and no other is left behind.
func TestKept(t *testing.T) {
	dir, r := t.TempDir(), reading()
	for range 2 { // in the place of the one before
		if err := r.Save(dir); err != nil {
			t.Fatal(err)
		}
	}
	files, _ := filepath.Glob(filepath.Join(dir, "sites", "*"))
	if len(files) != 1 {
		t.Fatal(files)
	}
	if info, err := os.Stat(files[0]); err != nil || info.Mode().Perm() != 0o600 || !strings.HasPrefix(info.Name(), "shop.example-") {
		t.Errorf("%v %v", info, err)
	}
	then := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	if err := os.Chtimes(files[0], then, then); err != nil {
		t.Fatal(err)
	}
	got, err := Load(dir, r.Key)
	if err != nil || !got.At.Equal(then) {
		t.Fatalf("%v %v", got, err)
	}
	one, _ := discover.Encode(r.Site)
	two, _ := discover.Encode(got.Site)
	if diff := cmp.Diff(string(one), string(two)) + cmp.Diff(r.May, got.May); diff != "" {
		t.Error(diff)
	}
	if err := r.Confirm(dir); err != nil {
		t.Error(err)
	}
	if got, _ = Load(dir, r.Key); !got.At.After(then) {
		t.Error("a reading of the same is no newer")
	}
}

// It is of no other account, host or site, whatever its file is called, and nothing
// that is broken or of another version.
func TestNothingElseIsTaken(t *testing.T) {
	dir, r := t.TempDir(), reading()
	if err := r.Save(dir); err != nil {
		t.Fatal(err)
	}
	mine, _ := r.Name(dir)
	text, err := os.ReadFile(mine)
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range []Key{
		{r.Address, "", "", "user bob"},
		{r.Address, "", "", "nobody"},
		{r.Address, "pod.example", "", r.Account},
		{r.Address, "", "de_DE", r.Account},
		{"https://shop.example", "", "", r.Account},
		{"http://shop.example/blog", "", "", r.Account},
	} {
		if got, err := Load(dir, other); got != nil || err != nil {
			t.Errorf("%v: %+v %v", other, got, err)
		}
		name, _ := other.Name(dir)
		if err := os.WriteFile(name, text, 0o600); err != nil { // somebody copies it
			t.Fatal(err)
		}
		if got, err := Load(dir, other); got != nil || err == nil || !strings.Contains(err.Error(), "it is about https://shop.example/blog as user ana") {
			t.Errorf("%v: %+v %v", other, got, err)
		}
	}
	for want, broken := range map[string]string{
		"it is broken":                   string(text[:len(text)/2]),
		"broken":                         "",
		"toolpress/last-good/0":          strings.Replace(string(text), format, "toolpress/last-good/0", 1),
		"toolpress/site/9":               strings.Replace(string(text), discover.Format, "toolpress/site/9", 1),
		"it is broken: it has no routes": strings.Replace(string(text), `"routes":[`, `"routes":[],"old":[`, 1),
	} {
		if err := os.WriteFile(mine, []byte(broken), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := Load(dir, r.Key); got != nil || err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), mine) {
			t.Errorf("%s: %+v %v", want, got, err)
		}
	}
	if err := os.Remove(mine); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(mine, 0o700); err != nil {
		t.Fatal(err)
	}
	if got, err := Load(dir, r.Key); got != nil || err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("%+v %v", got, err)
	}
}
