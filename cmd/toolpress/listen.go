package main

import (
	"errors"
	"fmt"
	"net"
	"regexp"
	"strconv"
	"strings"
	"syscall"

	"toolpress/discover/wp"
)

// checkListen refuses an address that others reach where somebody would be let in
// without a token, and tokens that cannot be used.
func (s *source) checkListen(f serveFlags) error {
	host, _, err := net.SplitHostPort(f.listen)
	if err != nil {
		return notAnAddress("--listen", f.listen, err)
	}
	if err := s.serverTokens(); err != nil {
		return err
	}
	if !wp.IsLoopback(host) && !f.noAuth {
		s.tokens.exposed = f.listen
	}
	return s.keys(s.curation.Profiles())
}

func notAnAddress(flag, address string, err error) error {
	hint := "an address is host:port, such as 127.0.0.1:8080"
	if strings.Count(address, ":") > 1 && !strings.HasPrefix(address, "[") {
		hint = "an address of IPv6 stands in brackets before its port, such as [::1]:8080"
	}
	return usage(fmt.Sprintf("%s %s: %v", flag, address, err), hint)
}

// ownMachine is an address without a host as this machine's own.
func ownMachine(address string) string {
	if host, port, err := net.SplitHostPort(address); err == nil && host == "" {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return address
}

// listen takes the port that a flag names.
func listen(flag, address string) (net.Listener, error) {
	if _, _, err := net.SplitHostPort(address); err != nil {
		return nil, notAnAddress(flag, address, err)
	}
	l, err := net.Listen("tcp", address)
	if err == nil {
		return l, nil
	}
	f := &failure{err: fmt.Errorf("listening on %s: %w", address, err), code: exitFailed}
	var name *net.DNSError
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		f.hint = "another program has this port: name another, such as " + flag + " " + nextPort(address)
	case errors.Is(err, syscall.EACCES):
		f.hint = "ports below 1024 are for root: name one above, such as " + flag + " " + above(address) + ", and let a web server stand in front"
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		f.hint = "this machine has no such address: 127.0.0.1 is for itself, 0.0.0.0 and [::] are all it has"
	case errors.As(err, &name):
		f.hint = "the host is an address of this machine, such as 127.0.0.1, 0.0.0.0 or [::1]"
	default:
		f.hint = "an address is host:port, such as 127.0.0.1:8080, with a port of 0 to 65535"
	}
	return nil, f
}

// nextPort is an address with the next port.
func nextPort(address string) string {
	host, port, err := net.SplitHostPort(address)
	n, errPort := strconv.Atoi(port)
	if err != nil || errPort != nil || n >= 65535 {
		return "127.0.0.1:0"
	}
	return net.JoinHostPort(host, strconv.Itoa(n+1))
}

// above is an address with a port that is anybody's.
func above(address string) string {
	host, _, _ := net.SplitHostPort(address) // it was split before
	return net.JoinHostPort(host, "8080")
}

// byteSize is a size, as a flag: 16MiB.
type byteSize int64

var sizes = regexp.MustCompile(`^(\d{1,9})\s*(B|KiB|MiB)?$`)

// The least and the most that a request may be allowed to have. Below, clients'
// own messages would not go through.
const (
	leastBody byteSize = 64 << 10
	mostBody  byteSize = 64 << 20
)

// Set implements [pflag.Value].
func (b *byteSize) Set(text string) error {
	m := sizes.FindStringSubmatch(text)
	if m == nil {
		return errors.New("write it like 16MiB; it is 64KiB to 64MiB")
	}
	n, _ := strconv.ParseInt(m[1], 10, 64) // nine digits at most
	size := byteSize(n * map[string]int64{"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20}[m[2]])
	if size < leastBody || size > mostBody {
		return errors.New("it is 64KiB to 64MiB")
	}
	*b = size
	return nil
}

// String implements [pflag.Value]; a size that was not said is none.
func (b *byteSize) String() string {
	if *b == 0 {
		return ""
	}
	return strconv.FormatInt(int64(*b), 10)
}

// Type implements [pflag.Value].
func (b *byteSize) Type() string { return "size" }
