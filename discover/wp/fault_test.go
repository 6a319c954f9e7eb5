package wp

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"toolpress/discover/faulty"
)

// clientAt is a client of whatever is at an address.
func clientAt(t *testing.T, address string, opts Options) *Client {
	t.Helper()
	u, err := url.Parse(address + "/wp-json/")
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewClient(u, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c.At(u)
}

// Whatever breaks has a kind, says whether the request was sent, and is not sent
// again (W78, T34).
func TestFaults(t *testing.T) {
	date := "Date: Mon, 01 Jan 2024 00:00:00 GMT"
	for name, c := range map[string]struct {
		fault   faulty.Fault
		want    Error
		unknown bool // of a write
	}{
		"reset":           {faulty.Reset, Error{Kind: Broken, Sent: true}, true},
		"headers alone":   {faulty.HeadersAlone, Error{Kind: Broken, Sent: true}, true},
		"half a body":     {faulty.HalfBody, Error{Kind: Broken, Sent: true}, true},
		"half of gzip":    {faulty.HalfGzip, Error{Kind: Broken, Sent: true}, true},
		"429, in seconds": {faulty.Answer(429, `{"code":"slow"}`, "Retry-After: 7"), Error{Kind: Refused, Sent: true, Status: 429, Code: "slow", RetryAfter: 7 * time.Second}, false},
		"429, a date":     {faulty.Answer(429, `{}`, "Retry-After: Mon, 01 Jan 2024 00:01:30 GMT", date), Error{Kind: Refused, Sent: true, Status: 429, RetryAfter: 90 * time.Second}, false},
		"503, a page":     {faulty.Maintenance("Retry-After: 600"), Error{Kind: NotJSON, Sent: true, Status: 503, RetryAfter: 10 * time.Minute, Excerpt: "<!DOCTYPE html><title>Maintenance</title>"}, false},
	} {
		for _, method := range []string{"GET", "POST", "DELETE"} {
			site := faulty.Listen(t, c.fault)
			_, err := clientAt(t, site.URL, Options{}).Do(t.Context(), Request{Method: method, Segments: []string{"a"}, Body: map[string]any{"x": 1}})
			var e *Error
			if !errors.As(err, &e) {
				t.Errorf("%s: %v", name, err)
				continue
			}
			want, got := c.want, *e
			want.Method, want.URL, got.Err, got.Data = method, site.URL+"/wp-json/a", nil, nil
			if diff := cmp.Diff(want, got); diff != "" || e.OutcomeUnknown() != (c.unknown && method != "GET") {
				t.Errorf("%s %s: %s%v", method, name, diff, err)
			}
			if asked := site.Asked(); len(asked) != 1 {
				t.Errorf("%s %s: asked %v", method, name, asked)
			}
		}
	}
	_, err := clientAt(t, faulty.Refused(t), Options{}).Do(t.Context(), Request{Method: "POST", Segments: []string{"a"}})
	var e *Error
	if !errors.As(err, &e) || e.Kind != Unreachable || e.Sent {
		t.Errorf("nobody listens: %v", err)
	}
}

// T34: where a connection that was kept breaks, net/http sends a read again, and
// no write.
func TestKeptConnectionBreaks(t *testing.T) {
	for method, sent := range map[string]string{"POST": "GET /wp-json/a, POST /wp-json/a", "DELETE": "GET /wp-json/a, DELETE /wp-json/a"} {
		site := faulty.Listen(t, faulty.Answer(200, `{}`), faulty.Reset)
		c := clientAt(t, site.URL, Options{})
		if _, err := c.Do(t.Context(), Request{Method: "GET", Segments: []string{"a"}}); err != nil {
			t.Fatal(err)
		}
		_, err := c.Do(t.Context(), Request{Method: method, Segments: []string{"a"}, Body: map[string]any{}})
		var e *Error
		if !errors.As(err, &e) || !e.OutcomeUnknown() || strings.Join(site.Asked(), ", ") != sent {
			t.Errorf("%s: %v, asked %v", method, err, site.Asked())
		}
	}
}

// T09, T15: no site holds an exchange beyond its deadline: the request's own where
// it has one, longer or shorter than the client's.
func TestDeadlinesHold(t *testing.T) {
	headers := func(conn net.Conn) bool {
		_, _ = conn.Write([]byte("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n["))
		return faulty.Silent(conn)
	}
	for name, fault := range map[string]faulty.Fault{"silent": faulty.Silent, "silent after the headers": headers, "a byte each second": faulty.Slow} {
		for _, within := range []time.Duration{0, 3500 * time.Millisecond, 45 * time.Second} {
			synctest.Test(t, func(t *testing.T) {
				site := faulty.New(fault)
				c := clientAt(t, "http://127.0.0.1", Options{Timeout: 20 * time.Second})
				c.http.Transport.(*http.Transport).DialContext = func(context.Context, string, string) (net.Conn, error) {
					here, there := net.Pipe()
					go site.Handle(there)
					return here, nil
				}
				want := 20 * time.Second
				if within > 0 {
					want = within
				}
				start := time.Now()
				_, err := c.Do(t.Context(), Request{Method: "GET", Segments: []string{"a"}, Timeout: within})
				var e *Error
				if took := time.Since(start); took != want || !errors.As(err, &e) || e.Kind != TimedOut || !e.Sent {
					t.Errorf("%s: %v after %v, want %v", name, err, took, want)
				}
				<-time.After(2 * time.Second) // the slow one sees that nobody reads
			})
		}
	}
}
