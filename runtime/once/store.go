// Package once makes a call that is repeated with one key one call: what became of
// the first is remembered for a time, on disk where a file is given, and said again.
//
// A key is written down before its call is made, and the outcome after it. So a
// process that ends in between leaves a call whose outcome is unknown, never one
// that seems not to have been made. WordPress has nothing of the kind: it does each
// request that reaches it. The package knows neither MCP nor the site: who calls says
// what a key is, and what an outcome means.
package once

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// State is what became of a call.
type State string

// Outcomes of a call, and what [Store.Do] and [Store.Look] say besides.
const (
	// Done was made; Value or Problem is what came of it.
	Done State = "done"
	// Unknown may have been made: its answer was lost.
	Unknown State = "unknown"
	// Released was surely not made: the key is as if never used.
	Released State = "released"

	// InFlight is still being made.
	InFlight State = "in flight"
	// Other is a key that was used for another request.
	Other State = "other"

	// pending is a call in the file that has not ended.
	pending State = "pending"
)

// Call is one that may be a repetition.
type Call struct {
	// Key is what is remembered, by a digest of everything that tells keys apart.
	Key string
	// Request is a digest of what would be sent.
	Request string
	// Tool is for whoever reads the file.
	Tool string
	// Window is how long the key is remembered after the call has ended.
	Window time.Duration
}

// Outcome is what became of a call.
type Outcome struct {
	State State `json:"state"`
	// At is when the call was begun, Until when its key is forgotten. [Store.Do]
	// sets both.
	At    time.Time `json:"at"`
	Until time.Time `json:"until"`
	// Value is the result. A call that is done and has neither Value nor Problem
	// had one that is not kept any more.
	Value json.RawMessage `json:"value,omitempty"`
	// Problem is what was said instead of a result.
	Problem string `json:"problem,omitempty"`
}

// Bounds of what is remembered.
const (
	maxCalls = 100_000
	// maxValue bounds the result of one call, maxKept those of all, in bytes. What
	// does not fit is forgotten, the oldest first, and its key is not.
	maxValue = 64 << 10
	maxKept  = 32 << 20
	// slack is how large the file may be before it is looked at, in bytes: then it
	// is rewritten when half of it speaks of calls that are forgotten.
	slack = 4 << 20
)

// ErrFull says that no other key can be remembered until one is forgotten.
var ErrFull = errors.New("too many calls are remembered")

// Store remembers calls. It is safe for use by many goroutines, and by many
// processes with one file: while a call is being made, its process has the file.
type Store struct {
	// turn is held while anything below is read or changed: a lock that can be
	// waited for until a context ends.
	turn chan struct{}
	// journal is the file; nil remembers in memory alone.
	journal *journal
	// missing is why nothing can be remembered.
	missing error

	calls map[string]*record
	open  int       // calls in flight
	held  []*record // those with a value, the oldest first
	kept  int       // bytes of their values

	maxCalls, maxKept int
	slack             int64
}

// New makes a store that survives a restart in a file, which is made when it is
// first needed; an empty name remembers as long as the process lives.
func New(file string) *Store {
	s := &Store{turn: make(chan struct{}, 1), calls: map[string]*record{}, maxCalls: maxCalls, maxKept: maxKept, slack: slack}
	if file != "" {
		s.journal = &journal{name: file}
	}
	return s
}

// Unavailable makes a store that remembers nothing and lets no call be made: err
// says why.
func Unavailable(err error) *Store {
	s := New("")
	s.missing = err
	return s
}

// Check reports whether a call could be remembered now.
func (s *Store) Check(ctx context.Context) error {
	err := s.enter(ctx)
	if err == nil {
		s.leave()
	}
	return err
}

// Look says what is known of a call, without making it: [Done], [Unknown],
// [InFlight] or [Other], or nothing where the key is new.
func (s *Store) Look(ctx context.Context, c Call) (Outcome, error) {
	if err := s.enter(ctx); err != nil {
		return Outcome{}, err
	}
	defer s.leave()
	switch r := s.known(c.Key); {
	case r == nil:
		return Outcome{}, nil
	case r.Request != c.Request:
		return Outcome{State: Other, At: r.At, Until: r.Until}, nil
	case r.State == pending:
		return Outcome{State: InFlight, At: r.At}, nil
	default:
		return r.Outcome, nil
	}
}

// Do makes a call, unless its key is known: then it says what became of the first,
// and waits for that while it is in flight, until ctx ends. Whoever waits is told
// the first one's outcome whatever it is; [InFlight] means that there was none in
// time.
//
// first says that the call was made now. An error without first says that it was
// not, because it could not be remembered; with first, that it was made and that
// its outcome, which is right, will be [Unknown] to others. A call that panics has
// an unknown outcome.
func (s *Store) Do(ctx context.Context, c Call, do func() Outcome) (o Outcome, first bool, err error) {
	r, first, err := s.begin(ctx, c)
	switch {
	case err != nil:
		return Outcome{}, false, err
	case r.Request != c.Request:
		return Outcome{State: Other, At: r.At, Until: r.Until}, false, nil
	case !first && r.State != pending:
		return r.Outcome, false, nil
	case !first:
		select {
		case <-r.ended:
			return r.became, false, nil
		case <-ctx.Done():
			return Outcome{State: InFlight, At: r.At}, false, nil
		}
	}
	o.State = Unknown
	defer func() { o, err = s.end(r, c, o) }()
	o = do()
	return o, true, nil
}

// enter takes the turn, and the file with it, and catches up with what other
// processes wrote. [Store.leave] ends it.
func (s *Store) enter(ctx context.Context) error {
	if s.missing != nil {
		return s.missing
	}
	select {
	case s.turn <- struct{}{}:
	default:
		select {
		case s.turn <- struct{}{}:
		case <-ctx.Done():
			return s.journal.unavailable(ErrBusy)
		}
	}
	if s.journal == nil || s.open > 0 {
		return nil
	}
	changed, err := s.journal.open(ctx)
	if err == nil && changed {
		err = s.load()
	}
	if err != nil {
		s.journal.close()
		<-s.turn
		return s.journal.unavailable(err)
	}
	return nil
}

func (s *Store) leave() {
	if s.journal != nil && s.open == 0 {
		s.journal.close()
	}
	<-s.turn
}

// begin writes a call down, unless its key is known.
func (s *Store) begin(ctx context.Context, c Call) (r *record, first bool, err error) {
	if err := s.enter(ctx); err != nil {
		return nil, false, err
	}
	defer s.leave()
	if r := s.known(c.Key); r != nil {
		return r, false, nil
	}
	if err := s.makeRoom(); err != nil {
		return nil, false, err
	}
	now := time.Now().UTC()
	r = &record{Key: c.Key, Request: c.Request, Tool: c.Tool, Outcome: Outcome{State: pending, At: now, Until: now.Add(c.Window)}, ended: make(chan struct{})}
	if err := s.write(r); err != nil {
		return nil, false, err
	}
	s.calls[c.Key] = r
	s.open++
	return r, true, nil
}

// end remembers what became of a call, and tells whoever waits.
func (s *Store) end(r *record, c Call, o Outcome) (Outcome, error) {
	s.turn <- struct{}{} // nobody keeps it long: the file is ours
	defer s.leave()
	s.open--
	o.At, o.Until = r.At, time.Now().UTC().Add(c.Window)
	kept := o
	if len(kept.Value) > maxValue {
		kept.Value = nil
	}
	after := &record{Key: r.Key, Request: r.Request, Tool: r.Tool, Outcome: kept}
	if o.State == Released {
		delete(s.calls, r.Key)
		after.Value, after.Problem = nil, "" // not made: nothing to say again
	} else {
		s.calls[r.Key] = after
	}
	err := s.write(after)
	s.hold(after)
	r.became = o
	close(r.ended)
	return o, err
}

// write puts a record into the file, before anything depends on it.
func (s *Store) write(r *record) error {
	if s.journal == nil {
		return nil
	}
	if err := s.journal.append(r); err != nil {
		return s.journal.unavailable(err)
	}
	return nil
}
