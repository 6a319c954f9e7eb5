package login

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// browser is a person at a browser.
type browser interface {
	// approve logs in at the site's own form and answers the question at
	// address; it returns where the browser ends, and the page it shows there.
	approve(t *testing.T, address, user string, yes bool) (at, page string)
}

// browsers are the ones this machine has.
func browsers(t *testing.T) map[string]func(*testing.T) browser {
	all := map[string]func(*testing.T) browser{"forms": newForms}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			all["chromium"] = func(t *testing.T) browser { return newChromium(t, path) }
			return all
		}
	}
	t.Log("SKIP with a real browser: there is no chromium here")
	return all
}

// forms is a browser without JavaScript: it sends forms and follows redirects.
type forms struct{ client *http.Client }

func newForms(t *testing.T) browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &forms{&http.Client{Jar: jar, Timeout: patience}}
}

func (f *forms) approve(t *testing.T, address, user string, yes bool) (at, page string) {
	t.Helper()
	u, page := f.read(t)(f.client.Get(address)) // wp-login.php
	fields := inputs(page)
	fields.Set("log", user)
	fields.Set("pwd", user)
	u.RawQuery = "" // the form's action; with reauth=1 in it WordPress logs out again
	u, page = f.read(t)(f.client.PostForm(u.String(), fields))
	fields = inputs(page)
	if fields.Get("action") != "authorize_application_password" {
		t.Fatalf("no question at %s:\n%s", u.Path, page)
	}
	drop := "approve"
	if yes {
		drop = "reject"
	}
	fields.Del(drop)
	u, page = f.read(t)(f.client.PostForm(u.String(), fields))
	if u.Path != "/done" {
		t.Fatalf("the browser ends at %s:\n%s", u.Path, page)
	}
	return u.String(), page
}

func (f *forms) read(t *testing.T) func(*http.Response, error) (*url.URL, string) {
	return func(resp *http.Response, err error) (*url.URL, string) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.Request.URL, string(text)
	}
}

// inputs are the fields of a page's forms, as they are filled in.
func inputs(page string) url.Values {
	fields := url.Values{}
	for z := html.NewTokenizer(strings.NewReader(page)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return fields
		case html.StartTagToken, html.SelfClosingTagToken:
			token := z.Token()
			said := map[string]string{}
			for _, a := range token.Attr {
				said[a.Key] = a.Val
			}
			if token.Data == "input" && said["name"] != "" && said["type"] != "checkbox" {
				fields.Set(said["name"], said["value"])
			}
		}
	}
}
