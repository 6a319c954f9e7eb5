package runtime

import (
	"container/list"
	"crypto/sha256"
	"encoding/json"
	"maps"
	"sync"
	"time"

	"toolpress/curate"
	"toolpress/discover/wp"
)

// What is kept at most, for all profiles together. The least recently given goes
// first.
const (
	maxKept      = 1000
	maxKeptBytes = 32 << 20
	keptCost     = 512 // bytes an answer takes beside its own, about
	// revalidated is how long an answer that has ended stays, for the site to say
	// that it still holds; only where the site named its version.
	revalidated = 24 * time.Hour
	// unsettled is how long nothing of a resource is kept after a write to it whose
	// outcome is unknown: the site may still be at it.
	unsettled = time.Minute
)

// cacheKey is what answers are kept by: a digest, so that no argument stays.
type cacheKey [sha256.Size]byte

// kept is an answer as a model gets it: shaped, without what is private. Nothing
// in it changes.
type kept struct {
	key      cacheKey
	resource string
	value    json.RawMessage
	since    wp.Validators
	at       time.Time // when the site was asked for it, or whether it still holds
	gone     time.Time // when it is forgotten
}

func (k *kept) size() int {
	return keptCost + len(k.value) + len(k.since.ETag) + len(k.since.LastModified)
}

// cache keeps answers, and lets calls that ask the same at the same time share one
// request. The zero value is not usable.
type cache struct {
	mu      sync.Mutex
	entries map[cacheKey]*list.Element // of *kept
	recent  *list.List                 // the last given first
	bytes   int
	flights map[cacheKey]*flight
	// unsettled are resources whose answers are not kept, and until when.
	unsettled map[string]time.Time
}

func newCache() *cache {
	return &cache{entries: map[cacheKey]*list.Element{}, recent: list.New(), flights: map[cacheKey]*flight{}, unsettled: map[string]time.Time{}}
}

// find is what is kept by a key; nil for nothing. The caller holds the
// mutex.
func (c *cache) find(key cacheKey) *kept {
	at := c.entries[key]
	if at == nil {
		return nil
	}
	k := at.Value.(*kept)
	if !time.Now().Before(k.gone) {
		c.remove(at)
		return nil
	}
	c.recent.MoveToFront(at)
	return k
}

// size is how many answers are kept.
func (c *cache) size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.entries)
}

func (c *cache) put(k *kept) {
	if at := c.entries[k.key]; at != nil {
		c.remove(at)
	}
	now := time.Now()
	c.removeWhere(func(old *kept) bool { return !now.Before(old.gone) })
	c.entries[k.key] = c.recent.PushFront(k)
	c.bytes += k.size()
	for len(c.entries) > maxKept || c.bytes > maxKeptBytes {
		c.remove(c.recent.Back())
	}
}

func (c *cache) remove(at *list.Element) {
	k := c.recent.Remove(at).(*kept)
	delete(c.entries, k.key)
	c.bytes -= k.size()
}

func (c *cache) removeWhere(which func(*kept) bool) {
	for at := c.recent.Front(); at != nil; {
		next := at.Next()
		if which(at.Value.(*kept)) {
			c.remove(at)
		}
		at = next
	}
}

// written forgets what a write to a resource may have changed. What is on its way
// may be from before the write: who waits gets it, nobody else. unknown is a write
// that may still happen.
func (c *cache) written(resource string, unknown bool) {
	now := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forget(func(of string) bool { return curate.Touches(resource, of) })
	maps.DeleteFunc(c.unsettled, func(_ string, until time.Time) bool { return !now.Before(until) })
	if unknown {
		c.unsettled[resource] = now.Add(unsettled)
	}
}

// settled reports that no write to a resource may still happen. The caller holds
// the mutex.
func (c *cache) settled(resource string) bool {
	now := time.Now()
	for of, until := range c.unsettled {
		if now.Before(until) && curate.Touches(resource, of) {
			return false
		}
	}
	return true
}

// forget drops the answers of resources, kept and on their way. The caller holds
// the mutex.
func (c *cache) forget(which func(resource string) bool) {
	c.removeWhere(func(k *kept) bool { return which(k.resource) })
	for k, f := range c.flights {
		if which(f.resource) {
			f.stale = true
			delete(c.flights, k)
		}
	}
}
