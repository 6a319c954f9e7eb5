package discover

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strings"

	"toolpress/discover/wp"
)

// ErrNoRoot is wrapped by [Find]'s error when nothing at the address answers
// as a WordPress REST API.
var ErrNoRoot = errors.New("no WordPress REST API found")

// Root is a REST root that was found, ready to be read as often as wanted.
type Root struct {
	// URL is the site's front address.
	URL  string
	From RootSource

	client *wp.Client // pinned to the root
	head   head
}

// Client calls the REST API below the root.
func (r *Root) Client() *wp.Client { return r.client }

// As returns a root that is asked as somebody else; the connections are shared.
// It fails with [wp.ErrPlainHTTP] where the credential may not go there.
func (r *Root) As(who wp.Credential) (*Root, error) {
	client, err := r.client.As(who)
	if err != nil {
		return nil, err
	}
	as := *r
	as.client = client
	return &as, nil
}

// ParseAddress reads a site's address as a person writes it: without a scheme
// it is https, on this machine http. A password in it is refused.
func ParseAddress(address string) (*url.URL, error) {
	address = strings.TrimSpace(address)
	if !strings.Contains(address, "://") {
		scheme := "https://"
		host, _, _ := strings.Cut(address, "/")
		if u, err := url.Parse("http://" + host); err == nil && wp.IsLoopback(u.Hostname()) {
			scheme = "http://"
		}
		address = scheme + address
	}
	u, err := url.Parse(address)
	if err != nil {
		var at *url.Error
		if errors.As(err, &at) {
			err = at.Err // the address may hold a password
		}
		return nil, fmt.Errorf("reading the site's address: %w", err)
	}
	if u.User != nil {
		return nil, errors.New("the site's address holds a user or password: put them into TOOLPRESS_USER and TOOLPRESS_PASSWORD")
	}
	if query := u.Query(); query.Has("consumer_key") || query.Has("consumer_secret") {
		return nil, errors.New("the site's address holds WooCommerce keys: put them into TOOLPRESS_WC_KEY and TOOLPRESS_WC_SECRET")
	}
	if u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, fmt.Errorf("%q is not the address of a site: it looks like https://shop.example", address)
	}
	u.Fragment = ""
	return u, nil
}

// Find locates the REST root of the site that has a page at address: by the
// page's Link header (wp-includes/rest-api.php, rest_output_link_header) or the
// link element in its head (rest_output_link_wp_head), then at wp-json/ and
// ?rest_route=/ below the address and each of its parents, the deepest first:
// two sites may lie on one host. Until the root is known nothing is sent as
// anybody. Of what the site returns only a path and
// rest_route are used; the origin stays the one that was configured.
func Find(ctx context.Context, address *url.URL, opts wp.Options) (*Root, error) {
	client, err := wp.NewClient(address, opts)
	if err != nil {
		return nil, err
	}
	address = outside(address)
	header, text, pageErr := landing(ctx, client, address)
	head := readHead(text)
	found := func(root *url.URL, from RootSource, pinned *wp.Client) *Root {
		return &Root{URL: front(address, root), From: from, client: pinned, head: head}
	}
	if root := linked(header); root != nil {
		return found(root, FromLink, client.At(root)), nil
	}
	if head.root != nil {
		return found(head.root, FromHTML, client.At(head.root)), nil
	}
	var failed *wp.Error
	if errors.As(pageErr, &failed) && failed.Kind != wp.TooLarge && failed.Kind != wp.Redirected {
		return nil, pageErr
	}
	root, from, err := guess(ctx, client.Anonymously(), address.Path)
	switch {
	case root != nil:
		return found(root, from, client.At(root)), nil
	case pageErr != nil: // a redirect says more than what was guessed
		return nil, pageErr
	case err == nil:
		err = errors.New("what answers there is not a REST index")
	}
	return nil, fmt.Errorf("%w at %s: %w", ErrNoRoot, address, err)
}

// Resume is the root of a site that was read before, without asking whether it is
// still there. Of the site only its path and rest_route are used, as by [Find]: the
// origin is that of address.
func Resume(address *url.URL, site *Site, opts wp.Options) (*Root, error) {
	client, err := wp.NewClient(address, opts)
	if err != nil {
		return nil, err
	}
	root, err := url.Parse(site.Root)
	if err != nil {
		return nil, fmt.Errorf("the REST root of the site that was read before: %w", err)
	}
	return &Root{URL: front(address, root), From: site.RootFrom, client: client.At(root), head: head{lang: site.Locale, generator: site.WordPress}}, nil
}

// guess asks where WordPress has its root without any settings, below a page
// and each of its parents. With pretty permalinks it answers ?rest_route=/ below
// any page: unless the answer says that the site lies there, that is taken last.
func guess(ctx context.Context, client *wp.Client, page string) (root *url.URL, from RootSource, err error) {
	var resort *url.URL
	ask := func(at *url.URL) (own *url.URL, answers bool) {
		var resp *wp.Response
		resp, err = client.At(at).Do(ctx, wp.Request{Method: http.MethodGet})
		return ownRoot(resp, at), isREST(resp, err)
	}
	for _, dir := range directories(page) {
		if own, answers := ask(&url.URL{Path: dir + "/wp-json/"}); answers {
			return cmp.Or(own, &url.URL{Path: dir + "/wp-json/"}), FromPath, nil
		}
		at := &url.URL{Path: dir + "/", RawQuery: "rest_route=/"}
		switch own, answers := ask(at); {
		case answers && own != nil:
			return own, FromRestRoute, nil
		case answers && resort == nil:
			resort = at
		}
	}
	return resort, FromRestRoute, err
}

// outside is the address of a site's directory, given one in its wp-admin or its
// login page: neither names the REST API.
func outside(address *url.URL) *url.URL {
	own := ownPage.FindStringIndex(address.Path)
	if own == nil {
		return address
	}
	out := *address
	out.Path, out.RawPath, out.RawQuery = address.Path[:own[0]]+"/", "", ""
	return &out
}

var ownPage = regexp.MustCompile(`/(wp-admin(/|$)|wp-login\.php(/|$))`)

// landing fetches the page at an address, and follows redirects that stay on the
// origin: from /blog to /blog/. No credential is sent.
func landing(ctx context.Context, client *wp.Client, address *url.URL) (header http.Header, text []byte, err error) {
	for at, hops := address, 0; ; hops++ {
		header, text, err = client.Page(ctx, at)
		var failed *wp.Error
		if !errors.As(err, &failed) || failed.Kind != wp.Redirected {
			return header, text, err
		}
		to, parseErr := url.Parse(failed.Location)
		if parseErr != nil || to.Scheme != address.Scheme || !strings.EqualFold(to.Host, address.Host) || hops == maxRedirects {
			return nil, nil, err
		}
		at = outside(to)
	}
}

// ownRoot is the root an answer of the REST API names: in its Link header
// (class-wp-rest-server.php, serve_request), else the one that was asked where
// the index says that the site's home is there. Nil where it names none.
func ownRoot(resp *wp.Response, asked *url.URL) *url.URL {
	if resp == nil {
		return nil
	}
	if root := linked(resp.Header); root != nil {
		return root
	}
	var index struct {
		Home string `json:"home"`
	}
	if json.Unmarshal(resp.JSON, &index) == nil && index.Home != "" {
		if home, err := url.Parse(index.Home); err == nil && home.JoinPath("/").Path == asked.Path {
			return asked
		}
	}
	return nil
}

// directories are a path and its parents, the deepest first, without a slash
// at the end.
func directories(of string) []string {
	var dirs []string
	for dir := strings.TrimSuffix("/"+strings.TrimLeft(of, "/"), "/"); ; dir = strings.TrimSuffix(path.Dir(dir), "/") {
		if dirs = append(dirs, dir); dir == "" {
			return dirs
		}
	}
}

// isREST reports that an answer came from a REST API: an index, or an error in
// WordPress's envelope that is not "no such route".
func isREST(resp *wp.Response, err error) bool {
	if err == nil {
		var index struct {
			Namespaces any `json:"namespaces"`
			Routes     any `json:"routes"`
		}
		return json.Unmarshal(resp.JSON, &index) == nil && index.Namespaces != nil && index.Routes != nil
	}
	var failed *wp.Error
	return errors.As(err, &failed) && failed.Kind == wp.Refused && failed.Code != "" && failed.Code != "rest_no_route"
}

// linkValue is one target of a Link header with its parameters (RFC 8288,
// section 3); a target may hold commas.
var (
	linkValue   = regexp.MustCompile(`<([^<>]*)>([^<]*)`)
	apiRelation = regexp.MustCompile(`;\s*rel\s*=\s*"?https://api\.w\.org/"?`)
)

// linked returns the root a page's Link header names, or nil.
func linked(header http.Header) *url.URL {
	for _, line := range header.Values("Link") {
		for _, link := range linkValue.FindAllStringSubmatch(line, -1) {
			if !apiRelation.MatchString(link[2]) {
				continue
			}
			if u, err := url.Parse(strings.TrimSpace(link[1])); err == nil && u.Path != "" {
				return u
			}
		}
	}
	return nil
}

// front is the address of the site whose REST root lies at root.
func front(address, root *url.URL) string {
	dir := root.Path
	switch asQuery := root.Query().Has("rest_route"); {
	case asQuery && strings.HasSuffix(dir, "/"): // /blog/?rest_route=/
	case asQuery: // /blog/index.php?rest_route=/
		dir = path.Dir(dir)
	default: // /blog/wp-json/
		dir = strings.TrimSuffix(path.Dir(strings.TrimSuffix(dir, "/")), "/index.php") // of permalinks without rewriting
	}
	return (&url.URL{Scheme: address.Scheme, Host: address.Host, Path: strings.TrimSuffix(dir, "/")}).String()
}
