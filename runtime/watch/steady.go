package watch

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// written is how long a file that is written in place must stay the same before
// it is read. Half of a curation may be a curation too, of other tools: a writer
// that truncates, and waits, or writes bit by bit, is not read half way.
const written = 300 * time.Millisecond

// certain is how long a file that was put in place must stay the same, without any
// event: what is written into it right after is told in that time.
const certain = settle / 2

// hint is what events told of a name since its file was read.
type hint int

const (
	unheard hint = iota
	arrived      // a file was put there, by renaming or anew
	touched      // and was written to
)

// steady tells when files that differ from what was read may be read. One that was
// renamed into its place is whole at once, and events tell; any other waits until
// nothing about it changes: one of which nothing is told, one that is made anew and
// then written, one behind a link that leads elsewhere now. The zero value has seen
// nothing. It trusts no clock but its own: a file's times are its server's.
type steady struct {
	// hints are by name, of the files and of where their links lead; last is when the
	// last event came, of whatever.
	hints map[string]hint
	last  time.Time
	// seen are the contents that differ, and since when they are the same.
	seen  map[string][]byte
	since time.Time
}

// took remembers which files were read.
func (s *steady) took(read map[string][]byte) {
	s.hints, s.seen = map[string]hint{}, nil
	for file := range read {
		s.hints[filepath.Clean(file)] = unheard
		s.hints[target(file)] = unheard
	}
}

// hear takes an event.
func (s *steady) hear(e fsnotify.Event) {
	s.last = time.Now()
	name := filepath.Clean(e.Name)
	if _, ours := s.hints[name]; !ours {
		return
	}
	switch {
	case e.Has(fsnotify.Write):
		s.hints[name] = touched
	case e.Has(fsnotify.Create):
		s.hints[name] = arrived
	}
}

// look compares what was read with what is there. Where that differs it returns all
// that is there, when that may be used, or how long to wait before the next look.
func (s *steady) look(read map[string][]byte) (now map[string][]byte, wait time.Duration) {
	now, differ := map[string][]byte{}, map[string][]byte{}
	whole := true
	for name, before := range read {
		text, same := compare(name, before)
		now[name] = text
		if !same {
			differ[name] = text
			whole = whole && len(text) > 0 && s.whole(name)
		}
	}
	if len(differ) == 0 {
		s.seen = nil
		return nil, 0
	}
	if s.seen == nil || !maps.EqualFunc(differ, s.seen, bytes.Equal) {
		s.seen, s.since = differ, time.Now()
	}
	wait = written - time.Since(s.since)
	if whole {
		quiet := s.since
		if s.last.After(quiet) {
			quiet = s.last
		}
		wait = min(wait, certain-time.Since(quiet))
	}
	if wait > 0 {
		return nil, wait
	}
	return now, 0
}

// whole reports that the file of a name was renamed into its place, as far as is
// told. One behind a link of its own is where the link leads; one in a folder that
// is a link may be told of by either name.
func (s *steady) whole(name string) bool {
	at, to := s.hints[filepath.Clean(name)], s.hints[target(name)]
	if at == touched || to == touched {
		return false
	}
	return to == arrived || at == arrived && !link(name)
}

func link(name string) bool {
	info, err := os.Lstat(name)
	return err != nil || info.Mode()&os.ModeSymlink != 0
}

// target is where the links of a name lead; the name itself where nothing is.
func target(name string) string {
	if to, err := filepath.EvalSymlinks(name); err == nil {
		return to
	}
	return filepath.Clean(name)
}
