package wp

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
	"unicode"
)

// File is a body that is sent as its bytes, as WordPress takes an upload
// (WP_REST_Attachments_Controller::upload_from_data).
type File struct {
	// Name is the file's name with its extension, in UTF-8.
	Name string
	// Type is its media type. It must be none that core reads arguments from: JSON
	// or a form.
	Type string
	Data []byte
	// From is where the bytes are, where they are not here: nil once it is opened.
	// What has one is not sent.
	From *Source `json:",omitempty"`
	// Content has Size bytes, instead of Data, and is read once.
	Content io.Reader `json:"-"`
	Size    int64     `json:"-"`
}

// Disposition is the header that names the file. Core reads filename, and not
// RFC 5987's filename*, as the bytes between the outer quotes, and parts the
// header at every semicolon, also within them (get_filename_from_disposition in
// wp-includes/rest-api/endpoints/class-wp-rest-attachments-controller.php). So
// the name goes as UTF-8, without what would end it or the header. Of a name
// that holds no separator and no control character that is only what core drops
// itself (sanitize_file_name).
func (f File) Disposition() string {
	return `attachment; filename="` + strings.Map(func(c rune) rune {
		if strings.ContainsRune(`";/\`, c) || unicode.IsControl(c) {
			return -1
		}
		return c
	}, f.Name) + `"`
}

// payload is a request's body as sent, with the headers that belong to it or are
// the request's conditions.
type payload struct {
	body   io.Reader         // nil: none
	header map[string]string // by canonical name
	stream *stream           // the body, where it is one that is read once
}

// payload encodes the body: a [File] as it is, anything else as JSON.
func (r Request) payload() (payload, error) {
	switch body := r.Body.(type) {
	case nil:
		return payload{header: r.Since.conditions()}, nil
	case File:
		return body.payload()
	}
	text, err := EncodeJSON(r.Body)
	return payload{bytes.NewReader(text), map[string]string{"Content-Type": "application/json"}, nil}, err
}

func (f File) payload() (payload, error) {
	p := payload{header: map[string]string{"Content-Type": f.Type, "Content-Disposition": f.Disposition()}}
	switch {
	case f.From != nil:
		return p, errors.New("the file was not opened")
	case f.Content != nil:
		p.stream = &stream{from: f.Content, size: f.Size}
		p.body = p.stream
	default:
		p.body = bytes.NewReader(f.Data)
	}
	if max(int64(len(f.Data)), f.Size) >= askFirst {
		p.header["Expect"] = "100-continue"
	}
	return p, nil
}

// stream is a body that is read once, and of which it is known whether it could be
// read to its end. The transport reads it on a goroutine of its own.
type stream struct {
	from io.Reader
	size int64

	mu     sync.Mutex // guards the rest; not held while it is read
	read   int64
	failed error
}

// Read implements [io.Reader]. A body that is shorter than it was said to be is an
// error: what a site has got of it is no whole file.
func (s *stream) Read(p []byte) (int, error) {
	n, err := s.from.Read(p)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read += int64(n)
	if err == io.EOF && s.read < s.size {
		err = io.ErrUnexpectedEOF
	}
	if err != nil && err != io.EOF {
		s.failed = err
	}
	return n, err
}

// again is the body for another connection, where none has read of it yet.
func (s *stream) again() (io.ReadCloser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.read > 0 || s.failed != nil {
		return nil, errors.New("the file was read already")
	}
	return io.NopCloser(s), nil
}

// fault is why the body could not be read; nil where nothing was wrong with it.
func (s *stream) fault() error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed
}
