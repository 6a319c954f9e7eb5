package runtime

import (
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// output is where messages go, one a line.
type output struct {
	broken chan struct{} // closed when a write failed

	mu     sync.Mutex // held while a line is written; guards the rest
	w      io.Writer
	failed error // set before broken is closed, and never again
}

func newOutput(w io.Writer) *output { return &output{w: w, broken: make(chan struct{})} }

// line writes a line with its newline, and remembers that it could not.
func (o *output) line(text []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.failed != nil {
		return o.failed
	}
	if _, err := o.w.Write(text); err != nil {
		o.failed = fmt.Errorf("writing to standard output: %w", err)
		close(o.broken)
	}
	return o.failed
}

// err is why it broke; it does not wait for a write that is under way.
func (o *output) err() error {
	select {
	case <-o.broken:
		return o.failed
	default:
		return nil
	}
}

// send implements [outlet]. There is one client, and a pipe has no deadline:
// whoever does not read its own answers holds up nobody else.
func (o *output) send(message []byte, _ time.Duration) error {
	return o.line(append(message[:len(message):len(message)], '\n'))
}

// beat implements [outlet]: nothing is in between.
func (o *output) beat() error { return nil }

// hurry implements [outlet].
func (o *output) hurry() {}

// Write takes one message of the SDK, with its newline. The answer to a call
// that was cancelled is dropped: its client no longer knows the id.
func (c *stdio) Write(line []byte) (int, error) {
	id := answered(line)
	c.mu.Lock()
	p := c.pending[id]
	dropped := p != nil && p.cancelled
	c.mu.Unlock()
	var err error
	if !dropped {
		err = c.out.line(line)
	}
	if p != nil {
		c.done(id)
	}
	return len(line), err
}

// Close implements [io.Closer] for the SDK; out is not ours to close.
func (c *stdio) Close() error { return nil }

// done forgets a request that is over.
func (c *stdio) done(id string) {
	c.mu.Lock()
	delete(c.pending, id)
	c.mu.Unlock()
	select {
	case c.changed <- struct{}{}:
	default:
	}
}

// answered is the id a response answers; empty for anything else.
func answered(line []byte) string {
	list, err := members(line)
	if err != nil {
		return ""
	}
	id := ""
	for _, m := range list {
		switch m.name {
		case "method":
			return ""
		case "id":
			id = key(m.value)
		}
	}
	return id
}

// refuse answers a line that the SDK does not get; one without an id, with the
// id null (JSON-RPC 2.0, section 5).
func (c *stdio) refuse(id json.RawMessage, bad *refusal) {
	if id == nil {
		id = json.RawMessage("null")
	}
	text, err := bad.message(id)
	if err != nil {
		text, _ = (&refusal{code: jsonrpc.CodeInternalError, text: "internal error"}).message(id)
	}
	_ = c.out.send(text, 0) // remembered
}
