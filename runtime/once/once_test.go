package once

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// a call of a key with a request.
func a(key, request string) Call {
	return Call{Key: key, Request: request, Tool: "order", Window: time.Hour}
}

// done is a call that is done at once.
func done(value string) func() Outcome {
	return func() Outcome { return Outcome{State: Done, Value: json.RawMessage(value)} }
}

// unmade is a call that must not be made.
func unmade(t *testing.T) func() Outcome {
	return func() Outcome { t.Helper(); t.Error("made"); return Outcome{State: Done} }
}

// did wants a call to end in a state with a value.
func did(t *testing.T, s *Store, c Call, do func() Outcome, first bool, state State, value string) Outcome {
	t.Helper()
	o, was, err := s.Do(t.Context(), c, do)
	if err != nil || was != first || o.State != state || string(o.Value) != value {
		t.Errorf("%s: %+v, first %t, %v; want %s %s, first %t", c.Key, o, was, err, state, value, first)
	}
	return o
}

// both are a store in memory and one in a file.
func both(t *testing.T) map[string]*Store {
	return map[string]*Store{"memory": New(""), "file": New(filepath.Join(t.TempDir(), "state", "calls.jsonl"))}
}

// One key: in flight the others wait, and all have one result (T34).
func TestManyCallsOfOneKeyAreOne(t *testing.T) {
	for name, s := range both(t) {
		synctest.Test(t, func(t *testing.T) {
			var made atomic.Int64
			var wg sync.WaitGroup
			begun := time.Now()
			for range 50 {
				wg.Go(func() {
					o, _, err := s.Do(t.Context(), a("k", "r"), func() Outcome {
						time.Sleep(10 * time.Second)
						return Outcome{State: Done, Value: json.RawMessage(fmt.Sprint(made.Add(1)))}
					})
					if err != nil || o.State != Done || string(o.Value) != "1" || !o.At.Equal(begun) || time.Since(begun) != 10*time.Second {
						t.Errorf("%s: %+v %v after %v", name, o, err, time.Since(begun))
					}
				})
			}
			wg.Wait()
			if made.Load() != 1 {
				t.Errorf("%s: made %d times", name, made.Load())
			}
		})
	}
}

// What is said of a key, by what became of its call: done is said again until the
// window has passed, unknown too, and what was not made may be made.
func TestWhatBecameOfIt(t *testing.T) {
	for name, s := range both(t) {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			did(t, s, a("k", "r"), func() Outcome { time.Sleep(time.Second); return done(`{"a":"<1>"}`)() }, true, Done, `{"a":"<1>"}`)
			time.Sleep(time.Hour - time.Nanosecond) // after it ended
			o := did(t, s, a("k", "r"), unmade(t), false, Done, `{"a":"<1>"}`)
			if !o.At.Equal(began) || !o.Until.Equal(began.Add(time.Hour+time.Second)) {
				t.Errorf("%s: of %v until %v", name, o.At, o.Until)
			}
			did(t, s, a("k", "other"), unmade(t), false, Other, "")
			did(t, s, a("another", "other"), done("2"), true, Done, "2")
			time.Sleep(time.Nanosecond)
			did(t, s, a("k", "other"), done("3"), true, Done, "3")

			did(t, s, a("lost", "r"), func() Outcome { return Outcome{State: Unknown, Problem: "?"} }, true, Unknown, "")
			did(t, s, a("lost", "r"), unmade(t), false, Unknown, "")
			did(t, s, a("lost", "other"), unmade(t), false, Other, "")
			did(t, s, a("no", "r"), func() Outcome { return Outcome{State: Released, Problem: "400"} }, true, Released, "")
			did(t, s, a("no", "mended"), done("4"), true, Done, "4")
			did(t, s, a("said", "r"), func() Outcome { return Outcome{State: Done, Problem: "too large"} }, true, Done, "")
			if o := did(t, s, a("said", "r"), unmade(t), false, Done, ""); o.Problem != "too large" {
				t.Errorf("%s: %+v", name, o)
			}
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s: the panic is gone", name)
					}
				}()
				_, _, _ = s.Do(t.Context(), a("panic", "r"), func() Outcome { panic("x") })
			}()
			did(t, s, a("panic", "r"), unmade(t), false, Unknown, "")
		})
	}
}

// Who waits shares what became of the first, also that it was refused, and waits no
// longer than it has time. Looking makes no call.
func TestWaiting(t *testing.T) {
	for name, s := range both(t) {
		synctest.Test(t, func(t *testing.T) {
			var wg sync.WaitGroup
			wg.Go(func() {
				did(t, s, a("k", "r"), func() Outcome { time.Sleep(time.Minute); return Outcome{State: Released, Problem: "400"} }, true, Released, "")
			})
			synctest.Wait()
			short, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if o, first, err := s.Do(short, a("k", "r"), unmade(t)); o.State != InFlight || first || err != nil {
				t.Errorf("%s: %+v %t %v", name, o, first, err)
			}
			for request, want := range map[string]State{"r": InFlight, "other": Other} {
				if o, err := s.Look(t.Context(), a("k", request)); o.State != want || err != nil {
					t.Errorf("%s: %+v %v, want %s", name, o, err, want)
				}
			}
			did(t, s, a("k", "other"), unmade(t), false, Other, "")
			if o := did(t, s, a("k", "r"), unmade(t), false, Released, ""); o.Problem != "400" {
				t.Errorf("%s: %+v", name, o)
			}
			wg.Wait()
			if o, err := s.Look(t.Context(), a("k", "r")); o.State != "" || err != nil {
				t.Errorf("%s: %+v %v", name, o, err)
			}
		})
	}
}

// Whatever comes in between, restarts too, nothing is done twice within its window,
// and no two calls of a key are made at one time. All who are told of a result are
// told the same.
func TestInterleavings(t *testing.T) {
	for seed := range uint64(40) {
		synctest.Test(t, func(t *testing.T) { interleave(t, seed) })
	}
}

func interleave(t *testing.T, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 34))
	file := filepath.Join(t.TempDir(), "calls.jsonl")
	stores := []*Store{New(file), New(file)}
	stores[0].slack, stores[1].slack = 2000, 2000
	type made struct {
		open  bool
		until time.Time // when it may be made again
		value string
	}
	var mu sync.Mutex
	keys := map[string]*made{}
	var wg sync.WaitGroup
	for n := range 80 {
		key, at, takes, state := fmt.Sprint(random.IntN(5)), time.Duration(random.IntN(7200)), time.Duration(random.IntN(3000)), []State{Done, Done, Unknown, Released}[random.IntN(4)]
		which, restart := random.IntN(2), random.IntN(10) == 0
		wg.Go(func() {
			time.Sleep(at * time.Second)
			mu.Lock()
			s := stores[which]
			if restart { // what is in flight goes on in the old one, as in another process
				stores[which] = New(file)
				stores[which].slack = 2000
			}
			mu.Unlock()
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			o, first, err := s.Do(ctx, a(key, "r"), func() Outcome {
				mu.Lock()
				m := keys[key]
				if m == nil {
					m = &made{}
					keys[key] = m
				}
				if m.open || time.Now().Before(m.until) {
					t.Errorf("seed %d: %s is made again", seed, key)
				}
				m.open = true
				mu.Unlock()
				time.Sleep(takes * time.Millisecond)
				mu.Lock()
				defer mu.Unlock()
				m.open, m.value = false, ""
				if state != Released {
					m.until = time.Now().Add(time.Hour)
				}
				if state == Done {
					m.value = fmt.Sprint(n)
				}
				return Outcome{State: state, Value: json.RawMessage(m.value)}
			})
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err != nil && !errors.Is(err, ErrBusy):
				t.Errorf("seed %d: %v", seed, err)
			case err == nil && !first && o.State == Done && string(o.Value) != keys[key].value:
				t.Errorf("seed %d: %s has %s, and %s was told", seed, key, keys[key].value, o.Value)
			}
		})
	}
	wg.Wait()
}
