package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// replaceFile puts text in the place of a file, whole or not at all: whatever fails,
// the old one is untouched. mode is that of the new file.
func replaceFile(name string, text []byte, mode fs.FileMode) error {
	tmp, err := os.CreateTemp(filepath.Dir(name), ".toolpress-*")
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, cause(err))
	}
	defer os.Remove(tmp.Name()) // nothing is left of what failed
	_, err = tmp.Write(text)
	if err == nil {
		err = tmp.Chmod(mode)
	}
	if err == nil {
		err = tmp.Sync() // a full disk may say so only now
	}
	if err = errors.Join(err, tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, cause(err))
	}
	return nil
}
