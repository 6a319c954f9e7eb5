// Package parity proves that the embedded WordPress (discover/wptest) answers
// as a real one does: one table of requests goes to both over HTTP, and status,
// the headers that matter and the shape of the body are compared. Where they
// differ the embedded one is wrong.
//
//	test/wordpress/site run -- go test ./test/parity
//
// It needs TOOLPRESS_TEST_SITE to know that a real WordPress can be had, and
// then starts one of its own, because the table writes.
package parity

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"toolpress/discover/wptest"
	"toolpress/test/running"
)

func TestMain(m *testing.M) {
	switch version := os.Getenv("TOOLPRESS_TEST_VERSION"); {
	case os.Getenv("TOOLPRESS_TEST_SITE") == "":
		fmt.Println("SKIP parity: no TOOLPRESS_TEST_SITE; run test/wordpress/site run -- go test ./test/parity")
		os.Exit(0)
	case version != "" && !strings.HasPrefix(version, wptest.Version+".") && version != wptest.Version:
		fmt.Printf("SKIP parity: the embedded site is WordPress %s, this one is %s\n", wptest.Version, version)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// fresh starts a WordPress for one test.
func fresh(t *testing.T) target {
	t.Helper()
	env := map[string]string{}
	if own, err := running.OwnSite(t); err == nil {
		env = own.Env
	} else { // not Debian: somebody's own bookshop has to do
		for _, line := range os.Environ() {
			name, value, _ := strings.Cut(line, "=")
			env[name] = value
		}
	}
	site := newTarget("real")
	site.base = env["TOOLPRESS_TEST_SITE"]
	for name, value := range env {
		name, ours := strings.CutPrefix(name, "TOOLPRESS_TEST_")
		if role, isUser := strings.CutSuffix(name, "_PASSWORD"); ours && isUser {
			site.passwords[strings.ToLower(role)] = value
		}
	}
	return site
}

// target is one of the two sites.
type target struct {
	name, base string
	passwords  map[string]string // by login
	// ids are the numbers that were captured, by name and back.
	ids   map[string]string
	names map[string]string
}

func newTarget(name string) target {
	return target{name: name, passwords: map[string]string{}, ids: map[string]string{}, names: map[string]string{}}
}

// embedded starts the site under test.
func embedded(t *testing.T) target {
	t.Helper()
	site := wptest.New(wptest.Files())
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	fake := newTarget("embedded")
	fake.base = server.URL
	for _, u := range site.Users() {
		fake.passwords[u.Login] = u.Password
	}
	return fake
}

// reply is one answer, with the site's own address and numbers taken out.
type reply struct {
	status int
	header http.Header
	body   []byte
}

var placeholder = regexp.MustCompile(`\{(\w+)\}`)

func (t *target) fill(text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(name string) string {
		if id, ok := t.ids[name[1:len(name)-1]]; ok {
			return id
		}
		return name
	})
}

// send asks the site, and remembers the number of what came back.
func (t *target) send(tb testing.TB, c call) reply {
	tb.Helper()
	method, path, _ := strings.Cut(c.do, " ")
	if !strings.HasPrefix(path, "//") {
		path = "/wp-json" + path
	} else {
		path = path[1:]
	}
	body := c.body
	if c.file == nil {
		body = t.fill(body)
	} else {
		body = string(c.file)
	}
	r, err := http.NewRequest(method, t.base+t.fill(path), strings.NewReader(body))
	if err != nil {
		tb.Fatal(err)
	}
	if strings.HasPrefix(body, "{") && c.file == nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, h := range c.header {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	if password := t.passwords[c.as]; c.as == "stranger" {
		r.SetBasicAuth("admin", "this is not the password")
	} else if c.as != "" {
		r.SetBasicAuth(c.as, password)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(r)
	if err != nil {
		tb.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		tb.Fatal(err)
	}
	if c.save != "" {
		t.capture(c.save, text)
	}
	return reply{status: resp.StatusCode, header: resp.Header, body: text}
}

var firstID = regexp.MustCompile(`"id":(\d+)`)

func (t *target) capture(name string, body []byte) {
	var of struct{ ID json.Number }
	if json.Unmarshal(body, &of) != nil || of.ID == "" { // a deletion, or none
		if found := firstID.FindSubmatch(body); found != nil {
			of.ID = json.Number(found[1])
		}
	}
	if of.ID != "" {
		t.ids[name] = of.ID.String()
		t.names[of.ID.String()] = name
	}
}

// known writes a captured number as its name, and any other as it is.
func (t *target) known(id float64) string {
	number := strconv.FormatFloat(id, 'f', -1, 64)
	return t.named(number)
}

// named writes a captured number as its name. The latest capture wins.
func (t *target) named(number string) string {
	if name, ok := t.names[number]; ok && t.ids[name] == number {
		return "{" + name + "}"
	}
	return number
}

// Every request of the table gets the same answer from both sites.
func TestAnswers(t *testing.T) {
	wordpress, fake := fresh(t), embedded(t)
	differing := 0
	var report bytes.Buffer
	out := bufio.NewWriter(&report)
	allowed := 0
	for _, c := range table() {
		want, got := wordpress.send(t, c), fake.send(t, c)
		for _, d := range compare(&wordpress, &fake, c, want, got) {
			if reason := c.accepts(d); reason != "" {
				allowed++
				t.Logf("allowed: %s %s: %s (%s)", c.who(), c.do, d, reason)
				continue
			}
			differing++
			fmt.Fprintf(out, "%-10s | %-60s | %s\n", c.who(), c.do, d)
		}
	}
	_ = out.Flush()
	t.Logf("%d requests, %d differences, %d allowed", len(table()), differing, allowed)
	if differing > 0 {
		t.Errorf("the embedded site differs from the real one:\n%s", report.String())
	}
}
