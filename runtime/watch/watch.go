// Package watch tells when what is served may have to change: a curation file
// was written, or it is time to read the site again.
//
// A file event is only a hint; what counts is the contents. Directories are
// watched rather than files, because editors and ConfigMaps replace a file by
// renaming another over it, and the contents are compared now and then anyway,
// because some file systems tell nothing. The package reads files and builds
// nothing: what a change means is the caller's.
package watch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Loop waits for changes and reports them one at a time.
type Loop struct {
	// Read returns the files that decide what is served and their contents as
	// they were last read; nil contents for one that could not be read. What
	// was read is compared with what is there, so no write is ever missed,
	// whenever it happened. Nil: no files.
	Read func() map[string][]byte
	// Changed is called when a file differs from what was read. It reads the
	// files again, whether or not it can use them.
	Changed func(ctx context.Context)
	// Poll is how often the site is asked, after the answer before. Zero: never.
	Poll time.Duration
	// Ask asks the site, aside: a slow site holds up no edit. What it returns
	// is called by the loop, as Changed is; nil is nothing to do.
	Ask func(ctx context.Context) func()
	// Soon asks at once, instead of at the next poll, when it holds a value.
	Soon <-chan struct{}
	// Floor is how often contents are compared without an event. Zero: 1 s.
	Floor time.Duration
}

// settle is how long a file must be quiet before it is read: a writer that
// truncates first is not read half way.
const settle = 30 * time.Millisecond

// Run watches until ctx ends. Without events from the system it still polls.
func (l *Loop) Run(ctx context.Context) {
	events, failures, add, stop := subscribe()
	defer stop()
	floor := l.Floor
	if floor == 0 {
		floor = time.Second
	}
	compare := time.NewTicker(floor)
	defer compare.Stop()
	poll := time.NewTimer(l.Poll)
	if l.Poll == 0 {
		poll.Stop()
	}
	defer poll.Stop()
	answers := make(chan func())
	asked := false // and not answered yet
	var asking sync.WaitGroup
	defer asking.Wait()
	add(l.read())
	quiet := time.NewTimer(settle)
	defer quiet.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-events:
			quiet.Reset(settle)
			continue
		case <-failures: // events were lost: contents decide
			quiet.Reset(settle)
			continue
		case <-l.soon(asked):
			poll.Reset(0)
			continue
		case <-poll.C:
			asked = true
			asking.Go(func() { l.ask(ctx, answers) })
			continue
		case answer := <-answers:
			if answer != nil {
				answer()
			}
			asked = false
			poll.Reset(l.Poll)
			continue
		case <-quiet.C:
		case <-compare.C:
		}
		if Differ(l.read()) {
			l.Changed(ctx)
			add(l.read())
		}
	}
}

// soon is the channel that asks at once; nothing while the site is being asked.
func (l *Loop) soon(asked bool) <-chan struct{} {
	if asked {
		return nil
	}
	return l.Soon
}

// ask asks the site and hands the answer to the loop.
func (l *Loop) ask(ctx context.Context, answers chan<- func()) {
	answer := l.Ask(ctx)
	select {
	case answers <- answer:
	case <-ctx.Done():
	}
}

func (l *Loop) read() map[string][]byte {
	if l.Read == nil {
		return nil
	}
	return l.Read()
}

// subscribe starts the system's notifications. Where there are none the
// channel stays silent and the comparing goes on.
func subscribe() (events <-chan fsnotify.Event, failures <-chan error, add func(files map[string][]byte), stop func()) {
	watcher, err := fsnotify.NewBufferedWatcher(64)
	if err != nil {
		return nil, nil, func(map[string][]byte) {}, func() {}
	}
	watched := map[string]bool{}
	add = func(files map[string][]byte) {
		for f := range files {
			if dir := filepath.Dir(f); !watched[dir] && watcher.Add(dir) == nil {
				watched[dir] = true
			}
		}
	}
	return watcher.Events, watcher.Errors, add, func() { _ = watcher.Close() }
}

// Differ reports that a file is not what was read; nil contents are those of one
// that could not be.
func Differ(read map[string][]byte) bool {
	for name, before := range read {
		now, err := ReadFile(name)
		if (err != nil) != (before == nil) || !bytes.Equal(now, before) {
			return true
		}
	}
	return false
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
