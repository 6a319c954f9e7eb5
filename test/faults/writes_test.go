package faults

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// told is what a call said of its write.
type told int

const (
	notSent told = iota // the site is left alone
	failed              // nothing was done
	unknown
	done
	tolds
)

// A thousand writes, while connections break before, within and after them: each
// call's own title is on the site once where it said so, never where it said that
// nothing was done, and at most once where it said that nobody knows; and the site
// has as many as arrived there whole (W78, G70, T34).
func TestThousandWrites(t *testing.T) {
	const writes, workers, seed = 1000, 12, 20240229
	site := own(t)
	cutter := newCutter(t, site.Env["TOOLPRESS_TEST_SITE"], seed)
	s := serve(t, site, cutter.url, curation(t, "timeout: 30s"), "--poll", "1h")
	cutter.on.Store(true)
	start := time.Now()
	var mu sync.Mutex
	said, ids, count := map[string]told{}, map[string]int{}, [tolds]int{}
	var calls, sent atomic.Int64
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for sent.Load() < writes {
				title := fmt.Sprintf("Write %d", calls.Add(1))
				what, id := s.write(t, title)
				if what == notSent {
					<-time.After(50 * time.Millisecond) // a second at most, by its own word
				} else {
					sent.Add(1)
				}
				mu.Lock()
				said[title], ids[title] = what, id
				count[what]++
				mu.Unlock()
			}
		})
	}
	all.Wait()
	arrived, took := cutter.arrived(), time.Since(start)

	found, made, unknownMade := drafts(t, site), int64(0), 0
	for title, what := range said {
		posts := found[title]
		made += int64(len(posts))
		if what == unknown {
			unknownMade += len(posts)
		}
		switch {
		case len(posts) > 1:
			t.Errorf("%s is there %d times", title, len(posts))
		case what == done && (len(posts) != 1 || posts[0] != ids[title]):
			t.Errorf("%s was done as %d, and there is %v", title, ids[title], posts)
		case (what == notSent || what == failed) && len(posts) > 0:
			t.Errorf("%s was not done, and is there", title)
		}
	}
	if made != arrived {
		t.Errorf("%d requests arrived whole, and %d drafts are there", arrived, made)
	}
	for where := range cuts {
		if n := cutter.cut[where].Load(); n == 0 {
			t.Errorf("no connection was cut %s", where)
		}
		t.Logf("cut %s: %d", where, cutter.cut[where].Load())
	}
	if count[done] == 0 || count[unknown] == 0 || unknownMade == 0 || unknownMade == count[unknown] {
		t.Errorf("the cuts show nothing: %v, of the unknown %d are there", count, unknownMade)
	}
	t.Logf("%d calls with seed %d in %v: %d done, %d unknown (%d of them there), %d failed, %d not sent while the site was left alone; %d requests arrived, %d drafts",
		calls.Load(), seed, took.Round(time.Second), count[done], count[unknown], unknownMade, count[failed], count[notSent], arrived, made)
	s.unmoved(t)
}

// write drafts a post and says what a model is told of it.
func (s *sidecar) write(t *testing.T, title string) (what told, id int) {
	text, wrong := s.call(t, "draft_post", map[string]any{"title": title})
	switch {
	case !wrong:
		var post struct{ ID int }
		if err := json.Unmarshal([]byte(text), &post); err != nil || post.ID == 0 {
			t.Errorf("%s: %s", title, text)
		}
		return done, post.ID
	case strings.HasPrefix(text, left):
		return notSent, 0
	case strings.Contains(text, "\nThe outcome is unknown: "):
		return unknown, 0
	}
	return failed, 0
}
