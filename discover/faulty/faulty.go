// Package faulty is a server that breaks in the ways servers and networks do, for
// tests of what asks a site.
package faulty

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// Fault answers one request on its connection. Where it returns false the
// connection is closed after it.
type Fault func(conn net.Conn) (keep bool)

// Site answers its first request with the first of its faults, the second with
// the second, and all that come after the last with the last.
type Site struct {
	// URL is its address, without a slash at the end; empty for one that does not
	// listen.
	URL string

	mu     sync.Mutex
	faults []Fault
	asked  []string
}

// New is a site that does not listen: [Site.Handle] takes its connections.
func New(faults ...Fault) *Site { return &Site{faults: faults} }

// Listen is a site that listens on loopback until the test ends.
func Listen(t testing.TB, faults ...Fault) *Site {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := New(faults...)
	s.URL = "http://" + listener.Addr().String()
	var conns sync.WaitGroup
	conns.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			conns.Go(func() { s.Handle(conn) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		conns.Wait()
	})
	return s
}

// Refused is an address on loopback at which nobody listens.
func Refused(t testing.TB) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return "http://" + listener.Addr().String()
}

// Handle takes the requests of one connection, and returns when it is closed.
func (s *Site) Handle(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	for {
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		var body bytes.Buffer
		if _, err := body.ReadFrom(r.Body); err != nil {
			return
		}
		if !s.next(r)(conn) {
			return
		}
	}
}

func (s *Site) next(r *http.Request) Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, r.Method+" "+r.URL.Path)
	return s.faults[min(len(s.asked), len(s.faults))-1]
}

// Asked are the requests that arrived whole: "GET /wp-json/a".
func (s *Site) Asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.asked...)
}

// Answer is a whole answer with a body and headers ("Name: value"). The
// connection is kept.
func Answer(status int, body string, headers ...string) Fault {
	return func(conn net.Conn) bool {
		_, err := fmt.Fprintf(conn, "HTTP/1.1 %d %s\r\n%s\r\nContent-Length: %d\r\n\r\n%s", status, http.StatusText(status),
			strings.Join(append(headers, "X-Faulty: yes"), "\r\n"), len(body), body)
		return err == nil
	}
}

// Maintenance is the page of a site that is down, with status 503.
func Maintenance(headers ...string) Fault {
	return Answer(http.StatusServiceUnavailable, "<!DOCTYPE html><title>Maintenance</title>", append(headers, "Content-Type: text/html")...)
}

// Reset resets the connection after the request, without an answer.
func Reset(conn net.Conn) bool {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	return false
}

// Hangup ends the connection after the request, without an answer.
func Hangup(net.Conn) bool { return false }

// HeadersAlone ends the connection after the headers of an answer.
func HeadersAlone(conn net.Conn) bool {
	_, _ = fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
	return false
}

// HalfBody ends the connection within the body of an answer.
func HalfBody(conn net.Conn) bool {
	_, _ = fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"half\":")
	return false
}

// HalfGzip is a compressed body that ends too early, in an answer that is whole.
func HalfGzip(conn net.Conn) bool {
	text := zipped([]byte(`{"half":true}`))
	return Answer(http.StatusOK, string(text[:len(text)-9]), "Content-Encoding: gzip")(conn)
}

// Huge is how many bytes the large answers hold.
const Huge = 1 << 30

// HugeBody is an answer of [Huge] bytes of JSON that says so.
func HugeBody(conn net.Conn) bool {
	return huge(conn, fmt.Sprintf("Content-Length: %d", Huge))
}

// EndlessBody is as much, and does not say how much there is.
func EndlessBody(conn net.Conn) bool { return huge(conn, "Connection: close") }

func huge(conn net.Conn, header string) bool {
	_, err := fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n%s\r\n\r\n", header)
	part := bytes.Repeat([]byte("["), 64<<10)
	for n := 0; err == nil && n < Huge; n += len(part) {
		_, err = conn.Write(part)
	}
	return false
}

// Bomb is an answer of [Huge] bytes that was compressed so often, in a body of
// about a MiB or less. Told is what it says of that: its Content-Encoding.
func Bomb(layers int, told string) Fault {
	text := bytes.Repeat(zipped(bytes.Repeat([]byte("["), 1<<20)), Huge>>20) // gzip is read on through its members
	for range layers - 1 {
		text = zipped(text)
	}
	return Answer(http.StatusOK, string(text), "Content-Type: application/json", "Content-Encoding: "+told)
}

func zipped(text []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(text)
	_ = z.Close()
	return b.Bytes()
}

// SilentBody goes silent within the body of an answer.
func SilentBody(conn net.Conn) bool {
	_, _ = fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[")
	return Silent(conn)
}

// Silent never answers.
func Silent(conn net.Conn) bool {
	_, _ = conn.Read(make([]byte, 1)) // until the other side closes it
	return false
}

// Slow answers with a byte each second, for ever.
func Slow(conn net.Conn) bool {
	_, err := fmt.Fprint(conn, "HTTP/1.1 200 OK\r\n\r\n")
	for err == nil {
		<-time.After(time.Second)
		_, err = conn.Write([]byte("["))
	}
	return false
}
