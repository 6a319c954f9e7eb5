package wp

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"
)

// Source is where the bytes of a [File] are, where the file itself has none:
// whoever sends it opens the source first. It has a path or an address, and with
// it what an operator allows.
type Source struct {
	// Path is a file below one of Roots, with slashes between its parts.
	Path string `json:",omitempty"`
	// Roots are directories of this machine, as whole paths.
	Roots []string `json:"-"`
	// Address is a URL on one of Hosts.
	Address string `json:",omitempty"`
	// Hosts are names of hosts: "host" is one at the usual port, "host:port" at
	// that one.
	Hosts []string `json:"-"`
}

// CheckPath refuses what cannot be the path of a file below a directory: what leads
// up or begins elsewhere, and what is hidden. What it leads to on the disk is for
// who opens it.
func (s Source) CheckPath() error {
	switch {
	case len(s.Path) > maxFilePath:
		return fmt.Errorf("must not be longer than %d bytes", maxFilePath)
	case strings.ContainsFunc(s.Path, unicode.IsControl):
		return errors.New("must not hold control characters")
	case strings.HasPrefix(s.Path, "/"):
		return errors.New("must be relative, such as 2026/picture.png: it begins at the directory that files are taken from")
	case strings.ContainsAny(s.Path, `\:`):
		return errors.New(`must have neither \ nor : in it, and slashes between its parts, such as 2026/picture.png`)
	}
	for part := range strings.SplitSeq(s.Path, "/") {
		switch {
		case part == ".." || part == ".":
			return errors.New("must not hold . or ..: it begins at the directory that files are taken from")
		case part == "":
			return errors.New("must be the path of a file, such as 2026/picture.png")
		case strings.HasPrefix(part, "."):
			return errors.New("must not be of a hidden file or directory, whose name begins with a dot")
		}
	}
	return nil
}

// CheckAddress reads the address and refuses one that is not on one of the hosts.
// Only to this machine, written as such, it may be http.
func (s Source) CheckAddress() (*url.URL, error) {
	if len(s.Address) > MaxTarget {
		return nil, fmt.Errorf("must not be longer than %d bytes", MaxTarget)
	}
	u, err := url.Parse(s.Address)
	if err != nil || u.Host == "" || u.Opaque != "" {
		return nil, errors.New("must be a whole address, such as https://" + s.someHost() + "/picture.png")
	}
	return u, s.Allows(u)
}

// Allows tells why nothing may be fetched from an address; nil where it may.
func (s Source) Allows(u *url.URL) error {
	switch {
	case u.User != nil:
		return errors.New("must not hold a user or a password")
	case u.Scheme != "https" && (u.Scheme != "http" || !IsLoopback(u.Hostname())):
		return errors.New("must begin with https://")
	case !slices.ContainsFunc(s.Hosts, func(host string) bool { return strings.EqualFold(atUsual(host, u.Scheme), atUsual(u.Host, u.Scheme)) }):
		return errors.New("must be on " + s.Alternatives() + ": files are taken from nowhere else")
	}
	return nil
}

// Shown is the source for people and logs. Of an address it lacks the query, whose
// values may be secrets.
func (s Source) Shown() string {
	if s.Address == "" {
		return s.Path
	}
	return ShownAddress(s.Address)
}

// ShownAddress is an address for people and logs, without what may be a secret:
// its query, and a user.
func ShownAddress(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Opaque != "" {
		return redacted
	}
	text := (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}).String()
	if u.RawQuery != "" {
		text += "?" + redacted
	}
	return text
}

// Name is what a file is called where it is; empty where the source does not say.
func (s Source) Name() string {
	named := s.Path
	if u, err := url.Parse(s.Address); named == "" && err == nil {
		named = u.Path
	}
	if named = path.Base("/" + named); named == "/" {
		return ""
	}
	return named
}

// Alternatives are the hosts as a sentence has them: "a.example or b.example".
func (s Source) Alternatives() string {
	const most = 5
	text := strings.Join(s.Hosts[:min(len(s.Hosts), most)], ", ")
	if len(s.Hosts) > most {
		return fmt.Sprintf("%s or %d more", text, len(s.Hosts)-most)
	}
	if at := strings.LastIndex(text, ", "); at > 0 {
		text = text[:at] + " or" + text[at+1:]
	}
	return text
}

// Example is an address that the hosts allow.
func (s Source) Example() string {
	scheme, host := "https", s.someHost()
	if u := (url.URL{Host: host}); IsLoopback(u.Hostname()) {
		scheme = "http"
	}
	return scheme + "://" + host + "/picture.png"
}

func (s Source) someHost() string {
	if len(s.Hosts) == 0 {
		return "images.example"
	}
	return s.Hosts[0]
}

// atUsual is a host with its port, which is the scheme's own where it says none.
func atUsual(host, scheme string) string {
	u := url.URL{Host: host}
	switch {
	case u.Port() != "":
		return host
	case scheme == "http":
		return u.Hostname() + ":80"
	}
	return u.Hostname() + ":443"
}
