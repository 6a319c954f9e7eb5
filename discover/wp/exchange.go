package wp

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync/atomic"
)

// exchange is one request and its whole answer.
type exchange struct {
	method string
	url    string // without query
	status int
	header http.Header
	body   []byte
	as     Credential // who asked
	// cut is a body over the limit, which is most, of which only the beginning is
	// there; length is how long the site says it is, -1 where it does not.
	cut          bool
	most, length int64
}

// sending says as whom a request is sent and with what body, and that its answer
// is cut after head bytes instead of refused when it is long; 0 is not cut. files
// are cut where they are over the limit.
type sending struct {
	payload
	as    Credential
	head  int64
	trace Trace
	files bool
	// once sends a request no second time that net/http would: a read whose
	// connection, a kept one, ends before the answer (Transport.RoundTrip).
	once bool
}

// exchange sends and reads within the client's bounds. A redirect and a body
// over the limit are errors here; what a body says is for the caller.
func (c *Client) exchange(ctx context.Context, method string, u *url.URL, how sending) (*exchange, error) {
	ctx, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	defer cancel()
	var sent atomic.Bool
	// net/http takes another connection when nothing went out on the first.
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { sent.Store(false) },
		GotConn: func(httptrace.GotConnInfo) { sent.Store(true) },
	})

	req, err := c.request(ctx, method, u, how)
	if err != nil {
		return nil, fmt.Errorf("building the request: %w", err)
	}
	plain := *u
	plain.RawQuery = ""
	if route := u.Query().Get("rest_route"); route != "" {
		plain.RawQuery = "rest_route=" + route
	}
	fail := &Error{Method: method, URL: plain.Redacted()}
	leave, err := c.gate.enter(ctx)
	if err != nil {
		fail.Kind, fail.Err = Crowded, err
		return nil, fail
	}
	defer leave()
	c.requests.Add(1)
	resp, err := c.http.Do(req)
	if err != nil {
		fail.Kind, fail.Err, fail.Sent = kindOf(err), how.as.Quiet(cause(err)), sent.Load()
		if fault := how.stream.fault(); fault != nil && ctx.Err() == nil { // else it is what ended the reading
			fail.Kind, fail.Err = Unread, fault
		}
		return nil, fail
	}
	defer resp.Body.Close()
	return c.receive(resp, how, fail)
}

// receive reads an answer to its end, or as far as it is wanted. The error is fail,
// which says what was asked.
func (c *Client) receive(resp *http.Response, how sending, fail *Error) (*exchange, error) {
	fail.Status, fail.Sent = resp.StatusCode, true
	if resp.StatusCode >= 300 && resp.StatusCode < 400 && resp.StatusCode != http.StatusNotModified {
		fail.Kind, fail.Location = Redirected, location(resp, how.as)
		return nil, fail
	}
	x := &exchange{method: fail.Method, url: fail.URL, status: resp.StatusCode, header: resp.Header, most: c.opts.MaxBytes, length: resp.ContentLength, as: how.as}
	file := how.files && !mayHoldJSON(mediaType(x.header))
	// What is too long by its own word is not waited for. A HEAD's has no body.
	x.cut = x.length > x.most && how.head == 0 && x.method != http.MethodHead
	if !x.cut || file {
		if err := x.read(resp.Body, how.head); err != nil {
			fail.Kind, fail.Err, fail.Status = kindOf(err), how.as.Quiet(cause(err)), 0
			if fail.Kind == Unreachable {
				fail.Kind = Broken
			}
			return nil, fail
		}
	}
	if x.cut && !file {
		fail.Kind, fail.Err = TooLarge, fmt.Errorf("%d bytes", x.most)
		return nil, fail
	}
	return x, nil
}

// request has the headers toolpress sends, and no other: nothing of a client's but
// its trace.
func (c *Client) request(ctx context.Context, method string, u *url.URL, how sending) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, u.String(), how.body)
	if err != nil {
		return nil, err
	}
	if how.stream != nil {
		req.ContentLength, req.GetBody = how.stream.size, how.stream.again
	}
	req.Header.Set("Accept", "application/json, */*;q=0.1")
	req.Header.Set("User-Agent", c.opts.UserAgent)
	req.Header.Set("Cache-Control", "no-cache")
	if c.opts.Locale != "" {
		req.Header.Set("Accept-Language", strings.ReplaceAll(c.opts.Locale, "_", "-"))
	}
	for name, value := range how.header {
		req.Header.Set(name, value)
	}
	for name, value := range map[string]string{"Traceparent": how.trace.Parent, "Tracestate": how.trace.State, "Baggage": how.trace.Baggage} {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	if c.opts.Host != "" {
		req.Host = c.opts.Host
		req.Header.Set("X-Forwarded-Proto", "https")
	}
	how.as.Sign(req)
	if how.once && req.Body == nil {
		req.Body = io.NopCloser(strings.NewReader("")) // nothing is sent of it, and it cannot be read twice
	}
	return req, nil
}

// response reads the answer as WordPress gives it: JSON with a 2xx status, or the
// error envelope with any other. With files it is a file instead where it is one.
func (x *exchange) response(files bool) (*Response, error) {
	fail := &Error{Method: x.method, URL: x.url, Status: x.status, Sent: true, RetryAfter: retryAfter(x.header)}
	ok := x.status >= 200 && x.status < 300
	resp := &Response{Status: x.status, Header: x.header}
	if ok && len(x.body) == 0 && (x.status == http.StatusNoContent || x.method == http.MethodHead) {
		return resp, nil
	}
	said := mediaType(x.header)
	if files = files && ok; files && !mayHoldJSON(said) && !x.holdsObject() {
		if resp.File = x.download(); resp.File != nil {
			return x.unrepeated(resp, x.body, []byte(resp.File.Name))
		}
	}
	if x.cut {
		fail.Kind, fail.Err = TooLarge, fmt.Errorf("%d bytes", x.most)
		return nil, fail
	}
	value, noise, err := ReadJSON(x.body)
	if err != nil && files {
		if resp.File = x.download(); resp.File != nil {
			return x.unrepeated(resp, x.body, []byte(resp.File.Name))
		}
	}
	// Of an answer that repeats the credential, or a cookie that it sets, nothing is
	// told.
	told := err == nil && ok && noise == Noise{} || !x.as.RepeatsOf(x.header, x.body)
	if err != nil {
		fail.Kind, fail.Err, fail.Excerpt = NotJSON, err, redacted
		if told {
			fail.Excerpt = excerpt(x.body, 120)
		}
		if sniffed(said) {
			fail.Claim = said
		}
		return nil, fail
	}
	if ok {
		if !told {
			noise = Noise{Before: redacted}
		}
		resp.JSON, resp.Noise = value, noise
		return x.unrepeated(resp, value)
	}
	x.refusal(value, told, fail)
	return nil, fail
}

// unrepeated is a successful answer, or an error where what is told of it repeats the
// credential.
func (x *exchange) unrepeated(resp *Response, told ...[]byte) (*Response, error) {
	if slices.ContainsFunc(told, x.as.repeated) {
		return nil, &Error{Kind: Echoed, Method: x.method, URL: x.url, Status: x.status, Sent: true, Err: ErrEchoed}
	}
	return resp, nil
}

// holdsObject reports a body that is one object or list, whatever it says it is.
func (x *exchange) holdsObject() bool {
	text := bytes.TrimSpace(x.body)
	return len(text) > 0 && (text[0] == '{' || text[0] == '[') && json.Valid(text)
}

// refusal reads WordPress's error envelope into an error. An answer that is JSON
// but no envelope leaves the fields empty.
func (x *exchange) refusal(value json.RawMessage, told bool, into *Error) {
	var envelope struct {
		Code    any             `json:"code"`
		Message any             `json:"message"`
		Data    json.RawMessage `json:"data"`
	}
	_ = json.Unmarshal(value, &envelope)
	into.Kind = Refused
	into.Code, _ = envelope.Code.(string)
	into.Message, _ = envelope.Message.(string)
	into.Data = envelope.Data
	if !told {
		into.Message, into.Data = redacted, nil
		if x.as.RepeatsOf(x.header, []byte(into.Code)) {
			into.Code = ""
		}
	}
}

func kindOf(err error) Kind {
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var record tls.RecordHeaderError
	var dial *net.OpError
	switch {
	case errors.As(err, &certificate), errors.As(err, &authority), errors.As(err, &host), errors.As(err, &record), strings.Contains(err.Error(), "tls: "):
		return BadTLS // an alert of the other side is plain text: "remote error: tls: …"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return TimedOut
	case errors.As(err, &dial) && dial.Op == "dial":
		return Unreachable
	}
	return Broken
}

// cause drops the method and URL that net/http puts before an error: they are
// in [Error] already, and its URL would carry the query.
func cause(err error) error {
	var at *url.Error
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// location is where a redirect points, without what it may carry.
func location(resp *http.Response, as Credential) string {
	to, err := resp.Location()
	if err != nil {
		return "nowhere"
	}
	text := (&url.URL{Scheme: to.Scheme, Host: to.Host, Path: to.Path}).String()
	if as.RepeatsOf(resp.Header, []byte(text)) {
		return redacted
	}
	return text
}
