package runtime

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"toolpress/curate"
	"toolpress/discover/wp"
	"toolpress/runtime/media"
	"toolpress/runtime/once"
)

// Site is where calls end. A failure of an exchange is a [*wp.Error].
type Site interface {
	Do(ctx context.Context, r wp.Request) (*wp.Response, error)
}

// Options configure a [Server].
type Options struct {
	// Name is the server's name in MCP. Empty: "toolpress".
	Name string
	// Version is the server's version in MCP. Empty: "0".
	Version string
	// Title is what a client may show of the server. Empty: none.
	Title string
	// Site takes the calls. It must be safe for use by many goroutines.
	Site Site
	// Log is for the operator. Nil: nothing is logged.
	Log *slog.Logger

	// Access says how one profile is reached and as whom its calls are made. Nil:
	// every profile by Token and Site. It is asked for each profile of each
	// catalog that is published.
	Access func(p *curate.Profile) Access
	// Token is the bearer token clients must send. Zero: none is asked.
	Token wp.Secret
	// AllowedHosts are the values of Host served besides loopback names:
	// "host" with any port, or "host:port". Empty: none.
	AllowedHosts []string
	// AllowedOrigins are the values of Origin served besides loopback
	// origins: "https://app.example". Empty: none.
	AllowedOrigins []string

	// StateKey seals what a confirmation passes through a client, and makes the
	// digests of the audit; servers that share one take each other's. Zero: a
	// random one.
	StateKey wp.Secret

	// MaxCalls bounds the calls at the same time, MaxCallsEach those of one
	// principal. Zero: 128 and 32.
	MaxCalls, MaxCallsEach int

	// Audit gets one line of JSON for each call, in one Write (docs/audit.md).
	// Nil: none is written.
	Audit io.Writer
	// AuditValues puts the values of arguments and forms into the lines, but for
	// private ones and those with a secret's name. Without it there are digests.
	AuditValues bool

	// Webhook is what signs the site's webhooks at /webhook. Zero: none is taken.
	Webhook wp.Secret
	// Hint is called for each webhook: the site says that it changed. It must
	// return at once, and must be safe for use by many goroutines. Nil: nothing is
	// done.
	Hint func()

	// Calls remembers what became of calls whose tools have a key. Nil: as long as
	// the server lives.
	Calls *once.Store

	// MaxBody bounds the body of a request, or a line of standard input, in bytes.
	// Zero: 1 MiB.
	MaxBody int64
	// CallTimeout bounds one call, validation to last byte. Zero: 30 s.
	CallTimeout time.Duration
	// TTL is how long a client may keep a list (ttlMs): about how often the site
	// is read again. Zero: 1 min.
	TTL time.Duration
	// PageSize bounds the tools of one page of a list. Zero: 1000.
	PageSize int
	// SessionTimeout ends a legacy session that sends nothing and has no stream
	// open. Zero: 30 min.
	SessionTimeout time.Duration
	// MaxSessions bounds the legacy sessions of a profile. Zero: 1000.
	MaxSessions int
	// MaxStreams bounds the streams that are open: each subscriptions/listen, and
	// the GET of a legacy session. Zero: 1000.
	MaxStreams int
	// MaxStreamsEach bounds those of one principal. Zero: 250.
	MaxStreamsEach int
	// WriteTimeout bounds one write to a client. Zero: 10 s.
	WriteTimeout time.Duration
	// Grace is how long [Server.Serve] lets calls finish. Zero: 10 s.
	Grace time.Duration
}

// Access is how one profile is reached and as whom its calls are made.
type Access struct {
	// Tokens open the endpoint, and no other token does. Empty: nobody gets in
	// where the profile names tokens of its own, elsewhere Token is asked for.
	Tokens []wp.Secret
	// Site takes the profile's calls. Without one they are taken by [Options.Site];
	// but where the profile names an account of its own, it is not served.
	Site Site
}

func (o Options) withDefaults() Options {
	o.Name = cmp.Or(o.Name, "toolpress")
	o.Version = cmp.Or(o.Version, "0")
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.MaxCalls = cmp.Or(o.MaxCalls, 128)
	o.MaxCallsEach = cmp.Or(o.MaxCallsEach, 32)
	if o.Hint == nil {
		o.Hint = func() {}
	}
	if o.Calls == nil {
		o.Calls = once.New("")
	}
	o.MaxBody = cmp.Or(o.MaxBody, 1<<20)
	o.CallTimeout = cmp.Or(o.CallTimeout, 30*time.Second)
	o.TTL = cmp.Or(o.TTL, time.Minute)
	o.PageSize = cmp.Or(o.PageSize, 1000)
	o.SessionTimeout = cmp.Or(o.SessionTimeout, 30*time.Minute)
	o.MaxSessions = cmp.Or(o.MaxSessions, 1000)
	o.MaxStreams = cmp.Or(o.MaxStreams, 1000)
	o.MaxStreamsEach = cmp.Or(o.MaxStreamsEach, 250)
	o.WriteTimeout = cmp.Or(o.WriteTimeout, 10*time.Second)
	o.Grace = cmp.Or(o.Grace, 10*time.Second)
	return o
}

// Server serves one catalog, the latest published. It is safe for use by many
// goroutines.
type Server struct {
	opts   Options
	tokens [][sha256.Size]byte // digest of opts.Token; nil asks for none

	files media.Opener

	current atomic.Pointer[snapshot]
	swap    sync.Mutex // held while a snapshot is built and published
	// endpoints are all there ever were, guarded by swap: clients may still be
	// connected to one whose profile is gone.
	endpoints map[string]*endpoint

	// ending ends the listen streams, aborted the calls that outlive the grace.
	ending, aborted context.Context
	end, abort      context.CancelFunc
	requests        inFlight
	seals           *seals
	streams         places
	larges          atomic.Int64
	rates           *rates
	slots           *slots
	audit           *auditor
	pages           pages
	cache           *cache
	breaker         breaker
	webhook         *webhook
	metrics         *meters
	jitter          func(most time.Duration) time.Duration
}

// NewServer makes a server that serves c.
func NewServer(c *curate.Catalog, opts Options) *Server {
	s := &Server{
		opts: opts.withDefaults(), endpoints: map[string]*endpoint{}, seals: newSeals(opts.StateKey), rates: newRates(maxBuckets),
		cache: newCache(), metrics: newMeters(), jitter: rand.N[time.Duration],
	}
	s.slots, s.audit = newSlots(s.opts.MaxCalls, s.opts.MaxCallsEach), newAuditor(s.opts)
	s.webhook = newWebhook(s)
	s.breaker.log, s.breaker.asked = s.opts.Log, s.metrics.asked
	if !s.opts.Token.Empty() {
		s.tokens = [][sha256.Size]byte{sha256.Sum256([]byte(s.opts.Token.Reveal()))}
	}
	s.ending, s.end = context.WithCancel(context.Background())
	s.aborted, s.abort = context.WithCancel(context.Background())
	s.current.Store(s.snapshot(c, nil))
	return s
}

// Swapped is what became of [Server.Swap].
type Swapped struct {
	// Changed are the profiles whose list is another, sorted.
	Changed []string
	// Encoding is how long it took to encode the lists and to publish them,
	// Announcing to tell clients.
	Encoding, Announcing time.Duration
}

// Swap publishes c. The clients of the profiles whose list changed, and no others,
// are sent notifications/tools/list_changed. The streams of a profile that is gone
// end, no other does. A call that was admitted before goes on with the tool it was
// admitted with.
func (s *Server) Swap(c *curate.Catalog) (done Swapped) {
	s.swap.Lock()
	defer s.swap.Unlock()
	began := time.Now()
	old := s.current.Load()
	next := s.snapshot(c, old)
	s.current.Store(next)
	published := time.Now()
	for name, e := range s.endpoints {
		e.audience.serve(next.profiles[name] != nil)
	}
	s.metrics.forget(old, next)
	for _, name := range slices.Sorted(maps.Keys(next.profiles)) {
		before := old.profiles[name]
		if before == nil || !bytes.Equal(before.tools, next.profiles[name].tools) {
			done.Changed = append(done.Changed, name)
			s.announce(next.profiles[name])
		}
	}
	done.Encoding, done.Announcing = published.Sub(began), time.Since(published)
	return done
}

// announce tells the profile's clients, of both eras, that its list changed.
// It is the only place that does.
func (s *Server) announce(p *profile) {
	p.endpoint.notices.post()
}

// Tools returns the profile's list as it is served, a JSON array, or nil when
// there is no such profile. The bytes must not be changed.
func (s *Server) Tools(profile string) json.RawMessage {
	if p := s.current.Load().profiles[profile]; p != nil {
		return p.tools
	}
	return nil
}
