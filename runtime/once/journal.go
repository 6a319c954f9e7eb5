package once

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// header is the first line of every file.
const header = `{"format":"toolpress/calls/1"}` + "\n"

// maxFile bounds a file that is read, in bytes: a few times what is ever written.
const maxFile = 512 << 20

// patience is how long another process is waited for that has the file, pace how
// often it is tried.
const (
	patience = 5 * time.Second
	pace     = 20 * time.Millisecond
)

// ErrBusy says that another process had the file for too long.
var ErrBusy = errors.New("another toolpress is making a call that is remembered there")

// UnavailableError says that calls cannot be remembered in a file.
type UnavailableError struct {
	File string
	Err  error
}

// Error names the file and the cause.
func (e *UnavailableError) Error() string {
	err := e.Err
	var at *os.PathError // has the name too
	if errors.As(err, &at) && at.Path == e.File {
		err = at.Err
	}
	return fmt.Sprintf("remembering calls in %s: %v", e.File, err)
}

// Unwrap returns the cause.
func (e *UnavailableError) Unwrap() error { return e.Err }

// journal is a file of JSON lines, only ever added to: first the header, then the
// records, of which the last of a key counts. Its name with .lock is a file that
// is locked while this one is open, and stays.
type journal struct {
	name string
	lock *os.File
	file *os.File
	// size is where the next line begins.
	size int64
	// torn says that there may be a piece of a line behind it.
	torn bool
	// left is the file as it was left; nil: it has to be read.
	left os.FileInfo

	// write is for tests; nil writes.
	write func(f *os.File, line []byte, at int64) (int, error)
}

// unavailable is err with the file's name.
func (j *journal) unavailable(err error) error {
	if j == nil {
		return err
	}
	return &UnavailableError{j.name, err}
}

// open locks and opens the file, and makes it where there is none. changed says
// that it has to be read.
func (j *journal) open(ctx context.Context) (changed bool, err error) {
	if err := os.MkdirAll(filepath.Dir(j.name), 0o700); err != nil {
		return false, err
	}
	if j.lock, err = os.OpenFile(j.name+".lock", os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return false, err
	}
	if err := j.await(ctx); err != nil {
		return false, err
	}
	if j.file, err = os.OpenFile(j.name, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return false, err
	}
	now, err := j.file.Stat()
	if err != nil {
		return false, err
	}
	if !now.Mode().IsRegular() {
		return false, errors.New("it is no regular file")
	}
	same := j.left != nil && os.SameFile(j.left, now) && j.left.Size() == now.Size() && j.left.ModTime().Equal(now.ModTime())
	return !same, nil
}

// await takes the lock, and waits for whoever has it.
func (j *journal) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		taken, err := tryLock(j.lock)
		if taken || err != nil {
			return err
		}
		select {
		case <-time.After(pace):
		case <-ctx.Done():
			return ErrBusy
		}
	}
}

// close gives the file and the lock back.
func (j *journal) close() {
	j.left = nil
	if j.file != nil {
		if !j.torn {
			j.left, _ = j.file.Stat() // without: it is read again
		}
		_ = j.file.Close() // what counts was synced
	}
	if j.lock != nil {
		_ = j.lock.Close() // and with it the lock
	}
	j.file, j.lock = nil, nil
}

// read gives every record of the file. A last line without its end was cut off
// while it was written: nothing depends on it, and it is taken away.
func (j *journal) read(each func(*record)) error {
	info, err := j.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() > maxFile {
		return fmt.Errorf("it has %d bytes, more than toolpress writes: move it away", info.Size())
	}
	j.size, j.torn = 0, false
	lines := bufio.NewReader(io.NewSectionReader(j.file, 0, info.Size()))
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return j.mend(line)
		}
		if err != nil {
			return err
		}
		if err := take(n, line, each); err != nil {
			return err
		}
		j.size += int64(len(line))
	}
}

// take reads one line.
func take(n int, line []byte, each func(*record)) error {
	if n == 1 {
		if string(line) != header {
			return fmt.Errorf("its first line is not %s: move it away", bytes.TrimSpace([]byte(header)))
		}
		return nil
	}
	r := &record{size: int64(len(line))}
	if err := json.Unmarshal(line, r); err != nil || r.Key == "" {
		return fmt.Errorf("line %d is no record of a call: move the file away, and look what was done lately", n)
	}
	each(r)
	return nil
}

// mend takes a rest away that is no line, and gives a new file its header.
func (j *journal) mend(rest []byte) error {
	if j.size == 0 && !bytes.HasPrefix([]byte(header), rest) {
		return fmt.Errorf("its first line is not %s: move it away", bytes.TrimSpace([]byte(header)))
	}
	if j.torn = len(rest) > 0; j.size > 0 {
		return j.cut()
	}
	if err := j.put([]byte(header)); err != nil {
		return err
	}
	return syncDir(filepath.Dir(j.name))
}

// cut takes away what a write left behind that failed.
func (j *journal) cut() error {
	if !j.torn {
		return nil
	}
	if err := j.file.Truncate(j.size); err != nil {
		return err
	}
	j.torn = false
	return nil
}

// append adds a record; it is on disk when append returns.
func (j *journal) append(r *record) error {
	line, err := r.encode()
	if err != nil {
		return err
	}
	return j.put(line)
}

// encode is the record's line. A value keeps its bytes.
func (r *record) encode() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(r)
	r.size = int64(b.Len())
	return b.Bytes(), err
}

func (j *journal) put(line []byte) error {
	if err := j.cut(); err != nil {
		return err
	}
	write := (*os.File).WriteAt
	if j.write != nil {
		write = j.write
	}
	_, err := write(j.file, line, j.size)
	if err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		j.torn = true // it is cut before the next line
		return err
	}
	j.size += int64(len(line))
	return nil
}
