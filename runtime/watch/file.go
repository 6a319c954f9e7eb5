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
		if _, _, same := compare(name, before); !same {
			return true
		}
	}
	return false
}

// compare reads a file and says whether it is what was read before; nil is a
// file that cannot be read. info is of the file whose contents these are; nil is not
// known.
func compare(name string, before []byte) (now []byte, info os.FileInfo, same bool) {
	now, info, err := readFile(name)
	switch {
	case err != nil:
		return nil, nil, before == nil
	case now == nil:
		now = []byte{}
	}
	return now, info, before != nil && bytes.Equal(now, before)
}

// maxFile is one byte more than any lock may have, and more than any curation:
// enough to refuse it.
const maxFile = 16<<20 + 1

// ReadFile reads a curation file or a lock, as far as one may go. What is no regular file
// is refused at once: a pipe would block for ever. Errors are [os.PathError].
func ReadFile(name string) ([]byte, error) {
	data, _, err := readFile(name)
	return data, err
}

// readFile is [ReadFile], and what the file was when its contents had been read; nil
// where it has lost its name since, which changes a file too.
func readFile(name string) ([]byte, os.FileInfo, error) {
	info, err := os.Stat(name) // opening a device may do something
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, irregular(name)
	}
	f, err := openRegular(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil, nil, err
	}
	info, err = f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if now, err := os.Stat(name); err != nil || !os.SameFile(now, info) {
		info = nil
	}
	return data, info, nil
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
