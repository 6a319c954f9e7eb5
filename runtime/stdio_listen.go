package runtime

import (
	"bytes"
	"context"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// listen runs a listen of its own beside any others; the caller holds c.mu.
func (c *stdio) listen(env envelope, line []byte) {
	ctx, stop := context.WithCancel(context.Background())
	id := key(env.id)
	c.pending[id] = &call{stop: stop}
	c.streams.Go(func() {
		defer c.done(id)
		defer stop()
		s, who := c.server, principalOf(nil)
		if full := s.streams.take(who, s.opts.MaxStreams, s.opts.MaxStreamsEach); full != "" {
			c.refuse(env.id, &refusal{code: jsonrpc.CodeInternalError, text: full})
			return
		}
		defer s.streams.leave(who)
		wanted, refused := c.endpoint.wanted(overHTTP(ctx, env, line))
		if wanted != nil {
			s.attend(ctx, c.endpoint, env.id, wanted, c.out)
		} else if text := refused.message(); text != nil {
			_ = c.out.send(text, 0) // remembered
		} else {
			c.refuse(env.id, invalid("%s", bytes.TrimSpace(refused.body.Bytes())))
		}
	})
}

// overHTTP is the request that a line would be over HTTP, for the SDK to check.
func overHTTP(ctx context.Context, env envelope, line []byte) *http.Request {
	r, _ := http.NewRequestWithContext(ctx, http.MethodPost, "/mcp", bytes.NewReader(line)) // a method and a path: it cannot fail
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, "+eventStream)
	r.Header.Set("Mcp-Protocol-Version", env.version)
	r.Header.Set("Mcp-Method", env.method)
	return r
}

// tell begins what a session is told without asking; the caller holds c.mu. It
// goes on when the profile is away: the session does, too.
func (c *stdio) tell() {
	if c.told || !c.initialized {
		return
	}
	c.told = true
	sub := &subscriber{}
	c.endpoint.audience.join(sub)
	c.streams.Go(func() {
		defer c.endpoint.audience.leave(sub)
		c.server.carry(context.Background(), sub, c.out, sessionScript(), c.server.ending.Done(), nil)
	})
}
