package watch

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// run runs a loop in the bubble until the function it returns is called.
func run(l *Loop) (end func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); l.Run(ctx) }()
	return func() { cancel(); <-done }
}

// T43, R05, R07: a file that is written in place is read when it is whole, however
// the writer goes about it, also where nothing tells of writes. What another file
// was renamed over is read at once.
func TestCase_T43(t *testing.T) {
	const before, after = "version: 1\ntools: { a: {} }\n", "version: 1\ntools:\n  a: {}\n  b: {}\n  c: {}\n"
	put := func(f *os.File, text string) {
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	for name, write := range map[string]func(f *os.File){
		"truncated, a gap, written":   func(f *os.File) { time.Sleep(200 * time.Millisecond); put(f, after) },
		"half, a gap, the other half": func(f *os.File) { put(f, after[:27]); time.Sleep(200 * time.Millisecond); put(f, after[27:]) },
		"byte by byte": func(f *os.File) {
			for i := range len(after) {
				put(f, after[i:i+1])
				time.Sleep(20 * time.Millisecond)
			}
		},
		"line by line, slowly": func(f *os.File) {
			for line := range strings.Lines(after) {
				time.Sleep(250 * time.Millisecond)
				put(f, line)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "c.yaml")
				writeFile(t, file, before)
				read := []byte(before)
				var got []string
				l := &Loop{Floor: 10 * time.Millisecond, deaf: true, Read: func() map[string][]byte { return map[string][]byte{file: read} }}
				l.Changed = func(_ context.Context, now map[string][]byte) { read = now[file]; got = append(got, string(read)) }
				end := run(l)
				f, err := os.OpenFile(file, os.O_WRONLY|os.O_TRUNC, 0)
				if err != nil {
					t.Fatal(err)
				}
				write(f)
				_ = f.Close()
				time.Sleep(time.Second)
				writeFile(t, file+".new", before)
				earlier(t, file+".new")
				if err := os.Rename(file+".new", file); err != nil {
					t.Fatal(err)
				}
				time.Sleep(25 * time.Millisecond)
				end()
				if !slices.Equal(got, []string{after, before}) {
					t.Errorf("what was read: %q", got)
				}
			})
		})
	}
}

// earlier has a file have been written a while ago, and later in a while: whether a file
// system's clock ticks between two writes is chance.
func earlier(t *testing.T, name string) { t.Helper(); dated(t, name, -time.Hour) }
func later(t *testing.T, name string)   { t.Helper(); dated(t, name, time.Hour) }

func dated(t *testing.T, name string, off time.Duration) {
	t.Helper()
	info, err := os.Stat(name)
	if err == nil {
		at := info.ModTime().Add(off)
		err = os.Chtimes(name, at, at)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// T43, R01, R02: what was renamed into its place, and written before, is read at once.
// What was made anew there, was written to since, is behind a link that leads elsewhere,
// or may have been any of this, is read when it is whole.
func TestHowAFileCame(t *testing.T) {
	const before, half, whole = "version: 1\n", "version: 1\ntools:\n  a: {}\n", "version: 1\ntools:\n  a: {}\n  b: {}\n"
	const pause = 200 * time.Millisecond
	type folder struct {
		put         func(name, text string) // in place
		rename      func(from, to string)
		aged, young func(name string)
	}
	for name, c := range map[string]struct {
		write func(f folder)
		after time.Duration
	}{
		"renamed": {func(f folder) { f.put("new", whole); f.aged("new"); f.rename("new", "c.yaml") }, 0},
		"renamed, and nothing tells when it was written": {func(f folder) { f.put("new", whole); f.young("new"); f.rename("new", "c.yaml") }, written},
		"renamed, and the half of the next in place": {func(f folder) {
			f.put("new", before+"# 2\n")
			f.aged("new")
			f.rename("new", "c.yaml")
			f.put("c.yaml", half)
			time.Sleep(pause)
			f.put("c.yaml", whole)
		}, pause + written},
		"removed, made anew, empty, half, whole": {func(f folder) {
			f.rename("c.yaml", "old")
			f.put("c.yaml", "")
			time.Sleep(pause)
			f.put("c.yaml", half)
			time.Sleep(pause)
			f.put("c.yaml", whole)
		}, 2*pause + written},
		"a link to a file that is written": {func(f folder) {
			f.put("other", half)
			f.rename("link", "c.yaml")
			time.Sleep(pause)
			f.put("other", whole)
		}, pause + written},
		"in place, and then something else about it": {func(f folder) {
			f.put("c.yaml", half)
			f.aged("c.yaml")
			time.Sleep(pause)
			f.put("c.yaml", whole)
			f.aged("c.yaml")
		}, pause + written},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				dir := t.TempDir()
				at := func(name string) string { return filepath.Join(dir, name) }
				writeFile(t, at("c.yaml"), before)
				if err := os.Symlink("other", at("link")); err != nil {
					t.Fatal(err)
				}
				read, start := []byte(before), time.Now()
				var got string
				var after time.Duration
				end := run(&Loop{
					Floor: 7 * time.Millisecond, deaf: true, Read: func() map[string][]byte { return map[string][]byte{at("c.yaml"): read} },
					Changed: func(_ context.Context, now map[string][]byte) {
						read = now[at("c.yaml")]
						got, after = got+string(read), time.Since(start)
					},
				})
				time.Sleep(time.Second)
				start = time.Now()
				c.write(folder{
					put:  func(name, text string) { writeFile(t, at(name), text) },
					aged: func(name string) { earlier(t, at(name)) }, young: func(name string) { later(t, at(name)) },
					rename: func(from, to string) {
						if err := os.Rename(at(from), at(to)); err != nil {
							t.Fatal(err)
						}
					},
				})
				time.Sleep(time.Second)
				end()
				if got != whole || after < c.after || after > c.after+20*time.Millisecond {
					t.Errorf("after %v, and not %v: %q", after, c.after, got)
				}
			})
		})
	}
}

// What was seen to be whole is what is used, whatever is written meanwhile.
func TestWhatWasSeenIsUsed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		file, other := filepath.Join(dir, "c.yaml"), filepath.Join(dir, "base.yaml")
		writeFile(t, file, "a")
		writeFile(t, other, "1")
		read := map[string][]byte{file: []byte("a"), other: []byte("1")}
		var got []string
		l := &Loop{Floor: 10 * time.Millisecond, deaf: true, Read: func() map[string][]byte { return read }}
		l.Changed = func(_ context.Context, now map[string][]byte) {
			writeFile(t, other, "half")
			got = append(got, string(now[file])+string(now[other]))
			read = now
			time.Sleep(100 * time.Millisecond)
			writeFile(t, other, "2")
		}
		end := run(l)
		writeFile(t, file, "b")
		time.Sleep(time.Second)
		end()
		if len(got) < 2 || got[0] != "b1" || got[1] != "b2" {
			t.Errorf("%q", got)
		}
	})
}

// The site is asked after about the interval, never before a tenth less, and not
// always after the same; Soon asks at once and then with Apart in between, however
// often it is asked for (T39); Again asks at once whatever was before.
func TestWhenTheSiteIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		soon, again := make(chan struct{}, 1), make(chan struct{}, 1)
		poke := func(c chan struct{}) {
			select {
			case c <- struct{}{}:
			default:
			}
		}
		var at []time.Time
		reread := 0
		end := run(&Loop{
			deaf: true, Poll: 10 * time.Minute, Soon: soon, Apart: 5 * time.Second,
			Again: again, Reread: func(context.Context) { reread++ },
			Ask: func(context.Context) func() { at = append(at, time.Now()); time.Sleep(time.Second); return nil },
		})
		// since are the times between, without those that the answers took.
		since := func() (gaps []time.Duration) {
			synctest.Wait()
			for i := 1; i < len(at); i++ {
				gaps = append(gaps, at[i].Sub(at[i-1]))
			}
			at = nil
			return gaps
		}
		time.Sleep(100 * 11 * time.Minute)
		polls := since()
		for _, gap := range polls {
			if gap < 9*time.Minute || gap > 11*time.Minute+time.Second {
				t.Errorf("polled after %v", gap)
			}
		}
		if slices.Sort(polls); len(polls) < 98 || polls[len(polls)-1]-polls[0] < time.Minute {
			t.Errorf("%d polls, the least after %v, the last after %v", len(polls), polls[0], polls[len(polls)-1])
		}

		start := time.Now()
		for range 1000 {
			poke(soon)
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(at) != 2 || at[0].Sub(start) > time.Millisecond || at[1].Sub(at[0]) != 5*time.Second {
			t.Errorf("1000 hints in a second: asked at %v after %v", at, start)
		}
		at = nil

		for range 100 { // the first begins; the others are one more, after its answer
			poke(again)
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Minute)
		if gaps := since(); !slices.Equal(gaps, []time.Duration{time.Second}) || reread != 100 {
			t.Errorf("100 times everything: the files %d times, the site again after %v", reread, gaps)
		}
		end()
	})
}

// Who wants the site asked soon does not put off a poll that is due sooner; the poll
// is for it too.
func TestSoonPutsNothingOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		soon, asked := make(chan struct{}, 1), 0
		end := run(&Loop{deaf: true, Poll: time.Second, Soon: soon, Apart: 5 * time.Second, Ask: func(context.Context) func() {
			asked++
			return func() { // as the reloader does where there are new operations
				select {
				case soon <- struct{}{}:
				default:
				}
			}
		}})
		time.Sleep(time.Minute)
		end()
		if asked < 54 {
			t.Errorf("asked %d times in a minute, every second", asked)
		}
	})
}

// What comes due while the loop is busy for hours is dealt with once: the files are
// compared, and the site is asked, once each. An answer that takes hours holds up no
// edit and is followed by no other.
func TestWhatIsLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const night = 6 * time.Hour
		file := filepath.Join(t.TempDir(), "c.yaml")
		writeFile(t, file, "a")
		read, start := []byte("a"), time.Now()
		soon := make(chan struct{}, 1)
		var changed, asked []time.Duration
		long := time.Duration(0)
		end := run(&Loop{
			deaf: true, Poll: 10 * time.Minute, Soon: soon, Read: func() map[string][]byte { return map[string][]byte{file: read} },
			Changed: func(_ context.Context, now map[string][]byte) {
				changed = append(changed, time.Since(start).Round(time.Second))
				if read = now[file]; string(read) == "b" {
					time.Sleep(night) // the machine is asleep
				}
			},
			Ask: func(context.Context) func() {
				asked = append(asked, time.Since(start))
				time.Sleep(long)
				return nil
			},
		})
		writeFile(t, file, "b")
		time.Sleep(night + 2*time.Second)
		synctest.Wait()
		if len(changed) != 1 || len(asked) != 1 || asked[0] < night {
			t.Errorf("after a night: changed at %v, asked at %v", changed, asked)
		}
		long = night
		time.Sleep(11*time.Minute + time.Second)
		writeFile(t, file, "c")
		soon <- struct{}{}
		time.Sleep(night / 2)
		synctest.Wait()
		if len(changed) != 2 || changed[1] > night+11*time.Minute+5*time.Second || len(asked) != 2 {
			t.Errorf("while an answer takes a night: changed at %v, asked at %v", changed, asked)
		}
		long = 0
		time.Sleep(night/2 + 2*time.Second)
		synctest.Wait()
		if len(asked) != 3 || asked[2] < asked[1]+night || asked[2] > asked[1]+night+time.Second {
			t.Errorf("after it: asked at %v", asked)
		}
		end()
	})
}

// Without a poll the site is asked when somebody says so, and not again by itself.
func TestNoPoll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		soon, asked := make(chan struct{}, 1), 0
		end := run(&Loop{deaf: true, Soon: soon, Ask: func(context.Context) func() { asked++; return nil }})
		time.Sleep(24 * time.Hour)
		soon <- struct{}{}
		time.Sleep(24 * time.Hour)
		end()
		if asked != 1 {
			t.Errorf("asked %d times", asked)
		}
	})
}

// R04: a file that is a mount point is told from one in a mounted directory.
func TestCase_R04(t *testing.T) {
	const table = `22 1 254:1 / / rw,relatime - ext4 /dev/vda1 rw
97 22 254:1 /srv/curation /etc/toolpress ro,relatime - ext4 /dev/vda1 rw
98 22 254:1 /home/ana/my\040shop.yaml /etc/my\040shop\134.yaml ro - ext4 /dev/vda1 rw
`
	for at, want := range map[string]bool{
		`/etc/my shop\.yaml`: true, "/etc/toolpress": true,
		"/etc/toolpress/curation.yaml": false, "/etc/my": false, "/srv/curation": false, `/etc/my\040shop\134.yaml`: false,
	} {
		if got := mounted(strings.NewReader(table), at); got != want {
			t.Errorf("%s: %t", at, got)
		}
	}
	name := filepath.Join(t.TempDir(), "c.yaml")
	writeFile(t, name, "a")
	if Pinned(name) || Pinned(name+"x") {
		t.Error("an ordinary file is pinned")
	}
}
