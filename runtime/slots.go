package runtime

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// slotPatience is how long a call waits for its turn at most.
const slotPatience = 5 * time.Second

// slots bound the calls at the same time: of each principal, so that one leaves
// room for others, and of all.
type slots struct {
	all  chan struct{}
	each int

	mu sync.Mutex // guards of
	of map[string]*share
}

// share is what one principal has; it is kept while it has calls.
type share struct {
	slots chan struct{}
	calls int
}

func newSlots(all, each int) *slots {
	return &slots{all: make(chan struct{}, all), each: each, of: map[string]*share{}}
}

// enter waits for a slot, and returns what gives it back; nil where none came
// free in time.
func (s *slots) enter(ctx context.Context, principal string) (leave func()) {
	ctx, cancel := context.WithTimeout(ctx, slotPatience)
	defer cancel()
	own := s.join(principal)
	if !take(ctx, own.slots) {
		s.part(principal)
		return nil
	}
	if !take(ctx, s.all) {
		<-own.slots
		s.part(principal)
		return nil
	}
	return func() {
		<-s.all
		<-own.slots
		s.part(principal)
	}
}

// take puts one into c; false when ctx ends first.
func take(ctx context.Context, c chan struct{}) bool {
	select {
	case c <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (s *slots) join(principal string) *share {
	s.mu.Lock()
	defer s.mu.Unlock()
	own := s.of[principal]
	if own == nil {
		own = &share{slots: make(chan struct{}, s.each)}
		s.of[principal] = own
	}
	own.calls++
	return own
}

func (s *slots) part(principal string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	own := s.of[principal]
	if own.calls--; own.calls == 0 {
		delete(s.of, principal)
	}
}

// crowded is the answer to a call that got no slot.
func crowded(a admission) *mcp.CallToolResult {
	a.entry.Outcome = outcomeBusy
	return problem(fmt.Sprintf("Nothing was sent: too many calls run at the same time.\nNext: %s Make fewer calls at once.", comeBack(slotPatience)))
}
