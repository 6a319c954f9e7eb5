package discover

import (
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
	if u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, fmt.Errorf("%q is not the address of a site: it looks like https://shop.example", address)
	}
	u.Fragment = ""
	return u, nil
}

// Find locates the REST root of the site that has a page at address: by the
// page's Link header (wp-includes/rest-api.php, rest_output_link_header) or the
// link element in its head (rest_output_link_wp_head), then at wp-json/ below the address and each of its parents, then at
// ?rest_route=/. Of what the site returns only a path and rest_route are used;
// the origin stays the one that was configured.
func Find(ctx context.Context, address *url.URL, opts wp.Options) (*Root, error) {
	client, err := wp.NewClient(address, opts)
	if err != nil {
		return nil, err
	}
	header, text, pageErr := client.Page(ctx, address)
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
	var last error
	for _, source := range []RootSource{FromPath, FromRestRoute} {
		for _, dir := range directories(address.Path) {
			at := &url.URL{Path: dir + "/wp-json/"}
			if source == FromRestRoute {
				at = &url.URL{Path: dir + "/", RawQuery: "rest_route=/"}
			}
			var resp *wp.Response
			pinned := client.At(at)
			if resp, last = pinned.Do(ctx, wp.Request{Method: http.MethodGet}); isREST(resp, last) {
				return found(at, source, pinned), nil
			}
		}
	}
	if pageErr != nil { // a redirect says more than what was guessed
		return nil, pageErr
	}
	if last == nil {
		last = errors.New("what answers there is not a REST index")
	}
	return nil, fmt.Errorf("%w at %s: %w", ErrNoRoot, address, last)
}

// directories are a path and its parents, the deepest first, without a slash
// at the end. All are tried below wp-json/ before any with ?rest_route=/, which
// a WordPress with pretty permalinks answers everywhere.
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
		dir = path.Dir(strings.TrimSuffix(dir, "/"))
	}
	return (&url.URL{Scheme: address.Scheme, Host: address.Host, Path: strings.TrimSuffix(dir, "/")}).String()
}
