package once

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

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
