package once

import (
	"maps"
	"time"
)

// record is what is remembered of one key. But for its size it does not change:
// another takes its place.
type record struct {
	Key     string `json:"key"`
	Request string `json:"request"`
	Tool    string `json:"tool"`
	Outcome
	size int64 // bytes in the file

	// ended is closed when the call has ended, and then became is its outcome, for
	// whoever waits for one that was pending.
	ended  chan struct{}
	became Outcome
}

// known is the record of a key that is still remembered.
func (s *Store) known(key string) *record {
	if r := s.calls[key]; r != nil && !r.forgotten(time.Now()) {
		return r
	}
	return nil
}

func (r *record) forgotten(now time.Time) bool { return r.State != pending && !now.Before(r.Until) }

// hold counts a value in, and forgets the oldest ones where there are too many.
func (s *Store) hold(r *record) {
	if len(r.Value) == 0 {
		return
	}
	s.held, s.kept = append(s.held, r), s.kept+len(r.Value)
	for s.kept > s.maxKept {
		oldest := s.held[0]
		s.held, s.kept = s.held[1:], s.kept-len(oldest.Value)
		if s.calls[oldest.Key] == oldest {
			bare := *oldest
			bare.Value, bare.size = nil, oldest.size-int64(len(oldest.Value))
			s.calls[oldest.Key] = &bare
		}
	}
}

// makeRoom forgets what is over, where there is too much of it.
func (s *Store) makeRoom() error {
	if len(s.calls) >= s.maxCalls {
		if s.sweep(); len(s.calls) >= s.maxCalls {
			return ErrFull
		}
	}
	if s.journal == nil || s.journal.size <= s.slack {
		return nil
	}
	s.sweep()
	var live int64
	for _, r := range s.calls {
		live += r.size
	}
	if s.journal.size < 2*live {
		return nil
	}
	if err := s.journal.rewrite(maps.Values(s.calls)); err != nil {
		return s.journal.unavailable(err)
	}
	return nil
}

func (s *Store) sweep() {
	now := time.Now()
	maps.DeleteFunc(s.calls, func(_ string, r *record) bool { return r.forgotten(now) })
}

// load reads the file anew. A call that is pending there was cut off: nobody else
// is making one now.
func (s *Store) load() error {
	s.calls, s.held, s.kept = map[string]*record{}, nil, 0
	now := time.Now()
	err := s.journal.read(func(r *record) {
		if r.State == pending {
			r.State = Unknown
		}
		if delete(s.calls, r.Key); r.State != Released && !r.forgotten(now) {
			s.calls[r.Key] = r
			s.hold(r)
		}
	})
	return err
}
