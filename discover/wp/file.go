package wp

import (
	"bytes"
	"io"
	"strings"
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
}

// payload encodes the body: a [File] as it is, anything else as JSON.
func (r Request) payload() (payload, error) {
	switch body := r.Body.(type) {
	case nil:
		return payload{header: r.Since.conditions()}, nil
	case File:
		return payload{bytes.NewReader(body.Data), map[string]string{"Content-Type": body.Type, "Content-Disposition": body.Disposition()}}, nil
	}
	text, err := EncodeJSON(r.Body)
	return payload{bytes.NewReader(text), map[string]string{"Content-Type": "application/json"}}, err
}
