package watch

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// T43, R05, R07: a file that is written in place is read when it is whole, however
// the writer goes about it, also where nothing tells of writes. What another file
// was renamed over is read at once.
func TestCase_T43(t *testing.T) {
	const before, after = "version: 1\ntools: { a: {} }\n", "version: 1\ntools:\n  a: {}\n  b: {}\n  c: {}\n"
	put := func(f *os.File, text string) {
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	for name, write := range map[string]func(f *os.File){
		"truncated, a gap, written":   func(f *os.File) { time.Sleep(200 * time.Millisecond); put(f, after) },
		"half, a gap, the other half": func(f *os.File) { put(f, after[:27]); time.Sleep(200 * time.Millisecond); put(f, after[27:]) },
		"byte by byte": func(f *os.File) {
			for i := range len(after) {
				put(f, after[i:i+1])
				time.Sleep(20 * time.Millisecond)
			}
		},
		"line by line, slowly": func(f *os.File) {
			for line := range strings.Lines(after) {
				time.Sleep(250 * time.Millisecond)
				put(f, line)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "c.yaml")
				writeFile(t, file, before)
				read := []byte(before)
				var got []string
				l := &Loop{Floor: 10 * time.Millisecond, deaf: true, Read: func() map[string][]byte { return map[string][]byte{file: read} }}
				l.Changed = func(_ context.Context, now map[string][]byte) { read = now[file]; got = append(got, string(read)) }
				end := run(l)
				f, err := os.OpenFile(file, os.O_WRONLY|os.O_TRUNC, 0)
				if err != nil {
					t.Fatal(err)
				}
				write(f)
				_ = f.Close()
				time.Sleep(time.Second)
				writeFile(t, file+".new", before)
				earlier(t, file+".new")
				if err := os.Rename(file+".new", file); err != nil {
					t.Fatal(err)
				}
				time.Sleep(25 * time.Millisecond)
				end()
				if !slices.Equal(got, []string{after, before}) {
					t.Errorf("what was read: %q", got)
				}
			})
		})
	}
}

// earlier has a file have been written a while ago, and later in a while: whether a file
// system's clock ticks between two writes is chance.
func earlier(t *testing.T, name string) { t.Helper(); dated(t, name, -time.Hour) }
func later(t *testing.T, name string)   { t.Helper(); dated(t, name, time.Hour) }

func dated(t *testing.T, name string, off time.Duration) {
	t.Helper()
	info, err := os.Stat(name)
	if err == nil {
		at := info.ModTime().Add(off)
		err = os.Chtimes(name, at, at)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// T43, R01, R02: what was renamed into its place, and written before, is read at once.
// What was made anew there, was written to since, is behind a link that leads elsewhere,
// or may have been any of this, is read when it is whole.
func TestHowAFileCame(t *testing.T) {
	const before, half, whole = "version: 1\n", "version: 1\ntools:\n  a: {}\n", "version: 1\ntools:\n  a: {}\n  b: {}\n"
	const pause = 200 * time.Millisecond
	type folder struct {
		put         func(name, text string) // in place
		rename      func(from, to string)
		aged, young func(name string)
	}
	for name, c := range map[string]struct {
		write func(f folder)
		after time.Duration
	}{
		"renamed": {func(f folder) { f.put("new", whole); f.aged("new"); f.rename("new", "c.yaml") }, 0},
		"renamed, and nothing tells when it was written": {func(f folder) { f.put("new", whole); f.young("new"); f.rename("new", "c.yaml") }, written},
		"renamed, and the half of the next in place": {func(f folder) {
			f.put("new", before+"# 2\n")
			f.aged("new")
			f.rename("new", "c.yaml")
			f.put("c.yaml", half)
			time.Sleep(pause)
			f.put("c.yaml", whole)
		}, pause + written},
		"removed, made anew, empty, half, whole": {func(f folder) {
			f.rename("c.yaml", "old")
			f.put("c.yaml", "")
			time.Sleep(pause)
			f.put("c.yaml", half)
			time.Sleep(pause)
			f.put("c.yaml", whole)
		}, 2*pause + written},
		"a link to a file that is written": {func(f folder) {
			f.put("other", half)
			f.rename("link", "c.yaml")
			time.Sleep(pause)
			f.put("other", whole)
		}, pause + written},
		"in place, and then something else about it": {func(f folder) {
			f.put("c.yaml", half)
			f.aged("c.yaml")
			time.Sleep(pause)
			f.put("c.yaml", whole)
			f.aged("c.yaml")
		}, pause + written},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				dir := t.TempDir()
				at := func(name string) string { return filepath.Join(dir, name) }
				writeFile(t, at("c.yaml"), before)
				if err := os.Symlink("other", at("link")); err != nil {
					t.Fatal(err)
				}
				read, start := []byte(before), time.Now()
				var got string
				var after time.Duration
				end := run(&Loop{
					Floor: 7 * time.Millisecond, deaf: true, Read: func() map[string][]byte { return map[string][]byte{at("c.yaml"): read} },
					Changed: func(_ context.Context, now map[string][]byte) {
						read = now[at("c.yaml")]
						got, after = got+string(read), time.Since(start)
					},
				})
				time.Sleep(time.Second)
				start = time.Now()
				c.write(folder{
					put:  func(name, text string) { writeFile(t, at(name), text) },
					aged: func(name string) { earlier(t, at(name)) }, young: func(name string) { later(t, at(name)) },
					rename: func(from, to string) {
						if err := os.Rename(at(from), at(to)); err != nil {
							t.Fatal(err)
						}
					},
				})
				time.Sleep(time.Second)
				end()
				if got != whole || after < c.after || after > c.after+20*time.Millisecond {
					t.Errorf("after %v, and not %v: %q", after, c.after, got)
				}
			})
		})
	}
}

// What was seen to be whole is what is used, whatever is written meanwhile.
func TestWhatWasSeenIsUsed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		file, other := filepath.Join(dir, "c.yaml"), filepath.Join(dir, "base.yaml")
		writeFile(t, file, "a")
		writeFile(t, other, "1")
		read := map[string][]byte{file: []byte("a"), other: []byte("1")}
		var got []string
		l := &Loop{Floor: 10 * time.Millisecond, deaf: true, Read: func() map[string][]byte { return read }}
		l.Changed = func(_ context.Context, now map[string][]byte) {
			writeFile(t, other, "half")
			got = append(got, string(now[file])+string(now[other]))
			read = now
			time.Sleep(100 * time.Millisecond)
			writeFile(t, other, "2")
		}
		end := run(l)
		writeFile(t, file, "b")
		time.Sleep(time.Second)
		end()
		if len(got) < 2 || got[0] != "b1" || got[1] != "b2" {
			t.Errorf("%q", got)
		}
	})
}
