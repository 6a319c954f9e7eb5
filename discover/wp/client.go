package wp

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"
)

// ErrPlainHTTP is returned for a credential that would cross a network in the
// clear.
var ErrPlainHTTP = errors.New("a credential goes only over https or to this machine")

// ErrStoreHTTP is returned for WooCommerce keys where the address is not https:
// over http WooCommerce takes them only as OAuth 1.0a signatures
// (WC_REST_Authentication), which toolpress does not make.
var ErrStoreHTTP = errors.New("WooCommerce keys go only over https")

// Options configure a [Client].
type Options struct {
	// Credential is sent with every request but [Client.Page]. Zero: none.
	Credential Credential
	// Store is a WooCommerce consumer key and secret, sent instead of
	// Credential to routes below wc/. Zero: none.
	Store Credential
	// Host is the name the site knows itself by where Address is another one's,
	// such as a pod's: it is sent as Host, with X-Forwarded-Proto: https, and
	// never connected to. Empty: the address's own.
	Host string
	// Authorities are trusted besides this machine's own, such as a company's;
	// nil: no others.
	Authorities *x509.CertPool
	// InsecureHTTP lets the credential go over plain http to another machine.
	InsecureHTTP bool
	// Timeout bounds one exchange, connection to last byte. Zero: 20 s.
	Timeout time.Duration
	// MaxBytes bounds a decompressed body. Zero: 4 MiB.
	MaxBytes int64
	// Pace bounds how fast, and how much at the same time.
	Pace Pace
	// UserAgent names the product. Empty: "toolpress".
	UserAgent string
	// Locale is the one texts are asked in, as WordPress names it (pt_PT): it is sent
	// as Accept-Language, which core passes over and a plugin may follow. Empty: none.
	Locale string
}

// Client talks to one origin. It is safe for use by many goroutines.
type Client struct {
	origin *url.URL // scheme and host, no path
	root   *url.URL // the REST root; nil until At
	http   *http.Client
	opts   Options
	// requests counts what was sent, together with the clients made from this one;
	// gate is where all of them wait.
	requests *atomic.Int64
	gate     *gate
}

// NewClient makes a client for the origin of address. It fails with
// [ErrPlainHTTP] before any connection when the credential may not go there.
func NewClient(address *url.URL, opts Options) (*Client, error) {
	if address.Host == "" || (address.Scheme != "http" && address.Scheme != "https") {
		return nil, fmt.Errorf("%q is not an http or https address", address.Redacted())
	}
	if address.Scheme == "http" && !opts.Credential.Anonymous() && !opts.InsecureHTTP && !IsLoopback(address.Hostname()) {
		return nil, ErrPlainHTTP
	}
	if !opts.Store.Anonymous() && address.Scheme != "https" {
		return nil, ErrStoreHTTP
	}
	if opts.Timeout == 0 {
		opts.Timeout = defaultTimeout
	}
	if opts.MaxBytes == 0 {
		opts.MaxBytes = defaultMaxBytes
	}
	if opts.UserAgent == "" {
		opts.UserAgent = "toolpress"
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DialContext = (&net.Dialer{Timeout: connectTimeout}).DialContext
	transport.TLSHandshakeTimeout = connectTimeout
	// As many stay open as there may be at once: a closed one costs the next
	// request a handshake.
	transport.MaxIdleConnsPerHost = max(minIdle, opts.Pace.Concurrency)
	if opts.Authorities != nil {
		transport.TLSClientConfig = &tls.Config{RootCAs: opts.Authorities, MinVersion: tls.VersionTLS12}
		transport.ForceAttemptHTTP2 = true
	}
	return &Client{
		origin: &url.URL{Scheme: address.Scheme, Host: address.Host},
		http: &http.Client{
			Transport:     transport,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		opts:     opts,
		requests: new(atomic.Int64),
		gate:     newGate(opts.Pace),
	}, nil
}

// IsLoopback reports whether host names this machine.
func IsLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || (ip != nil && ip.IsLoopback())
}

// At returns a client for the REST root at this path and query of the same
// origin. Whatever else root says is ignored.
func (c *Client) At(root *url.URL) *Client {
	at := *c
	at.root = &url.URL{Scheme: c.origin.Scheme, Host: c.origin.Host, Path: root.Path, RawPath: root.RawPath}
	if route := root.Query().Get("rest_route"); route != "" {
		at.root.RawQuery = "rest_route=/"
	}
	return &at
}

// Within returns a client with other bounds; the connections are shared. Zero
// keeps a bound.
func (c *Client) Within(timeout time.Duration, maxBytes int64) *Client {
	in := *c
	if timeout > 0 {
		in.opts.Timeout = timeout
	}
	if maxBytes > 0 {
		in.opts.MaxBytes = maxBytes
	}
	return &in
}

// Anonymously returns a client that sends no credential; the connections are
// shared.
func (c *Client) Anonymously() *Client {
	as := *c
	as.opts.Credential, as.opts.Store = Credential{}, Credential{}
	return &as
}

// As returns a client that asks as somebody else, below wc/ too; the
// connections are shared. It fails with [ErrPlainHTTP] where the credential may
// not go there.
func (c *Client) As(who Credential) (*Client, error) {
	if c.origin.Scheme == "http" && !who.Anonymous() && !c.opts.InsecureHTTP && !IsLoopback(c.origin.Hostname()) {
		return nil, ErrPlainHTTP
	}
	as := *c
	as.opts.Credential, as.opts.Store = who, Credential{}
	return &as, nil
}

// SameAs reports that another client sends the same credentials, below wc/ too.
func (c *Client) SameAs(other *Client) bool {
	return c.opts.Credential.equal(other.opts.Credential) && c.opts.Store.equal(other.opts.Store)
}

// Root is the REST root's address, as the client will ask it.
func (c *Client) Root() string { return c.root.String() }

// Anonymous reports whether the client sends no credential.
func (c *Client) Anonymous() bool { return c.opts.Credential.Anonymous() }

// Locale is the one texts are asked in; empty: none.
func (c *Client) Locale() string { return c.opts.Locale }

// Requests is how many requests were sent so far.
func (c *Client) Requests() int64 { return c.requests.Load() }

// Close drops idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Response is a successful answer.
type Response struct {
	Status int
	Header http.Header
	// JSON is the answer's value: any JSON, also a bare string or number. It
	// is empty when the site sent no body (204, 304).
	JSON  json.RawMessage
	Noise Noise
	// File is what the site answered instead of JSON, for a request that takes
	// files; nil else.
	File *Download
	// URL is the address that was asked, by the name the site knows itself by.
	URL string
}

// Do sends one request and reads its answer. A failed exchange is an [*Error],
// a request that cannot be sent a [*RequestError].
func (c *Client) Do(ctx context.Context, r Request) (*Response, error) {
	u, err := r.URL(c.root)
	if err != nil {
		return nil, &RequestError{err}
	}
	sent, err := r.payload()
	if err != nil {
		return nil, &RequestError{fmt.Errorf("encoding the body: %w", err)}
	}
	ex, err := c.Within(r.Timeout, 0).exchange(ctx, r.Method, u, sending{as: c.credentialFor(r), payload: sent, trace: r.Trace, files: r.Files, once: r.Once})
	if err != nil {
		return nil, err
	}
	if ex.status == http.StatusNotModified && r.Since != (Validators{}) {
		return &Response{Status: ex.status, Header: ex.header}, nil
	}
	resp, err := ex.response(r.Files)
	if err != nil {
		return nil, err
	}
	if c.opts.Host != "" {
		u.Scheme, u.Host = "https", c.opts.Host
	}
	resp.URL = u.String()
	return resp, nil
}

// credentialFor is who a request is sent as.
func (c *Client) credentialFor(r Request) Credential {
	if r.Anonymous {
		return Credential{}
	}
	if len(r.Segments) > 0 && r.Segments[0] == "wc" && !c.opts.Store.Anonymous() {
		return c.opts.Store
	}
	return c.opts.Credential
}

// Page fetches an address of the site without the credential, for its headers
// and the beginning of its text. address must lie on the client's origin: only
// its path and query are used.
func (c *Client) Page(ctx context.Context, address *url.URL) (http.Header, []byte, error) {
	u := &url.URL{Scheme: c.origin.Scheme, Host: c.origin.Host, Path: address.Path, RawPath: address.RawPath, RawQuery: address.RawQuery}
	if u.Path == "" {
		u.Path = "/"
	}
	ex, err := c.exchange(ctx, http.MethodGet, u, sending{head: maxPage})
	if err != nil {
		return nil, nil, err
	}
	return ex.header, ex.body, nil
}

// EncodeJSON writes a value without HTML escapes, on one line: "<" stays what a
// site stores and a model reads.
func EncodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
