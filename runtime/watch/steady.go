package watch

import (
	"bytes"
	"maps"
	"os"
	"time"
)

// written is how long a file that is written in place must stay the same before
// it is read. Half of a curation may be a curation too, of other tools: a writer
// that truncates, and waits, or writes bit by bit, is not read half way.
const written = 300 * time.Millisecond

// steady tells when files that differ from what was read may be read. One that was
// renamed over another after it was written is whole at once; any other waits until
// nothing about it changes. The zero value has seen nothing. It trusts no clock but
// its own: a file's times are its server's, and are compared with each other alone.
type steady struct {
	// used are the files as they were when they were read.
	used map[string]os.FileInfo
	// seen are the contents that differ, and since when they are the same.
	seen  map[string][]byte
	since time.Time
}

// took remembers which files were read.
func (s *steady) took(read map[string][]byte) {
	s.used, s.seen = map[string]os.FileInfo{}, nil
	for name := range read {
		if info, err := os.Stat(name); err == nil {
			s.used[name] = info
		}
	}
}

// look compares what was read with what is there. Where that differs it returns all
// that is there, when that may be used, or how long to wait before the next look.
func (s *steady) look(read map[string][]byte) (now map[string][]byte, wait time.Duration) {
	now, differ := map[string][]byte{}, map[string][]byte{}
	patience := time.Duration(0)
	for name, before := range read {
		text, info, same := compare(name, before)
		now[name] = text
		if same {
			continue
		}
		differ[name] = text
		if !s.renamed(name, info) {
			patience = written
		}
	}
	if len(differ) == 0 {
		s.seen = nil
		return nil, 0
	}
	if s.seen == nil || !maps.EqualFunc(differ, s.seen, bytes.Equal) {
		s.seen, s.since = differ, time.Now()
	}
	if wait = patience - time.Since(s.since); wait > 0 {
		return nil, wait
	}
	return now, 0
}

// renamed reports that a file is another than was read by its name, and that its
// contents were there before it was put there: renaming changes the file, and not its
// contents, and writing both at once. Where a file system does not tell them apart, or
// both were done in the same tick of its clock, it is not known.
func (s *steady) renamed(name string, now os.FileInfo) bool {
	before := s.used[name]
	return now != nil && before != nil && !os.SameFile(before, now) && changedAt(now).After(now.ModTime())
}
