package runtime

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"toolpress/curate"
	"toolpress/discover"
	"toolpress/discover/wp"
	"toolpress/generate"
)

var update = flag.Bool("update", false, "rewrite testdata/talk")

// The protocol, as it is on the wire: each file of testdata/talk is a topic and
// each of its sections a conversation with a server of its own. What is sent is
// written there and what comes back is compared, to the byte.
//
//	-> POST /mcp                           a request
//	-> Mcp-Session-Id: SESSION             its headers
//	-> {"jsonrpc":"2.0",…}                 its body
//	<- 200 application/json                the answer
//	<- Mcp-Session-Id: SESSION             the headers that matter
//	<- {"jsonrpc":"2.0",…}                 its body, or an event of a stream, a line each
//
// SESSION, STATE and CURSOR are the session id, requestState and nextCursor that
// were received last; ${repeat N TEXT} is TEXT, N times. Content-Type and Accept
// are sent as every client does, unless they are written. Other lines are
// comments.
func TestTalk(t *testing.T) {
	names, err := filepath.Glob("testdata/talk/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		file, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range file.Files {
			section := &file.Files[i]
			t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar")+"/"+section.Name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					said := converse(t, string(section.Data))
					if *update {
						section.Data = []byte(said)
					} else if diff := gocmp.Diff(string(section.Data), said); diff != "" {
						t.Errorf("what is answered (+) is not what %s has (-); go test ./runtime -run TestTalk -update rewrites it:\n%s", name, diff)
					}
				})
			})
		}
		if *update {
			if err := os.WriteFile(name, txtar.Format(file), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// talkCuration are the tools that the conversations use.
const talkCuration = `version: 1
server: { instructions: Be kind. }
tools:
  drop_thing: { from: "DELETE /t/v1/things/{id}", title: Drop a thing, description: Drop a thing for good., confirm: { ask: "Drop {id}?", fields: { how: { enum: [now, later], required: true } } } }
  find_things: { from: GET /t/v1/things, title: Find things, description: Find things of a kind. }
  read_thing: { from: "GET /t/v1/things/{id}", title: Read a thing, description: Read a thing by its id. }
`

// talkSite says what it was asked; there is no thing 404.
func talkSite(_ context.Context, r wp.Request) (*wp.Response, error) {
	route := r.Method + " " + r.Route()
	if strings.HasSuffix(route, "/404") {
		return nil, &wp.Error{Kind: wp.Refused, Sent: true, Status: 404, Code: "no_thing", Message: "There is no such thing."}
	}
	text, err := json.Marshal(map[string]string{"asked": route})
	return &wp.Response{Status: 200, Header: http.Header{}, JSON: text}, err
}

func talkCatalog(t *testing.T) *curate.Catalog {
	t.Helper()
	id := []discover.PathParam{{Name: "id", Pattern: `[\d]+`}}
	site := &discover.Site{URL: "https://t.example", Root: "https://t.example/wp-json/", Routes: []discover.Route{
		{Path: "/t/v1/things", Pattern: "/t/v1/things", Namespace: "t/v1", Endpoints: []discover.Endpoint{{
			Methods: []string{"GET"}, Args: map[string]any{"kind": map[string]any{"type": "string", "enum": []any{"a", "b"}}},
		}}},
		{Path: "/t/v1/things/{id}", Pattern: `/t/v1/things/(?P<id>[\d]+)`, Namespace: "t/v1", Params: id, Endpoints: []discover.Endpoint{
			{Methods: []string{"GET"}}, {Methods: []string{"DELETE"}},
		}},
	}}
	c, err := curate.Parse("curation.yaml", []byte(talkCuration), nil)
	if err != nil {
		t.Fatal(err)
	}
	made, findings := c.Apply(generate.FromSite(site), nil)
	if len(made.Profiles[curate.DefaultProfile].Tools) != 3 {
		t.Fatal(findings, made.Withheld)
	}
	return made
}

// conversation is a client that remembers what it was given.
type conversation struct {
	client *http.Client
	// given is what was received last, by the name that the files have for it.
	given map[string]string
}

// handed is what a body gives a client to send back.
var handed = map[string]*regexp.Regexp{
	"STATE":  regexp.MustCompile(`"requestState":"([^"]+)"`),
	"CURSOR": regexp.MustCompile(`"nextCursor":"([^"]+)"`),
}

// converse holds a conversation and returns it with the answers that came.
func converse(t *testing.T, script string) string {
	t.Helper()
	s := NewServer(talkCatalog(t), Options{Site: siteFunc(talkSite), PageSize: 2, MaxBody: 64 << 10})
	network := newPipes()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.Serve(ctx, network) }()
	c := &conversation{client: network.client(), given: map[string]string{}}
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		c.client.CloseIdleConnections()
	}()

	var said strings.Builder
	var request []string
	answer := func() {
		if len(request) > 0 {
			said.WriteString(c.exchange(t, request))
		}
		request = nil
	}
	for line := range strings.Lines(script) {
		text, ours := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "-> ")
		switch {
		case ours:
			if requestLine.MatchString(text) {
				answer()
			}
			request = append(request, text)
			said.WriteString(line)
		case strings.HasPrefix(line, "<- "):
			answer()
		default:
			answer()
			said.WriteString(line)
		}
	}
	answer()
	return said.String()
}

// exchange sends a request and writes down what comes back.
func (c *conversation) exchange(t *testing.T, lines []string) string {
	t.Helper()
	method, path, _ := strings.Cut(lines[0], " ")
	var body io.Reader = http.NoBody
	header := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	for _, line := range lines[1:] {
		name, value, isHeader := strings.Cut(line, ": ")
		if !isHeader || !headerName.MatchString(name) {
			body = strings.NewReader(c.filled(line))
			continue
		}
		header.Set(name, c.filled(value))
	}
	r, err := http.NewRequestWithContext(t.Context(), method, "http://localhost"+path, body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header, r.Host = header, cmp.Or(header.Get("Host"), "localhost")
	resp, err := c.client.Do(r)
	if err != nil {
		t.Fatalf("%s: %v", lines[0], err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return c.written(resp, text)
}

var (
	requestLine = regexp.MustCompile(`^[A-Z]+ /`)
	headerName  = regexp.MustCompile(`^[A-Z][A-Za-z-]*$`)
	repeated    = regexp.MustCompile(`\$\{repeat (\d+) ([^}]+)\}`)
)

// filled is a line with its placeholders filled in.
func (c *conversation) filled(line string) string {
	for name, value := range c.given {
		line = strings.ReplaceAll(line, name, value)
	}
	return repeated.ReplaceAllStringFunc(line, func(m string) string {
		part := repeated.FindStringSubmatch(m)
		n, _ := strconv.Atoi(part[1]) // digits
		return strings.Repeat(part[2], n)
	})
}

// written is an answer as the files have it.
func (c *conversation) written(resp *http.Response, body []byte) string {
	if id := resp.Header.Get("Mcp-Session-Id"); id != "" {
		c.given["SESSION"] = id
	}
	for name, in := range handed {
		if found := in.FindSubmatch(body); found != nil {
			c.given[name] = string(found[1])
		}
	}
	var b strings.Builder
	fmt.Fprintln(&b, strings.TrimSpace(fmt.Sprintf("<- %d %s", resp.StatusCode, resp.Header.Get("Content-Type"))))
	for _, name := range []string{"Mcp-Session-Id", "Allow", "Retry-After", "WWW-Authenticate", "X-Accel-Buffering"} {
		if value := resp.Header.Get(name); value != "" {
			fmt.Fprintf(&b, "<- %s: %s\n", name, value)
		}
	}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		for line := range bytes.Lines(body) {
			if data, ok := bytes.CutPrefix(line, []byte("data: ")); ok {
				fmt.Fprintf(&b, "<- %s\n", bytes.TrimSpace(data))
			}
		}
	} else if body = bytes.TrimSpace(body); len(body) > 0 {
		fmt.Fprintf(&b, "<- %s\n", body)
	}
	said := b.String()
	for name, value := range c.given {
		said = strings.ReplaceAll(said, value, name)
	}
	return said
}
