package release

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// listeners are several listens at once: each is acknowledged before anything
// has changed, and hears of a change, as events of their own that nothing holds
// back. That an idle one outlives the proxy's patience is not tried, it takes
// longer than a minute: package runtime tests that it is never silent for so long.
func (p *proxy) listeners(t *testing.T, said *log) {
	write(t, p.curation, draft, 0o644)
	const n = 5
	heard := make(chan string, 10*n)
	listen := func(id int) (*http.Response, error) {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`, id)
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://"+proxied+"/mcp", strings.NewReader(body))
		if err != nil {
			return nil, err
		}
		for name, value := range map[string]string{
			"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Accept-Encoding": "gzip",
			"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "subscriptions/listen",
		} {
			r.Header.Set(name, value)
		}
		return p.client(token).Do(r)
	}
	for id := range n {
		resp, err := listen(id)
		if err != nil {
			t.Fatal(err)
		}
		if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Encoding") != "" || !strings.HasPrefix(resp.Header.Get("Cache-Control"), "no-store") {
			t.Fatalf("%d %v", resp.StatusCode, resp.Header)
		}
		go func() {
			// A stream that is cut is opened again, as a client does.
			for ; err == nil; resp, err = listen(id) {
				for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
					if data, event := strings.CutPrefix(lines.Text(), "data: "); event {
						select {
						case heard <- data:
						case <-t.Context().Done():
						}
					}
				}
				_ = resp.Body.Close()
			}
		}()
	}
	// Proxies written in Go cut a stream now and then whose answer begins before they
	// have seen the end of the request's body (net/http takes it from under them
	// without EnableFullDuplex); toolpress has written what is lost without an error.
	// Another change is made then, and has to come through.
	hear := func(method string, change func(again int)) {
		t.Helper()
		from := map[string]bool{}
		change(0)
		for again := 0; len(from) < n; {
			select {
			case text := <-heard:
				var message struct {
					Method string
					Params struct {
						Meta map[string]json.RawMessage `json:"_meta"`
					}
				}
				if err := json.Unmarshal([]byte(text), &message); err != nil {
					t.Fatal(err)
				}
				if message.Method == method {
					from[string(message.Params.Meta["io.modelcontextprotocol/subscriptionId"])] = true
				}
			case <-time.After(10 * time.Second):
				if again++; again < 3 {
					t.Logf("%s came to %v alone: once more", method, from)
					change(again)
					continue
				}
				t.Fatalf("%s came to %v; the logs:\n%s\n%s", method, from, said, p.said)
			}
		}
	}
	hear("notifications/subscriptions/acknowledged", func(int) {})
	hear("notifications/tools/list_changed", func(again int) {
		write(t, p.curation, strings.Replace(draft, "draft_post:", fmt.Sprintf("heard_%d:", again), 1), 0o644)
	})
}
