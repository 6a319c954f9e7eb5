package login

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
	"unicode"

	"toolpress/discover/wp"
)

// What a visit to the site may end with instead of a password.
var (
	ErrRejected = errors.New("the connection was not approved in the browser")
	// ErrNoAccount is a user who may have no application passwords.
	ErrNoAccount = errors.New("the site lets this user have no application passwords")
	ErrNoAnswer  = errors.New("no answer came from the browser")
)

// shownWithin is how long the browser has to fetch the last page. One that
// follows no redirect never does.
const shownWithin = 2 * time.Second

// Answer is what the browser brought back.
type Answer struct {
	Credential wp.Credential
	// Warning says what is odd about the answer; empty when nothing is.
	Warning string
}

// Visit is one visit of a person's browser to the site's approval page: a port
// on 127.0.0.1 that takes one answer.
type Visit struct {
	site     *Site
	listener net.Listener
	host     string // 127.0.0.1:PORT, the only Host that is answered
	state    string // one-time, in the path of the only addresses that are taken

	answered chan outcome  // takes one
	shown    chan struct{} // closed when the browser has the last page

	// mu guards what follows.
	mu     sync.Mutex
	ended  *outcome // nil until the answer came
	closed bool     // shown is closed
}

type outcome struct {
	answer Answer
	err    error
}

// Listen opens a port on 127.0.0.1 for one visit to the site.
func Listen(s *Site) (*Visit, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listening for the browser's answer: %w", err)
	}
	return &Visit{
		site: s, listener: listener, host: listener.Addr().String(), state: rand.Text(),
		answered: make(chan outcome, 1), shown: make(chan struct{}),
	}, nil
}

// URL is the address to open in a browser.
func (v *Visit) URL() string {
	base := "http://" + v.host + "/" + v.state
	return v.site.approval(base+"/approved", base+"/rejected")
}

// Port is where the answer is awaited.
func (v *Visit) Port() int { return v.listener.Addr().(*net.TCPAddr).Port }

// Close gives the port back, where [Visit.Wait] was never called.
func (v *Visit) Close() { _ = v.listener.Close() }

// Wait answers the browser until it brings the site's answer, ctx ends or
// patience is over, and closes the port. The error is ctx's, or wraps one of
// [ErrNoAnswer], [ErrRejected] and [ErrNoAccount], or is an [*OtherSiteError].
func (v *Visit) Wait(ctx context.Context, patience time.Duration) (Answer, error) {
	server := &http.Server{
		Handler: v, ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 32 << 10,
		ErrorLog: log.New(io.Discard, "", 0), // may quote what the browser sent
	}
	served := make(chan struct{})
	go func() { defer close(served); _ = server.Serve(v.listener) }()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	end := outcome{}
	select {
	case end = <-v.answered:
		grace := time.NewTimer(shownWithin)
		defer grace.Stop()
		select {
		case <-v.shown:
		case <-grace.C:
		case <-ctx.Done():
		}
	case <-timer.C:
		end.err = fmt.Errorf("%w within %s", ErrNoAnswer, patience)
	case <-ctx.Done():
		end.err = ctx.Err()
	}
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if server.Shutdown(stopping) != nil {
		_ = server.Close()
	}
	<-served
	return end.answer, end.err
}

// ServeHTTP takes the answer at the one-time address, and shows what came of it
// at /done: the password is in the first address, so the browser leaves it at
// once.
func (v *Visit) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	protect(w.Header())
	switch {
	case r.Host != v.host: // a name that somebody made resolve to 127.0.0.1
		v.page(w, http.StatusMisdirectedRequest, pageNothing)
	case r.Method != http.MethodGet:
		w.Header().Set("Allow", http.MethodGet)
		v.page(w, http.StatusMethodNotAllowed, pageNothing)
	case r.URL.Path == "/done":
		v.done(w)
	case v.ours(r.URL.Path, "/approved"), v.ours(r.URL.Path, "/rejected"):
		if !v.take(r) {
			v.page(w, http.StatusGone, pageUsed)
			return
		}
		w.Header().Set("Location", "/done")
		w.WriteHeader(http.StatusSeeOther)
	default:
		v.page(w, http.StatusNotFound, pageNothing)
	}
}

func (v *Visit) ours(path, end string) bool {
	return subtle.ConstantTimeCompare([]byte(path), []byte("/"+v.state+end)) == 1
}

// take keeps the first answer, and tells whether this is it.
func (v *Visit) take(r *http.Request) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.ended != nil {
		return false
	}
	v.ended = &outcome{}
	v.ended.answer, v.ended.err = v.read(r)
	v.answered <- *v.ended
	return true
}

// read makes an answer of a request at the one-time address.
func (v *Visit) read(r *http.Request) (Answer, error) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	switch {
	case query.Get("error") != "": // the way back from WordPress's "not available"
		return Answer{}, ErrNoAccount
	case strings.HasSuffix(r.URL.Path, "/rejected"), query.Get("success") == "false":
		return Answer{}, ErrRejected
	case err != nil:
		return Answer{}, errors.New("the browser's answer cannot be read")
	}
	said := map[string]string{}
	for _, name := range []string{"site_url", "user_login", "password"} {
		switch values := query[name]; {
		case len(values) != 1 || strings.TrimSpace(values[0]) == "":
			return Answer{}, fmt.Errorf("the browser's answer has no %s, or several", name)
		case len(values[0]) > 500 || strings.ContainsFunc(values[0], unicode.IsControl):
			return Answer{}, fmt.Errorf("the browser's answer has a %s that is none", name)
		}
		said[name] = query.Get(name)
	}
	if strings.Contains(said["user_login"], ":") { // Basic authentication cannot carry it
		return Answer{}, errors.New("the browser's answer has a user_login that is none")
	}
	warning, err := v.site.check(said["site_url"])
	if err != nil {
		return Answer{}, err
	}
	return Answer{wp.Credential{User: said["user_login"], Password: wp.NewSecret(said["password"])}, warning}, nil
}

// done shows what came of the visit.
func (v *Visit) done(w http.ResponseWriter) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch {
	case v.ended == nil:
		v.page(w, http.StatusNotFound, pageNothing)
		return
	case v.ended.err == nil:
		v.page(w, http.StatusOK, pageApproved)
	case errors.Is(v.ended.err, ErrRejected):
		v.page(w, http.StatusOK, pageRejected)
	default:
		v.page(w, http.StatusOK, pageFailed)
	}
	if !v.closed {
		v.closed = true
		close(v.shown)
	}
}
