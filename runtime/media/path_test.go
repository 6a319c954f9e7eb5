package media

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toolpress/discover/wp"
)

const (
	png  = "\x89PNG\x0d\x0a\x1a\x0a\x00\x00\x00\x0dIHDR"
	page = "<!DOCTYPE html><html><title>Log in</title></html>"
)

// take opens a file as a call names it, and reads all of it.
func take(t *testing.T, path string, roots ...string) (wp.File, string, *Error) {
	t.Helper()
	f, closer, err := new(Opener).Open(t.Context(), wp.File{Name: filepath.Base(path), Type: wp.TypeByName(path), From: &wp.Source{Path: path, Roots: roots}})
	return read(t, f, closer, err)
}

// read is the content of a file that was opened, or why it was not.
func read(t *testing.T, f wp.File, closer io.Closer, err error) (wp.File, string, *Error) {
	t.Helper()
	if err != nil {
		var why *Error
		if !errors.As(err, &why) || closer != nil || why.Message == "" || why.Next == "" {
			t.Fatalf("%T %v", err, err)
		}
		return f, "", why
	}
	defer closer.Close()
	if f.From != nil || f.Content != nil && f.Data != nil {
		t.Errorf("%+v", f)
	}
	if f.Content == nil {
		return f, string(f.Data), nil
	}
	data, err := io.ReadAll(f.Content)
	if err != nil || int64(len(data)) != f.Size {
		t.Errorf("%d of %d bytes: %v", len(data), f.Size, err)
	}
	return f, string(data), nil
}

// write makes files below a new directory.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// W81: a file below the first root that has it is sent; a root that is not there does
// not hide those that are.
func TestPath(t *testing.T) {
	large := png + strings.Repeat("x", held)
	first := write(t, map[string]string{"a.png": png + "first", "deep/er/large.png": large, "folder": "no folder"})
	second := write(t, map[string]string{"a.png": png + "second", "b.png": png + "b", "folder/c.png": png + "c"})
	for path, want := range map[string]string{"a.png": png + "first", "b.png": png + "b", "deep/er/large.png": large, "folder/c.png": png + "c"} {
		f, got, err := take(t, path, filepath.Join(first, "gone"), first, second)
		if err != nil || got != want || f.Type != "image/png" || f.Name != filepath.Base(path) || (f.Content != nil) != (len(want) > held) {
			t.Errorf("%s: %d bytes, %+v %v", path, len(got), f.Type, err)
		}
	}
}

// T05, T41: what is outside, no regular file, too large or something else is not
// opened, and no word to the model names a directory of the machine.
func TestPathRefused(t *testing.T) {
	outside := write(t, map[string]string{"secret.png": png})
	root := write(t, map[string]string{"a.png": png, "empty.png": "", "page.png": page, "dir/b.png": png, ".hidden.png": png})
	for link, to := range map[string]string{
		"out.png": filepath.Join(outside, "secret.png"), "outdir": outside, "up.png": "../" + filepath.Base(outside) + "/secret.png",
		"in.png": "dir/b.png", "dangling.png": "nothing.png", "loop.png": "loop.png",
	} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Skip(err)
		}
	}
	sparse, err := os.Create(filepath.Join(root, "sparse.png"))
	if err != nil || sparse.Truncate(maxFile+1) != nil || sparse.Close() != nil {
		t.Fatal(err)
	}
	if _, got, err := take(t, "in.png", root); err != nil || got != png {
		t.Errorf("a link within the root: %q %v", got, err)
	}
	for path, want := range map[string]string{
		"out.png":           "does not lead to a file within",
		"outdir/secret.png": "does not lead to a file within",
		"up.png":            "does not lead to a file within",
		"loop.png":          "does not lead to a file within",
		"dangling.png":      "no such file",
		"b.png":             "no such file",
		"a.png/b.png":       "no such file",
		"dir":               "a directory or something else",
		"../a.png":          "must not hold . or ..",
		root + "/a.png":     "must be relative",
		".hidden.png":       "hidden",
		"empty.png":         "is empty",
		"sparse.png":        "has 67108865 bytes, and at most 67108864 (64 MiB) are sent",
		"page.png":          "said to be image/png, and its first bytes are those of a web page",
	} {
		_, _, err := take(t, path, root)
		if err == nil || !strings.Contains(err.Message, want) || strings.Contains(err.Message+err.Next, root) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
	_, _, whole := take(t, "a.png", filepath.Join(root, "gone"))
	if whole == nil || whole.Message != "a directory that files are taken from cannot be opened" || !strings.Contains(whole.Error(), filepath.Join(root, "gone")) {
		t.Errorf("the operator has to find which: %v", whole)
	}
	if _, _, err := take(t, "b.png", root); err == nil || !strings.Contains(err.Error(), root) {
		t.Errorf("the operator has to find where: %v", err)
	}
}

// A file that grows or shrinks while it is read is not sent as it was for a moment.
func TestPathChanges(t *testing.T) {
	for _, size := range []int64{10, 30} {
		s := &found{ReadCloser: io.NopCloser(strings.NewReader(png + "four")), size: size, arrived: func() { t.Error("it arrived") }, failure: unreadable}
		_, err := s.file(wp.File{Type: "image/png"})
		if why := (*Error)(nil); !errors.As(err, &why) || why.Message != "the file could not be read to its end" || !strings.Contains(why.Error(), "it changed while it was read") {
			t.Errorf("%d: %v", size, err)
		}
	}
}
