package runtime

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// legacySession is a session of a client before 2026-07-28: the SDK answers in
// it; its streams, its owner and its end are ours.
type legacySession struct {
	subscriber
	sdk   *mcp.ServerSession
	owner string // the principal that opened it
	ended chan struct{}

	// Guarded by [legacySessions.mu].
	uses int         // requests and streams that are open
	idle *time.Timer // expires it, unless it is in use
}

// legacySessions are those of an endpoint.
type legacySessions struct {
	audience *audience
	timeout  time.Duration // of a session that nobody uses

	mu   sync.Mutex // guards the rest
	byID map[string]*legacySession
	// starting are those that were admitted and are not yet counted.
	starting int
}

// begun keeps a session of which initialize was answered.
func (l *legacySessions) begun(sdk *mcp.ServerSession, owner string) {
	held := &legacySession{sdk: sdk, owner: owner, ended: make(chan struct{})}
	l.mu.Lock()
	defer l.mu.Unlock()
	held.idle = time.AfterFunc(l.timeout, func() { l.expire(held) })
	l.byID[sdk.ID()] = held
	l.audience.join(&held.subscriber)
}

// use returns the session of an id, until done; nil when there is none, or it
// is another's: no principal learns of another's session.
func (l *legacySessions) use(id, who string) *legacySession {
	l.mu.Lock()
	defer l.mu.Unlock()
	held := l.byID[id]
	if held == nil || held.owner != who {
		return nil
	}
	held.uses++
	return held
}

// done ends a use. The timeout runs from the last.
func (l *legacySessions) done(held *legacySession) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if held.uses--; held.uses == 0 && l.byID[held.sdk.ID()] == held {
		held.idle.Reset(l.timeout)
	}
}

// expire ends a session that is not in use.
func (l *legacySessions) expire(held *legacySession) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if held.uses == 0 {
		l.drop(held)
	}
}

// end ends a session and its streams.
func (l *legacySessions) end(held *legacySession) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.drop(held)
}

// endAll ends every session.
func (l *legacySessions) endAll() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, held := range l.byID {
		l.drop(held)
	}
}

// drop ends a session; the caller holds l.mu. The SDK waits for what runs in it,
// and nobody waits for the SDK.
func (l *legacySessions) drop(held *legacySession) {
	id := held.sdk.ID()
	if l.byID[id] != held {
		return
	}
	delete(l.byID, id)
	held.idle.Stop()
	l.audience.leave(&held.subscriber)
	close(held.ended)
	go func() { _ = held.sdk.Close() }() // says at most that it is closed
}

// inSession reports whether a GET or DELETE belongs to a legacy session: the
// modern era has neither.
func inSession(r *http.Request) bool {
	return r.Header.Get("Mcp-Session-Id") != "" && r.Header.Get("Mcp-Protocol-Version") < modernVersion
}

// noSession is what 2025-11-25 (transports, "Session Management") has a client
// open a new one for: 404.
func noSession() *refusal {
	return &refusal{status: http.StatusNotFound, code: jsonrpc.CodeInvalidRequest, text: "there is no such session: send initialize for a new one"}
}

// session serves a legacy session's stream, or ends the session.
func (s *Server) session(w *writer, r *http.Request, e *endpoint) {
	if s.ending.Err() != nil {
		busy(w, nil, "the server is shutting down")
		return
	}
	if r.ContentLength != 0 {
		refuse(w, nil, invalid("a %s has no body", r.Method))
		return
	}
	if version := r.Header.Get("Mcp-Protocol-Version"); version != "" && !slices.Contains(mcp.SupportedProtocolVersions(), version) {
		refuse(w, nil, invalid("Mcp-Protocol-Version is not one of %s", strings.Join(mcp.SupportedProtocolVersions(), ", ")))
		return
	}
	who := principal(r.Header.Get("Authorization"))
	held := e.sessions.use(r.Header.Get("Mcp-Session-Id"), who)
	if held == nil {
		refuse(w, nil, noSession())
		return
	}
	defer e.sessions.done(held)
	if r.Method == http.MethodDelete {
		e.sessions.end(held)
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if !accepts(r.Header, eventStream) {
		refuse(w, nil, &refusal{status: http.StatusNotAcceptable, code: jsonrpc.CodeInvalidRequest, text: "Accept must contain " + eventStream})
		return
	}
	if full := s.streams.take(who, s.opts.MaxStreams, s.opts.MaxStreamsEach); full != "" {
		busy(w, nil, full)
		return
	}
	defer s.streams.leave(who)
	s.carry(r.Context(), &held.subscriber, w, sessionScript(), held.ended, e.audience.end())
}

// accepts reports whether a media type is accepted by its name, its kind or
// whatever it is.
func accepts(h http.Header, media string) bool {
	kind, _, _ := strings.Cut(media, "/")
	for _, value := range h.Values("Accept") {
		for one := range strings.SplitSeq(value, ",") {
			one, _, _ = strings.Cut(one, ";")
			switch strings.ToLower(strings.TrimSpace(one)) {
			case media, kind + "/*", "*/*":
				return true
			}
		}
	}
	return false
}

// legacyPost lets only initialize open a session, and only so many.
func (s *Server) legacyPost(w *writer, r *http.Request, e *endpoint, env envelope) {
	id := r.Header.Get("Mcp-Session-Id")
	held := e.sessions.use(id, r.Header.Get(principalHeader))
	if held != nil {
		defer e.sessions.done(held)
	}
	switch {
	case env.method == "initialize" && held != nil:
		refuse(w, env.id, invalid("the session is initialized already"))
	case env.method == "initialize":
		r.Header.Del("Mcp-Session-Id") // of a session that is gone
		if !e.begin(s.opts.MaxSessions) {
			busy(w, env.id, "too many sessions are open")
			return
		}
		defer e.began()
		e.legacy.ServeHTTP(w, r)
	case id == "":
		refuse(w, env.id, invalid("no session: send initialize first, and then its Mcp-Session-Id"))
	case held == nil:
		refuse(w, env.id, noSession())
	default:
		// A call may wait for a person, and its stream with it.
		defer w.keepAlive()()
		e.legacy.ServeHTTP(w, r)
	}
}

// connected counts the legacy sessions that the SDK holds: only they have an id.
// One that has ended counts while something still runs in it.
func (e *endpoint) connected() (n int) {
	for ss := range e.mcp.Sessions() {
		if ss.ID() != "" {
			n++
		}
	}
	return n
}

// begin admits a new legacy session while fewer than most are open. One that
// is being opened may count twice, never zero times.
func (e *endpoint) begin(most int) bool {
	e.sessions.mu.Lock()
	defer e.sessions.mu.Unlock()
	if e.connected()+e.sessions.starting >= most {
		return false
	}
	e.sessions.starting++
	return true
}

// began ends what begin admitted: the session is counted by itself now.
func (e *endpoint) began() {
	e.sessions.mu.Lock()
	e.sessions.starting--
	e.sessions.mu.Unlock()
}
