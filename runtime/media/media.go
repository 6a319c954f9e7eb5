package media

import (
	"bytes"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"toolpress/discover/wp"
)

// What one file can cost.
const (
	// maxFile bounds a file, in bytes.
	maxFile = 64 << 20
	// held is how much of a file is in memory at most: one that is no larger is read
	// whole before it is sent.
	held = 4 << 20
	// headSize is how much is looked at to tell what a file is (http.DetectContentType).
	headSize = 512
)

// Error is a file that cannot be had. Nothing was sent to the site.
type Error struct {
	// Message says why, for whoever asked for the file, in a sentence without its
	// end: "there is no such file".
	Message string
	// Next is what they may do about it, in the same form.
	Next string
	// Err is the cause below, for the operator alone: it may name a directory or an
	// address of a network. Nil: Message says it all.
	Err error
}

// Error is for the operator.
func (e *Error) Error() string {
	if e.Err == nil {
		return e.Message
	}
	return e.Message + ": " + e.Err.Error()
}

// Unwrap returns the cause below.
func (e *Error) Unwrap() error { return e.Err }

// Opener opens files. The zero value is ready, and safe for use by many goroutines.
type Opener struct {
	// For tests; nil, or zero, is what [Opener.Open] says.
	resolver    *net.Resolver
	public      func(netip.Addr) bool
	authorities *x509.CertPool
}

// Open returns a file whose source is opened: with all its bytes, or with what they
// are read from while they are sent. It has to be closed once it was sent, or is not
// sent. ctx has to last until then, and its deadline is shared with the site, which
// half of the time is left for. The error is an [*Error].
func (o *Opener) Open(ctx context.Context, f wp.File) (wp.File, io.Closer, error) {
	from, err := o.find(ctx, f)
	if err != nil {
		return wp.File{}, nil, err
	}
	opened, err := from.file(f)
	if err != nil {
		_ = from.Close() // it was only read
		return wp.File{}, nil, err
	}
	return opened, from, nil
}

func (o *Opener) find(ctx context.Context, f wp.File) (*found, error) {
	if f.From.Address != "" {
		return o.fetch(ctx, *f.From)
	}
	return open(*f.From)
}

// found is a file that was found, and not read yet.
type found struct {
	io.ReadCloser
	size int64 // -1: not known
	// name and kind are what the file is called and said to be, where the source
	// says; empty where it does not.
	name, kind string
	// arrived is called when all was read that is read before it is sent.
	arrived func()
	// failure is what an error of reading means.
	failure func(error) error
}

// file takes the file as it is sent: checked, and with its content.
func (s *found) file(f wp.File) (wp.File, error) {
	if s.size > maxFile {
		return f, tooLarge(s.size)
	}
	head := make([]byte, headSize)
	n, err := io.ReadFull(s, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return f, s.failure(err)
	}
	head = head[:n]
	if n == 0 {
		return f, &Error{Message: "the file is empty", Next: "name another file"}
	}
	if f, err = s.typed(f, head); err != nil {
		return f, err
	}
	f.From = nil
	all := io.MultiReader(bytes.NewReader(head), s)
	if s.size > held {
		f.Content, f.Size = io.LimitReader(all, s.size), s.size
		s.arrived()
		return f, nil
	}
	f.Data, err = io.ReadAll(io.LimitReader(all, held+1))
	switch {
	case err != nil:
		return f, s.failure(err)
	case int64(len(f.Data)) > held:
		return f, &Error{
			Message: fmt.Sprintf("the file does not say how large it is, and has more than the %d MiB that are taken then", held>>20),
			Next:    "name a smaller file, or tell the user",
		}
	case s.size >= 0 && int64(len(f.Data)) != s.size:
		return f, s.failure(io.ErrUnexpectedEOF)
	}
	s.arrived()
	return f, nil
}

// typed gives the file the name and the type it goes by, where what was found says
// more of it than the call.
func (s *found) typed(f wp.File, head []byte) (wp.File, error) {
	if f.Type != "" { // by its name
		if !wp.Agrees(f.Type, head) {
			return f, mismatch(f.Type, head)
		}
		return f, nil
	}
	kind, agrees := wp.TypeOf(s.kind, head)
	switch {
	case kind == "":
		return f, noMedia(s.kind, head)
	case !agrees:
		return f, mismatch(kind, head)
	}
	f.Type = kind
	if f.Name == "" {
		f.Name = nameFor(s.name, kind)
	}
	return f, nil
}

func tooLarge(size int64) error {
	return &Error{
		Message: fmt.Sprintf("the file has %d bytes, and at most %d (%d MiB) are sent", size, maxFile, maxFile>>20),
		Next:    "name a smaller file, or tell the user",
	}
}

func mismatch(kind string, head []byte) error {
	is := "something else"
	if isPage(head) {
		is = "a web page"
	}
	return &Error{
		Message: "the file is said to be " + kind + ", and its first bytes are those of " + is,
		Next:    "name another file, or tell the user",
	}
}

func noMedia(said string, head []byte) error {
	what := "something that does not say what it is"
	if kind, _, err := mime.ParseMediaType(said); err == nil {
		what = "something that says it is " + kind
	}
	if isPage(head) {
		what = "a web page"
	}
	return &Error{
		Message: "there is " + what + ", and no picture, recording or document",
		Next:    "give the address of the file itself, not of a page that shows it",
	}
}

func isPage(head []byte) bool { return strings.HasPrefix(http.DetectContentType(head), "text/html") }
