package login

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

// password is what a site made; it must show up nowhere.
const password = "abcdEFGHijklMNOPqrstUVWX"

// patience is how long anything may take before it is called broken.
const patience = time.Minute

// siteAt is a site whose approval page lies below its files' directory.
func siteAt(front, authorization string) *Site {
	at, _ := url.Parse(front)
	page, _ := url.Parse(authorization)
	return &Site{URL: front, Application: "toolpress on x", front: at, authorization: page}
}

// waited is what a visit ended with.
type waited struct {
	answer Answer
	err    error
}

// visit begins a visit; ended gives what it ends with.
func visit(t *testing.T, ctx context.Context, s *Site) (v *Visit, success, reject *url.URL, ended chan waited) {
	t.Helper()
	v, err := Listen(s)
	if err != nil {
		t.Fatal(err)
	}
	asked, err := url.Parse(v.URL())
	if err != nil {
		t.Fatal(err)
	}
	success, _ = url.Parse(asked.Query().Get("success_url"))
	reject, _ = url.Parse(asked.Query().Get("reject_url"))
	ended = make(chan waited, 1)
	go func() {
		answer, err := v.Wait(ctx, patience)
		ended <- waited{answer, err}
	}()
	return v, success, reject, ended
}

// with is an address with WordPress's answer behind it.
func with(success *url.URL, values ...string) string {
	query := url.Values{}
	for i := 0; i < len(values); i += 2 {
		query.Add(values[i], values[i+1])
	}
	u := *success
	u.RawQuery = query.Encode()
	return u.String()
}

func browse(t *testing.T, address string) (final *url.URL, status int, body string) {
	t.Helper()
	resp, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.Request.URL, resp.StatusCode, string(text)
}

// The whole visit: what is opened, what is shown, and what comes of it.
func TestVisit(t *testing.T) {
	s := siteAt("https://shop.example/blog", "https://shop.example/blog/wp/wp-admin/authorize-application.php?lang=fr")
	v, success, _, ended := visit(t, t.Context(), s)
	asked, _ := url.Parse(v.URL())
	query := asked.Query()
	asked.RawQuery = ""
	if asked.String() != "https://shop.example/blog/wp/wp-admin/authorize-application.php" || query.Get("lang") != "fr" ||
		query.Get("app_name") != s.Application || query.Get("app_id") != applicationID || success.Hostname() != "127.0.0.1" || success.Scheme != "http" {
		t.Errorf("opened: %s with %v", asked, query)
	}
	final, status, body := browse(t, with(success, "site_url", "http://Shop.Example/blog/wp", "user_login", "ana", "password", password))
	if final.String() != "http://"+v.host+"/done" || status != http.StatusOK {
		t.Errorf("the browser ends at %s with %d", final, status)
	}
	if !strings.Contains(body, "Back to the terminal") || strings.Contains(body, password) || strings.Contains(body, v.state) {
		t.Errorf("the last page:\n%s", body)
	}
	end := <-ended
	if end.err != nil || end.answer.Credential.User != "ana" || end.answer.Credential.Password.Reveal() != password {
		t.Errorf("%v, %v", end.answer, end.err)
	}
	if !strings.Contains(end.answer.Warning, "http://") { // tolerated, and said
		t.Errorf("warning %q", end.answer.Warning)
	}
	if said := fmt.Sprintf("%v %+v %#v", end.answer, end.answer, end.answer); strings.Contains(said, password) {
		t.Errorf("the password is printed: %s", said)
	}
	if _, err := http.Get("http://" + v.host + "/done"); err == nil {
		t.Error("the port still answers")
	}
}

// What is not the site's answer neither ends the visit nor learns anything, and
// the answer is taken once.
func TestAttacks(t *testing.T) {
	s := siteAt("https://shop.example", "https://shop.example/wp-admin/authorize-application.php")
	v, err := Listen(s)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	good := "site_url=https://shop.example&user_login=eve&password=" + password
	for name, c := range map[string]struct {
		method, host, path string
		status             int
	}{
		"wrong state":       {"GET", v.host, "/AAAAAAAAAAAAAAAAAAAAAAAAAA/approved", 404},
		"no state":          {"GET", v.host, "/approved", 404},
		"half a state":      {"GET", v.host, "/" + v.state[:10] + "/approved", 404},
		"state, other page": {"GET", v.host, "/" + v.state + "/", 404},
		"state in a query":  {"GET", v.host, "/?state=" + v.state + "&", 404},
		"POST":              {"POST", v.host, "/" + v.state + "/approved", 405},
		"HEAD":              {"HEAD", v.host, "/" + v.state + "/approved", 405},
		"OPTIONS":           {"OPTIONS", v.host, "/" + v.state + "/approved", 405},
		"rebound name":      {"GET", "evil.example:80", "/" + v.state + "/approved", 421},
		"localhost":         {"GET", strings.Replace(v.host, "127.0.0.1", "localhost", 1), "/" + v.state + "/approved", 421},
		"no port":           {"GET", "127.0.0.1", "/" + v.state + "/approved", 421},
		"done before":       {"GET", v.host, "/done", 404},
		"favicon":           {"GET", v.host, "/favicon.ico", 404},
	} {
		t.Run(name, func(t *testing.T) {
			join := "?"
			if strings.Contains(c.path, "?") {
				join = ""
			}
			r := httptest.NewRequest(c.method, c.path+join+good, nil)
			r.Host = c.host
			w := httptest.NewRecorder()
			v.ServeHTTP(w, r)
			if w.Code != c.status || len(v.answered) != 0 || strings.Contains(w.Body.String(), v.state) || strings.Contains(w.Body.String(), password) {
				t.Errorf("%d, %d answers\n%s", w.Code, len(v.answered), w.Body)
			}
			for name, want := range map[string]string{"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "Access-Control-Allow-Origin": ""} {
				if got := w.Header().Get(name); got != want {
					t.Errorf("%s: %q", name, got)
				}
			}
		})
	}
	take := func(user string) int {
		r := httptest.NewRequest("GET", "/"+v.state+"/approved?"+strings.Replace(good, "eve", user, 1), nil)
		r.Host = v.host
		w := httptest.NewRecorder()
		v.ServeHTTP(w, r)
		return w.Code
	}
	if first, second := take("ana"), take("eve"); first != 303 || second != 410 {
		t.Errorf("the answer %d, its replay %d", first, second)
	}
	if end := <-v.answered; end.err != nil || end.answer.Credential.User != "ana" {
		t.Errorf("taken: %v, %v", end.answer, end.err)
	}
}

// An answer at the right address ends the visit, whatever it holds.
func TestAnswers(t *testing.T) {
	front, files := "https://shop.example/blog", "https://shop.example/blog/wp-admin/authorize-application.php"
	full := func(name, value string) []string {
		all := map[string]string{"site_url": front, "user_login": "ana", "password": password}
		all[name] = value
		return []string{"site_url", all["site_url"], "user_login", all["user_login"], "password", all["password"]}
	}
	for name, c := range map[string]struct {
		values   []string
		rejected bool
		is       error
		says     string
	}{
		"nothing":            {nil, false, nil, "has no site_url"},
		"no password":        {full("password", " "), false, nil, "has no password"},
		"no user":            {full("user_login", ""), false, nil, "has no user_login"},
		"two passwords":      {append(full("", ""), "password", "x"), false, nil, "has no password, or several"},
		"a header in a name": {full("user_login", "a\r\nX: y"), false, nil, "user_login that is none"},
		"a colon in a name":  {full("user_login", "a:b"), false, nil, "user_login that is none"},
		"another site":       {full("site_url", "https://evil.example/blog"), false, nil, "about https://evil.example/blog"},
		"a name before it":   {full("site_url", "https://shop.example.evil.example/blog"), false, nil, "about https://shop.example.evil"},
		"another port":       {full("site_url", "https://shop.example:8443/blog"), false, nil, "about https://shop.example:8443"},
		"another path":       {full("site_url", "https://shop.example/other"), false, nil, "about https://shop.example/other"},
		"a path above":       {full("site_url", "https://shop.example/"), false, nil, "about https://shop.example/"},
		"another scheme":     {full("site_url", "ftp://shop.example/blog"), false, nil, "names no site"},
		"a secret in it":     {full("site_url", "https://x:"+password+"@evil.example/?"+password), false, nil, "about https://evil.example/"},
		"rejected":           {nil, true, ErrRejected, ""},
		"success=false":      {[]string{"success", "false"}, false, ErrRejected, ""},
		"error=disabled":     {[]string{"error", "disabled"}, true, ErrNoAccount, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, success, reject, ended := visit(t, t.Context(), siteAt(front, files))
			if c.rejected {
				success = reject
			}
			_, _, body := browse(t, with(success, c.values...))
			end := <-ended
			if end.err == nil || (c.is != nil && !errors.Is(end.err, c.is)) || !strings.Contains(end.err.Error(), c.says) || strings.Contains(end.err.Error(), password) {
				t.Errorf("%v", end.err)
			}
			if !strings.Contains(body, "Not connected") || !end.answer.Credential.Anonymous() {
				t.Errorf("%v\n%s", end.answer, body)
			}
		})
	}
}

// A visit ends with its context, and without an answer.
func TestNoAnswer(t *testing.T) {
	s := siteAt("https://shop.example", "https://shop.example/wp-admin/authorize-application.php")
	ctx, cancel := context.WithCancel(t.Context())
	_, _, _, ended := visit(t, ctx, s)
	cancel()
	if end := <-ended; !errors.Is(end.err, context.Canceled) {
		t.Errorf("%v", end.err)
	}
	v, err := Listen(s)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Wait(t.Context(), 0); !errors.Is(err, ErrNoAnswer) {
		t.Errorf("%v", err)
	}
}
