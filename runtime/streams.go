package runtime

import (
	"context"
	"slices"
	"sync"
	"time"
)

// heartbeat is how often an idle stream gets a comment: proxies cut a silent
// connection after 30 to 60 seconds.
const heartbeat = 15 * time.Second

// lastWords is how long a write may take once everything ends.
const lastWords = time.Second

// subscriber is one whom changes are told: a listen, or a legacy session with
// the streams it has open. What it was not told yet is one flag and never a
// queue, so that a client that does not read holds up nobody and costs nothing.
type subscriber struct {
	mu      sync.Mutex // guards the rest
	pending bool
	streams []*stream // the last one carries what there is to tell
}

// stream is one answer that stays open.
type stream struct {
	wake chan struct{} // holds a value when there may be something to tell
}

func (st *stream) rouse() {
	select {
	case st.wake <- struct{}{}:
	default:
	}
}

// post has the subscriber told, by the stream it opened last or by the next.
func (s *subscriber) post() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending = true
	s.rouse()
}

// rouse has the last stream look whether there is something to tell; the caller
// holds s.mu. Of several streams one carries a message, and no other
// (2025-11-25, transports, "Multiple Connections").
func (s *subscriber) rouse() {
	if n := len(s.streams); n > 0 {
		s.streams[n-1].rouse()
	}
}

// open adds a stream.
func (s *subscriber) open() *stream {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := &stream{wake: make(chan struct{}, 1)}
	s.streams = append(s.streams, st)
	s.rouse()
	return st
}

// take reports whether there is a change to tell of, for whoever asks first.
func (s *subscriber) take() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	pending := s.pending
	s.pending = false
	return pending
}

// close removes a stream. What it took and could not tell, another will.
func (s *subscriber) close(st *stream, untold bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.streams = slices.DeleteFunc(s.streams, func(other *stream) bool { return other == st })
	s.pending = s.pending || untold
	s.rouse()
}

// audience are the subscribers of one profile.
type audience struct {
	mu      sync.Mutex // guards the rest
	members map[*subscriber]struct{}
	gone    chan struct{} // closed while the profile is not served
}

func newAudience() *audience {
	return &audience{members: map[*subscriber]struct{}{}, gone: make(chan struct{})}
}

func (a *audience) join(s *subscriber) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.members[s] = struct{}{}
}

func (a *audience) leave(s *subscriber) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.members, s)
}

// size is how many subscribers there are.
func (a *audience) size() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.members)
}

// tell has every member told; it waits for none.
func (a *audience) tell() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for s := range a.members {
		s.post()
	}
}

// serve says whether the profile is served. While it is not, no stream of it is
// open.
func (a *audience) serve(served bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	select {
	case <-a.gone:
		if served {
			a.gone = make(chan struct{})
		}
	default:
		if !served {
			close(a.gone)
		}
	}
}

// end is closed when the profile goes away.
func (a *audience) end() <-chan struct{} {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.gone
}

// outlet is the client's end of a stream.
type outlet interface {
	// send writes a message within a time.
	send(message []byte, within time.Duration) error
	// beat shows what is in between that the stream is in use.
	beat() error
	// hurry leaves a write that is under way [lastWords].
	hurry()
}

// script is what a stream says: first, at every change, and in the end. Each may
// be nil.
type script struct{ opening, notice, closing []byte }

// carry runs one stream of a subscriber until its client is gone, which ends
// ctx, or one of the channels is closed, which ends it with the closing.
func (s *Server) carry(ctx context.Context, sub *subscriber, to outlet, say script, ended, gone <-chan struct{}) {
	defer context.AfterFunc(s.ending, to.hurry)()
	st, untold := sub.open(), false
	defer func() { sub.close(st, untold) }()
	if s.say(to, say.opening) != nil {
		return
	}
	tick := time.NewTicker(heartbeat)
	defer tick.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return
		case <-ended:
			s.close(to, say)
			return
		case <-gone:
			s.close(to, say)
			return
		case <-tick.C:
			err = to.beat()
		case <-st.wake:
			if sub.take() {
				err = s.say(to, say.notice)
				untold = err != nil
			}
		}
		if err != nil {
			return
		}
	}
}

// say writes a message, or a beat where there is none: a client behind a proxy
// learns that its stream is open by the first byte.
func (s *Server) say(to outlet, message []byte) error {
	if message == nil {
		return to.beat()
	}
	return to.send(message, s.opts.WriteTimeout)
}

// close ends a stream with its closing. Where there is none the end itself is still
// to be written, and what hurried a write may have been long ago: calls are waited
// for in between.
func (s *Server) close(to outlet, say script) {
	if say.closing == nil {
		to.hurry()
		return
	}
	_ = to.send(say.closing, lastWords) // the client may be gone
}

// places count the streams that are open, in all and by principal.
type places struct {
	mu   sync.Mutex // guards the rest
	all  int
	each map[string]int // without zeros: as many as streams at most
}

// take admits a stream of a principal, or says why not.
func (p *places) take(who string, most, mostEach int) (full string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.all >= most:
		return "too many streams are open: close one, or try again later"
	case p.each[who] >= mostEach:
		return "too many streams of yours are open: close one, or try again later"
	}
	if p.each == nil {
		p.each = map[string]int{}
	}
	p.all++
	p.each[who]++
	return ""
}

// leave gives back what take gave.
func (p *places) leave(who string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all--
	if p.each[who]--; p.each[who] == 0 {
		delete(p.each, who)
	}
}

// open is how many streams there are.
func (p *places) open() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.all
}
