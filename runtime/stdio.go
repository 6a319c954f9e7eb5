package runtime

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/generate/schema"
)

// stdinGrace is how long calls may finish after a client closed its end: one
// that pipes its requests in still gets its answers.
const stdinGrace = time.Second

// ServeStdio serves one profile on one pair of streams, a message a line, until
// in ends, out breaks or ctx is cancelled; both eras, as over HTTP. Whoever has
// the streams has the profile: no token is asked for.
// Nothing but the protocol is written to out. A line that is no message is
// answered and survived. The returned error is out's.
//
// A read of in that does not end is left behind: there is no way to interrupt
// standard input, and the process is about to end.
func (s *Server) ServeStdio(ctx context.Context, profile string, in io.Reader, out io.Writer) error {
	served := s.current.Load().profiles[profile]
	if served == nil {
		return fmt.Errorf("serving on standard input: there is no profile %q", profile)
	}
	c := &stdio{server: s, out: out, pending: map[string]*call{}, broken: make(chan struct{}), changed: make(chan struct{}, 1)}
	here, there := io.Pipe()
	e := served.endpoint
	session, err := e.mcp.Connect(context.WithoutCancel(ctx), &mcp.IOTransport{Reader: here, Writer: c}, nil)
	if err != nil {
		return fmt.Errorf("serving on standard input: %w", err)
	}
	ended := make(chan struct{})
	go func() { defer close(ended); c.read(in, there) }()
	grace := s.opts.Grace
	select {
	case <-ctx.Done():
	case <-ended:
		grace = min(grace, stdinGrace)
	case <-c.broken:
		grace = 0
	}
	s.end()
	c.drain(grace)
	s.abort()
	_ = there.Close()
	e.notices.stop()
	_ = session.Close() // says that the pipe is closed
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failed
}

// stdio stands between the streams and the SDK, which ends at a bad line and
// answers calls that were cancelled.
type stdio struct {
	server *Server

	mu          sync.Mutex // guards the rest
	out         io.Writer
	failed      error
	initialized bool
	pending     map[string]*call // requests that were not answered, by id

	broken  chan struct{} // closed when out failed
	changed chan struct{} // holds a value when pending has shrunk
}

// call is one request on its way.
type call struct {
	cancelled bool
}

// read hands the lines of in to the SDK. It returns when in ends.
func (c *stdio) read(in io.Reader, sdk io.Writer) {
	r := bufio.NewReader(in)
	for {
		line, over, err := readLine(r, c.server.opts.MaxBody)
		switch line = bytes.TrimSpace(line); {
		case over:
			c.refuse(nil, invalid("the line is longer than %d bytes", c.server.opts.MaxBody))
		case len(line) > 0 && c.take(line):
			if _, err := sdk.Write(append(line, '\n')); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// readLine reads a line of at most most bytes; of a longer one it keeps nothing.
func readLine(r *bufio.Reader, most int64) (line []byte, over bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if over = over || int64(len(line)+len(part)) > most; over {
			line = nil
		} else {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, over, err
		}
	}
}

// take decides whether the SDK gets a line; what it does not get is answered.
func (c *stdio) take(line []byte) bool {
	env, bad := openEnvelope(line)
	if bad == nil {
		bad = env.refused(env.version != "", "")
	}
	c.mu.Lock()
	switch {
	case bad != nil || env.version != "" || env.method == "ping" || env.batch || env.id == nil:
	case env.method == "initialize":
		c.initialized = true
	case !c.initialized && env.method != "":
		bad = invalid("send initialize first")
	}
	if bad == nil && env.method != "" && env.id != nil {
		c.pending[key(env.id)] = &call{}
	}
	if env.method == "notifications/cancelled" {
		if p := c.pending[key(cancelledID(line))]; p != nil {
			p.cancelled = true
		}
	}
	c.mu.Unlock()
	if bad != nil {
		c.refuse(env.id, bad)
		return false
	}
	return true
}

// cancelledID is the request a cancellation speaks of.
func cancelledID(line []byte) json.RawMessage {
	var message struct {
		Params struct {
			RequestID json.RawMessage `json:"requestId"`
		} `json:"params"`
	}
	_ = json.Unmarshal(line, &message) // it was read before
	return message.Params.RequestID
}

// key is an id as one text, however it was written.
func key(id json.RawMessage) string {
	var v any
	dec := json.NewDecoder(bytes.NewReader(id))
	dec.UseNumber()
	if dec.Decode(&v) != nil {
		return ""
	}
	text, _ := schema.Encode(v)
	return string(text)
}

// Write takes one message of the SDK, with its newline. The answer to a call
// that was cancelled is dropped: its client no longer knows the id.
func (c *stdio) Write(line []byte) (int, error) {
	id := answered(line)
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.pending[id]
	if p != nil {
		delete(c.pending, id)
		select {
		case c.changed <- struct{}{}:
		default:
		}
	}
	if p != nil && p.cancelled {
		return len(line), nil
	}
	return len(line), c.write(line)
}

// write writes to out and remembers that it broke; the caller holds c.mu.
func (c *stdio) write(line []byte) error {
	if c.failed != nil {
		return c.failed
	}
	if _, err := c.out.Write(line); err != nil {
		c.failed = fmt.Errorf("writing to standard output: %w", err)
		close(c.broken)
	}
	return c.failed
}

// Close implements [io.Closer] for the SDK; out is not ours to close.
func (c *stdio) Close() error { return nil }

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
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = c.write(append(text, '\n')) // remembered
}

// drain waits until every call is answered, grace at most.
func (c *stdio) drain(grace time.Duration) {
	over := time.NewTimer(grace)
	defer over.Stop()
	for {
		c.mu.Lock()
		waiting := false
		for _, p := range c.pending {
			waiting = waiting || !p.cancelled
		}
		c.mu.Unlock()
		if !waiting {
			return
		}
		select {
		case <-c.changed:
		case <-c.broken:
			return
		case <-over.C:
			return
		}
	}
}
