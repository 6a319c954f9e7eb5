package main

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// openAudit opens what --audit names; nil where it is not said.
func (a *app) openAudit(f serveFlags) (io.Writer, error) {
	switch {
	case f.audit == "" && f.auditValues:
		return nil, usage("--audit-values says what is in the audit, and there is none", "say --audit FILE too")
	case f.audit == "":
		return nil, nil
	case f.audit == "-":
		return a.stderr, nil
	}
	file := &auditFile{path: f.audit}
	if err := file.open(); err != nil {
		return nil, usage(fmt.Sprintf("--audit %s: %v", f.audit, err), "name a file that can be written, or - for standard error")
	}
	return file, nil
}

// auditFile adds lines to the file of a name. When the file was moved away or
// removed, as rotation does, the next line begins a new one. It is not safe for use
// by many goroutines.
type auditFile struct {
	path string
	file *os.File
}

// open opens the file, and makes it for its owner alone where there is none.
func (f *auditFile) open() error {
	// Opening a FIFO would wait for a reader.
	if info, err := os.Stat(f.path); err == nil && !info.Mode().IsRegular() {
		return errors.New("it is no regular file")
	}
	file, err := os.OpenFile(f.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return cause(err)
	}
	if f.file != nil {
		_ = f.file.Close() // what was written is written
	}
	f.file = file
	return nil
}

// Write adds p. Where a new file cannot be opened the one that was moved gets it,
// and the error says so.
func (f *auditFile) Write(p []byte) (int, error) {
	var moved error
	if !f.current() {
		if err := f.open(); err != nil {
			moved = fmt.Errorf("opening %s again: %w: lines go to the file that was moved away", f.path, err)
		}
	}
	n, err := f.file.Write(p)
	return n, errors.Join(cause(err), moved)
}

// current reports whether the open file is still the one of its name.
func (f *auditFile) current() bool {
	named, err := os.Stat(f.path)
	if err != nil {
		return false
	}
	open, err := f.file.Stat()
	return err == nil && os.SameFile(named, open)
}

// Close closes the file.
func (f *auditFile) Close() error { return f.file.Close() }
