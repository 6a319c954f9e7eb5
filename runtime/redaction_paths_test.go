package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"toolpress/curate"
	"toolpress/discover/wp"
)

// debug is a logger at the lowest level.
func (l *logs) debug() *slog.Logger {
	return slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// allSecrets is every secret in one text, for whatever may be quoted.
func allSecrets() string {
	var all []string
	for _, value := range secrets {
		all = append(all, value)
	}
	return strings.Join(all, " ")
}

// T21, T40: of a tool with private fields no kind of failure tells anything that the
// site said, wherever in the error it is: not to the model, the log at its lowest
// level, the audit with its values, nor the operator's readiness.
func TestNoFailureTells(t *testing.T) {
	quoted := func(kind wp.Kind, status int, code string) error {
		data, _ := json.Marshal(map[string]any{"status": status, "trace": allSecrets(), "params": map[string]any{"email": allSecrets(), "billing": allSecrets()}})
		return &wp.Error{
			Kind: kind, Status: status, Code: code, Method: "GET", Sent: status > 0, Message: allSecrets(), Data: data, Location: "https://x.example/" + allSecrets(), Excerpt: allSecrets(),
			URL: "https://t.example/wp-json/wc/v3/orders/" + allSecrets(), Err: errors.New(allSecrets()),
		}
	}
	failures := []error{errors.New(allSecrets()), fmt.Errorf("%s: %w", allSecrets(), context.Canceled), fmt.Errorf("%s: %w", allSecrets(), context.DeadlineExceeded)}
	for _, kind := range []wp.Kind{wp.Redirected, wp.NotJSON} {
		for _, status := range []int{200, 301, 500} {
			failures = append(failures, quoted(kind, status, ""))
		}
	}
	for _, kind := range []wp.Kind{wp.Unreachable, wp.BadTLS, wp.TimedOut, wp.Crowded, wp.Broken, wp.TooLarge, wp.Echoed, "new"} {
		failed := quoted(kind, 0, "").(*wp.Error)
		failed.Err = errors.New("connection refused") // the machine's own words; see [wp.Credential.Quiet]
		failures = append(failures, failed)
	}
	for _, status := range []int{400, 401, 403, 404, 410, 429, 500, 501, 503} {
		for _, code := range []string{"", "rest_forbidden", "rest_invalid_param", "woocommerce_rest_cannot_view", "ability_callback_exception", "acme_odd", allSecrets()} {
			failures = append(failures, quoted(wp.Refused, status, code))
		}
	}
	private, _ := json.Marshal(map[string]any{"mail": secrets["a private value"], "meta": map[string]any{"token": secrets["a cookie"]}})
	for _, failure := range failures {
		var log logs
		w := newAudited(t, fails(failure), Options{Log: log.debug(), AuditValues: true})
		w.s.jitter = func(time.Duration) time.Duration { return 0 }
		res, line := w.call("find_orders", string(private), asking{})
		text, _ := json.Marshal(res)
		if !res.IsError || !strings.Contains(log.String(), "call failed") {
			t.Fatalf("the site was not asked: %s %s", text, line)
		}
		for where, text := range map[string]string{"the model": string(text), "the log": log.String(), "the audit": line} {
			if found := leaked(text); found != nil {
				t.Errorf("%T %.60v: %s is told %q", failure, failure, where, found)
			}
		}
	}
}

// T40: a panic is logged by its type and its place, wherever it is: in a call, in what
// writes the audit, in a handler. What was thrown is quoted nowhere.
func TestNoPanicIsQuoted(t *testing.T) {
	var log logs
	thrower := siteFunc(func(context.Context, wp.Request) (*wp.Response, error) { panic(errors.New(allSecrets())) })
	s, web := serve(t, shopCatalog(t), Options{Site: thrower, Log: log.debug(), Audit: writerFunc(func([]byte) (int, error) { panic(allSecrets()) })})
	own := httptest.NewUnstartedServer(nil)
	own.Config = s.web(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/abort" {
			panic(http.ErrAbortHandler)
		}
		panic(allSecrets())
	}))
	own.Start()
	defer own.Close()
	got := send(t, nil, web.URL+"/mcp", modernCall("tools/call", `"name":"find_orders","arguments":{}`), "Mcp-Name: find_orders")
	if !strings.Contains(got.message, "internal error") {
		t.Error(got.message)
	}
	for _, path := range []string{"/", "/abort"} {
		if _, err := http.Get(own.URL + path); err == nil {
			t.Errorf("%s answers", path)
		}
	}
	if found := leaked(log.String() + got.message + fmt.Sprint(got.header)); found != nil {
		t.Errorf("%q", found)
	}
	if n := strings.Count(log.String(), "panic="); n != 3 {
		t.Errorf("%d panics are logged:\n%s", n, log.String())
	}
}

// writerFunc is a writer.
type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// T21: what is private is in no answer that is kept, nor in the question that a person
// is asked, nor in what a client keeps of it; whatever the site said before.
func TestNothingPrivateIsKept(t *testing.T) {
	private, _ := json.Marshal(secrets["a private value"])
	site := &upstream{who: "a", do: func(context.Context, wp.Request, int) (*wp.Response, error) {
		return &wp.Response{Status: 200, Header: http.Header{"Etag": {`"1"`}}, JSON: json.RawMessage(`[{"id":1,"email":` + string(private) + `,"billing":{"street":` + string(private) + `},"kind":"open"}]`)}, nil
	}}
	s := NewServer(shelf(t, `  ask: { from: "POST /t/v1/things/{id}", confirm: { when: always, ask: "Save {id} on {site}?" } }
private: [{ match: { namespace: t/v1 }, fields: [email, billing.**] }]
`), Options{Site: site})
	for range 2 {
		if _, text := called(t, s, "list", `{"page":1}`); !strings.Contains(text, `"open"`) || leaked(text) != nil {
			t.Errorf("a client gets %s", text)
		}
	}
	n := 0
	for at := s.cache.recent.Front(); at != nil; at = at.Next() {
		k := at.Value.(*kept)
		if n++; leaked(fmt.Sprintf("%s %+v", k.value, *k)) != nil || !strings.Contains(string(k.value), `"open"`) {
			t.Errorf("kept: %s", k.value)
		}
	}
	if n != 1 || len(site.asked) != 1 {
		t.Errorf("%d answers are kept, the site was asked %d times", n, len(site.asked))
	}
	p := s.current.Load().profiles[curate.DefaultProfile]
	a := p.admission(p.byName["ask"])
	a.asking = asking{able: true, modern: true}
	res, err := s.call(t.Context(), a, json.RawMessage(`{"id":1,"kind":"x"}`))
	text, _ := json.Marshal(res)
	if err != nil || !strings.Contains(string(text), "Save 1 on t.example?") || leaked(string(text)) != nil || strings.Contains(string(text), "open") {
		t.Errorf("asked: %s %v", text, err)
	}
}

// T40: whatever prints an option prints no secret of it, at any depth.
func TestOptionsPrintNoSecret(t *testing.T) {
	token, password := wp.NewSecret(secrets["the client's token"]), wp.NewSecret(secrets["the site's password"])
	access := Access{Tokens: []wp.Secret{token}}
	opts := Options{Token: token, StateKey: password, Access: func(*curate.Profile) Access { return access }}
	s := NewServer(catalog("one", "a"), opts)
	for _, v := range []any{opts, &opts, access, &access, []Access{access}, map[string]Access{"a": access}, s, s.seals, s.tokens, &mcp.Tool{Meta: mcp.Meta{"a": token}}, token, &token} {
		var log logs
		log.debug().Debug("x", "v", v)
		slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "v", v)
		text, _ := json.Marshal(v) // functions cannot be: nothing then
		var said strings.Builder
		said.WriteString(log.String() + string(text))
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
			said.WriteString(fmt.Sprintf(verb, v))
		}
		if found := leaked(said.String()); found != nil {
			t.Errorf("%T prints %q", v, found)
		}
	}
}
