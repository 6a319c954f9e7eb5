package wp

import (
	"strings"
	"testing"
)

// T05, T41: a path begins at the directory and stays below it, as far as that can be
// told without looking.
func TestCheckPath(t *testing.T) {
	for path, want := range map[string]string{
		"picture.png":                       "",
		"2026/a b/Größe (1).png":            "",
		"a/b../c..png":                      "",
		"/etc/passwd":                       "must be relative",
		"../a.png":                          "must not hold . or ..",
		"a/../../b.png":                     "must not hold . or ..",
		"./a.png":                           "must not hold . or ..",
		"a//b.png":                          "must be the path of a file",
		"a/":                                "must be the path of a file",
		".env":                              "hidden",
		".git/config.txt":                   "hidden",
		`a\..\b.png`:                        "slashes",
		`C:\a.png`:                          "slashes",
		"c:a.png":                           "slashes",
		"a.png:stream":                      "slashes",
		"a\x00.png":                         "control",
		"a\n.png":                           "control",
		strings.Repeat("a/", 500) + "b.png": "longer than 1000 bytes",
	} {
		err := Source{Path: path}.CheckPath()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %s", path, err, want)
		}
	}
}

// T01: an address is on a host of the list, at its port, over https; over http to this
// machine alone.
func TestCheckAddress(t *testing.T) {
	s := Source{Hosts: []string{"images.example", "cdn.example:8443", "127.0.0.1:8080", "localhost"}}
	for address, want := range map[string]string{
		"https://images.example/a.png":                        "",
		"https://IMAGES.example/a.png?sig=1":                  "",
		"https://images.example:443/a.png":                    "",
		"https://cdn.example:8443/a.png":                      "",
		"http://127.0.0.1:8080/a.png":                         "",
		"https://127.0.0.1:8080/a.png":                        "",
		"http://localhost/a.png":                              "",
		"http://images.example/a.png":                         "must begin with https://",
		"https://images.example:8443/a.png":                   "must be on images.example, cdn.example:8443, 127.0.0.1:8080 or localhost",
		"https://cdn.example/a.png":                           "must be on",
		"http://127.0.0.1/a.png":                              "must be on",
		"http://127.0.0.2:8080/a.png":                         "must be on",
		"https://evil.example/?images.example":                "must be on",
		"https://images.example.evil.example/a":               "must be on",
		"https://evil.example#@images.example/":               "must be on",
		"https://images.example@evil.example/":                "must not hold a user",
		"https://u:p@images.example/a.png":                    "must not hold a user",
		"file:///etc/passwd":                                  "must be a whole address",
		"images.example/a.png":                                "must be a whole address",
		"https:images.example/a.png":                          "must be a whole address",
		"ftp://images.example/a.png":                          "must begin with https://",
		"http://2130706433:8080/a.png":                        "must begin with https://",
		"https://images.example/\x01":                         "must be a whole address",
		"https://[::ffff:127.0.0.1]:8080/":                    "must be on",
		"https://images.example./a.png":                       "must be on",
		"https://images.example/" + strings.Repeat("a", 8000): "longer than",
	} {
		s.Address = address
		u, err := s.CheckAddress()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) || err == nil && u == nil {
			t.Errorf("%.60q: %v, want %s", address, err, want)
		}
	}
	s = Source{Hosts: []string{"a", "b", "c", "d", "e", "f", "g"}}
	if got := s.Alternatives(); got != "a, b, c, d, e or 2 more" {
		t.Error(got)
	}
}

// T40: a query may hold a secret, and is shown nowhere.
func TestShownAddress(t *testing.T) {
	for address, want := range map[string]string{
		"https://images.example/a%2Fb.png?sig=CANARY#CANARY": "https://images.example/a%2Fb.png?[redacted]",
		"https://u:CANARY@images.example/a.png":              "https://images.example/a.png",
		"mailto:CANARY":                                      "[redacted]",
		"https://%zz/CANARY":                                 "[redacted]",
	} {
		if got := (Source{Address: address}).Shown(); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
	for want, s := range map[string]Source{
		"c.png": {Path: "a/b/c.png"}, "a b.png": {Address: "https://h.example/x/a%20b.png?c=/d.png"}, "": {Address: "https://h.example/"},
	} {
		if got := s.Name(); got != want {
			t.Errorf("%+v: %q, want %q", s, got, want)
		}
	}
}
