package runtime

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Shutdown refuses new requests, ends listen streams with their final result,
// lets calls finish until ctx is done and cancels the rest, and then closes
// the legacy sessions. The error says that some would not end.
func (s *Server) Shutdown(ctx context.Context) error {
	idle := s.requests.close()
	s.end()
	select {
	case <-idle:
	case <-ctx.Done():
	}
	// Calls whose client is gone may still run; nobody waits for them.
	s.abort()
	s.linger(ctx)
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		s.closeSessions()
	}()
	// A session closes at once now, unless the site ignores its context.
	const patience = time.Second
	last := time.NewTimer(patience)
	defer last.Stop()
	select {
	case <-closed:
	case <-last.C:
		return errors.New("shutting down: a call does not end")
	}
	return nil
}

// linger lets the clients of legacy sessions read their last answers: one
// whose stream ends first takes its calls for failed.
func (s *Server) linger(ctx context.Context) {
	s.swap.Lock()
	open := 0
	for _, e := range s.endpoints {
		open += e.connected()
	}
	s.swap.Unlock()
	if open == 0 {
		return
	}
	read := time.NewTimer(100 * time.Millisecond)
	defer read.Stop()
	select {
	case <-read.C:
	case <-ctx.Done():
	}
}

func (s *Server) closeSessions() {
	s.swap.Lock()
	endpoints := slices.Collect(maps.Values(s.endpoints))
	s.swap.Unlock()
	var wg sync.WaitGroup
	for _, e := range endpoints {
		e.notices.stop()
		e.sessions.endAll()
		for ss := range e.mcp.Sessions() {
			wg.Go(func() {
				if err := ss.Close(); err != nil {
					s.opts.Log.Debug("closing a session", "error", err)
				}
			})
		}
	}
	wg.Wait()
}

// Serve serves on l until ctx is cancelled and then shuts down within the
// grace. It closes l. It returns nil after a shutdown, also one that had to
// cut connections.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := s.web(s.Handler())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	var failed error
	select {
	case <-ctx.Done():
	case err := <-ended:
		failed = fmt.Errorf("serving on %s: %w", l.Addr(), err)
		ended <- nil
	}
	s.stop(context.WithoutCancel(ctx), server)
	<-ended
	return failed
}

// flush is how long answers that were written may still be on their way when
// everything has ended.
const flush = 500 * time.Millisecond

// stop ends everything within the grace.
func (s *Server) stop(ctx context.Context, server *http.Server) {
	grace, cancel := context.WithTimeout(ctx, s.opts.Grace)
	defer cancel()
	closing, over := context.WithCancel(ctx)
	defer over()
	var wg sync.WaitGroup
	wg.Go(func() {
		// At once, so that the listener is closed; it waits for the connections.
		if server.Shutdown(closing) != nil {
			_ = server.Close()
		}
	})
	if err := s.Shutdown(grace); err != nil {
		s.opts.Log.Warn("shutdown", "error", err)
	}
	// What is open now serves nothing: a connection a client made and never
	// used, for which net/http would wait another five seconds.
	last := time.AfterFunc(flush, over)
	defer last.Stop()
	wg.Wait()
}

// inFlight counts requests until it is closed. The zero value is open.
type inFlight struct {
	mu     sync.Mutex // guards the rest
	n      int
	closed bool
	idle   chan struct{} // made by close; closed when n is 0
}

// begin counts a request in; false when no more are taken.
func (f *inFlight) begin() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return false
	}
	f.n++
	return true
}

func (f *inFlight) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.n--; f.n == 0 && f.closed {
		close(f.idle)
	}
}

// close takes no more requests and returns what is closed when the last ended.
func (f *inFlight) close() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.closed {
		f.closed, f.idle = true, make(chan struct{})
		if f.n == 0 {
			close(f.idle)
		}
	}
	return f.idle
}
