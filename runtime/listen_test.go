package runtime

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"toolpress/curate"
)

// A client that stops reading costs the others nothing: with 50 of them, a
// healthy one hears of each of 200 changes in the moment it is made, and they are
// let go after one write timeout. In both eras (T36, R16).
func TestCase_T36(t *testing.T) {
	for _, era := range []string{"modern", "legacy"} {
		t.Run(era, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				const stalled, changes = 50, 200
				r := inRoom(t, catalog("one", "a"), Options{WriteTimeout: 5 * time.Second})
				var healthy *ear
				if era == "modern" {
					r.stall(stalled, rawListen())
					healthy = r.listen("7")
				} else {
					for range stalled {
						r.stall(1, rawGet(r.session()))
					}
					healthy = r.get(r.session())
				}
				healthy.took()
				for i := range changes {
					start := time.Now()
					r.s.Swap(catalog(fmt.Sprint(i), "a"))
					if got := healthy.took(); len(got) != 1 || got[0].at != start {
						t.Fatalf("change %d: heard %v", i, got)
					}
					if n := r.s.streams.open(); i == 0 && n != stalled+1 {
						t.Errorf("%d streams were open at the first change", n)
					}
					time.Sleep(2 * time.Second)
					if n := r.s.streams.open(); i == 3 && n != 1 {
						t.Errorf("%d streams are open after the write timeout", n)
					}
				}
				r.close()
			})
		})
	}
}

// What is pending for a client is one flag: 60 changes while it does not read
// are one notice when it does, and the last change is in it (R16).
func TestCase_R16(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := inRoom(t, catalog("one", "a"), Options{WriteTimeout: time.Hour})
		conn := r.dial()
		fmt.Fprint(conn, rawListen())
		buffer := make([]byte, 4096)
		n, _ := conn.Read(buffer)
		synctest.Wait()
		for i := range 60 {
			r.s.Swap(catalog(fmt.Sprint(i), "a"))
			time.Sleep(2 * time.Second)
		}
		var heard strings.Builder
		heard.WriteString(string(buffer[:n]))
		for {
			_ = conn.SetReadDeadline(time.Now().Add(time.Second))
			n, err := conn.Read(buffer)
			if heard.WriteString(string(buffer[:n])); err != nil {
				break
			}
		}
		// One was being written when the client stopped; one is pending.
		if n := strings.Count(heard.String(), changed("1")); n != 2 {
			t.Errorf("%d notices of 60 changes:\n%s", n, heard.String())
		}
		_ = conn.Close()
		r.close()
	})
}

// What a listen hears, byte by byte as the official SDK writes it: the
// acknowledgement first, what it asked for and nothing else, and in the end its
// result. Ids of either kind.
func TestListenOnTheWire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := inRoom(t, catalog("one", "a"), Options{})
		ears := map[string]*ear{}
		for _, id := range []string{"1", `"1"`, `"é <"`} {
			ears[id] = r.listen(id)
		}
		start := time.Now()
		r.s.Swap(catalog("two", "a"))
		for id, e := range ears {
			got := e.took()
			if len(got) != 2 || got[0].text != acknowledged(id) || got[1].text != changed(id) || got[1].at != start {
				t.Errorf("%s heard %v", id, got)
			}
		}
		r.close()
		for id, e := range ears {
			if got := e.texts(); !slices.Equal(got, []string{closing(id)}) || !e.over() {
				t.Errorf("%s heard in the end %q", id, got)
			}
		}
	})
}

// What is not there to listen to is left out of the acknowledgement; with nothing
// left, the stream ends at once.
func TestListenToWhatIsNotThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := inRoom(t, catalog("one", "a"), Options{})
		for asks, given := range map[string]string{
			`"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["a:b"]`: `{"toolsListChanged":true}`,
			`"promptsListChanged":true`: `{}`,
			`"toolsListChanged":false`:  `{}`,
			``:                          `{}`,
		} {
			e := r.open("POST", "/mcp", modernCall("subscriptions/listen", `"notifications":{`+asks+`}`), listenHeaders...)
			got := e.texts()
			if want := strings.Replace(acknowledged("1"), `{"toolsListChanged":true}`, given, 1); len(got) == 0 || got[0] != want {
				t.Errorf("%s: %q", asks, got)
			}
			if ended := given == "{}"; e.over() != ended || ended && (len(got) != 2 || got[1] != closing("1")) {
				t.Errorf("%s: over %t, after %q", asks, e.over(), got)
			}
		}
		r.close()
	})
}

// A listen is checked like any other request, and refused with the same words.
func TestListenRefused(t *testing.T) {
	_, web := serve(t, catalog("one", "a"), Options{})
	long := strings.Repeat("x", maxID)
	for what, c := range map[string]struct {
		body    string
		headers []string
		status  int
		says    string
	}{
		"no notifications":        {modernCall("subscriptions/listen", ""), nil, 400, `"code":-32602`},
		"a wrong notifications":   {modernCall("subscriptions/listen", `"notifications":[1]`), nil, 400, ""},
		"no capabilities":         {strings.Replace(listening("1"), "clientCapabilities", "x", 1), nil, 400, `"code":-32602`},
		"another method on top":   {listening("1"), []string{"Mcp-Method: ", "Mcp-Method: tools/list"}, 400, `"code":-32020`},
		"another revision on top": {listening("1"), []string{"Mcp-Protocol-Version: "}, 400, `"code":-32020`},
		"no stream accepted":      {listening("1"), []string{"Accept: ", "Accept: application/json"}, 400, "Accept"},
		"a long id":               {listening(`"` + long + `"`), nil, 400, "256 bytes"},
		"no id":                   {strings.Replace(listening("1"), `"id":1,`, "", 1), nil, 400, ""},
	} {
		got := send(t, nil, web.URL+"/mcp", c.body, c.headers...)
		if got.status != c.status || !strings.Contains(got.message, c.says) {
			t.Errorf("%s: %d %s", what, got.status, got.message)
		}
	}
	// In a batch of a session there is none.
	id := session(t, web.URL)
	got := send(t, nil, web.URL+"/mcp", "["+strings.Replace(listening("5"), `"io.modelcontextprotocol/protocolVersion":"2026-07-28",`, "", 1)+"]", "Mcp-Protocol-Version: ", "Mcp-Session-Id: "+id)
	if !strings.Contains(got.message, "-32601") {
		t.Errorf("in a batch: %d %s", got.status, got.message)
	}
}

// The same bytes are no change, however often they are served again; other bytes
// are one (T37, R18, R20, W45).
func TestCase_W45(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := inRoom(t, catalog("one", "a", "b"), Options{})
		e, g := r.listen("1"), r.get(r.session())
		e.took()
		for range 1000 {
			r.s.Swap(catalog("one", "b", "a"))
			time.Sleep(time.Second / 3)
		}
		spaced := catalog("one", "a", "b")
		for _, tool := range spaced.Profiles[curate.DefaultProfile].Tools {
			tool.InputSchema = []byte(strings.ReplaceAll(string(tool.InputSchema), ":", " :\n\t"))
		}
		r.s.Swap(spaced)
		time.Sleep(settle)
		if got := append(e.took(), g.took()...); len(got) != 0 {
			t.Errorf("notices of nothing: %v", got)
		}
		r.s.Swap(catalog("one", "a"))
		time.Sleep(settle)
		if got := [][]string{e.texts(), g.texts()}; !slices.Equal(got[0], []string{changed("1")}) || !slices.Equal(got[1], []string{told}) {
			t.Errorf("notices of a change: %q", got)
		}
		r.close()
	})
}

// A list that flaps is at most one notice a second, the first at once and the
// last after the last change (G58, R19).
func TestCase_G58(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := inRoom(t, catalog("one", "a"), Options{})
		e, g := r.listen("1"), r.get(r.session())
		e.took()
		start, last := time.Now(), time.Time{}
		for i := range 100 {
			last = time.Now()
			r.s.Swap(catalog("one", []string{"b", "a"}[i%2]))
			time.Sleep(100 * time.Millisecond)
		}
		time.Sleep(settle)
		for _, got := range [][]saying{e.took(), g.took()} {
			if n := len(got); n != 11 || got[0].at != start || got[n-1].at.Before(last) {
				t.Errorf("%d notices in 10 s, %v", n, got)
			}
		}
		r.close()
	})
}

// A profile that goes away takes its listens along, each with its result, and no
// other's. When it is back it can be listened to again.
func TestListenEndsWithItsProfile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		both := catalog("one", "a")
		both.Profiles["more"] = &curate.Profile{Name: "more", Tools: both.Profiles[curate.DefaultProfile].Tools}
		without := &curate.Catalog{Profiles: maps.Clone(both.Profiles)}
		delete(without.Profiles, curate.DefaultProfile)
		r := inRoom(t, both, Options{})
		session := r.session()
		gone, legacy := r.listen("1"), r.get(session)
		other := r.open("POST", "/mcp/more", listening("2"), listenHeaders...)
		gone.took()
		other.took()
		r.s.Swap(without)
		if got := gone.texts(); !slices.Equal(got, []string{closing("1")}) || !gone.over() {
			t.Errorf("heard %q, over %t", got, gone.over())
		}
		if !legacy.over() {
			t.Error("a session's stream goes on")
		}
		if got := other.texts(); len(got) != 0 || other.over() {
			t.Errorf("another profile's listen heard %q, over %t", got, other.over())
		}
		if got := r.send(listening("1")); got.status != http.StatusNotFound {
			t.Errorf("listening to what is gone: %d %s", got.status, got.message)
		}
		r.s.Swap(both)
		again, back := r.listen("1"), r.get(session)
		if got := again.texts(); !slices.Equal(got, []string{acknowledged("1")}) || again.over() {
			t.Errorf("back: heard %q, over %t", got, again.over())
		}
		// The session was not told yet that the list is back.
		if got := back.texts(); !slices.Equal(got, []string{told}) || back.over() {
			t.Errorf("back in the session: heard %q, over %t", got, back.over())
		}
		r.close()
	})
}
