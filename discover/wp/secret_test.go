package wp

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// T16, T40: a site that repeats the credential, in whatever form and wherever,
// gets it into no error and no noise; what it says besides is told.
func TestCredentialIsNotRepeated(t *testing.T) {
	password := NewSecret("abCD eF/H <jK> mnOP")
	for who, as := range map[string]Credential{"password": {User: "ana", Password: password}, "token": {Token: password}} {
		pair := base64.StdEncoding.EncodeToString([]byte("ana:" + password.Reveal()))
		bare := strings.ReplaceAll(password.Reveal(), " ", "")
		quoted, _ := json.Marshal(password.Reveal())
		forms := []string{
			password.Reveal(), url.QueryEscape(password.Reveal()), html.EscapeString(password.Reveal()),
			strings.Trim(string(quoted), `"`), strings.ReplaceAll(password.Reveal(), "/", `\/`),
			base64.StdEncoding.EncodeToString([]byte(password.Reveal())), base64.URLEncoding.EncodeToString([]byte("x" + password.Reveal())), base64.StdEncoding.EncodeToString([]byte("xx" + password.Reveal())),
			hex.EncodeToString([]byte(password.Reveal())),
		}
		if who == "password" {
			forms = append(forms, pair, bare, strings.ReplaceAll(pair, "/", `\/`))
		}
		for _, form := range forms {
			value := form
			if strings.Contains(form, `\`) { // it is escaped already
				value = password.Reveal()
			}
			for where, answer := range map[string]http.HandlerFunc{
				"message": func(w http.ResponseWriter, _ *http.Request) { refuseWith(w, "rest_forbidden", form) },
				"data":    func(w http.ResponseWriter, _ *http.Request) { refuseWith(w, "rest_forbidden", form) },
				"page":    func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, "<html>%s</html>", form) },
				"noise":   func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, "%s\n{\"id\":1}", form) },
				"value": func(w http.ResponseWriter, _ *http.Request) {
					text, _ := EncodeJSON(map[string]string{"debug": value})
					_, _ = w.Write(text)
				},
				"file": func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", "text/csv")
					fmt.Fprintf(w, "a,b\n1,%s\n", form)
				},
				"location": func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Location", "/x"+url.PathEscape(form))
					w.WriteHeader(302)
				},
				"header": func(w http.ResponseWriter, _ *http.Request) {
					c, _, _ := w.(http.Hijacker).Hijack()
					_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n"+form+"\r\n\r\n")
					_ = c.(*net.TCPConn).Close()
				},
			} {
				resp, err := client(t, answer, Options{Credential: as}).Do(t.Context(), Request{Method: "GET", Segments: []string{"wp"}, Files: true})
				var e *Error
				if where != "noise" && !errors.As(err, &e) {
					t.Fatalf("%s: %s: %v", who, where, err)
				}
				said := fmt.Sprintf("%+v", resp)
				if e != nil {
					said = fmt.Sprintf("%v %v %+v %s", err, e.Err, *e, e.Data)
				}
				if where == "value" || where == "file" && errors.Is(err, ErrEchoed) {
					if !errors.Is(err, ErrEchoed) {
						t.Errorf("%s: %s as %s: %v", who, where, form, err)
					}
					continue
				}
				if strings.Contains(said, form) || strings.Contains(said, password.Reveal()) || !strings.Contains(said, redacted) {
					t.Errorf("%s, %s as %s: %s", who, where, form, said)
				}
				if where == "message" && e.Code != "rest_forbidden" {
					t.Errorf("the code went too: %+v", e)
				}
			}
		}
	}
	// A short secret is part of many a word, and another's is nobody's business.
	for _, as := range []Credential{{User: "a", Password: NewSecret("forbidden")}, {Token: NewSecret("another-secret-token")}, {}} {
		_, err := client(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { refuseWith(w, "x", "forbidden") }), Options{Credential: as}).Do(t.Context(), Request{Method: "GET", Segments: []string{"wp"}})
		var e *Error
		if !errors.As(err, &e) || e.Message != "forbidden" || e.Data == nil {
			t.Errorf("%+v", e)
		}
	}
}

// refuseWith answers with WordPress's envelope.
func refuseWith(w http.ResponseWriter, code, text string) {
	w.WriteHeader(http.StatusForbidden)
	fmt.Fprintf(w, `{"code":%q,"message":"%s","data":{"status":403,"params":{"x":"%[2]s"}}}`, code, text)
}

// A trace is sent as it is, and only where there is one.
func TestTraceIsSent(t *testing.T) {
	var got http.Header
	c := client(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { got = r.Header; _, _ = io.WriteString(w, "{}") }), Options{})
	for trace, want := range map[Trace]string{
		{}:                                      "[] [] []",
		{Parent: "p"}:                           "[p] [] []",
		{Parent: "p", State: "s", Baggage: "b"}: "[p] [s] [b]",
	} {
		if _, err := c.Do(t.Context(), Request{Method: "GET", Segments: []string{"wp"}, Trace: trace}); err != nil {
			t.Fatal(err)
		}
		if said := fmt.Sprint(got["Traceparent"], got["Tracestate"], got["Baggage"]); said != want {
			t.Errorf("%+v: %s, want %s", trace, said, want)
		}
	}
}

// G69: a log names whose credential a request carries, and nothing of it.
func TestAccountOf(t *testing.T) {
	shop, post := Request{Segments: []string{"wc", "v3", "orders"}}, Request{Segments: []string{"wp", "v2", "posts"}}
	ana, key := Credential{User: "ana", Password: NewSecret("abcd")}, Credential{Key: NewSecret("ck_1"), Password: NewSecret("cs_1")}
	for _, test := range []struct {
		who, store Credential
		r          Request
		want       string
	}{
		{Credential{}, Credential{}, post, "nobody"},
		{ana, Credential{}, shop, "ana"},
		{ana, key, shop, "WooCommerce key"},
		{ana, key, post, "ana"},
		{Credential{Token: NewSecret("t")}, Credential{}, post, "bearer token"},
		{ana, key, Request{Segments: post.Segments, Anonymous: true}, "nobody"},
	} {
		c := &Client{opts: Options{Credential: test.who, Store: test.store}}
		if got := c.AccountOf(test.r); got != test.want {
			t.Errorf("%v: %s, want %s", test.r.Segments, got, test.want)
		}
	}
}
