package media

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"toolpress/discover/wp"
)

// open finds a file below the first of the roots that has it.
func open(from wp.Source) (*found, error) {
	if err := from.CheckPath(); err != nil {
		return nil, &Error{Message: "the path " + err.Error(), Next: "correct it and call again"}
	}
	var missing, closed error
	for _, root := range from.Roots {
		f, err := openBelow(root, filepath.FromSlash(from.Path))
		var whole *rootError
		switch {
		case err == nil:
			return &found{ReadCloser: f.File, size: f.size, arrived: func() {}, failure: unreadable}, nil
		case errors.As(err, &whole):
			closed = err
		case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
			missing = below(root, err)
		default:
			return nil, failedBelow(root, err)
		}
	}
	if closed != nil {
		return nil, &Error{Message: "a directory that files are taken from cannot be opened", Next: tell, Err: closed}
	}
	return nil, &Error{
		Message: "there is no such file in the directory that files are taken from",
		Next:    "give the path of a file that is there, as the user knows it: it begins at that directory, and capital letters count",
		Err:     missing,
	}
}

// tell is what to do where only an administrator can help.
const tell = "do not repeat the call; tell the user, whose administrator finds the reason in toolpress's log"

// regular is a file that is open, and the size it had then.
type regular struct {
	*os.File
	size int64
}

// errIrregular is a directory, a pipe or a device.
var errIrregular = errors.New("it is not a regular file")

// openBelow opens a regular file below a directory. What is none is refused before it
// is opened, since opening a device may do something; and what became one since is not
// waited for (T41).
func openBelow(root, name string) (*regular, error) {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil, &rootError{err}
	}
	defer dir.Close()
	info, err := dir.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = errIrregular
	}
	if err != nil {
		return nil, err
	}
	f, err := dir.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() {
		err = errIrregular
	}
	if err != nil {
		_ = f.Close() // it was not even read
		return nil, err
	}
	return &regular{f, info.Size()}, nil
}

// rootError is a directory itself that cannot be opened. It is none of a file that is
// not there.
type rootError struct{ err error }

// Error names the directory.
func (e *rootError) Error() string { return e.err.Error() }

func failedBelow(root string, err error) error {
	switch {
	case errors.Is(err, errIrregular):
		return &Error{Message: "there is no file at this path, but a directory or something else", Next: "give the path of a file", Err: below(root, err)}
	case errors.Is(err, fs.ErrPermission):
		return &Error{Message: "the file may not be read", Next: tell, Err: below(root, err)}
	}
	// An escape has no error of its own to be told by (os.Root).
	return &Error{Message: "the path does not lead to a file within the directory that files are taken from", Next: "give the path of another file", Err: below(root, err)}
}

func below(root string, err error) error { return errors.New(root + ": " + err.Error()) }

func unreadable(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("it changed while it was read")
	}
	return &Error{Message: "the file could not be read to its end", Next: "try once more in a moment; if it fails again, tell the user", Err: err}
}
