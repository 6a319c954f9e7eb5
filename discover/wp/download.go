package wp

import (
	"bytes"
	"cmp"
	"mime"
	"net/http"
	"path"
	"strings"
)

// Download is an answer that is a file and no JSON: a picture, a recording, a
// document, or a page where the route means one.
type Download struct {
	// Name is what the site calls the file, without a path; empty where it says
	// nothing.
	Name string
	// Type is its media type, lower case and without parameters.
	Type string
	// Data is the whole file, nil where it is over the client's limit.
	Data []byte
	// Size is in bytes; -1 where Data is nil and the site does not say.
	Size int64
}

// octets is the type of what is not known any better.
const octets = "application/octet-stream"

// mediaType is what a site says a body is; empty when that says nothing.
func mediaType(h http.Header) string {
	said, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil || len(said) > 100 || !strings.Contains(said, "/") {
		return ""
	}
	return said
}

func isJSON(media string) bool {
	return strings.HasSuffix(media, "/json") || strings.HasSuffix(media, "+json")
}

func isHTML(media string) bool { return media == "text/html" || media == "application/xhtml+xml" }

// mayHoldJSON reports whether JSON is looked for within a body of that type.
// What prints into an answer may make HTML of it; a table whose last line is a
// number is a table.
func mayHoldJSON(said string) bool { return said == "" || isJSON(said) || isHTML(said) }

// download is the answer as a file; nil when it is none.
func (x *exchange) download() *Download {
	kind := x.fileType()
	if kind == "" {
		return nil
	}
	d := &Download{Type: kind, Data: x.body, Size: int64(len(x.body))}
	if x.cut {
		d.Data, d.Size = nil, x.length
	}
	if _, params, err := mime.ParseMediaType(x.header.Get("Content-Disposition")); err == nil {
		if name := path.Base(strings.ReplaceAll(params["filename"], `\`, "/")); name != "." && name != "/" {
			d.Name = name
		}
	}
	return d
}

// fileType is the media type of a file: what the site says it is, as far as its
// first bytes agree, and else what those say. It is empty for what is no file:
// data that cannot be read or is compressed, and a text that says it is something else or does not
// come from the REST API, such as a firewall's page.
func (x *exchange) fileType() string {
	text := bytes.TrimPrefix(x.body, []byte("\xef\xbb\xbf"))
	if len(text) == 0 {
		return ""
	}
	said := mediaType(x.header)
	is, _, _ := mime.ParseMediaType(http.DetectContentType(text)) // always one
	switch {
	case strings.HasPrefix(is, "text/"):
		if x.fromREST() && textual(said, is, text) {
			return said
		}
		return ""
	case is == octets && isJSON(said), compressed(text) && mayHoldJSON(said):
		return ""
	case is == octets && (said == "" || sniffed(said)) && !framed(said, text):
		return octets
	case is == octets || within(is, said):
		return said
	}
	return is
}

// fromREST reports that WordPress's REST server answered: a page that stands
// before it does not send these headers (WP_REST_Server::serve_request).
func (x *exchange) fromREST() bool {
	return strings.Contains(strings.ToLower(x.header.Get("Access-Control-Expose-Headers")), "x-wp-total")
}

// textual reports whether a text can be what it says it is.
func textual(said, is string, text []byte) bool {
	switch {
	case said == "" || isJSON(said):
		return false
	case isHTML(is) || isHTML(said):
		return isHTML(said)
	case said == "image/svg+xml":
		return bytes.Contains(text[:min(len(text), 4<<10)], []byte("<svg"))
	}
	return !sniffed(said)
}

// sniffed reports types whose files begin in a way that is known
// ([http.DetectContentType]): one that does not is something else.
func sniffed(media string) bool {
	switch media {
	case "image/avif", "image/heic", "image/heif", "image/tiff", "image/jxl":
		return false
	case "application/pdf", "application/zip", "application/gzip", "application/x-gzip", "application/ogg":
		return true
	}
	kind, _, _ := strings.Cut(media, "/")
	return kind == "image" || kind == "audio" || kind == "video" || kind == "font"
}

// framed reports a recording that begins with its first frame, or FLAC: neither
// is known to [http.DetectContentType].
func framed(said string, data []byte) bool {
	frame := len(data) > 1 && data[0] == 0xff && data[1]&0xe0 == 0xe0
	return strings.HasPrefix(said, "audio/") && (frame || bytes.HasPrefix(data, []byte("fLaC")))
}

// within reports that a type said of a file is a closer one than what its bytes
// tell, which are those of a container.
func within(is, said string) bool {
	kind, _, _ := strings.Cut(cmp.Or(said, octets), "/")
	switch is {
	case "application/zip", "application/x-gzip":
		return kind == "application" && said != octets && !isJSON(said)
	case "application/ogg", "video/mp4", "video/webm":
		return kind == "audio" || kind == "video"
	case "audio/wave", "audio/aiff", "audio/mpeg", "audio/basic", "audio/midi":
		return kind == "audio"
	}
	return is == said
}
