package doctor

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"toolpress/discover/wp"
)

// probe asks one origin and keeps what a diagnosis needs and a call does not:
// headers and body of any status, the certificate, the time. It follows no
// redirect.
type probe struct {
	http *http.Client
	opts Options
}

func newProbe(opts Options) *probe {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DialContext = (&net.Dialer{Timeout: 5 * time.Second}).DialContext
	transport.TLSHandshakeTimeout = 5 * time.Second
	if opts.WP.Authorities != nil {
		transport.TLSClientConfig = &tls.Config{RootCAs: opts.WP.Authorities, MinVersion: tls.VersionTLS12}
	}
	return &probe{opts: opts, http: &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func (p *probe) close() { p.http.CloseIdleConnections() }

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   []byte
	tls    *tls.ConnectionState // nil over http
	took   time.Duration

	value  json.RawMessage // of json, once it was read
	looked bool
}

// nobody sends no Authorization header.
var nobody wp.Credential

// get asks an address of the site.
func (p *probe) get(ctx context.Context, u *url.URL, as wp.Credential) (*answer, error) {
	return p.send(ctx, http.MethodGet, u, as, "", nil)
}

func (p *probe) send(ctx context.Context, method string, u *url.URL, as wp.Credential, contentType string, body []byte) (*answer, error) {
	ctx, cancel := context.WithTimeout(ctx, p.opts.WP.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json, */*;q=0.1")
	req.Header.Set("User-Agent", p.opts.WP.UserAgent)
	req.Header.Set("Cache-Control", "no-cache")
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	if p.opts.WP.Host != "" { // as wp.Client does
		req.Host = p.opts.WP.Host
		req.Header.Set("X-Forwarded-Proto", "https")
	}
	as.Sign(req)
	start := p.opts.Now()
	resp, err := p.http.Do(req)
	if err != nil {
		return nil, as.Quiet(inner(err))
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, p.opts.WP.MaxBytes))
	if err != nil {
		return nil, as.Quiet(inner(err))
	}
	text = untold(as, resp.Header, text)
	return &answer{status: resp.StatusCode, header: resp.Header, body: text, tls: resp.TLS, took: p.opts.Now().Sub(start)}, nil
}

const redacted = "[redacted]"

// untold is the body of an answer without what repeats the credential that it was
// sent, or the cookie that it sets; so are the headers then. What is no JSON becomes
// a page that says nothing.
func untold(as wp.Credential, h http.Header, body []byte) []byte {
	if value, _, err := wp.ReadJSON(body); as.RepeatsOf(h, body) && err == nil {
		var v any
		_ = json.Unmarshal(value, &v) // it was read
		body, _ = json.Marshal(without(v, func(text string) bool { return as.RepeatsOf(h, []byte(text)) }))
	} else if as.RepeatsOf(h, body) {
		body = []byte("<title>" + redacted + "</title>")
	}
	for _, values := range h {
		for i := range values {
			if as.Repeats(values[i]) {
				values[i] = redacted
			}
		}
	}
	return body
}

// without is a value without the texts, and the members with names, that are told.
func without(v any, told func(text string) bool) any {
	switch v := v.(type) {
	case string:
		if told(v) {
			return redacted
		}
	case []any:
		for i := range v {
			v[i] = without(v[i], told)
		}
	case map[string]any:
		for name := range v {
			if v[name] = without(v[name], told); told(name) {
				delete(v, name)
			}
		}
	}
	return v
}

// inner drops the URL that net/http puts before an error: it has the query.
func inner(err error) error {
	var at *url.Error
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// ok reports an answer of JSON with a 2xx status.
func (a *answer) ok() bool { return a.status >= 200 && a.status < 300 && a.json() != nil }

// json is the answer's value, also inside noise; nil when there is none.
func (a *answer) json() json.RawMessage {
	if !a.looked {
		a.value, _, _ = wp.ReadJSON(a.body) // nil where there is none
		a.looked = true
	}
	return a.value
}

// envelope reads WordPress's error: its code and message, empty without one.
func (a *answer) envelope() (code, message string) {
	var e struct {
		Code    any `json:"code"`
		Message any `json:"message"`
	}
	if json.Unmarshal(a.json(), &e) != nil {
		return "", ""
	}
	code, _ = e.Code.(string)
	message, _ = e.Message.(string)
	return plain(code, 80), plain(message, 120)
}

// location is where a redirect points, without what it may carry; empty for
// another answer.
func (a *answer) location(asked *url.URL) *url.URL {
	if a.status < 300 || a.status > 399 || a.status == http.StatusNotModified {
		return nil
	}
	to, err := asked.Parse(a.header.Get("Location"))
	if err != nil {
		return nil
	}
	return &url.URL{Scheme: to.Scheme, Host: to.Host, Path: to.Path}
}

// below is the address of a route below the REST root.
func (e *examination) below(query url.Values, segments ...string) *url.URL {
	u, err := url.Parse(e.root.Client().Root())
	if err != nil {
		return e.address // the client made it: it parses
	}
	route := strings.Join(segments, "/")
	if u.Query().Has("rest_route") {
		with := url.Values{"rest_route": {"/" + route}}
		maps.Copy(with, query)
		u.RawQuery = with.Encode()
		return u
	}
	u.Path = strings.TrimSuffix(u.Path, "/") + "/" + route
	u.RawPath = ""
	u.RawQuery = query.Encode()
	return u
}
