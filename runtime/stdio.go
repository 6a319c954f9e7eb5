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
	e := served.endpoint
	c := &stdio{server: s, endpoint: e, out: newOutput(out), pending: map[string]*call{}, changed: make(chan struct{}, 1)}
	here, there := io.Pipe()
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
	case <-c.out.broken:
		grace = 0
	}
	s.end()
	c.drain(grace)
	s.abort()
	c.mu.Lock()
	c.over = true
	c.mu.Unlock()
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		_ = there.Close()
		e.notices.stop()
		_ = session.Close() // says that the pipe is closed
		c.streams.Wait()
	}()
	last := time.NewTimer(lastWords)
	defer last.Stop()
	select {
	case <-closed:
	case <-last.C: // out takes nothing: it is left behind, like in
	}
	return c.out.err()
}

// stdio stands between the streams and the SDK, which ends at a bad line,
// answers calls that were cancelled and knows one listen.
type stdio struct {
	server   *Server
	endpoint *endpoint
	out      *output
	streams  sync.WaitGroup // listens, and what a session is told
	changed  chan struct{}  // holds a value when pending has shrunk

	mu          sync.Mutex // guards the rest
	over        bool       // no stream begins
	initialized bool
	told        bool             // of changes, as a session
	pending     map[string]*call // requests that were not answered, by id
}

// call is one request on its way.
type call struct {
	cancelled bool
	stop      context.CancelFunc // of a listen; nil for the SDK's
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
	bad = c.admit(env, bad)
	listening := bad == nil && env.version != "" && env.id != nil && env.method == methodListen
	switch {
	case bad != nil:
	case listening && !c.over:
		c.listen(env, line)
	case listening:
		bad = &refusal{code: jsonrpc.CodeInternalError, text: "the server is shutting down"}
	case env.method != "" && env.id != nil:
		c.pending[key(env.id)] = &call{}
	case env.method == "notifications/initialized" && !c.over:
		c.tell()
	case env.method == "notifications/cancelled":
		if p := c.pending[key(cancelledID(line))]; p != nil {
			p.cancelled = true
			if p.stop != nil {
				p.stop()
			}
		}
	}
	c.mu.Unlock()
	if bad != nil {
		c.refuse(env.id, bad)
	}
	return bad == nil && !listening
}

// admit refuses what comes before initialize and an id that is in use; the
// caller holds c.mu.
func (c *stdio) admit(env envelope, bad *refusal) *refusal {
	switch {
	case bad != nil:
		return bad
	case env.version != "" || env.method == "ping" || env.batch || env.id == nil:
	case env.method == "initialize":
		c.initialized = true
	case !c.initialized && env.method != "":
		return invalid("send initialize first")
	}
	if env.id != nil && env.method != "" && c.pending[key(env.id)] != nil {
		return invalid("the id is that of a request that was not answered yet")
	}
	return nil
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
		case <-c.out.broken:
			return
		case <-over.C:
			return
		}
	}
}
