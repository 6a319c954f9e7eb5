package login

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"toolpress/discover/wp"
	"toolpress/discover/wptest"
)

// rest is a client of a site's REST root, as somebody.
func rest(t *testing.T, address string, as wp.Credential) *wp.Client {
	t.Helper()
	u, _ := url.Parse(address + "/wp-json/")
	client, err := wp.NewClient(u, wp.Options{Credential: as})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return client.At(u)
}

// Where a person approves is read from the index, at the configured origin.
func TestAsk(t *testing.T) {
	const offered = `{"name":"S","authentication":{"application-passwords":{"endpoints":{"authorization":%q}}}}`
	for name, c := range map[string]struct {
		status     int
		body       string
		page, says string
	}{
		"offered":         {200, fmt.Sprintf(offered, "https://other.example/wp/wp-admin/authorize-application.php?x=1"), "/wp/wp-admin/authorize-application.php?x=1", ""},
		"two slashes":     {200, fmt.Sprintf(offered, "//evil.example/a.php"), "/a.php", ""},
		"no address":      {200, fmt.Sprintf(offered, "javascript:alert(1)"), "", "no address"},
		"off":             {200, `{"name":"S","authentication":[]}`, "", "only over https"},
		"other ways only": {200, `{"name":"S","authentication":{"oauth1":{}}}`, "", "only over https"},
		"closed":          {401, `{"code":"rest_login_required","message":"no"}`, "/wp-admin/authorize-application.php", ""},
		"broken":          {500, `{"code":"x","message":"no"}`, "", "500 x"},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.status)
				fmt.Fprint(w, c.body)
			}))
			defer server.Close()
			s, err := Ask(t.Context(), rest(t, server.URL, wp.Credential{}), server.URL)
			switch {
			case c.page != "" && (err != nil || s.authorization.String() != server.URL+c.page):
				t.Errorf("%+v, %v", s, err)
			case c.page == "" && (err == nil || !strings.Contains(err.Error(), c.says)):
				t.Errorf("%v", err)
			}
		})
	}
	https, _ := url.Parse("https://shop.example")
	if why := whyOff(https, "http://shop.example"); !strings.Contains(why, "X-Forwarded-Proto") {
		t.Error(why)
	}
	if why := whyOff(https, "https://shop.example"); !strings.Contains(why, "plugin") {
		t.Error(why)
	}
}

// Who a password makes us, on the embedded WordPress.
func TestTry(t *testing.T) {
	shop := wptest.New()
	server := httptest.NewServer(shop)
	defer server.Close()
	for _, u := range shop.Users() {
		who, err := Try(t.Context(), rest(t, server.URL, wp.Credential{User: u.Login, Password: wp.NewSecret(u.Password)}))
		if err != nil || who.Login != u.Login || strings.Join(who.Roles, " ") != u.Role || who.Administrator != (u.Role == "administrator") {
			t.Errorf("%s: %+v, %v", u.Login, who, err)
		}
	}
	var refused *wp.Error
	if _, err := Try(t.Context(), rest(t, server.URL, wp.Credential{User: "admin", Password: wp.NewSecret("wrong")})); !errors.As(err, &refused) || refused.Status != 401 {
		t.Errorf("%v", err)
	}
}
