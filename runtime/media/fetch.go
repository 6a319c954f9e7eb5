package media

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"toolpress/discover/wp"
)

const (
	// maxRedirects bounds the addresses after the first.
	maxRedirects = 3
	// fetchTimeout bounds how long a file is waited for where the call has no
	// deadline: to its end, or for one that is not held to its first bytes.
	fetchTimeout = 15 * time.Second
	// maxHeader bounds the head of an answer, in bytes.
	maxHeader = 64 << 10
	// maxName bounds what a file is called by its server, in bytes.
	maxName = 100
)

var (
	errSlow      = errors.New("it did not arrive in time")
	errRedirects = fmt.Errorf("more than %d redirects", maxRedirects)
)

// elsewhere is a redirect to what may not be fetched.
type elsewhere struct{ origin string }

// Error names the scheme and the host.
func (e *elsewhere) Error() string { return "it redirects to " + e.origin }

// fetch finds a file on the web. Its body is read from a connection of its own, which
// ends with it.
func (o *Opener) fetch(ctx context.Context, from wp.Source) (*found, error) {
	at, err := from.CheckAddress()
	if err != nil {
		return nil, &Error{Message: "the address " + err.Error(), Next: "correct it and call again"}
	}
	at.Fragment, at.RawFragment = "", ""
	ctx, end, arrived := waiting(ctx)
	resp, err := o.get(ctx, from, at)
	if err != nil {
		defer end()
		return nil, unreached(ctx, err)
	}
	if wrong := refused(resp); wrong != nil {
		_ = resp.Body.Close()
		end()
		return nil, wrong
	}
	return &found{
		ReadCloser: &body{resp.Body, end}, size: resp.ContentLength, name: cmp.Or(disposed(resp), path.Base(resp.Request.URL.Path)), kind: resp.Header.Get("Content-Type"),
		arrived: arrived, failure: func(err error) error { return broken(ctx, err) },
	}, nil
}

// waiting is a context that ends when half of the time that is left of a call is over
// before arrived is called, or when end is, which has to be.
func waiting(call context.Context) (ctx context.Context, end, arrived func()) {
	wait := fetchTimeout
	if deadline, ok := call.Deadline(); ok {
		wait = time.Until(deadline) / 2
	}
	ctx, cancel := context.WithCancelCause(call)
	slow := time.AfterFunc(wait, func() { cancel(errSlow) })
	return ctx, func() { slow.Stop(); cancel(nil) }, func() { slow.Stop() }
}

// body is the rest of an answer; closed, it ends the connection.
type body struct {
	io.ReadCloser
	end func()
}

// Close implements [io.Closer].
func (b *body) Close() error {
	defer b.end()
	return b.ReadCloser.Close()
}

// get asks for an address. Nothing but the address goes to its host: a referrer would
// carry the query of the one before.
func (o *Opener) get(ctx context.Context, from wp.Source, at *url.URL) (*http.Response, error) {
	client := http.Client{
		Transport: &http.Transport{
			DialContext: o.dial, TLSHandshakeTimeout: connectTimeout, MaxResponseHeaderBytes: maxHeader,
			DisableKeepAlives: true, DisableCompression: true,
			TLSClientConfig: &tls.Config{RootCAs: o.authorities, MinVersion: tls.VersionTLS12},
		},
		CheckRedirect: func(next *http.Request, before []*http.Request) error {
			next.Header.Del("Referer")
			switch {
			case from.Allows(next.URL) != nil:
				return &elsewhere{next.URL.Scheme + "://" + next.URL.Host}
			case len(before) > maxRedirects:
				return errRedirects
			}
			return nil
		},
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "*/*")
	req.Header.Set("User-Agent", "toolpress")
	resp, err := client.Do(req)
	if err != nil && resp != nil { // the last redirect
		_ = resp.Body.Close()
	}
	return resp, err
}

// unreached says why an address gave no answer.
func unreached(ctx context.Context, err error) error {
	var at *url.Error
	if errors.As(err, &at) {
		err = at.Err // its URL would carry the query
	}
	var within *innerError
	var other *elsewhere
	var name *net.DNSError
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	again := "try once more in a moment; if it fails again, tell the user"
	switch {
	case errors.As(err, &within):
		return &Error{Message: "its host does not lead to the public Internet, and nothing is fetched from there", Next: tell, Err: within}
	case errors.As(err, &other):
		return &Error{Message: "the address redirects to " + other.origin + ", from where nothing is fetched", Next: "name another address, or tell the user"}
	case errors.Is(err, errRedirects):
		return &Error{Message: fmt.Sprintf("the address redirects more than %d times", maxRedirects), Next: "name another address"}
	case late(ctx):
		return &Error{Message: "the address did not answer in time", Next: again}
	case errors.As(err, &name):
		return &Error{Message: "its host is not known", Next: "correct the address, or tell the user", Err: err}
	case errors.As(err, &certificate), errors.As(err, &authority):
		return &Error{Message: "the certificate of its host was not accepted", Next: "do not repeat the call; tell the user", Err: err}
	}
	return &Error{Message: "its host gave no answer", Next: again, Err: err}
}

// late reports that the time for a file, or for the whole call, is over.
func late(ctx context.Context) bool {
	return errors.Is(context.Cause(ctx), errSlow) || errors.Is(ctx.Err(), context.DeadlineExceeded)
}

// broken says why a file did not arrive.
func broken(ctx context.Context, err error) error {
	if late(ctx) {
		return &Error{Message: "the file did not arrive in time", Next: "name a smaller file, or try once more in a moment"}
	}
	return &Error{Message: "the file broke off while it was fetched", Next: "try once more in a moment; if it fails again, tell the user", Err: err}
}

// refused says why an answer is no file; nil where it may be one.
func refused(resp *http.Response) error {
	switch encoding := resp.Header.Get("Content-Encoding"); {
	case resp.StatusCode == http.StatusNotFound || resp.StatusCode == http.StatusGone:
		return &Error{Message: fmt.Sprintf("there is no file at the address: it answers with status %d", resp.StatusCode), Next: "correct the address, or name another"}
	case resp.StatusCode != http.StatusOK:
		return &Error{Message: fmt.Sprintf("the address gives no file: it answers with status %d", resp.StatusCode), Next: "name another address, or tell the user"}
	case encoding != "" && !strings.EqualFold(encoding, "identity"):
		return &Error{Message: "the address gives the file compressed, which was not asked for", Next: "name another address, or tell the user"}
	}
	return nil
}

// disposed is what an answer says its file is called; empty where it does not.
func disposed(resp *http.Response) string {
	_, params, err := mime.ParseMediaType(resp.Header.Get("Content-Disposition"))
	if name := path.Base(strings.ReplaceAll(params["filename"], `\`, "/")); err == nil && name != "." && name != "/" {
		return name
	}
	return ""
}

// nameFor is the name of a file that its server calls name, with an extension of what
// it is. What is left of a name that is too long is its beginning.
func nameFor(name, kind string) string {
	name = strings.Trim(strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f || strings.ContainsRune(`/\";`, c) {
			return -1
		}
		return c
	}, strings.ToValidUTF8(name, "")), " .")
	ext := path.Ext(name)
	own := wp.Extension(wp.TypeByName(name))
	switch {
	case own != "" && wp.TypeByName(name) == kind:
		name = strings.TrimSuffix(name, ext)
	case own != "":
		name, ext = strings.TrimSuffix(name, ext), wp.Extension(kind)
	default:
		ext = wp.Extension(kind)
	}
	for len(name) > maxName {
		runes := []rune(name)
		name = string(runes[:len(runes)-1])
	}
	return cmp.Or(strings.Trim(name, " ."), "file") + ext
}
