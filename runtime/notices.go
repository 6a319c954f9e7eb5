package runtime

import (
	"sync"
	"time"
)

// noticeEvery is the least time between two notices of one list.
const noticeEvery = time.Second

// notices sends one notice at once and further ones at most every noticeEvery.
// The last change is always announced.
type notices struct {
	send func()

	mu      sync.Mutex // guards the rest
	last    time.Time
	pending *time.Timer // of a notice that waits; nil without one
	stopped bool
}

// post has a notice sent, now or when one is due.
func (n *notices) post() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.pending != nil || n.stopped {
		return
	}
	if wait := noticeEvery - time.Since(n.last); !n.last.IsZero() && wait > 0 {
		n.pending = time.AfterFunc(wait, n.due)
		return
	}
	n.last = time.Now()
	n.send()
}

func (n *notices) due() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.stopped {
		return
	}
	n.pending, n.last = nil, time.Now()
	n.send()
}

// stop sends no more.
func (n *notices) stop() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.stopped = true
	if n.pending != nil {
		n.pending.Stop()
	}
}
