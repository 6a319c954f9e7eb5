package main

import (
	"bytes"
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
	return curation.With(approved), nil
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
