package runtime

import (
	"net/http"
	"strings"
	"sync"
	"time"
)

// writer is an answer in the making. Each write has a deadline, so that a
// client that stops reading is let go, and a stream says to proxies that it must
// be neither buffered nor kept.
type writer struct {
	under    http.ResponseWriter
	patience time.Duration
	// parts are what is written for one write of the SDK's; nil: that itself.
	parts func([]byte) [][]byte

	mu      sync.Mutex // guards under, and the order of what is written
	started bool
	stream  bool
}

// Header implements [http.ResponseWriter].
func (w *writer) Header() http.Header { return w.under.Header() }

// WriteHeader implements [http.ResponseWriter].
func (w *writer) WriteHeader(status int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.start(status)
}

func (w *writer) start(status int) {
	if w.started {
		return
	}
	w.started = true
	if strings.HasPrefix(w.Header().Get("Content-Type"), eventStream) {
		w.stream = true
		w.Header().Set("X-Accel-Buffering", "no")
		w.Header().Set("Cache-Control", "no-store, no-transform")
	}
	w.under.WriteHeader(status)
}

// eventStream is the media type of a stream.
const eventStream = "text/event-stream"

// Write implements [http.ResponseWriter].
func (w *writer) Write(p []byte) (n int, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.start(http.StatusOK)
	parts := [][]byte{p}
	if w.parts != nil {
		parts = w.parts(p)
	}
	w.within(w.patience, func(*http.ResponseController) {
		for _, part := range parts {
			if _, err = w.under.Write(part); err != nil {
				return
			}
		}
		n = len(p)
	})
	return n, err
}

// FlushError is what [http.ResponseController.Flush] calls.
func (w *writer) FlushError() (err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.within(w.patience, func(rc *http.ResponseController) { err = rc.Flush() })
	return err
}

// within runs write under a deadline and lifts it: the connection is kept for
// the next request. A connection without deadlines has none.
func (w *writer) within(limit time.Duration, write func(*http.ResponseController)) {
	rc := http.NewResponseController(w.under)
	_ = rc.SetWriteDeadline(time.Now().Add(limit))
	write(rc)
	_ = rc.SetWriteDeadline(time.Time{})
}

// send writes a message as an event.
func (w *writer) send(message []byte, within time.Duration) error {
	return w.event("event: message\ndata: "+string(message)+"\n\n", within)
}

// beat writes a comment, which clients ignore.
func (w *writer) beat() error { return w.event(alive, w.patience) }

// alive is a comment.
const alive = ": alive\n\n"

// event writes to a stream of our own, and begins it.
func (w *writer) event(text string, within time.Duration) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.started {
		w.Header().Set("Content-Type", eventStream)
		w.start(http.StatusOK)
	}
	return w.part(text, within)
}

func (w *writer) part(text string, within time.Duration) (err error) {
	w.within(within, func(rc *http.ResponseController) {
		if _, err = w.under.Write([]byte(text)); err == nil {
			err = rc.Flush()
		}
	})
	return err
}

// hurry implements [outlet]: a deadline may be changed while a write waits for it.
func (w *writer) hurry() {
	_ = http.NewResponseController(w.under).SetWriteDeadline(time.Now().Add(lastWords))
}

// keepAlive writes a comment into a stream of the SDK every heartbeat until the
// returned function is called, which waits for it to end.
func (w *writer) keepAlive() (stop func()) {
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(heartbeat)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				w.comment()
			}
		}
	})
	return func() { close(done); wg.Wait() }
}

func (w *writer) comment() {
	// While something is being written, the stream is not idle.
	if !w.mu.TryLock() {
		return
	}
	defer w.mu.Unlock()
	if w.stream {
		_ = w.part(alive, w.patience) // whoever is gone is noticed by the request's context
	}
}
