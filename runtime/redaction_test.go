package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"toolpress/curate"
	"toolpress/discover/wp"
	planted "toolpress/test/canary"
)

// secrets of one conversation, by what they are.
var secrets = map[string]string{
	"the client's token":          "tok-4VbR/q9+Zw2LxT7e",
	"the site's password":         "abCD eFgH ijKL mnOP qrST uvWX",
	"a private value":             "ana.private@t.example",
	"an argument named as secret": "hunter2-hunter2-h2",
	"a cookie":                    "wordpress_logged_in_0a1b2c3d",
}

// leaked names the secrets that a text holds, in any of the forms they travel in.
func leaked(text string) []string { return canaries().Found(text) }

var canaries = sync.OnceValue(func() *planted.Finder {
	list := []planted.Secret{{What: "the site's user and password", Value: "ana:" + secrets["the site's password"]}}
	for what, value := range secrets {
		list = append(list, planted.Secret{What: what, Value: value})
	}
	return planted.NewFinder(list...)
})

// everything is what a hostile site has to tell: what it was sent, and what is
// private.
func everything(r *http.Request) string {
	return secrets["a private value"] + " " + planted.Echo(r)
}

// T16, T40: neither the log, at its lowest level, nor the audit with its values, nor
// what a client gets holds the client's token or cookie, the site's credential, a
// private value or what an argument's name says is secret; whatever way a call ends,
// and whatever a site, which knows some of them, answers.
func TestNoSecretIsTold(t *testing.T) {
	panics := false
	answer := func(http.ResponseWriter, *http.Request) {}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { answer(w, r) }))
	defer site.Close()
	u, _ := url.Parse(site.URL + "/wp-json/")
	client, err := wp.NewClient(u, wp.Options{Credential: wp.Credential{User: "ana", Password: wp.NewSecret(secrets["the site's password"])}})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	var log, audit logs
	_, web := serve(t, shopCatalog(t), Options{
		Site: siteFunc(func(ctx context.Context, r wp.Request) (*wp.Response, error) {
			if panics {
				panic(fmt.Errorf("with %v in it: %s", r, secrets["a private value"]))
			}
			return client.At(u).Do(ctx, r)
		}),
		Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})), Audit: &audit, AuditValues: true,
		Token: wp.NewSecret(secrets["the client's token"]),
	})
	as := []string{"Authorization: Bearer " + secrets["the client's token"], "Cookie: " + secrets["a cookie"]}
	call := func(what, tool, arguments string) string {
		t.Helper()
		body := modernCall("tools/call", `"name":"`+tool+`","arguments":`+arguments)
		body = strings.Replace(body, `"_meta":{`, `"_meta":{"token":"`+secrets["an argument named as secret"]+`",`, 1)
		got := send(t, nil, web.URL+"/mcp", body, append(as, "Mcp-Name: "+tool)...)
		for where, text := range map[string]string{"the log": log.String(), "the audit": audit.String(), "the answer": got.message + fmt.Sprint(got.header)} {
			if found := leaked(text); found != nil {
				t.Errorf("%s: %s holds %v:\n%s", what, where, found, text)
			}
		}
		return got.message
	}
	private, _ := json.Marshal(map[string]any{
		"mail": secrets["a private value"], "meta": map[string]any{"api_key": secrets["an argument named as secret"], "billing": secrets["a private value"]},
	})
	envelope := func(status int, code string) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			text, _ := json.Marshal(map[string]any{"code": code, "message": everything(r), "data": map[string]any{"params": map[string]any{"email": everything(r)}}})
			_, _ = w.Write(text)
		}
	}
	for what, a := range map[string]func(http.ResponseWriter, *http.Request){
		"an answer": func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, `{"email":%q}`, everything(r)) },
		"noise":     func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "Notice: %s\n{}", everything(r)) },
		"private noise": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, "Notice: %s\n{}", secrets["a private value"])
		},
		"a refusal":          envelope(403, "rest_forbidden"),
		"a thrown exception": envelope(500, "ability_callback_exception"),
		"a private refusal": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(400)
			text, _ := json.Marshal(map[string]any{"code": "rest_invalid_param", "message": secrets["a private value"], "data": map[string]any{"params": map[string]any{
				"email": secrets["a private value"] + " is taken.", "billing": secrets["a private value"],
			}, "details": secrets["a private value"]}})
			_, _ = w.Write(text)
		},
		"a page":         func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "<html>%s", everything(r)) },
		"a private page": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, "<html>%s", secrets["a private value"]) },
		"a redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/x/"+url.PathEscape(everything(r))+"?q="+url.QueryEscape(everything(r)), http.StatusFound)
		},
		"a broken header": func(w http.ResponseWriter, r *http.Request) {
			c, _, _ := w.(http.Hijacker).Hijack()
			_, _ = fmt.Fprintf(c, "HTTP/1.1 200 OK\r\n%s\r\n\r\n", everything(r))
			_ = c.Close()
		},
	} {
		answer = a
		if said := call(what, "find_orders", string(private)); !strings.Contains(said, `"result"`) {
			t.Errorf("%s: %s", what, said)
		}
	}
	panics = true
	if said := call("a panic", "find_orders", string(private)); !strings.Contains(said, "internal error") {
		t.Error(said)
	}
	call("bad arguments", "find_orders", `{"per_page":"`+secrets["a private value"][:3]+`","mail":7}`)
	call("no such tool", "nope", string(private))
	call("a secret's name", "drop_order", `{"id":7,"password":"`+secrets["an argument named as secret"]+`"}`)
	if strings.Count(audit.String(), "\n") != 14 {
		t.Errorf("%d lines", strings.Count(audit.String(), "\n"))
	}
	if !strings.Contains(log.String(), "level=DEBUG") || !strings.Contains(log.String(), "call failed") {
		t.Errorf("the log says little:\n%s", log.String())
	}
}

// The log says why an exchange failed, without what may be anybody's: the values in
// a path, what PHP code threw, an error of unknown make, and of a tool with private
// fields everything the site said.
func TestLoggable(t *testing.T) {
	public := catalog("one", "a").Profiles["default"].Tools[0]
	private := shopCatalog(t).Profiles["default"].Tool("drop_order")
	refusal := wp.Error{Kind: wp.Refused, Method: "DELETE", URL: "https://t.example/wp-json/wc/v3/orders/CANARY", Status: 404, Code: "no_order", Message: "Order CANARY is gone."}
	thrown := wp.Error{Kind: wp.Refused, Method: "GET", URL: "CANARY", Status: 500, Code: "ability_callback_exception", Message: "CANARY"}
	odd := wp.Error{Kind: wp.Refused, Method: "GET", URL: "CANARY", Status: 400, Code: "CANARY\n", Message: "no"}
	for _, c := range []struct {
		tool *curate.Tool
		err  error
		want string
	}{
		{private, &refusal, "DELETE /wc/v3/orders/{id}: 404 no_order: [redacted]"},
		{private, &wp.Error{Kind: wp.NotJSON, Method: "GET", URL: "CANARY", Status: 200, Excerpt: "CANARY"}, "GET /wc/v3/orders/{id}: 200 with a body that is not JSON"},
		{private, &wp.Error{Kind: wp.Redirected, Method: "GET", Status: 302, Location: "https://t.example/CANARY"}, "GET /wc/v3/orders/{id}: 302 redirects to [redacted]"},
		{public, &wp.Error{Kind: wp.Refused, Method: "GET", URL: "CANARY", Status: 403, Code: "rest_forbidden", Message: "Sorry."}, "GET /t/v1/things: 403 rest_forbidden: Sorry."},
		{public, &wp.Error{Kind: wp.NotJSON, Method: "GET", Status: 200, Excerpt: "maintenance"}, `GET /t/v1/things: 200 with a body that is not JSON: "maintenance"`},
		{public, &thrown, "GET /t/v1/things: 500 ability_callback_exception: [redacted]"},
		{public, &odd, "GET /t/v1/things: 400"},
		{public, &wp.RequestError{Err: errors.New("CANARY")}, "the request cannot be sent"},
		{public, fmt.Errorf("CANARY: %w", context.Canceled), "it took too long, or the client cancelled it"},
		{public, errors.New("CANARY"), "*errors.errorString"},
	} {
		if got := loggable(c.tool, c.err); got != c.want {
			t.Errorf("%v: %q, want %q", c.err, got, c.want)
		}
	}
}
