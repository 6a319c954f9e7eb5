package login

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
	"time"

	"toolpress/discover/wp"
)

// ErrUnavailable is wrapped by [Ask] when the site offers no application
// passwords.
var ErrUnavailable = errors.New("application passwords are switched off on this site")

// applicationID tells WordPress that two passwords are of the same
// application; it must never change.
const applicationID = "5b0e1c86-7c1f-4b2e-9d0a-3f6c2d8e4a17"

// The index is asked for four fields; a site that ignores _fields sends all of
// it, 3.2 MB on a shop with 652 routes.
const (
	indexTimeout  = 60 * time.Second
	indexMaxBytes = 32 << 20
)

// Site is a site whose approval page is known.
type Site struct {
	// URL is the site's front address, at the origin that was configured.
	URL string
	// Name is the site's title; may be empty.
	Name string
	// Application is the name the password is to get in WordPress. It is
	// another each time: WordPress 6.1 refuses a second password of the same name.
	Application string

	front         *url.URL // URL
	authorization *url.URL // the approval page, at the same origin
}

// Ask reads from the REST index where a person approves an application. client
// is pinned to the site's REST root and front is its front address. Of what the
// index says only the path and query of the approval page are used. The error
// wraps [ErrUnavailable] where the site has no such page. An index that visitors
// may not read is no error.
func Ask(ctx context.Context, client *wp.Client, front string) (*Site, error) {
	at, err := url.Parse(front)
	if err != nil {
		return nil, fmt.Errorf("reading the site's address: %w", err)
	}
	resp, err := client.Within(indexTimeout, indexMaxBytes).Do(ctx, wp.Request{
		Method: http.MethodGet,
		Query:  wp.Query{{Name: "_fields", Value: "name,url,home,authentication"}},
	})
	if closed(err) {
		// A plugin keeps visitors out of the REST API: the page lies where core has
		// it, and says itself when it is not for us.
		return &Site{URL: front, Application: application(), front: at, authorization: at.JoinPath("wp-admin", "authorize-application.php")}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the REST index: %w", err)
	}
	var index struct {
		Name           any `json:"name"`
		URL            any `json:"url"`
		Authentication any `json:"authentication"`
	}
	if err := json.Unmarshal(resp.JSON, &index); err != nil {
		return nil, fmt.Errorf("reading the REST index: %w", err)
	}
	page, _ := member(index.Authentication, "application-passwords", "endpoints", "authorization").(string)
	if page == "" {
		says, _ := index.URL.(string)
		return nil, fmt.Errorf("%w: %s", ErrUnavailable, whyOff(at, says))
	}
	named, err := url.Parse(page)
	if err != nil || !strings.HasPrefix(named.Path, "/") {
		return nil, errors.New("the REST index names an approval page that is no address")
	}
	s := &Site{URL: front, Application: application(), front: at}
	s.Name, _ = index.Name.(string)
	s.authorization = &url.URL{Scheme: at.Scheme, Host: at.Host, Path: named.Path, RawPath: named.RawPath, RawQuery: named.RawQuery}
	return s, nil
}

func application() string {
	host, err := os.Hostname()
	if err != nil {
		host = "this machine"
	}
	return "toolpress on " + host + ", " + time.Now().Format(time.DateOnly) + " " + rand.Text()[:4]
}

// Admin is the address of one of the site's pages for people who are logged in,
// such as profile.php.
func (s *Site) Admin(page string) string {
	u := *s.authorization
	u.RawPath, u.RawQuery = "", ""
	u.Path = path.Join(path.Dir(u.Path), page)
	return u.String()
}

// Files is the address of the directory where WordPress's files lie: the front
// address, or another where it has a directory of its own. The site itself says
// so: whether that is part of it is for the caller to ask.
func (s *Site) Files() *url.URL {
	dir, _, _ := strings.Cut(s.authorization.Path, "/wp-admin/")
	return &url.URL{Scheme: s.front.Scheme, Host: s.front.Host, Path: dir + "/"}
}

// approval is the address that asks a person, with where the answer goes.
func (s *Site) approval(success, reject string) string {
	u := *s.authorization
	query := u.Query()
	query.Set("app_name", s.Application)
	query.Set("app_id", applicationID)
	query.Set("success_url", success)
	query.Set("reject_url", reject)
	// PHP reads + as a space too; some firewalls do not.
	u.RawQuery = strings.ReplaceAll(query.Encode(), "+", "%20")
	return u.String()
}

// check compares what the browser brought as site_url with the site. WordPress
// sends site_url(), where its files lie: the front address, or what stands
// before wp-admin where it has a directory of its own. The warning is for a
// scheme that differs.
func (s *Site) check(says string) (warning string, err error) {
	u, err := url.Parse(says)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return "", errors.New("the answer names no site (site_url is not an address)")
	}
	files := strings.TrimSuffix(s.Files().Path, "/")
	dir := strings.TrimSuffix(u.Path, "/")
	if !sameHost(u, s.front) || (dir != strings.TrimSuffix(s.front.Path, "/") && dir != files) {
		told := (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
		return "", &OtherSiteError{Asked: s.URL, Says: told}
	}
	if u.Scheme != s.front.Scheme {
		return fmt.Sprintf("the site calls itself %s://, and was asked as %s://", u.Scheme, s.front.Scheme), nil
	}
	return "", nil
}

// OtherSiteError is an answer of the browser that is about another site than
// the one that was asked.
type OtherSiteError struct{ Asked, Says string }

// Error names both.
func (e *OtherSiteError) Error() string {
	return fmt.Sprintf("the answer is about %s, and %s was asked: the password is not kept", e.Says, e.Asked)
}

// sameHost compares names and ports; a scheme's own port is none.
func sameHost(a, b *url.URL) bool {
	return strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

// port is empty for a scheme's own.
func port(u *url.URL) string {
	if p := u.Port(); p != map[string]string{"http": "80", "https": "443"}[u.Scheme] {
		return p
	}
	return ""
}

// closed reports that WordPress answered, and keeps visitors out.
func closed(err error) bool {
	var e *wp.Error
	return errors.As(err, &e) && e.Kind == wp.Refused && e.Code != "" && (e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden)
}

// whyOff says what usually switches application passwords off
// (wp-includes/user.php, wp_is_application_passwords_available).
func whyOff(at *url.URL, says string) string {
	switch {
	case at.Scheme == "http":
		return "WordPress offers them only over https, or with WP_ENVIRONMENT_TYPE 'local' in wp-config.php"
	case strings.HasPrefix(says, "http://"):
		return "it answers over https and believes that it does not (its own address is " + cmp.Or(says, "http") +
			"): set WP_HOME and WP_SITEURL to https, and behind a proxy let it send X-Forwarded-Proto and wp-config.php set $_SERVER['HTTPS'] from it"
	}
	return "a security plugin or the host does that (Wordfence: Login Security and \"Disable WordPress application passwords\"; elsewhere the filter wp_is_application_passwords_available): allow them there"
}

// member walks down objects; anything else on the way, PHP's empty list too,
// is nothing.
func member(v any, names ...string) any {
	for _, name := range names {
		object, _ := v.(map[string]any)
		v = object[name]
	}
	return v
}
