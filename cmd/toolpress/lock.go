package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"

	"toolpress/curate"
	"toolpress/curate/change"
	"toolpress/runtime/watch"
)

// readLock reads what was approved, where the curation has a lock. One that is not
// there has approved nothing yet; but one that was there is not to be forgotten.
func (s *source) readLock(curation *curate.Curation, open curate.Open) (*curate.Curation, error) {
	l, said := curation.Lock()
	if !said {
		return curation, nil
	}
	name := l.File.Value
	data, err := open(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && s.lockName != name:
		return curation, nil
	case err != nil:
		hint := "nothing is served that may not be approved: mend that, or take lock out of " + s.curationName
		return nil, curate.Findings{{ID: "not-usable", Severity: curate.SeverityError, Pos: l.File.Pos, Message: fmt.Sprintf("reading the lock %s: %v", name, err), Hint: hint}}
	}
	approved, err := curate.ParseLock(name, data)
	if err != nil {
		return nil, err
	}
	s.lockName = name
	s.markLock()
	return curation.With(approved), nil
}

// knowLock is [source.rememberLock] in the state directory, where there is one.
func (a *app) knowLock(s *source, dir string) error {
	if dir == "" {
		var err error
		if dir, err = a.stateDir(); err != nil {
			return nil
		}
	}
	return s.rememberLock(dir)
}

// rememberLock keeps in dir that a curation's lock was there, from now on. One that
// was there at an earlier start, and is not, is no first use: what was held would be
// served.
func (s *source) rememberLock(dir string) error {
	s.lockMarks = dir
	l, said := s.curation.Lock()
	if !said || s.lockName != "" {
		s.markLock()
		return nil
	}
	if _, err := os.Stat(s.lockMark(l.File.Value)); err != nil {
		return nil
	}
	return curate.Findings{{
		ID: "not-usable", Severity: curate.SeverityError, Pos: l.File.Pos, Message: fmt.Sprintf("the lock %s is gone: it was there when this was served before", l.File.Value),
		Hint: "put it back, or look at all of it again and write a new one: toolpress approve",
	}}
}

// lockMark is the file that says that a lock was there.
func (s *source) lockMark(name string) string {
	if whole, err := filepath.Abs(name); err == nil {
		name = whole
	}
	sum := sha256.Sum256([]byte(name))
	return filepath.Join(s.lockMarks, "locks", hex.EncodeToString(sum[:]))
}

// markLock writes that the lock is there. Where that cannot be written, nothing is
// remembered.
func (s *source) markLock() {
	if s.lockMarks == "" || s.lockName == "" {
		return
	}
	mark := s.lockMark(s.lockName)
	if os.MkdirAll(filepath.Dir(mark), 0o700) == nil {
		_ = os.WriteFile(mark, nil, 0o600)
	}
}

// edited names what differs from what was read before: the curation, or nothing but
// its lock.
func (s *source) edited(before map[string][]byte) string {
	l, _ := s.curation.Lock()
	name := l.File.Value
	if !bytes.Equal(before[name], s.files[name]) && maps.EqualFunc(except(before, name), except(s.files, name), bytes.Equal) {
		return change.CauseLock
	}
	return change.CauseCuration
}

// except are the files but one.
func except(files map[string][]byte, name string) map[string][]byte {
	files = maps.Clone(files)
	delete(files, name)
	return files
}

// writeLock puts text in the place of a lock, whole or not at all. One that is not as
// it was read is left alone: somebody else has approved something.
func writeLock(name string, read, text []byte) error {
	now, err := watch.ReadFile(name)
	if (err != nil && !errors.Is(err, fs.ErrNotExist)) || !bytes.Equal(now, read) {
		return &failure{err: fmt.Errorf("writing %s: it has changed meanwhile", name), code: exitFailed, hint: "run approve again"}
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(name); err == nil {
		mode = info.Mode().Perm()
	}
	target := name
	if at, err := filepath.EvalSymlinks(name); err == nil {
		target = at // a link stays one
	}
	if err := replaceFile(target, text, mode); err != nil {
		return &failure{err: err, code: exitFailed, hint: "the lock is as it was: nothing was approved"}
	}
	return nil
}
