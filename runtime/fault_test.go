package runtime

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
	"toolpress/discover/faulty"
	"toolpress/discover/wp"
)

// Over a real connection, with the client that serves: a read gets over what broke,
// and a write that was sent is sent once and says that it may have happened.
func TestFaultySite(t *testing.T) {
	ok := faulty.Answer(200, `{"n":1}`)
	for name, c := range map[string]struct {
		tool   string
		faults []faulty.Fault
		asked  int
		says   string
	}{
		"a read, reset":               {"list", []faulty.Fault{faulty.Reset, ok}, 2, `{"n":1}`},
		"a read, reset twice":         {"list", []faulty.Fault{faulty.Reset, faulty.Reset, ok}, 3, `{"n":1}`},
		"a read, always reset":        {"list", []faulty.Fault{faulty.Reset}, 3, "The connection to the site broke"},
		"a read, half a body":         {"list", []faulty.Fault{faulty.HalfBody, ok}, 2, `{"n":1}`},
		"a read, headers alone":       {"look", []faulty.Fault{faulty.HeadersAlone, ok}, 2, `{"n":1}`},
		"a read, half of gzip":        {"list", []faulty.Fault{faulty.HalfGzip, ok}, 2, `{"n":1}`},
		"a read, down":                {"list", []faulty.Fault{faulty.Maintenance(), ok}, 2, `{"n":1}`},
		"a read, down for long":       {"list", []faulty.Fault{faulty.Maintenance("Retry-After: 600"), ok}, 1, "wait 10 minutes before the next call"},
		"a read, too much":            {"list", []faulty.Fault{faulty.Answer(429, `{"code":"rate"}`, "Retry-After: 0"), ok}, 2, `{"n":1}`},
		"a write, reset":              {"add", []faulty.Fault{faulty.Reset, ok}, 1, "The outcome is unknown"},
		"a write, half a body":        {"add", []faulty.Fault{faulty.HalfBody, ok}, 1, "The outcome is unknown"},
		"a write, down":               {"add", []faulty.Fault{faulty.Maintenance(), ok}, 1, "The outcome is unknown"},
		"an ability that writes":      {"change", []faulty.Fault{faulty.Reset, ok}, 1, "The outcome is unknown"},
		"a read, nobody listens":      {"list", nil, 0, "The site cannot be reached"},
		"a write, nobody listens":     {"add", nil, 0, "The site cannot be reached"},
		"a write, too much, long ago": {"add", []faulty.Fault{faulty.Answer(429, `{"code":"rate"}`, "Retry-After: Mon, 01 Jan 2024 00:00:00 GMT"), ok}, 1, "Wait a minute"},
	} {
		site := &faulty.Site{URL: faulty.Refused(t)}
		if c.faults != nil {
			site = faulty.Listen(t, c.faults...)
		}
		u, _ := url.Parse(site.URL + "/wp-json/")
		client, err := wp.NewClient(u, wp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s := NewServer(shelf(t, ""), Options{Site: client.At(u).For("default")})
		s.jitter = func(time.Duration) time.Duration { return 0 }
		if _, text := called(t, s, c.tool, ""); !strings.Contains(text, c.says) || len(site.Asked()) != c.asked {
			t.Errorf("%s: asked %v: %s", name, site.Asked(), text)
		}
		client.Close()
	}
}

// T34: on a connection that was kept a write goes out once, also where its method is
// a read's.
func TestWritesOnKeptConnections(t *testing.T) {
	for tool, asked := range map[string]int{"others": 5, "poke": 2, "add": 2, "change": 2, "count": 2} {
		site := faulty.Listen(t, faulty.Answer(200, `{"n":1}`), faulty.Reset)
		s := onFaulty(t, site)
		s.jitter = func(time.Duration) time.Duration { return 0 }
		called(t, s, "look", "")
		if _, text := called(t, s, tool, ""); len(site.Asked()) != asked || !strings.Contains(text, "broke before it answered") {
			t.Errorf("%s: asked %v: %s", tool, site.Asked(), text)
		}
	}
}

// What is kept is the same over the wire in every era, with its age beside it.
func TestKeptOnTheWire(t *testing.T) {
	for _, era := range eras {
		site := &upstream{do: counting, who: "ana"}
		s, web := serve(t, shelf(t, ""), Options{Site: site})
		cs := connect(t, web.URL+"/mcp", era, nil, nil)
		for n, age := range []any{nil, 0.0} {
			res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "list"})
			if err != nil || fmt.Sprint(res.StructuredContent) != "map[n:1]" || res.Meta[ageKey] != age || len(res.Content) != 1 {
				t.Errorf("%s %d: %+v %v", era, n, res, err)
			}
		}
		if res, err := s.Call(t.Context(), curate.DefaultProfile, "list", nil); err != nil || res.Meta[ageKey] != 0 || site.count() != 1 {
			t.Errorf("%s: %+v %v after %d requests", era, res, err, site.count())
		}
	}
}
