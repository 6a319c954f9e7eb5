// Package history says whether what clients of a toolpress saw can be explained by
// lists that were published one after the other, each whole, each in one moment.
//
// A version is what was written: a curation, or the index of a site. Its number is
// in every tool that it makes, and it makes a tool of its own, so that what a client
// reads tells which version it is of, and a call which version it ran by. The check
// asks the server nothing: it needs what was written, and what clients and the site
// observed, on one monotonic clock.
//
// Nothing here starts, sends or waits; package chaos does.
package history

import (
	"maps"
	"sync"
	"time"
)

// Version is what was written under a number.
type Version struct {
	// Began is when its writing began: nobody can have seen it before.
	Began time.Duration
	// Tools are the names of all its tools.
	Tools []string
}

// Kind is what was observed.
type Kind int

const (
	// List is a list of tools that was read.
	List Kind = iota
	// Call is a call of a tool, from its request to its answer.
	Call
	// Ran is the arrival of a call at the site; Version is the one it ran by, 0 where
	// the site cannot tell.
	Ran
	// Opened is a stream of a listener that is open from now on.
	Opened
	// Notice is a listener that is told that the list changed.
	Notice
	// Cut is a stream that ended, and not by its client.
	Cut
)

// Outcome is what a call came to.
type Outcome int

const (
	// Failed is none of the others: it was refused or broke, and may have run.
	Failed Outcome = iota
	// Answered has a result of the site.
	Answered
	// Unknown says that there is no such tool.
	Unknown
)

// Event is one observation, of one client, between two moments.
type Event struct {
	Client     string
	Kind       Kind
	Begin, End time.Duration
	// Tools are those of a List, and the version each says that it is of; 0 for one
	// that says none, or several.
	Tools map[string]int
	// ID is a Call's own, and that of what Ran of it; Tool is what was called.
	ID, Tool string
	Outcome  Outcome
	Version  int
}

// Record collects events. The zero value is ready; it is safe for use by many
// goroutines.
type Record struct {
	mu       sync.Mutex
	versions map[int]Version
	events   []Event
	last     int
}

// Write adds a version. The greatest number is the last one.
func (r *Record) Write(number int, v Version) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.versions == nil {
		r.versions = map[int]Version{}
	}
	r.versions[number] = v
	r.last = max(r.last, number)
}

// Add adds an event.
func (r *Record) Add(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
}

// History is what was recorded so far. Its end is after the last change: the
// listeners are those who read their streams to the end.
func (r *Record) History(listeners []string) History {
	r.mu.Lock()
	defer r.mu.Unlock()
	h := History{Versions: map[int]Version{}, Events: append([]Event(nil), r.events...), Last: r.last, Listeners: listeners}
	maps.Copy(h.Versions, r.versions)
	return h
}
