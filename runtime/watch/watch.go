// Package watch tells when what is served may have to change: a curation file
// was written, somebody asks for all to be read again, or it is time to read the
// site.
//
// A file event is only a hint; what counts is the contents. Directories are
// watched rather than files, because editors and ConfigMaps replace a file by
// renaming another over it, and the contents are compared now and then anyway,
// because some file systems tell nothing. The package reads files and builds
// nothing: what a change means is the caller's.
package watch

import (
	"cmp"
	"context"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Loop waits for changes and reports them one at a time. However many come while
// one is dealt with, they are one more.
type Loop struct {
	// Read returns the files that decide what is served and their contents as
	// they were last read; nil contents for one that could not be read. What
	// was read is compared with what is there, so no write is ever missed,
	// whenever it happened. Nil: no files.
	Read func() map[string][]byte
	// Changed is called when a file differs from what was read, and nobody is
	// writing it any more, with the contents of all files; nil for one that cannot be
	// read. Those are to be used, and not what is there by now. It counts as
	// reading them, whether or not they can be used.
	Changed func(ctx context.Context, now map[string][]byte)
	// Poll is how often the site is asked, after the answer before, a tenth more
	// or less: many that were started together do not ask together. Zero: never.
	Poll time.Duration
	// Ask asks the site, aside: a slow site holds up no edit. What it returns
	// is called by the loop, as Changed is; nil is nothing to do.
	Ask func(ctx context.Context) func()
	// Soon asks before the next poll, when it holds a value: at once, or where
	// that was done a moment ago, when Apart is over. A poll that is due sooner is
	// for it too. Nil: never.
	Soon <-chan struct{}
	// Apart is the least time between two askings for Soon. Zero: 5 s.
	Apart time.Duration
	// Again has everything read now, when it holds a value: Reread is called,
	// and the site is asked after it. Nil: never.
	Again <-chan struct{}
	// Reread reads the files again, changed or not.
	Reread func(ctx context.Context)
	// Floor is how often contents are compared without an event. Zero: 1 s.
	Floor time.Duration

	// deaf hears no events, as on a file system that tells none.
	deaf bool
}

// settle is how long after an event files are looked at: what is done at once is one
// change. Others that come meanwhile put nothing off.
const settle = 30 * time.Millisecond

// running is a Loop that runs.
type running struct {
	*Loop
	events   <-chan fsnotify.Event
	failures <-chan error
	follow   func(files map[string][]byte)
	steady   steady

	quiet, poll *time.Timer
	heard       bool // quiet runs for an event
	compare     *time.Ticker

	next     time.Time // when the site is asked; zero: never by itself
	asked    bool      // and not answered yet
	again    bool      // ask once more as soon as it is answered
	due      bool      // the next asking is for Soon
	hastened time.Time // when the last one for Soon was
	answers  chan func()
	asking   sync.WaitGroup
}

// Run watches until ctx ends. Without events from the system it still polls.
func (l *Loop) Run(ctx context.Context) {
	r := &running{Loop: l, answers: make(chan func())}
	stop := func() {}
	r.follow = func(map[string][]byte) {}
	if !l.deaf {
		r.events, r.failures, r.follow, stop = subscribe()
	}
	defer stop()
	r.compare = time.NewTicker(cmp.Or(l.Floor, time.Second))
	defer r.compare.Stop()
	r.poll = time.NewTimer(time.Hour)
	defer r.poll.Stop()
	r.sleep()
	defer r.asking.Wait()
	r.reread()
	r.quiet = time.NewTimer(settle)
	defer r.quiet.Stop()
	for r.turn(ctx) {
	}
}

// turn waits for one thing and deals with it; false when ctx has ended.
func (r *running) turn(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case <-r.events:
		r.hear()
	case <-r.failures: // events were lost: contents decide
		r.hear()
	case <-r.quiet.C:
		r.heard = false
		r.look(ctx)
	case <-r.compare.C:
		r.look(ctx)
	case <-r.Again:
		r.Reread(ctx)
		r.reread()
		if r.again = r.asked; !r.again {
			r.wake(time.Now())
		}
	case <-r.soon():
		r.due = true
		if at := r.hastened.Add(cmp.Or(r.Apart, 5*time.Second)); r.next.IsZero() || at.Before(r.next) {
			r.wake(at)
		}
	case <-r.poll.C:
		if r.asked = true; r.due {
			r.due, r.hastened = false, time.Now()
		}
		r.asking.Go(func() { r.ask(ctx) })
	case answer := <-r.answers:
		if answer != nil {
			answer()
		}
		r.asked = false
		if r.sleep(); r.again {
			r.again = false
			r.wake(time.Now())
		}
	}
	return ctx.Err() == nil
}

// hear has the files looked at soon.
func (r *running) hear() {
	if !r.heard {
		r.heard = true
		r.quiet.Reset(settle)
	}
}

// look reports a change when there is one and it can be read.
func (r *running) look(ctx context.Context) {
	now, wait := r.steady.look(r.read())
	switch {
	case now != nil:
		r.Changed(ctx, now)
		r.reread()
	case wait > 0 && !r.heard:
		r.quiet.Reset(wait)
	}
}

// reread is called when files were read: they may be others now.
func (r *running) reread() {
	read := r.read()
	r.follow(read)
	r.steady.took(read)
}

// sleep waits for the next poll.
func (r *running) sleep() {
	r.poll.Stop()
	r.next = time.Time{}
	if r.Poll > 0 {
		r.wake(time.Now().Add(r.Poll - r.Poll/10 + rand.N(r.Poll/5+1)))
	}
}

// wake has the site asked at a time.
func (r *running) wake(at time.Time) {
	r.next = at
	r.poll.Reset(time.Until(at))
}

// soon is the channel that hastens the next asking; nothing while there is one,
// or one that is hastened already.
func (r *running) soon() <-chan struct{} {
	if r.asked || r.due {
		return nil
	}
	return r.Soon
}

// ask asks the site and hands the answer to the loop.
func (r *running) ask(ctx context.Context) {
	answer := r.Ask(ctx)
	select {
	case r.answers <- answer:
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
func subscribe() (events <-chan fsnotify.Event, failures <-chan error, follow func(files map[string][]byte), stop func()) {
	watcher, err := fsnotify.NewBufferedWatcher(64)
	if err != nil {
		return nil, nil, func(map[string][]byte) {}, func() {}
	}
	watched := map[string]bool{}
	follow = func(files map[string][]byte) {
		for f := range files {
			names := []string{f}
			if target, err := filepath.EvalSymlinks(f); err == nil {
				names = append(names, target)
			}
			for _, name := range names {
				if dir := filepath.Dir(name); !watched[dir] && watcher.Add(dir) == nil {
					watched[dir] = true
				}
			}
		}
	}
	return watcher.Events, watcher.Errors, follow, func() { _ = watcher.Close() }
}
