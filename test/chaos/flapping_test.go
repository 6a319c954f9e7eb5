package chaos

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"toolpress/test/chaos/history"
)

// flapping is a site that is well and unwell in turn: it draws how, each time that its
// index is read. Its versions are those of a plugin whose routes change.
type flapping struct {
	*site
	mu    sync.Mutex // guards the rest
	rnd   *rand.Rand
	n     int    // the last number
	good  int    // the version of the plugin
	state string // of the reading that is under way
	calm  bool   // it stays well
	count map[string]int
}

// states are what a reading of the site meets. In those of the last line it is read,
// and must not be believed.
var states = []string{
	"well", "well", "well", "well", "503", "a page", "reset", "half an index", "no abilities", "401",
	"shrunken", "shrunken, as nobody", "as nobody",
}

// routes are the plugin's routes in an index, and the tools that they make.
func routes(n int) (index map[string]any, tools []string) {
	names := []string{"always", fmt.Sprintf("only-%d", n)}
	for i := range 3 + n%5 {
		names = append(names, fmt.Sprintf("some-%d", i))
	}
	index = map[string]any{}
	for _, name := range names {
		index["/chaos/v1/"+name] = map[string]any{
			"namespace": "chaos/v1", "methods": []string{"GET"},
			"endpoints": []any{map[string]any{"methods": []string{"GET"}, "args": map[string]any{
				"call": map[string]any{"type": "string", "description": "The name of the call, " + mark(n)},
			}}},
		}
		tools = append(tools, "chaos_v1_get_"+strings.ReplaceAll(name, "-", "_"))
	}
	return index, tools
}

func newFlapping(t *testing.T, w *world) *flapping {
	f := &flapping{rnd: draw("site", 0), state: "well", calm: true, count: map[string]int{}}
	f.site = newSite(t, w, f.answer)
	f.next()
	return f
}

// next makes another version of the plugin.
func (f *flapping) next() {
	f.n++
	f.good = f.n
	_, tools := routes(f.good)
	f.w.Write(f.good, history.Version{Began: f.w.now(), Tools: tools})
}

// settle makes a last version, and has the site stay well.
func (f *flapping) settle() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calm = true
	f.next()
}

// flap has the site be unwell from now on.
func (f *flapping) flap() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calm = false
}

// answer answers a request; false leaves it to the shop.
func (f *flapping) answer(w http.ResponseWriter, r *http.Request) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	path := strings.TrimPrefix(r.URL.Path, "/wp-json")
	switch {
	case path == "/" && r.URL.Query().Get("context") == "help":
		f.state = "well"
		if !f.calm {
			f.state = states[f.rnd.IntN(len(states))]
			f.count[f.state]++
		}
		f.index(w, r)
	case strings.HasPrefix(path, "/chaos/v1/"):
		f.call(w, r)
	case strings.HasPrefix(path, "/wp/v2/users/me") && f.state == "401":
		refuse(w, http.StatusUnauthorized)
	case strings.HasPrefix(path, "/wp/v2/users/me") && strings.HasSuffix(f.state, "as nobody"):
		refuse(w, http.StatusForbidden)
	case strings.HasPrefix(path, "/wp-abilities/") && f.state == "no abilities":
		fault("503", w)
	default:
		return false
	}
	return true
}

func refuse(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"code":"rest_refused","message":"No.","data":{"status":%d}}`, status)
}

// fault answers as no WordPress does.
func fault(state string, w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html")
	switch state {
	case "503":
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprint(w, "<!DOCTYPE html><title>Maintenance</title>")
	case "a page":
		fmt.Fprint(w, "<!DOCTYPE html><title>Welcome</title>")
	case "reset":
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		_ = conn.(*net.TCPConn).SetLinger(0)
		_ = conn.Close()
	default:
		w.Header().Set("Content-Length", "100000")
		fmt.Fprint(w, `{"routes":{`)
	}
}

// index is the shop's, with the plugin's routes, as the state has it.
func (f *flapping) index(w http.ResponseWriter, r *http.Request) {
	switch f.state {
	case "503", "a page", "reset", "half an index":
		fault(f.state, w)
		return
	}
	version := f.good
	switch {
	case strings.HasPrefix(f.state, "shrunken"):
		// Never the same twice: the second would be believed.
		f.n++
		version = f.n
	case !f.calm && f.rnd.IntN(5) > 1:
		f.next()
		version = f.good
	}
	whole := httptest.NewRecorder()
	f.shop.ServeHTTP(whole, r)
	var index map[string]any
	if err := json.Unmarshal(whole.Body.Bytes(), &index); err != nil {
		f.w.t.Error(err)
		return
	}
	all := index["routes"].(map[string]any)
	if version != f.good {
		maps.DeleteFunc(all, func(path string, _ any) bool { return len(path) > 12 || f.rnd.IntN(2) == 0 })
	}
	own, _ := routes(version)
	maps.Copy(all, own)
	index["namespaces"] = append(index["namespaces"].([]any), "chaos/v1")
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	_ = json.NewEncoder(w).Encode(index) // the client may be gone
}

// call notes a call and answers it, one in three not.
func (f *flapping) call(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodOptions {
		w.Header().Set("Allow", "GET")
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, "{}")
		return
	}
	version := 0
	if name, own := strings.CutPrefix(r.URL.Path, "/wp-json/chaos/v1/only-"); own {
		version, _ = strconv.Atoi(name)
	}
	f.ran(r.URL.Query().Get("call"), version)
	if !f.calm && f.rnd.IntN(3) == 0 {
		fault([]string{"503", "a page", "reset", "half an answer"}[f.rnd.IntN(4)], w)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprint(w, `{"id":1}`)
}

// G58, T15, T17, W46: the site is read ten times a second, and is not there, nobody's, or
// much less than before more often than not: what it lists is served whole, and
// nothing that it lists only once. No notice comes of a reading that failed.
func TestFlapping(t *testing.T) {
	w := newWorld(t)
	f := newFlapping(t, w)
	name := filepath.Join(w.dir, "curation.yaml")
	text := "version: 1\ndefaults: { calls: 100000/s }\nexpose: [{ namespace: chaos/v1 }]\n"
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	w.serve(f.site, name, "--poll", "100ms")
	got, stop, all := &seen{}, make(chan struct{}), &atomic.Bool{}
	all.Store(true)
	var listening, using sync.WaitGroup
	h := connections(w)
	w.gather(crowd{listeners: 8, http: h}, got, stop, all, &listening)
	f.flap()
	end := time.Now().Add(*lasts)
	for i := range 4 {
		w.user(h, i, end.Add(time.Second), "call", &using)
	}
	time.Sleep(time.Until(end))
	f.settle()
	w.settle(got.reading, patience)
	using.Wait()
	close(stop)
	listening.Wait()
	changes, unusable := strings.Count(w.said.String(), "the site changed: "), 0
	for state, n := range f.count {
		if state != "well" {
			unusable += n
		}
	}
	w.tell("a site that is well and unwell", got, map[string]int{"readings of the site that cannot be used": unusable})
	if n := count(w.History(nil)).notices; n > changes*len(got.reading) {
		t.Errorf("%d notices to %d listeners, and the list changed %d times", n, len(got.reading), changes)
	}
}
