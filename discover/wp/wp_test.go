package wp

import (
	"compress/gzip"
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func client(t *testing.T, handler http.Handler, opts Options) *Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	u, _ := url.Parse(server.URL + "/wp-json/")
	c, err := NewClient(u, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c.At(u)
}

func TestQueryEncode(t *testing.T) {
	q := Query{
		{"input", map[string]any{
			"q": "a b&c", "tags": []any{"x", "y"}, "price": map[string]any{"max": json.Number("9.50")},
			"flag": false, "on": true, "none": []any{}, "empty": map[string]any{},
		}},
		{"page", 2},
	}
	got, err := q.Encode()
	if err != nil {
		t.Fatal(err)
	}
	want := "input[empty]=&input[flag]=0&input[none]=&input[on]=1&input[price][max]=9.50&input[q]=a+b%26c&input[tags][0]=x&input[tags][1]=y&page=2"
	if got = strings.NewReplacer("%5B", "[", "%5D", "]").Replace(got); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	// What PHP reads otherwise (its parse_str says so), and what it does not.
	deep := func(levels int) any {
		var v any = "x"
		for range levels {
			v = []any{v}
		}
		return v
	}
	for at, bad := range map[string]Param{
		"null":    {"null", nil},
		"a[b]":    {"a", map[string]any{"b": nil}},
		"close":   {"close", map[string]any{"a]": 1}},
		"append":  {"append", map[string]any{"": 1}},
		"blank":   {"blank", map[string]any{" ": 1}},
		"nul":     {"nul", map[string]any{"a\x00": 1}},
		"list[1]": {"list", []any{"x", map[string]any{"\t": 1}}},
		"deep[0]": {"deep", deep(65)},
		"x.y":     {"x.y", 1}, "x y": {"x y", 1}, " x": {" x", 1}, "x[y": {"x[y", 1}, "x\x00": {"x\x00", 1}, "": {"", 1},
	} {
		_, err := (Query{bad}).Encode()
		var wrong *ParamError
		if !errors.As(err, &wrong) || !strings.HasPrefix(wrong.Path, at) || len(wrong.Path) > 200 {
			t.Errorf("%q: want an error that names the place, got %v", at, err)
		}
	}
	for want, p := range map[string]Param{
		"filter[x]=1": {"filter[x]", 1}, "include[]=1": {"include[]", 1}, "include[0]=1&include[1]=2": {"include[]", []any{1, 2}}, "filter[x][y]=1": {"filter[x]", map[string]any{"y": 1}},
	} {
		got, err := (Query{p}).Encode()
		if got = strings.NewReplacer("%5B", "[", "%5D", "]").Replace(got); got != want || err != nil {
			t.Errorf("%v: %s, %v, want %s", p, got, err, want)
		}
	}
	for _, good := range []Param{{"a-b", 1}, {"a]b", 1}, {"é=&+#", 1}, {"x", map[string]any{"a[b": 1, "c.d": 1, "e f": 1, "  ": 1, "-1": 1}}, {"deep", deep(64)}} {
		if _, err := (Query{good}).Encode(); err != nil {
			t.Error(err)
		}
	}
}

// G38, T05: no argument reaches another endpoint than its route.
func TestCheckSegment(t *testing.T) {
	for _, bad := range []string{"", ".", "..", "a/b", `a\b`, "%2e%2e", "..%2f", "x%5Cy", "a\x00b", "a\r\nb", "\u0085"} {
		if CheckSegment(bad) == nil {
			t.Errorf("%q passed", bad)
		}
	}
	for _, good := range []string{"12", "hello-world", "a b", "?a=b", "#f", ";x", "...", "ação", "50%"} {
		if err := CheckSegment(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
}

func TestRequestURL(t *testing.T) {
	r := Request{Method: "GET", Segments: []string{"acme", "v1", "a b?c#d%"}, Query: Query{{"page", 2}}}
	for root, want := range map[string]string{
		"http://h/wp-json/":                "http://h/wp-json/acme/v1/a%20b%3Fc%23d%25?page=2",
		"http://h/blog/api/":               "http://h/blog/api/acme/v1/a%20b%3Fc%23d%25?page=2",
		"http://h/index.php?rest_route=/":  "http://h/index.php?rest_route=%2Facme%2Fv1%2Fa+b%3Fc%23d%25&page=2",
		"http://h/blog/?rest_route=/&lang": "http://h/blog/?rest_route=%2Facme%2Fv1%2Fa+b%3Fc%23d%25&page=2",
	} {
		u, _ := url.Parse(root)
		got, err := r.URL(u)
		if err != nil || got.String() != want {
			t.Errorf("below %s: got %v, %v; want %s", root, got, err, want)
		}
	}
	u, _ := url.Parse("http://h/wp-json/")
	if got, _ := (Request{Segments: []string{"1,2", "a;b", "%2C", "!'()*+&=:@$~", "<é>"}}).URL(u); got.String() != "http://h/wp-json/1,2/a;b/%252C/!%27()*+&=:@$~/%3C%C3%A9%3E" {
		t.Errorf("what may stand in a path: %s", got)
	}
	if n, err := r.Size(); err != nil || n != len("/acme/v1/a%20b%3Fc%23d%25?page=2") {
		t.Errorf("%d bytes, %v", n, err)
	}
}

func FuzzRequestURL(f *testing.F) {
	for _, s := range []string{"..", "../x", "%2e%2e", "..%2f", "%252e", `\..\`, "?a=b", "#f", ";x", "//h", "https://h", "\uff0e"} {
		f.Add(s)
	}
	root, _ := url.Parse("http://127.0.0.1/wp-json/")
	f.Fuzz(func(t *testing.T, s string) {
		u, err := Request{Method: "GET", Segments: []string{"acme", "v1", s, "end"}}.URL(root)
		if err != nil {
			return
		}
		back, err := url.Parse(u.String())
		if err != nil || back.Host != "127.0.0.1" || back.RawQuery != "" || back.Fragment != "" {
			t.Fatalf("%q became %s: %v", s, u, err)
		}
		parts := strings.Split(back.EscapedPath(), "/")
		if len(parts) != 6 || parts[2] != "acme" || parts[5] != "end" {
			t.Fatalf("%q changed the shape of the path: %s", s, u)
		}
	})
}

// W62, R43, T16: what surrounds JSON is survived, HTML is never data.
func TestReadJSON(t *testing.T) {
	notice := "<br />\n<b>Deprecated</b>: strpos() in <b>/x.php</b> on line <b>5</b><br />\n"
	for name, c := range map[string]struct {
		body, want    string
		before, after string
	}{
		"clean":             {`{"ok":true}`, `{"ok":true}`, "", ""},
		"scalar":            {` "hours" `, `"hours"`, "", ""},
		"bom":               {"\ufeff[1]", `[1]`, "", ""},
		"notice":            {notice + `{"ok":true}`, `{"ok":true}`, "<br /> <b>Deprecated</b>: strpos() in <b>/x.php</b> on line <b>5</b><br />", ""},
		"text":              {`File OK: 6213 chars{"a":1}`, `{"a":1}`, "File OK: 6213 chars", ""},
		"comment after":     {`{"a":1}<!-- cached -->`, `{"a":1}`, "", "<!-- cached -->"},
		"brackets first":    {`Array [] and {} {"a":[1,2]}`, `{"a":[1,2]}`, "Array [] and {}", ""},
		"empty list":        {"Array ( [0] => x )\n[]", `[]`, "Array ( [0] => x )", ""},
		"scalar, cached":    {"true<!-- c -->", `true`, "", "<!-- c -->"},
		"scalar last":       {"Warning: key [1] in x.php\ntrue", `true`, "Warning: key [1] in x.php", ""},
		"number last":       {"<br />\n<b>Notice</b> on line <b>5</b><br />\n42", `42`, "<br /> <b>Notice</b> on line <b>5</b><br />", ""},
		"text last":         {"Notice: x\n\"ok\"", `"ok"`, "Notice: x", ""},
		"debug before":      {"Debug {\"a\":1,\"b\":2}\n{\"id\":1}", `{"id":1}`, `Debug {"a":1,"b":2}`, ""},
		"data in a comment": {`{"id":1}` + "\n<!-- cached {\"x\":\"yyyyyyyyyyyyyyyy\"} -->", `{"id":1}`, "", `<!-- cached {"x":"yyyyyyyyyyyyyyyy"} -->`},
		"both sides":        {"Notice: x\n{\"a\":1}<!-- a -->\n<!-- b -->", `{"a":1}`, "Notice: x", "<!-- a --> <!-- b -->"},
		"at shutdown":       {`{"a":1}` + "\n<br /><b>Warning</b>: y in z.php", `{"a":1}`, "", "<br /><b>Warning</b>: y in z.php"},
	} {
		got, noise, err := ReadJSON([]byte(c.body))
		if err != nil || string(got) != c.want || noise.Before != c.before || noise.After != c.after {
			t.Errorf("%s: got %s, %+v, %v", name, got, noise, err)
		}
	}
	for name, body := range map[string]string{
		"empty": "", "html": `<!DOCTYPE html><script>{"a":1}</script>`, "html lower": "<html>{}</html>", "text": "0 results (", "torn": `{"a":`, "page after a comment": "<!-- cached -->\n<!DOCTYPE html><script>{\"a\":1}</script>\n{\"b\":1}", "page after a notice": "<b>Warning</b><html>\n[1,2]", "two": `{"a":1}` + "\n" + `{"b":2}`, "last word": `Fatal error on line "5"`, "number in a sentence": "there are 5",
		"deep": strings.Repeat("[", 300) + strings.Repeat("]", 300), "deep in noise": `it"s` + strings.Repeat("[", 300) + strings.Repeat("]", 300),
	} {
		if got, _, err := ReadJSON([]byte(body)); err == nil {
			t.Errorf("%s: accepted as %.40s", name, got)
		}
	}
}

func FuzzReadJSON(f *testing.F) {
	f.Add([]byte(`x{"a":"}"}y`))
	f.Fuzz(func(t *testing.T, body []byte) {
		if got, _, err := ReadJSON(body); err == nil && !json.Valid(got) {
			t.Fatalf("%q is not JSON", got)
		}
	})
}

// T03: a redirect is never followed, in any method.
func TestRedirectIsReported(t *testing.T) {
	canary := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the redirect was followed") }))
	defer canary.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		c := client(t, http.RedirectHandler(canary.URL+"/x?secret=1", status), Options{Credential: Credential{User: "u", Password: NewSecret("p")}})
		for _, method := range []string{"GET", "POST"} {
			_, err := c.Do(context.Background(), Request{Method: method, Segments: []string{"a"}, Body: map[string]any{}})
			var e *Error
			if !errors.As(err, &e) || e.Kind != Redirected || e.Location != canary.URL+"/x" {
				t.Errorf("%d %s: %v", status, method, err)
			}
		}
	}
}

// T04: a credential crosses no network in the clear.
func TestPlainHTTP(t *testing.T) {
	who := Options{Credential: Credential{User: "u", Password: NewSecret("p")}}
	for address, refused := range map[string]bool{
		"http://shop.example": true, "http://10.0.0.1": true, "https://shop.example": false,
		"http://127.0.0.1:8080": false, "http://localhost": false, "http://[::1]": false, "http://localhost.example": true,
	} {
		u, _ := url.Parse(address)
		if _, err := NewClient(u, who); errors.Is(err, ErrPlainHTTP) != refused {
			t.Errorf("%s: %v", address, err)
		}
	}
	u, _ := url.Parse("http://shop.example")
	who.InsecureHTTP = true
	if _, err := NewClient(u, who); err != nil {
		t.Error(err)
	}
}

// T09, T10: a body is bounded after decompression.
func TestBodyIsBounded(t *testing.T) {
	c := client(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		for range 200 {
			_, _ = z.Write(make([]byte, 1<<20))
		}
		_ = z.Close()
	}), Options{MaxBytes: 1 << 20})
	_, err := c.Do(context.Background(), Request{Method: "GET", Segments: []string{"a"}})
	var e *Error
	if !errors.As(err, &e) || e.Kind != TooLarge {
		t.Fatal(err)
	}
}

// A body is read whole up to the limit, and not at all beyond it, whether or not it
// says how long it is.
func TestLimit(t *testing.T) {
	const most = 3 * beginning
	for _, size := range []int{2, beginning - 1, beginning, beginning + 1, 3*beginning - 1, most, most + 1, 2 * most} {
		body := `"` + strings.Repeat("0123456789", size/10+1)[:size-2] + `"`
		for _, sized := range []string{fmt.Sprint(size), ""} {
			c := client(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Length", sized)
				if sized == "" {
					w.(http.Flusher).Flush()
				}
				_, _ = io.WriteString(w, body)
			}), Options{MaxBytes: most})
			resp, err := c.Do(t.Context(), Request{Method: "GET", Segments: []string{"a"}})
			var e *Error
			if fits := size <= most; fits != (err == nil) || fits && string(resp.JSON) != body || !fits && (!errors.As(err, &e) || e.Kind != TooLarge || !strings.HasSuffix(err.Error(), fmt.Sprintf("larger than %d bytes", most))) {
				t.Errorf("%d bytes, length %q: %v", size, sized, err)
			}
		}
	}
}

// W78, R49: a write whose answer is lost has an unknown outcome.
func TestOutcomeUnknown(t *testing.T) {
	arrived := 0
	c := client(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		arrived++
		conn, _, _ := http.NewResponseController(w).Hijack()
		_ = conn.Close()
	}), Options{})
	for method, unknown := range map[string]bool{"POST": true, "DELETE": true, "GET": false} {
		_, err := c.Do(context.Background(), Request{Method: method, Segments: []string{"a"}})
		var e *Error
		if !errors.As(err, &e) || e.Kind != Broken || e.OutcomeUnknown() != unknown {
			t.Errorf("%s: %v (%+v)", method, err, e)
		}
	}
	gone := httptest.NewServer(nil)
	u, _ := url.Parse(gone.URL)
	gone.Close()
	c, _ = NewClient(u, Options{})
	_, err := c.At(u).Do(context.Background(), Request{Method: "POST", Segments: []string{"a"}})
	var e *Error
	if !errors.As(err, &e) || e.Kind != Unreachable || e.OutcomeUnknown() {
		t.Errorf("nothing listens: %v (%+v)", err, e)
	}
}

// An exchange ends at the client's timeout, or at the request's own.
func TestDeadline(t *testing.T) {
	const soon = 50 * time.Millisecond
	for _, c := range []struct{ client, request time.Duration }{{soon, 0}, {0, soon}, {time.Hour, soon}} {
		hold := make(chan struct{})
		client := client(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-hold:
			case <-r.Context().Done():
			}
		}), Options{Timeout: c.client})
		_, err := client.Do(context.Background(), Request{Method: "GET", Segments: []string{"slow"}, Timeout: c.request})
		close(hold)
		var e *Error
		if !errors.As(err, &e) || e.Kind != TimedOut {
			t.Fatalf("%v (%+v)", err, e)
		}
	}
}

func TestErrorEnvelope(t *testing.T) {
	c := client(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(400)
		fmt.Fprint(w, `{"code":"rest_invalid_param","message":"Invalid parameter(s): page","data":{"status":400,"params":{"page":"page is not of type integer."}}}`)
	}), Options{})
	_, err := c.Do(context.Background(), Request{Method: "GET", Segments: []string{"wp", "v2", "posts"}, Query: Query{{"page", "x"}}})
	var e *Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]any{Refused, 400, "rest_invalid_param", "Invalid parameter(s): page"}, []any{e.Kind, e.Status, e.Code, e.Message}); diff != "" {
		t.Error(diff)
	}
	if !strings.HasSuffix(err.Error(), "/wp-json/wp/v2/posts: 400 rest_invalid_param: Invalid parameter(s): page") {
		t.Error(err)
	}
}

// T40: whatever prints a secret, prints "[redacted]".
func TestSecretIsRedacted(t *testing.T) {
	c := Credential{User: "ana", Password: NewSecret("abcd EFGH")}
	var log strings.Builder
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "who", c, "secret", c.Password)
	asJSON, _ := json.Marshal(c)
	u, _ := url.Parse("https://h/")
	inside, _ := NewClient(u, Options{Credential: c})
	if text := fmt.Sprintf("%v %+v %#v", inside, *inside, struct{ x Credential }{c}); strings.Contains(text, "abcd") {
		t.Errorf("leaks: %s", text)
	}
	for _, text := range []string{fmt.Sprintf("%v %+v %#v %s %q %x", c, c, c, c.Password, c.Password, c.Password), string(asJSON), log.String()} {
		if strings.Contains(text, "abcd") || strings.Contains(text, "61626364") || !strings.Contains(text, "[redacted]") {
			t.Errorf("leaks: %s", text)
		}
	}
}

// Who a request is sent as: the bearer token before the password, a store's keys
// for wc/ alone and only over https; nothing of it with a page.
func TestSentAs(t *testing.T) {
	var seen []string
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = append(seen, fmt.Sprintf("%s %s %s %s", r.URL.Path, r.Host, r.Header.Get("X-Forwarded-Proto"), r.Header.Get("Authorization")))
		fmt.Fprint(w, "{}")
	}))
	defer server.Close()
	u, _ := url.Parse(server.URL + "/wp-json/")
	send := func(opts Options) {
		opts.Authorities = x509.NewCertPool()
		opts.Authorities.AddCert(server.Certificate())
		c, err := NewClient(u, opts)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		for _, segments := range [][]string{{"wp", "v2"}, {"wc", "v3"}, {"wc-admin", "x"}} {
			if _, err := c.At(u).Do(context.Background(), Request{Method: "GET", Segments: segments}); err != nil {
				t.Fatal(err)
			}
		}
		if _, _, err := c.Page(context.Background(), u); err != nil {
			t.Fatal(err)
		}
	}
	keys := Credential{Key: NewSecret("ck_1"), Password: NewSecret("cs_1")}
	send(Options{Credential: Credential{User: "u", Password: NewSecret("p")}, Store: keys, Host: "shop.example"})
	send(Options{Credential: Credential{User: "u", Password: NewSecret("p"), Token: NewSecret("t")}})
	basic := func(c Credential) string {
		r := httptest.NewRequest("GET", "/", nil)
		c.Sign(r)
		return r.Header.Get("Authorization")
	}
	user, host := basic(Credential{User: "u", Password: NewSecret("p")}), u.Host
	want := []string{
		"/wp-json/wp/v2 shop.example https " + user, "/wp-json/wc/v3 shop.example https " + basic(keys), "/wp-json/wc-admin/x shop.example https " + user, "/wp-json/ shop.example https ",
		"/wp-json/wp/v2 " + host + "  Bearer t", "/wp-json/wc/v3 " + host + "  Bearer t", "/wp-json/wc-admin/x " + host + "  Bearer t", "/wp-json/ " + host + "  ",
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Error(diff)
	}
	local, _ := url.Parse("http://127.0.0.1/")
	if _, err := NewClient(local, Options{Store: keys}); !errors.Is(err, ErrStoreHTTP) {
		t.Errorf("keys over http: %v", err)
	}
}
