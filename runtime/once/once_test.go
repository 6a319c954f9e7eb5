package once

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
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

// A restart changes nothing; a process that is killed while a call is made leaves it
// unknown (T34).
func TestRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "calls.jsonl")
		s := New(file)
		first := did(t, s, a("done", "r"), done(`{"b":2,"a":1.50}`), true, Done, `{"b":2,"a":1.50}`)
		did(t, s, a("no", "r"), func() Outcome { return Outcome{State: Released, Problem: "CANARY"} }, true, Released, "")
		var cut []byte
		did(t, s, a("cut", "r"), func() Outcome {
			// What a kill at this moment leaves on disk.
			cut, _ = os.ReadFile(file)
			return Outcome{State: Done}
		}, true, Done, "")
		info, err := os.Stat(file)
		if err != nil || info.Mode().Perm() != 0o600 || strings.Contains(string(cut), "CANARY") {
			t.Errorf("%v %v\n%s", info.Mode(), err, cut)
		}
		for _, torn := range []string{"", `{"key":"torn","request":"r","state":"pen`, `{"key":"torn","request":"` + strings.Repeat("r", 2000)} {
			again := filepath.Join(t.TempDir(), "calls.jsonl")
			if err := os.WriteFile(again, append(cut, torn...), 0o600); err != nil {
				t.Fatal(err)
			}
			for range 2 { // and again: what was taken up stays
				s = New(again)
				if o := did(t, s, a("done", "r"), unmade(t), false, Done, `{"b":2,"a":1.50}`); !o.At.Equal(first.At) || !o.Until.Equal(first.Until) {
					t.Errorf("%+v, want %+v", o, first)
				}
				did(t, s, a("cut", "r"), unmade(t), false, Unknown, "")
				did(t, s, a("cut", "other"), unmade(t), false, Other, "")
			}
			did(t, s, a("no", "r"), done("1"), true, Done, "1")
			did(t, s, a("torn", "r"), done("2"), true, Done, "2") // it was never sent
			did(t, New(again), a("torn", "r"), unmade(t), false, Done, "2")
		}
		time.Sleep(2 * time.Hour)
		did(t, New(file), a("done", "r"), done("3"), true, Done, "3")
	})
}

// Two processes with one file: the second waits while the first makes a call, and
// then knows of it; one that waits too long makes none.
func TestTwoProcesses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "calls.jsonl")
		one, two := New(file), New(file)
		for i, takes := range []time.Duration{time.Second, time.Minute} {
			c := a(fmt.Sprint(i), "r")
			var wg sync.WaitGroup
			wg.Go(func() {
				did(t, one, c, func() Outcome { time.Sleep(takes); return done("1")() }, true, Done, "1")
			})
			synctest.Wait()
			if takes < patience {
				did(t, two, c, unmade(t), false, Done, "1")
			} else if _, first, err := two.Do(t.Context(), c, unmade(t)); !errors.Is(err, ErrBusy) || first || !strings.Contains(err.Error(), file) {
				t.Errorf("%t %v", first, err)
			}
			wg.Wait()
			did(t, two, c, unmade(t), false, Done, "1")
			did(t, two, a(fmt.Sprint(i), "other"), unmade(t), false, Other, "")
			did(t, two, a(fmt.Sprint("two", i), "r"), done("2"), true, Done, "2")
			did(t, one, a(fmt.Sprint("two", i), "r"), unmade(t), false, Done, "2")
		}
	})
}

// Where a call cannot be written down it is not made, and the error names the file;
// the disk that is mended is used again.
func TestNoCallWithoutItsRecord(t *testing.T) {
	full := errors.New("no space left on device")
	for what, begin := range map[string]func(t *testing.T, file string, s *Store) (mend func()){
		"no directory": func(t *testing.T, file string, _ *Store) func() {
			if err := os.WriteFile(filepath.Dir(file), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			return func() { _ = os.Remove(filepath.Dir(file)) }
		},
		"a directory": func(t *testing.T, file string, _ *Store) func() {
			if err := os.MkdirAll(file, 0o700); err != nil {
				t.Fatal(err)
			}
			return func() { _ = os.Remove(file) }
		},
		"something else": func(t *testing.T, file string, _ *Store) func() {
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte("mine"), 0o600)); err != nil {
				t.Fatal(err)
			}
			return func() {
				if text, _ := os.ReadFile(file); string(text) != "mine" {
					t.Errorf("the file was changed: %q", text)
				}
				_ = os.Remove(file)
			}
		},
		"a broken line": func(t *testing.T, file string, _ *Store) func() {
			did(t, New(file), a("before", "r"), done("1"), true, Done, "1")
			text, _ := os.ReadFile(file)
			if err := os.WriteFile(file, []byte(strings.Replace(string(text), "pending", "pen\x00\nding", 1)), 0o600); err != nil {
				t.Fatal(err)
			}
			return func() { _ = os.Remove(file) }
		},
		"a full disk": func(t *testing.T, _ string, s *Store) func() {
			did(t, s, a("before", "r"), done("1"), true, Done, "1")
			s.journal.write = func(f *os.File, line []byte, at int64) (int, error) {
				n, _ := f.WriteAt(line[:len(line)/2], at) // a piece is written all the same
				return n, full
			}
			return func() { s.journal.write = nil }
		},
		"no place": func(_ *testing.T, _ string, s *Store) func() {
			s.missing = full
			return func() { s.missing = nil }
		},
	} {
		t.Run(what, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "state", "calls.jsonl")
			s := New(file)
			mend := begin(t, file, s)
			_, first, err := s.Do(t.Context(), a("k", "r"), unmade(t))
			if err == nil || first || (what != "no place" && !strings.Contains(err.Error(), filepath.Dir(file))) {
				t.Errorf("first %t, %v", first, err)
			}
			mend()
			did(t, s, a("k", "r"), done("2"), true, Done, "2")
			did(t, New(file), a("k", "r"), done("2"), false, Done, "2")
		})
	}
	if err := Unavailable(full).Check(t.Context()); !errors.Is(err, full) {
		t.Error(err)
	}
}

// An outcome that cannot be written is given all the same; to others it is unknown.
func TestOutcomeThatIsNotWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "calls.jsonl")
	s := New(file)
	o, first, err := s.Do(t.Context(), a("k", "r"), func() Outcome {
		s.journal.write = func(*os.File, []byte, int64) (int, error) { return 0, errors.New("full") }
		return done("1")()
	})
	if err == nil || !first || string(o.Value) != "1" || !strings.Contains(err.Error(), file) {
		t.Errorf("%+v %t %v", o, first, err)
	}
	did(t, New(file), a("k", "r"), unmade(t), false, Unknown, "")

	// While another is in flight, the piece that was written does no harm.
	s = New(file)
	did(t, s, a("outer", "r"), func() Outcome {
		o, _, err := s.Do(t.Context(), a("inner", "r"), func() Outcome {
			s.journal.write = func(f *os.File, line []byte, at int64) (int, error) {
				n, _ := f.WriteAt(line, at) // all of it, and it does not last
				return n, errors.New("full")
			}
			return done(`"` + strings.Repeat("x", 2000) + `"`)()
		})
		if err == nil || o.State != Done {
			t.Errorf("%+v %v", o, err)
		}
		s.journal.write = nil
		return done("1")()
	}, true, Done, "1")
	did(t, New(file), a("outer", "r"), unmade(t), false, Done, "1")
	did(t, New(file), a("inner", "r"), unmade(t), false, Unknown, "")
}

// Keys, results and the file are bounded (T38): the oldest results are forgotten,
// keys are not, and the file is rewritten with what counts.
func TestBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "calls.jsonl")
		s := New(file)
		s.maxCalls, s.maxKept, s.slack = 20, 1000, 10_000
		text := func(n int) string { return `"` + strings.Repeat("x", n-2) + `"` }
		for i := range 20 {
			did(t, s, a(fmt.Sprint(i), "r"), done(text(100)), true, Done, text(100))
		}
		if s.kept != 1000 {
			t.Errorf("%d bytes are kept", s.kept)
		}
		did(t, s, a("9", "r"), unmade(t), false, Done, "")
		did(t, s, a("10", "r"), unmade(t), false, Done, text(100))
		if _, _, err := s.Do(t.Context(), a("more", "r"), unmade(t)); !errors.Is(err, ErrFull) {
			t.Error(err)
		}
		time.Sleep(time.Hour)
		did(t, s, a("large", "r"), done(text(maxValue+1)), true, Done, text(maxValue+1))
		did(t, s, a("large", "r"), unmade(t), false, Done, "")
		for i := range 300 {
			did(t, s, a(fmt.Sprint(i), "r"), done(text(100)), true, Done, text(100))
			time.Sleep(5 * time.Minute) // a dozen are remembered
			if info, err := os.Stat(file); err != nil || info.Size() > 12_000 {
				t.Fatalf("%d bytes, %v", info.Size(), err)
			}
		}
		did(t, New(file), a("299", "r"), unmade(t), false, Done, text(100))
	})
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
