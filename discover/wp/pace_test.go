package wp

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// clocked is a site that answers after a time of the test's own clock, and
// remembers when each request began and how many there were at once.
type clocked struct {
	takes time.Duration
	start time.Time
	mu    sync.Mutex
	began []time.Duration
	now   int
	most  int
}

func (s *clocked) RoundTrip(*http.Request) (*http.Response, error) {
	s.mu.Lock()
	s.began = append(s.began, time.Since(s.start))
	s.now++
	s.most = max(s.most, s.now)
	s.mu.Unlock()
	<-time.After(s.takes)
	s.mu.Lock()
	s.now--
	s.mu.Unlock()
	return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader("{}"))}, nil
}

// ask sends so many requests at once, by turns as somebody and as nobody, and
// returns what went wrong.
func (s *clocked) ask(t *testing.T, pace Pace, requests int) []error {
	t.Helper()
	u, _ := url.Parse("https://shop.example/wp-json/")
	c, err := NewClient(u, Options{Pace: pace})
	if err != nil {
		t.Fatal(err)
	}
	c.http.Transport = s
	s.start = time.Now()
	errs := make([]error, requests)
	var wg sync.WaitGroup
	for i := range requests {
		as := c.At(u)
		if i%2 == 1 {
			as = as.Anonymously().Within(20*time.Second, 0)
		}
		wg.Go(func() { _, errs[i] = as.Do(context.Background(), Request{Method: "POST", Segments: []string{"a"}}) })
	}
	wg.Wait()
	if int(c.Requests()) != len(s.began) {
		t.Errorf("%d requests are counted, %d were sent", c.Requests(), len(s.began))
	}
	return slices.DeleteFunc(errs, func(err error) bool { return err == nil })
}

// A rate holds for a client and all that are made from it; a burst goes at once.
func TestRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &clocked{}
		if errs := site.ask(t, Pace{Requests: 5, Per: time.Second, Burst: 3}, 6); len(errs) > 0 {
			t.Error(errs)
		}
		ms := time.Millisecond
		if diff := cmp.Diff([]time.Duration{0, 0, 0, 200 * ms, 400 * ms, 600 * ms}, site.began); diff != "" {
			t.Error(diff)
		}
	})
}

// No more than so many exchanges are there at the same time, and what waits for
// one is sent no faster than the rate.
func TestConcurrency(t *testing.T) {
	for _, c := range []struct {
		pace Pace
		most int
		last time.Duration // when the last of six begins
	}{
		{Pace{}, 6, 0},
		{Pace{Concurrency: 2}, 2, 2 * time.Second},
		{Pace{Concurrency: 2, Requests: 1, Per: 2 * time.Second}, 1, 10 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			site := &clocked{takes: time.Second}
			errs := site.ask(t, c.pace, 6)
			if len(errs) > 0 || site.most != c.most || site.began[5] != c.last {
				t.Errorf("%+v: %d at once, begun at %v, %v", c.pace, site.most, site.began, errs)
			}
		})
	}
}

// What has no turn in time fails at once, was not sent, and says which bounds
// it was.
func TestCrowded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		site := &clocked{}
		errs := site.ask(t, Pace{Requests: 1, Per: time.Minute, Concurrency: 6}, 2)
		var e *Error
		if len(errs) != 1 || !errors.As(errs[0], &e) || e.Kind != Crowded || e.Sent || e.OutcomeUnknown() || time.Since(site.start) > 0 {
			t.Fatalf("%v after %v", errs, time.Since(site.start))
		}
		if want := "POST https://shop.example/wp-json/a: nothing was sent: the requests to the site are bound to 1 in 1m0s, to 6 at the same time, and others wait"; e.Error() != want {
			t.Errorf("%s, want %s", e, want)
		}
	})
}
