package login

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"toolpress/discover/wp"
)

func stored(site, user string) Stored {
	return Stored{Site: site, Credential: wp.Credential{User: user, Password: wp.NewSecret(password)}, Application: "toolpress on x", Profile: site + "/wp-admin/profile.php"}
}

func save(t *testing.T, dir string, s Stored) string {
	t.Helper()
	name, err := Save(dir, s)
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// A credential is for exactly its scheme, host, port and path.
func TestStoreKeys(t *testing.T) {
	dir := t.TempDir()
	save(t, dir, stored("https://Shop.example:443/blog/", "ana"))
	for _, same := range []string{"https://shop.example/blog", "https://SHOP.example/blog/", "https://shop.example:443/blog?p=1"} {
		if c, ok, err := Lookup(dir, same); !ok || err != nil || c.User != "ana" || c.Password.Reveal() != password {
			t.Errorf("%s: %v, %v, %v", same, c, ok, err)
		}
	}
	for _, other := range []string{
		"http://shop.example/blog", "https://shop.example", "https://shop.example/blog/sub", "https://shop.example/Blog",
		"https://shop.example:8443/blog", "https://www.shop.example/blog", "https://shop.example/blog2", "http://shop.example:443/blog",
	} {
		if c, ok, err := Lookup(dir, other); ok || err != nil || !c.Anonymous() {
			t.Errorf("%s: %v, %v, %v", other, c, ok, err)
		}
	}
	save(t, dir, stored("http://[::1]:8080", "six"))
	if c, _, _ := Lookup(dir, "http://[::1]:8080/"); c.User != "six" {
		t.Errorf("%v", c)
	}
	if got := Sites(dir); !slices.Equal(got, []string{"http://[::1]:8080", "https://shop.example/blog"}) {
		t.Errorf("%v", got)
	}
	if _, ok, err := Lookup("", "https://shop.example"); ok || err != nil {
		t.Errorf("no directory: %v, %v", ok, err)
	}
	if _, _, err := Lookup(dir, "shop.example"); err == nil {
		t.Error("not an address, and taken")
	}
}

// The file is this user's alone, whatever was there before; others reading it
// is told with the remedy.
func TestStoreModes(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "toolpress"), 0o755); err != nil {
		t.Fatal(err)
	}
	name := save(t, dir, stored("https://shop.example", "ana"))
	modes := func() (modes []fs.FileMode) {
		for _, at := range []string{name, filepath.Dir(name), filepath.Dir(filepath.Dir(name))} {
			info, err := os.Stat(at)
			if err != nil {
				t.Fatal(err)
			}
			modes = append(modes, info.Mode().Perm())
		}
		return modes
	}
	if got := modes(); !slices.Equal(got, []fs.FileMode{0o600, 0o700, 0o700}) {
		t.Errorf("%o", got)
	}
	for _, open := range []fs.FileMode{0o640, 0o604, 0o620, 0o644} {
		if err := os.Chmod(name, open); err != nil {
			t.Fatal(err)
		}
		var exposed *ExposedError
		c, ok, err := Lookup(dir, "https://shop.example")
		if ok || !errors.As(err, &exposed) || !c.Anonymous() || !strings.Contains(exposed.Hint(), "chmod 600 '"+name+"'") {
			t.Errorf("%o: %v, %v, %v", open, c, ok, err)
		}
	}
	save(t, dir, stored("https://shop.example", "ben")) // logging in again mends it
	if c, _, err := Lookup(dir, "https://shop.example"); err != nil || c.User != "ben" || modes()[0] != 0o600 {
		t.Errorf("%v, %v, %o", c, err, modes())
	}
}

// What is no stored credential is told without quoting it, and can be forgotten.
func TestStoreDamage(t *testing.T) {
	dir := t.TempDir()
	name := save(t, dir, stored("https://shop.example", "ana"))
	other, err := os.ReadFile(save(t, dir, stored("https://other.example", "ana")))
	if err != nil {
		t.Fatal(err)
	}
	for what, text := range map[string]string{
		"cut off": `{"format":"toolpress/credential/1","password":"` + password, "another format": `{"format":"x","site":"https://shop.example","user":"a","password":"b"}`,
		"empty": "", "no password": `{"format":"toolpress/credential/1","site":"https://shop.example","user":"a"}`, "another site's": string(other),
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if c, ok, err := Lookup(dir, "https://shop.example"); ok || err == nil || !c.Anonymous() || strings.Contains(err.Error(), password) {
			t.Errorf("%s: %v, %v", what, ok, err)
		}
	}
	for _, want := range []bool{true, false} {
		if had, err := Forget(dir, "https://shop.example/"); had != want || err != nil {
			t.Errorf("%v, %v", had, err)
		}
	}
	if _, ok, err := Lookup(dir, "https://other.example"); !ok || err != nil {
		t.Errorf("the other site is forgotten too: %v", err)
	}
}

// Two logins at once lose nothing, and leave nothing behind.
func TestStoreTogether(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for _, site := range []string{"https://a.example", "https://b.example", "https://c.example", "https://c.example"} {
		all.Go(func() {
			if _, err := Save(dir, stored(site, "ana")); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	entries, err := os.ReadDir(folder(dir))
	if err != nil || len(entries) != 3 || len(Sites(dir)) != 3 {
		t.Errorf("%v, %v, %v", entries, Sites(dir), err)
	}
}
