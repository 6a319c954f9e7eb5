package runtime

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
	"toolpress/discover/wp"
)

// slow is a site on a real connection that answers nothing until its client is
// gone.
type slow struct {
	client      *wp.Client
	asked, gone chan struct{}
}

func newSlow(t *testing.T) *slow {
	t.Helper()
	s := &slow{asked: make(chan struct{}, 10), gone: make(chan struct{}, 10)}
	web := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		s.asked <- struct{}{}
		<-r.Context().Done()
		s.gone <- struct{}{}
	}))
	t.Cleanup(web.Close)
	u, _ := url.Parse(web.URL + "/wp-json/")
	client, err := wp.NewClient(u, wp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	s.client = client.At(u)
	return s
}

// A client that cancels its call ends the request to the site: in the modern era by
// closing its own, in a session with notifications/cancelled.
func TestCancellation(t *testing.T) {
	for _, era := range eras {
		site := newSlow(t)
		var audit logs
		s, web := serve(t, catalog("one", "a"), Options{Site: site.client, Audit: &audit})
		cs := connect(t, web.URL+"/mcp", era, nil, nil)
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() {
			if res, err := cs.CallTool(ctx, &mcp.CallToolParams{Name: "a"}); err == nil {
				t.Errorf("%s: %+v", era, res)
			}
		})
		<-site.asked
		cancel()
		<-site.gone
		wg.Wait()
		if err := s.Shutdown(t.Context()); err != nil { // the line is written
			t.Error(err)
		}
		if !strings.Contains(audit.String(), `"outcome":"cancelled"`) {
			t.Errorf("%s: %s", era, audit.String())
		}
	}
}

// On the standard streams a cancelled call ends its request and gets no answer, in
// both eras.
func TestCancellationOverStdio(t *testing.T) {
	for _, modern := range []bool{false, true} {
		site := newSlow(t)
		s := NewServer(catalog("one", "a"), Options{Site: site.client})
		inR, inW := io.Pipe()
		out := &logs{}
		ended := make(chan error, 1)
		go func() { ended <- s.ServeStdio(context.Background(), curate.DefaultProfile, inR, out) }()
		say := func(lines ...string) {
			for _, line := range lines {
				_, _ = io.WriteString(inW, line+"\n")
			}
		}
		if modern {
			say(modernCall("tools/call", `"name":"a"`))
		} else {
			say(hello, initialized, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}`)
		}
		<-site.asked
		say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
		<-site.gone
		_ = inW.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if strings.Contains(out.String(), `"id":1`) {
			t.Errorf("modern %t: %s", modern, out)
		}
	}
}
