package wp

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
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

// T34: where a connection that was kept ends, net/http sends a read again, and no
// write, nor what is said to be one though its method is a read's.
func TestKeptConnectionBreaks(t *testing.T) {
	for end, fault := range map[string]faulty.Fault{"reset": faulty.Reset, "hung up": faulty.Hangup} {
		for _, c := range []struct {
			r     Request
			times int
		}{
			{Request{Method: "GET"}, 2}, // on the kept connection, and on a new one
			{Request{Method: "GET", Once: true}, 1},
			{Request{Method: "POST", Body: map[string]any{}}, 1},
			{Request{Method: "POST"}, 1},
			{Request{Method: "POST", Once: true}, 1},
			{Request{Method: "PUT", Body: File{Name: "a.png", Type: "image/png", Data: []byte("a")}}, 1},
			{Request{Method: "DELETE"}, 1},
		} {
			site := faulty.Listen(t, faulty.Answer(200, `{}`), fault)
			client := clientAt(t, site.URL, Options{})
			c.r.Segments = []string{"a"}
			if _, err := client.Do(t.Context(), Request{Method: "GET", Segments: []string{"first"}}); err != nil {
				t.Fatal(err)
			}
			_, err := client.Do(t.Context(), c.r)
			want := "GET /wp-json/first" + strings.Repeat(", "+c.r.Method+" /wp-json/a", c.times)
			var e *Error
			if !errors.As(err, &e) || e.Kind != Broken || !e.Sent || strings.Join(site.Asked(), ", ") != want {
				t.Errorf("%s, %s: %v, asked %v, want %s", end, c.r.Method, err, site.Asked(), want)
			}
		}
	}
}

// What is sent once looks on the wire as it does else.
func TestOnceOnTheWire(t *testing.T) {
	var seen []string
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		seen = append(seen, fmt.Sprint(r.Proto, r.ContentLength <= 0, r.TransferEncoding, r.Header.Get("Content-Length"), len(body), err))
		fmt.Fprint(w, "{}")
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	authorities := x509.NewCertPool()
	authorities.AddCert(server.Certificate())
	for _, c := range []*Client{clientAt(t, server.URL, Options{Authorities: authorities}), client(t, server.Config.Handler, Options{})} {
		for _, once := range []bool{false, true} {
			if _, err := c.Do(t.Context(), Request{Method: "GET", Segments: []string{"a"}, Once: once}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(seen) != 4 || seen[0] != seen[1] || seen[2] != seen[3] || seen[0][:6] != "HTTP/2" || seen[2][:6] != "HTTP/1" {
		t.Errorf("%q", seen)
	}
}

// inMemory makes a site's connections of pipes: with them an exchange runs in a
// synctest bubble.
func inMemory(t *testing.T, site *faulty.Site, opts Options) *Client {
	t.Helper()
	c := clientAt(t, "http://127.0.0.1", opts)
	c.http.Transport.(*http.Transport).DialContext = func(context.Context, string, string) (net.Conn, error) {
		here, there := net.Pipe()
		go site.Handle(there)
		return here, nil
	}
	return c
}

// A kept connection on which nothing could be sent is no request: net/http takes a
// new one, and where there is none nothing was sent.
func TestNothingWentOut(t *testing.T) {
	dials := 0
	c := clientAt(t, "http://127.0.0.1", Options{})
	c.http.Transport.(*http.Transport).DialContext = func(context.Context, string, string) (net.Conn, error) {
		if dials++; dials > 1 {
			return nil, &net.OpError{Op: "dial", Err: errors.New("connection refused")}
		}
		here, there := net.Pipe()
		go faulty.New(faulty.Answer(200, `{}`)).Handle(there)
		return &oneWrite{Conn: here}, nil
	}
	if _, err := c.Do(t.Context(), Request{Method: "GET", Segments: []string{"a"}}); err != nil {
		t.Fatal(err)
	}
	_, err := c.Do(t.Context(), Request{Method: "POST", Segments: []string{"a"}, Body: map[string]any{}})
	var e *Error
	if !errors.As(err, &e) || e.Kind != Unreachable || e.Sent || dials != 2 {
		t.Errorf("%v (%+v) after %d connections", err, e, dials)
	}
}

// oneWrite takes one request and no other.
type oneWrite struct {
	net.Conn
	wrote bool
}

func (c *oneWrite) Write(p []byte) (int, error) {
	if c.wrote {
		return 0, errors.New("broken pipe")
	}
	c.wrote = true
	return c.Conn.Write(p)
}

// T09, T15: no site holds an exchange beyond its deadline: the request's own where
// it has one, longer or shorter than the client's. Sixteen at once end each at its
// own, and leave nothing behind: the next answer comes, and a bubble ends only with
// all that ran in it.
func TestDeadlinesHold(t *testing.T) {
	const calls = 16
	for name, fault := range map[string]faulty.Fault{"silent": faulty.Silent, "silent after the headers": faulty.SilentBody, "a byte each second": faulty.Slow} {
		for _, within := range []time.Duration{0, 3500 * time.Millisecond, 45 * time.Second} {
			synctest.Test(t, func(t *testing.T) {
				faults := make([]faulty.Fault, calls, calls+1)
				for i := range faults {
					faults[i] = fault
				}
				c := inMemory(t, faulty.New(append(faults, faulty.Answer(200, `{}`))...), Options{Timeout: 20 * time.Second})
				want := 20 * time.Second
				if within > 0 {
					want = within
				}
				var all sync.WaitGroup
				for i := range calls {
					all.Go(func() {
						start, late := time.Now(), time.Duration(i)*time.Millisecond
						<-time.After(late)
						_, err := c.Do(t.Context(), Request{Method: "GET", Segments: []string{"a"}, Timeout: within})
						var e *Error
						if took := time.Since(start) - late; took != want || !errors.As(err, &e) || e.Kind != TimedOut || !e.Sent {
							t.Errorf("%s: %v after %v, want %v", name, err, took, want)
						}
					})
				}
				all.Wait()
				if resp, err := c.Do(t.Context(), Request{Method: "GET", Segments: []string{"a"}}); err != nil || string(resp.JSON) != "{}" {
					t.Errorf("%s: afterwards: %v", name, err)
				}
				c.Close()
				<-time.After(2 * time.Second) // the slow ones see that nobody reads
			})
		}
	}
}
