package watch

import (
	"bytes"
	"errors"
	"io"
	"os"
	"syscall"
)

// Differ reports that a file is not what was read; nil contents are those of one
// that could not be.
func Differ(read map[string][]byte) bool {
	for name, before := range read {
		if _, same := compare(name, before); !same {
			return true
		}
	}
	return false
}

// compare reads a file and says whether it is what was read before; nil is a
// file that cannot be read.
func compare(name string, before []byte) (now []byte, same bool) {
	now, err := ReadFile(name)
	switch {
	case err != nil:
		return nil, before == nil
	case now == nil:
		now = []byte{}
	}
	return now, before != nil && bytes.Equal(now, before)
}

// maxFile is one byte more than any lock may have, and more than any curation:
// enough to refuse it.
const maxFile = 16<<20 + 1

// ReadFile reads a curation file or a lock, as far as one may go. What is no regular file
// is refused at once: a pipe would block for ever. Errors are [os.PathError].
func ReadFile(name string) ([]byte, error) {
	info, err := os.Stat(name) // opening a device may do something
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, irregular(name)
	}
	f, err := openRegular(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxFile))
}

// openRegular opens a file that was a regular one a moment ago, and does not wait
// where it has become a pipe.
func openRegular(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = irregular(name)
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// irregular is a directory, a pipe or a device.
func irregular(name string) error {
	return &os.PathError{Op: "read", Path: name, Err: errors.New("it is not a regular file")}
}
