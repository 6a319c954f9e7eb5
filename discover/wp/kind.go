package wp

import (
	"bytes"
	"maps"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
)

// mediaTypes are the files of a media library, by extension: of those that core
// takes (wp_get_mime_types in wp-includes/functions.php) what people send. Where
// one type has several extensions, [Extension] gives the shortest.
var mediaTypes = map[string]string{
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp", ".avif": "image/avif",
	".heic": "image/heic", ".svg": "image/svg+xml", ".pdf": "application/pdf", ".txt": "text/plain", ".csv": "text/csv",
	".mp3": "audio/mpeg", ".wav": "audio/wav", ".m4a": "audio/mp4", ".ogg": "audio/ogg", ".flac": "audio/flac",
	".mp4": "video/mp4", ".webm": "video/webm", ".mov": "video/quicktime", ".ogv": "video/ogg", ".zip": "application/zip",
	".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
	".odt":  "application/vnd.oasis.opendocument.text", ".ods": "application/vnd.oasis.opendocument.spreadsheet",
}

// otherNames are what servers call some of these types as well.
var otherNames = map[string]string{
	"image/jpg": "image/jpeg", "audio/mp3": "audio/mpeg", "audio/x-wav": "audio/wav", "audio/wave": "audio/wav", "audio/x-m4a": "audio/mp4",
	"audio/x-flac": "audio/flac", "application/x-zip-compressed": "application/zip", "binary/octet-stream": octets,
}

// TypeByName is the media type of a file by its extension; application/octet-stream
// where that is none of a media library. It is never one that core reads arguments
// from: JSON or a form.
func TypeByName(name string) string {
	if known := mediaTypes[strings.ToLower(path.Ext(name))]; known != "" {
		return known
	}
	return octets
}

// Extension is how the name of a file of that media type ends, with its dot; empty
// for one that is none of a media library.
func Extension(media string) string {
	found := ""
	for _, ext := range slices.Sorted(maps.Keys(mediaTypes)) {
		if mediaTypes[ext] == media && (found == "" || len(ext) < len(found)) {
			found = ext
		}
	}
	return found
}

// TypeOf is the media type of a file whose server says it is said, and which begins
// with head; empty where it is none of a media library. Where the server says
// nothing that helps, the first bytes tell. agrees is false where they are those of
// something else.
func TypeOf(said string, head []byte) (media string, agrees bool) {
	media, _, _ = mime.ParseMediaType(said)
	if usual := otherNames[media]; usual != "" {
		media = usual
	}
	if media == "" || media == octets {
		if media = sniff(head); otherNames[media] != "" {
			media = otherNames[media]
		}
		if strings.HasPrefix(media, "text/") { // so is any page
			return "", true
		}
	}
	if Extension(media) == "" {
		return "", true
	}
	return media, Agrees(media, head)
}

// Agrees reports whether a file that begins with head, of which 512 bytes are
// enough, can be of a media type. As application/octet-stream it may be anything.
func Agrees(media string, head []byte) bool {
	is := sniff(head)
	text := strings.HasPrefix(is, "text/")
	switch {
	case media == octets:
		return true
	case strings.HasPrefix(media, "text/") || media == "image/svg+xml":
		return text && textual(media, is, head)
	case text:
		return false
	case signed(media):
		return is == media
	}
	return is == octets || within(is, media)
}

// signed reports types whose files all begin in one way.
func signed(media string) bool {
	switch media {
	case "image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf", "application/zip":
		return true
	}
	return false
}

// sniff is what the first bytes of a file tell.
func sniff(head []byte) string {
	is, _, _ := mime.ParseMediaType(http.DetectContentType(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")))) // always one
	return is
}
