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

// steady tells when files that differ from what was read may be read. A file
// that another was renamed over is whole at once; any other waits until nothing
// about it changes. The zero value has seen nothing. It trusts no clock but its
// own: a file's times are its server's.
type steady struct {
	// used are the files as they were when they were read.
	used map[string]os.FileInfo
	// seen are the contents that differ, since when they are the same, and how
	// long they have to be.
	seen     map[string][]byte
	since    time.Time
	patience time.Duration
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

// look compares what was read with what is there. Where that differs it says
// that it may be read, or how long to wait before the next look.
func (s *steady) look(read map[string][]byte) (wait time.Duration, changed bool) {
	differ, patience := map[string][]byte{}, time.Duration(0)
	for name, before := range read {
		now, same := compare(name, before)
		if same {
			continue
		}
		differ[name] = now
		if now == nil || !s.replaced(name) {
			patience = written
		}
	}
	if len(differ) == 0 {
		s.seen = nil
		return 0, false
	}
	if s.seen == nil || !maps.EqualFunc(differ, s.seen, bytes.Equal) {
		s.seen, s.since, s.patience = differ, time.Now(), patience
	}
	if wait = s.patience - time.Since(s.since); wait > 0 {
		return wait, false
	}
	return 0, true
}

// replaced reports that there is another file by the name than was read.
func (s *steady) replaced(name string) bool {
	now, err := os.Stat(name)
	before := s.used[name]
	return err == nil && before != nil && !os.SameFile(before, now)
}
