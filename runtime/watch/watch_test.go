package watch

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// follow runs a loop over one file and returns its reports: the contents each
// time a change was told.
func follow(t *testing.T, name string, floor time.Duration) <-chan string {
	t.Helper()
	reports := make(chan string, 100)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	read, _ := os.ReadFile(name)
	loop := &Loop{
		Floor: floor,
		Read:  func() map[string][]byte { return map[string][]byte{name: read} },
		Changed: func(_ context.Context, now map[string][]byte) {
			read = now[name]
			reports <- string(read)
		},
	}
	go func() { defer close(done); loop.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	return reports
}

func expect(t *testing.T, reports <-chan string, want string) {
	t.Helper()
	deadline := time.After(10 * time.Second)
	for {
		select {
		case got := <-reports:
			if got == want {
				return
			}
		case <-deadline:
			t.Fatalf("%q was never reported", want)
		}
	}
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// R01: written in place, and twice by renaming another file over it.
func TestWriteAndRename(t *testing.T) {
	name := filepath.Join(t.TempDir(), "c.yaml")
	writeFile(t, name, "a")
	reports := follow(t, name, 0)
	for i, text := range []string{"b", "c", "d"} {
		if i == 0 {
			writeFile(t, name, text)
		} else {
			writeFile(t, name+".tmp", text)
			if err := os.Rename(name+".tmp", name); err != nil {
				t.Fatal(err)
			}
		}
		expect(t, reports, text)
	}
}

// R02, R03: a ConfigMap's ..data link is swapped; the file's own entry never changes.
func TestConfigMapSwap(t *testing.T) {
	dir := t.TempDir()
	for _, v := range []string{"v1", "v2"} {
		if err := os.Mkdir(filepath.Join(dir, v), 0o700); err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, v, "c.yaml"), v)
	}
	link := func(v string) {
		tmp := filepath.Join(dir, "..tmp")
		if err := os.Symlink(v, tmp); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(tmp, filepath.Join(dir, "..data")); err != nil {
			t.Fatal(err)
		}
	}
	link("v1")
	name := filepath.Join(dir, "c.yaml")
	if err := os.Symlink(filepath.Join("..data", "c.yaml"), name); err != nil {
		t.Fatal(err)
	}
	reports := follow(t, name, 0)
	link("v2")
	expect(t, reports, "v2")
}

// R05: a file that appears where nothing could be watched is found by comparing.
func TestComparingIsTheFloor(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "later")
	name := filepath.Join(dir, "c.yaml")
	reports := follow(t, name, 10*time.Millisecond)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	writeFile(t, name, "there")
	expect(t, reports, "there")
}

// T37: writing what was there already is no change.
func TestSameContentsAreNoChange(t *testing.T) {
	name := filepath.Join(t.TempDir(), "c.yaml")
	writeFile(t, name, "a")
	reports := follow(t, name, 0)
	for range 20 {
		writeFile(t, name+".tmp", "a")
		if err := os.Rename(name+".tmp", name); err != nil {
			t.Fatal(err)
		}
	}
	writeFile(t, name, "b")
	expect(t, reports, "b")
	if len(reports) != 0 {
		t.Errorf("%d more reports", len(reports))
	}
}

// The site is asked again and again, aside: while it does not answer, an edit
// is seen.
func TestAsking(t *testing.T) {
	name := filepath.Join(t.TempDir(), "c.yaml")
	writeFile(t, name, "a")
	read, _ := os.ReadFile(name)
	asked, answer, changed, told := make(chan struct{}), make(chan struct{}), make(chan struct{}), make(chan struct{})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	loop := &Loop{
		Read: func() map[string][]byte { return map[string][]byte{name: read} },
		Changed: func(_ context.Context, now map[string][]byte) {
			read = now[name]
			changed <- struct{}{}
		},
		Poll: time.Millisecond,
		Ask: func(ctx context.Context) func() {
			select {
			case asked <- struct{}{}:
			case <-ctx.Done():
				return nil
			}
			select {
			case <-answer:
				return func() { told <- struct{}{} }
			case <-ctx.Done():
				return nil
			}
		},
	}
	go func() { defer close(done); loop.Run(ctx) }()
	<-asked
	writeFile(t, name, "b")
	<-changed
	answer <- struct{}{}
	<-told
	<-asked
	cancel()
	<-done
}
