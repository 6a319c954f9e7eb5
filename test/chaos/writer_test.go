package chaos

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"toolpress/test/chaos/history"
)

// curation is the text of a version, and the names of its tools. Each tool says the
// version, one is its own, and how many there are depends on it: half of the text
// is a curation too, and is none that was written. The calls carry the version to
// the site, as an argument that is fixed.
func curation(n int) (text string, tools []string) {
	var b strings.Builder
	b.WriteString("version: 1\ndefaults: { calls: 100000/s, confirm: { when: never } }\ntools:\n")
	tools = []string{"always", fmt.Sprintf("only_%d", n)}
	for i := range 3 + n%5 {
		tools = append(tools, fmt.Sprintf("some_%d", i))
	}
	for _, name := range tools {
		fmt.Fprintf(&b, "  %s:\n    from: GET /wp/v2/posts\n    description: Find posts, %s%s\n", name, mark(n), strings.Repeat(" as they were and as they are", 10))
		fmt.Fprintf(&b, "    args: { \"*\": hidden, search: { describe: Words to look for. }, offset: { fix: %d } }\n    result: { pick: [id] }\n", n)
	}
	return b.String(), tools
}

// mark is what a tool says of its version.
func mark(n int) string { return fmt.Sprintf("version-%d.", n) }

// broken is a text that cannot be used, of a number that nothing else has.
func broken(rnd *rand.Rand, n int) string {
	text, _ := curation(n)
	switch rnd.IntN(6) {
	case 0:
		return text + "  unclosed: { from: [\n"
	case 1:
		return text + "expos: []\n"
	case 2:
		return strings.Replace(text, "GET /wp/v2/posts", "GET /wp/v2/post", 1)
	case 3:
		return strings.Replace(text, "version: 1", "version: 99", 1)
	case 4:
		return text[:len(text)-20] // within the last entry
	}
	return ""
}

// styles are the ways in which a file is written: by editors, by a redirection of a
// shell, by a ConfigMap's mount, by git.
var styles = []string{"in place", "truncated", "renamed", "..data swapped", "recreated"}

// writer writes versions of one curation file, each larger than the one before.
type writer struct {
	w       *world
	rnd     *rand.Rand
	name    string
	n       int            // the last number
	written map[string]int // by style
	broken  int
}

func newWriter(w *world) *writer {
	return &writer{w: w, rnd: draw("writer", 0), name: filepath.Join(w.dir, "curation.yaml"), written: map[string]int{}}
}

// write writes the next version, or what is none.
func (o *writer) write(style string, valid bool) {
	o.n++
	text, tools := curation(o.n)
	if valid {
		o.written[style]++
		o.w.Write(o.n, history.Version{Began: o.w.now(), Tools: tools})
	} else {
		text = broken(o.rnd, o.n)
		o.broken++
	}
	if err := o.put(style, []byte(text)); err != nil {
		o.w.t.Errorf("%s: %v", style, err)
	}
}

func (o *writer) put(style string, text []byte) error {
	switch style {
	case "in place":
		f, err := os.OpenFile(o.name, os.O_WRONLY|os.O_CREATE, 0o600)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := o.slowly(f, text); err != nil {
			return err
		}
		return f.Truncate(int64(len(text)))
	case "truncated":
		f, err := os.OpenFile(o.name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
		if err != nil {
			return err
		}
		defer f.Close()
		o.gap()
		return o.slowly(f, text)
	case "renamed":
		return o.rename(text)
	case "..data swapped":
		return o.swap(text)
	}
	if err := os.Remove(o.name); err != nil {
		return err
	}
	o.gap()
	f, err := os.OpenFile(o.name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	return o.slowly(f, text)
}

// slowly writes a text in parts that end with a line.
func (o *writer) slowly(f *os.File, text []byte) error {
	lines := strings.SplitAfter(string(text), "\n")
	for len(lines) > 0 {
		n := min(1+o.rnd.IntN(20), len(lines))
		if _, err := f.WriteString(strings.Join(lines[:n], "")); err != nil {
			return err
		}
		lines = lines[n:]
		if o.rnd.IntN(3) == 0 {
			o.gap()
		}
	}
	return nil
}

// gap is how long a writer may wait in the middle; most do not wait long.
func (o *writer) gap() {
	switch {
	case o.rnd.IntN(100) == 0:
		time.Sleep(time.Duration(o.rnd.IntN(150)) * time.Millisecond)
	case o.rnd.IntN(4) == 0:
		time.Sleep(time.Duration(o.rnd.IntN(6)) * time.Millisecond)
	}
}

func (o *writer) rename(text []byte) error {
	if err := os.WriteFile(o.name+".new", text, 0o600); err != nil {
		return err
	}
	if o.rnd.IntN(2) == 0 {
		time.Sleep(5 * time.Millisecond) // as the disk takes, where a writer waits for it
	}
	o.gap()
	return os.Rename(o.name+".new", o.name)
}

// swap puts a text in place as the mount of a ConfigMap does: into a folder of its
// own, to which ..data then points. The file is a link through it.
func (o *writer) swap(text []byte) error {
	dir := filepath.Dir(o.name)
	folder := func(n int) string { return fmt.Sprintf("..%d", n) }
	if err := os.Mkdir(filepath.Join(dir, folder(o.n)), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, folder(o.n), "curation.yaml"), text, 0o600); err != nil {
		return err
	}
	o.gap()
	data := filepath.Join(dir, "..data")
	before, _ := os.Readlink(data)
	if err := point(data, folder(o.n)); err != nil {
		return err
	}
	if to, _ := os.Readlink(o.name); to == "" {
		if err := point(o.name, filepath.Join("..data", "curation.yaml")); err != nil {
			return err
		}
	}
	if before == "" {
		return nil
	}
	return os.RemoveAll(filepath.Join(dir, before))
}

// point has a link point somewhere, in one moment.
func point(link, to string) error {
	if err := os.Symlink(to, link+".tmp"); err != nil {
		return err
	}
	return os.Rename(link+".tmp", link)
}

// storm writes 50 times a second until the end, one in eight of it broken: in bursts,
// in which those after a writer that waits catch up, and now and then long enough
// apart for what was written in place to be read.
func (o *writer) storm(end time.Time) {
	next := time.Now()
	for next.Before(end) {
		next = next.Add(time.Duration(o.rnd.ExpFloat64() * float64(9*time.Millisecond)))
		if o.rnd.IntN(50) == 0 {
			next = time.Now().Add(time.Duration(350+o.rnd.IntN(150)) * time.Millisecond)
		}
		time.Sleep(time.Until(next))
		o.write(styles[o.rnd.IntN(len(styles))], o.rnd.IntN(8) > 0)
	}
}

// last writes the version that everybody has to know of in the end.
func (o *writer) last() { o.write(styles[o.rnd.IntN(len(styles))], true) }

// facts are what it did, for the report.
func (o *writer) facts() map[string]int {
	o.w.t.Logf("written: %v", o.written)
	return map[string]int{"texts that cannot be used": o.broken}
}
