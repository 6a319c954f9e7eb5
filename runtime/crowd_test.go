package runtime

import (
	"fmt"
	"net/url"
	goruntime "runtime"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"
	"time"

	"toolpress/discover/faulty"
	"toolpress/discover/wp"
)

// unjoined is a site without an identity: nothing of it is kept, and equal calls
// are not one.
type unjoined struct{ Site }

// onFaulty serves the shelf from what listens there, with the client that serves.
func onFaulty(t *testing.T, site *faulty.Site) *Server {
	t.Helper()
	u, err := url.Parse(site.URL + "/wp-json/")
	if err != nil {
		t.Fatal(err)
	}
	client, err := wp.NewClient(u, wp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return NewServer(shelf(t, ""), Options{Site: unjoined{client.At(u)}})
}

// heap is how many bytes objects take, dead ones too until they are swept.
func heap() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// peak is how far the heap was seen to grow while f ran.
func peak(f func()) uint64 {
	goruntime.GC()
	before, most := heap(), uint64(0)
	stop := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for {
			if now := heap(); now > before {
				most = max(most, now-before)
			}
			select {
			case <-tick.C:
			case <-stop:
				return
			}
		}
	})
	f()
	close(stop)
	watching.Wait()
	return most
}

// T09, T10: sixteen calls at once of a site that answers with a GiB, whether it
// says so, compresses it, or compresses it again, cost no more than sixteen answers
// of the size that is read, and 32 MiB. Each says what it is, none is asked again,
// and the next call works. That no goroutine stays is for TestMain.
func TestHugeAnswers(t *testing.T) {
	const calls, most = 16, 16*4<<20 + 32<<20
	tooLarge, noJSON := "larger than toolpress reads", "something that is not JSON"
	for name, c := range map[string]struct {
		fault faulty.Fault
		says  string
	}{
		"it says how much":           {faulty.HugeBody, tooLarge},
		"it does not":                {faulty.EndlessBody, tooLarge},
		"compressed":                 {faulty.Bomb(1, "gzip"), tooLarge},
		"compressed twice":           {faulty.Bomb(2, "gzip, gzip"), noJSON},
		"compressed twice, not told": {faulty.Bomb(2, "gzip"), noJSON},
		"compressed unasked":         {faulty.Bomb(1, "x-gzip"), noJSON},
	} {
		for _, tool := range []string{"others", "add"} {
			faults := make([]faulty.Fault, calls, calls+1)
			for i := range faults {
				faults[i] = c.fault
			}
			site := faulty.Listen(t, append(faults, faulty.Answer(200, `{"n":1}`))...)
			s := onFaulty(t, site)
			var texts [calls]string
			grew := peak(func() {
				var all sync.WaitGroup
				for i := range calls {
					all.Go(func() { _, texts[i] = called(t, s, tool, "") })
				}
				all.Wait()
			})
			if grew > most {
				t.Errorf("%s, %s: the heap grew by %d MiB", name, tool, grew>>20)
			}
			for _, text := range texts {
				if !strings.Contains(text, c.says) || strings.Contains(text, "The outcome is unknown") != (tool == "add") {
					t.Errorf("%s, %s: %s", name, tool, text)
				}
			}
			if _, text := called(t, s, tool, ""); text != `{"n":1}` || len(site.Asked()) != calls+1 {
				t.Errorf("%s, %s: after %d requests: %s", name, tool, len(site.Asked()), text)
			}
		}
	}
}

// T11: what is deep or wide is bounded by its size: nothing is made of many
// small values that nobody is shown.
func TestWideAnswers(t *testing.T) {
	wide, names := "["+strings.Repeat("{},", 300_000)+"{}]", strings.Builder{}
	for i := range 100_000 {
		fmt.Fprintf(&names, `"key%d":1,`, i)
	}
	over, most := "more than the 24576 bytes", uint64(8)
	if raced {
		most = 12
	}
	for name, c := range map[string]struct{ body, says string }{
		"a list of objects":      {wide, "of 300001 items left out"},
		"a list behind a notice": {"Notice: x\n" + wide, "of 300001 items left out"},
		"a list in an object":    {`{"a":` + wide + "}", over},
		"names":                  {"{" + names.String() + `"z":1}`, over},
		"depth":                  {strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000), "something that is not JSON"},
		"a text":                 {`{"a":"` + strings.Repeat("x", 1<<20) + `"}`, "[shortened]"},
	} {
		s := onFaulty(t, faulty.Listen(t, faulty.Answer(200, c.body, "Content-Type: application/json")))
		text := ""
		got := allocated(func() { _, text = called(t, s, "others", "") })
		if !strings.Contains(text, c.says) || got > most*uint64(len(c.body))+256<<10 {
			t.Errorf("%s: %d bytes allocated for %d: %.200s", name, got, len(c.body), text)
		}
	}
}
