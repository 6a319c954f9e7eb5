package runtime

import (
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/time/rate"

	"toolpress/curate"
)

// usualRate is how often a principal may call a tool of which the curation says
// nothing: more than any conversation does, less than a loop that runs away.
var usualRate = curate.Rate{Calls: 300, Per: time.Minute}

// maxBuckets bounds the pairs of a principal and a tool that are remembered: some
// 20 MB.
const maxBuckets = 100_000

// rates bound how often each principal calls each tool: as often at once as the
// rate says, and then spread evenly. A bucket that is full again is the same as
// none, and is dropped when room is needed (T38).
type rates struct {
	mu      sync.Mutex // guards the rest
	buckets map[pair]*bucket
	most    int // buckets
	swept   time.Time
}

// pair is who calls what, and where: profiles have rates of their own.
type pair struct{ profile, principal, tool string }

type bucket struct {
	rate    curate.Rate
	limiter *rate.Limiter
}

func newRates(most int) *rates { return &rates{buckets: map[pair]*bucket{}, most: most} }

// take counts a call. It returns 0, or how long until there may be one.
func (r *rates) take(who pair, most curate.Rate) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	every := rate.Limit(float64(most.Calls) / most.Per.Seconds())
	b := r.buckets[who]
	switch {
	case b == nil && !r.room(now):
		return sweepEvery
	case b == nil:
		b = &bucket{most, rate.NewLimiter(every, most.Calls)}
		r.buckets[who] = b
	case b.rate != most: // the curation was edited
		b.rate = most
		b.limiter.SetLimitAt(now, every)
		b.limiter.SetBurstAt(now, most.Calls)
	}
	if b.limiter.AllowN(now, 1) {
		return 0
	}
	missing := 1 - b.limiter.TokensAt(now)
	return time.Duration(missing / float64(every) * float64(time.Second))
}

// sweepEvery bounds how often room is looked for.
const sweepEvery = time.Second

// room makes room for one bucket where there is none.
func (r *rates) room(now time.Time) bool {
	if len(r.buckets) < r.most {
		return true
	}
	if now.Sub(r.swept) < sweepEvery {
		return false
	}
	r.swept = now
	for who, b := range r.buckets {
		if b.limiter.TokensAt(now) >= float64(b.rate.Calls) {
			delete(r.buckets, who)
		}
	}
	return len(r.buckets) < r.most
}

// turn counts a call against its tool's rate. It returns what the client gets
// where there were too many; nil when the call may go on.
func (s *Server) turn(a admission) *mcp.CallToolResult {
	most := a.tool.Calls
	if most == (curate.Rate{}) {
		most = usualRate
	}
	wait := s.rates.take(pair{a.profile, a.principal, a.tool.Name}, most)
	if wait == 0 {
		return nil
	}
	a.entry.Outcome = outcomeLimited
	return problem(fmt.Sprintf("Nothing was sent: %s may be called %s by one client, and was.\nNext: %s", a.tool.Name, most, comeBack(wait)))
}

// comeBack says when. A model can wait some seconds; for longer it needs a person.
func comeBack(wait time.Duration) string {
	seconds := int(math.Ceil(wait.Seconds()))
	if wait <= time.Minute {
		return fmt.Sprintf("come back in %d seconds and call again. Sooner it is refused again.", seconds)
	}
	return fmt.Sprintf("tell the user that it can be called again in %d seconds (%s). Sooner it is refused again.", seconds, time.Duration(seconds)*time.Second)
}
