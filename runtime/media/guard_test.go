package media

import (
	"context"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/net/dns/dnsmessage"

	"toolpress/discover/wp"
)

// T01: what is not of the public Internet, in whatever form.
func TestIsPublic(t *testing.T) {
	for text, want := range map[string]bool{
		"93.184.215.14": true, "1.1.1.1": true, "172.15.0.1": true, "172.32.0.1": true, "100.63.0.1": true, "100.128.0.1": true, "2606:4700::1111": true, "2a00:1450::1": true,
		"10.0.0.1": false, "172.16.0.1": false, "172.31.255.255": false, "192.168.1.1": false, "127.0.0.1": false, "127.9.9.9": false, "0.0.0.0": false, "0.1.2.3": false,
		"169.254.169.254": false, "100.64.0.1": false, "100.127.255.255": false, "192.0.0.1": false, "192.0.2.1": false, "198.18.0.1": false, "198.19.0.1": false,
		"203.0.113.1": false, "224.0.0.1": false, "239.1.1.1": false, "240.0.0.1": false, "255.255.255.255": false,
		"::": false, "::1": false, "::ffff:1.1.1.1": false, "::ffff:127.0.0.1": false, "::127.0.0.1": false, "64:ff9b::a00:1": false, "64:ff9b:1::1": false,
		"fe80::1": false, "fe80::1%eth0": false, "2606:4700::1111%eth0": false, "fc00::1": false, "fd00:ec2::254": false, "fec0::1": false, "ff02::1": false,
		"2001::1": false, "2001:db8::1": false, "2002:7f00:1::": false, "100::1": false,
	} {
		if got := isPublic(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s: %t, want %t", text, got, want)
		}
	}
}

// What the operator wrote as an address leads to just that, and localhost to this
// machine.
func TestMayReach(t *testing.T) {
	for _, c := range []struct {
		host, to string
		want     bool
	}{
		{"10.0.0.5", "10.0.0.5", true},
		{"10.0.0.5", "10.0.0.6", false},
		{"10.0.0.5", "1.1.1.1", false},
		{"127.0.0.1", "127.0.0.1", true},
		{"localhost", "127.0.0.1", true},
		{"localhost", "::1", true},
		{"localhost", "10.0.0.1", false},
		{"images.example", "127.0.0.1", false},
		{"images.example", "1.1.1.1", true},
		{"localhost.example", "127.0.0.1", false},
	} {
		if got := new(Opener).mayReach(c.host, netip.MustParseAddr(c.to)); got != c.want {
			t.Errorf("%s to %s: %t", c.host, c.to, got)
		}
	}
}

// nameserver resolves every name to the next of these addresses, and to the last one
// from then on.
func nameserver(t *testing.T, addresses ...string) (*net.Resolver, *atomic.Int32) {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	asked, ended := new(atomic.Int32), make(chan struct{})
	t.Cleanup(func() { _ = conn.Close(); <-ended })
	go func() {
		defer close(ended)
		b := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(b)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(b[:n]) != nil || len(m.Questions) != 1 {
				continue
			}
			m.Response, m.Additionals = true, nil
			if q := m.Questions[0]; q.Type == dnsmessage.TypeA {
				at := min(int(asked.Add(1))-1, len(addresses)-1)
				m.Answers = []dnsmessage.Resource{{
					Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class},
					Body:   &dnsmessage.AResource{A: netip.MustParseAddr(addresses[at]).As4()},
				}}
			}
			if reply, err := m.Pack(); err == nil {
				_, _ = conn.WriteTo(reply, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "udp", conn.LocalAddr().String())
	}}, asked
}

// canary counts the connections to an address until the test ends.
func canary(t *testing.T, address string) *atomic.Int32 {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Skip(err)
	}
	seen, ended := new(atomic.Int32), make(chan struct{})
	t.Cleanup(func() { _ = l.Close(); <-ended })
	go func() {
		defer close(ended)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			seen.Add(1)
			_ = conn.Close()
		}
	}()
	return seen
}

// T02: a name that first leads to a public address and then to an inner one is
// followed to the first alone: the address that is connected to is the one that is
// checked. T01: nor is an inner address reached by the first lookup.
func TestRebinding(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Skip(err)
	}
	port := fmt.Sprint(l.Addr().(*net.TCPAddr).Port)
	within := canary(t, "127.0.0.3:"+port)
	var served atomic.Int32
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if served.Add(1); r.URL.Path == "/moved.png" {
			http.Redirect(w, r, "/a.png", http.StatusFound)
			return
		}
		fmt.Fprint(w, png)
	}))
	_ = server.Listener.Close()
	server.Listener = l
	server.StartTLS()
	defer server.Close()
	authorities := x509.NewCertPool()
	authorities.AddCert(server.Certificate())
	outer := func(a netip.Addr) bool { return a == netip.MustParseAddr("127.0.0.2") }
	fetch := func(o *Opener, path string) *Error {
		t.Helper()
		f, closer, err := o.Open(t.Context(), wp.File{From: &wp.Source{Address: "https://example.com:" + port + path, Hosts: []string{"example.com:" + port}}})
		_, _, why := read(t, f, closer, err)
		return why
	}
	o := &Opener{authorities: authorities, public: outer}
	// One lookup, one answer: it works.
	o.resolver, _ = nameserver(t, "127.0.0.2")
	if err := fetch(o, "/moved.png"); err != nil || served.Load() != 2 {
		t.Fatalf("%v after %d requests", err, served.Load())
	}
	var asked *atomic.Int32
	o.resolver, asked = nameserver(t, "127.0.0.2", "127.0.0.3")
	err2 := fetch(o, "/moved.png")
	if err2 == nil || !strings.Contains(err2.Message, "does not lead to the public Internet") || !strings.Contains(err2.Error(), "example.com leads to 127.0.0.3") {
		t.Errorf("%v", err2)
	}
	if served.Load() != 3 || asked.Load() != 2 {
		t.Errorf("%d requests, %d lookups", served.Load(), asked.Load())
	}
	o.public = nil
	for _, address := range []string{"127.0.0.3", "127.0.0.2", "169.254.169.254", "10.0.0.1", "0.0.0.0"} {
		o.resolver, _ = nameserver(t, address)
		if err := fetch(o, "/a.png"); err == nil || !strings.Contains(err.Message, "does not lead to the public Internet") || strings.Contains(err.Message+err.Next, address) {
			t.Errorf("%s: %v", address, err)
		}
	}
	if within.Load() != 0 || served.Load() != 3 {
		t.Errorf("%d connections to an inner address, %d requests", within.Load(), served.Load())
	}
}
