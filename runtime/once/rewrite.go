package once

import (
	"bufio"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"runtime"
)

// rewrite replaces the file by one with these records alone.
func (j *journal) rewrite(records iter.Seq[*record]) error {
	next, err := os.OpenFile(j.name+".new", os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	n := int64(len(header))
	b := bufio.NewWriter(next)
	_, err = b.WriteString(header)
	for r := range records {
		line, errLine := r.encode()
		_, errWrite := b.Write(line)
		err, n = errors.Join(err, errLine, errWrite), n+r.size
	}
	if err = errors.Join(err, b.Flush(), next.Sync(), next.Close()); err != nil {
		return err
	}
	_ = j.file.Close() // Windows replaces no file that is open
	err = os.Rename(next.Name(), j.name)
	var errOpen error
	j.file, errOpen = os.OpenFile(j.name, os.O_RDWR, 0)
	if err := errors.Join(err, errOpen); err != nil {
		return err
	}
	j.size, j.torn = n, false
	return syncDir(filepath.Dir(j.name))
}

// syncDir makes a new name in a directory last. Windows has no such call.
func syncDir(name string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	dir, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
