package wptest

import (
	"bytes"
	"image"
	_ "image/gif"  // sizes of uploads
	_ "image/jpeg" // sizes of uploads
	_ "image/png"  // sizes of uploads
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// uploads are the files WordPress takes, by extension.
var uploads = map[string]string{
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp", ".pdf": "application/pdf",
	".txt": "text/plain", ".csv": "text/csv", ".mp3": "audio/mpeg", ".mp4": "video/mp4",
}

// mayUpload is the attachments controller's create_item_permissions_check.
func mayUpload(r *request) *fault {
	if f := (postController{mediaKind}).mayAssign(r, nil); f != nil {
		return f
	}
	if !r.user.can("upload_files") {
		if r.user.can("edit_posts") {
			return failed(http.StatusBadRequest, "rest_cannot_create", "You may not upload files.")
		}
		return r.denied("rest_cannot_create", "You may not upload files.")
	}
	if p := r.post(r.integer("post")); r.integer("post") != 0 && (p == nil || !r.user.canEdit(p)) {
		return r.denied("rest_cannot_edit", "You may not add a file to this post.")
	}
	return nil
}

// filenameIn reads filename="…" and nothing else; core does not know RFC 5987's
// filename* (get_filename_from_disposition).
func filenameIn(disposition string) string {
	for part := range strings.SplitSeq(disposition, ";") {
		if name, ok := strings.CutPrefix(strings.TrimSpace(part), "filename="); ok {
			return path.Base(strings.Trim(name, `"`))
		}
	}
	return ""
}

// upload takes a file as the raw body (upload_from_data).
func (c postController) upload(r *request) (*answer, *fault) {
	if f := mayAttach(r); f != nil {
		return nil, f
	}
	refuse := func(code, message string) (*answer, *fault) { return nil, failed(http.StatusBadRequest, code, message) }
	switch {
	case len(r.body) == 0:
		return refuse("rest_upload_no_data", "There is no file in the body.")
	case r.http.Header.Get("Content-Type") == "":
		return refuse("rest_upload_no_content_type", "The upload has no Content-Type.")
	case r.http.Header.Get("Content-Disposition") == "":
		return refuse("rest_upload_no_content_disposition", "The upload has no Content-Disposition.")
	}
	name := filenameIn(r.http.Header.Get("Content-Disposition"))
	if name == "" {
		return refuse("rest_upload_invalid_disposition", "The Content-Disposition names no file: attachment; filename=\"picture.png\".")
	}
	name, kind := stored(name, r.body)
	if kind == "" {
		return nil, failed(http.StatusInternalServerError, "rest_upload_sideload_error", "The site does not take files of this type.")
	}
	p := &post{kind: mediaKind, author: r.user.id, status: "inherit", comments: "open", pings: "closed", date: now(), modified: now()}
	folder := now()
	if of := r.post(r.integer("post")); of != nil && of.kind != pageKind {
		folder = of.date
	}
	p.file = &file{folder: folder.Format("2006/01"), mime: kind, data: r.body}
	p.file.name = r.uniqueName(p.file.folder, name)
	name = p.file.name
	if size, _, err := image.DecodeConfig(bytes.NewReader(r.body)); err == nil {
		p.file.width, p.file.height = size.Width, size.Height
	}
	p.title = strings.TrimSuffix(name, path.Ext(name))
	if f := c.fill(r, p, true); f != nil {
		return nil, f
	}
	r.insert(p)
	r.setFile(p)
	r.set("context", "edit")
	return created(r.showPost(p, "edit"), r.rest("/wp/v2/media/"+strconv.Itoa(p.id))), nil
}

// stored is the name that a file is kept under and what it is: by the extension,
// and of a picture by its content (wp_check_filetype_and_ext). kind is empty for
// what is not taken.
func stored(name string, data []byte) (as, kind string) {
	as = cleanName(name)
	ext := path.Ext(as)
	kind = uploads[strings.ToLower(ext)]
	if !strings.HasPrefix(kind, "image/") {
		return as, kind
	}
	is := http.DetectContentType(data)
	if is == kind {
		return as, kind
	}
	for _, proper := range []string{".png", ".jpg", ".gif", ".webp"} {
		if uploads[proper] == is {
			return strings.TrimSuffix(as, ext) + proper, is
		}
	}
	return as, ""
}

var notInName = regexp.MustCompile(`[?\[\]/\\=<>:;,'"&$#*()|~` + "`" + `!{}%+’«»”“\x00]`)

// cleanName is sanitize_file_name.
func cleanName(name string) string {
	name = notInName.ReplaceAllString(strings.Map(unaccent, name), "")
	name = regexp.MustCompile(`\.{2,}`).ReplaceAllString(name, ".")
	name = regexp.MustCompile(`[\s\p{Zs}-]+`).ReplaceAllString(name, "-")
	return strings.Trim(name, ".-_")
}

// uniqueName puts a number behind the name of a file that is there already
// (wp_unique_filename).
func (s *Site) uniqueName(folder, name string) string {
	ext := path.Ext(name)
	base, ext := strings.TrimSuffix(name, ext), strings.ToLower(ext)
	name = base + ext
	for n := 1; slices.ContainsFunc(s.posts, func(p *post) bool { return p.file != nil && p.file.folder == folder && p.file.name == name }); n++ {
		name = base + "-" + strconv.Itoa(n) + ext
	}
	return name
}

// mayAttach refuses to hang a file on a file.
func mayAttach(r *request) *fault {
	if p := r.post(r.integer("post")); p != nil && p.kind == mediaKind {
		return failed(http.StatusBadRequest, "rest_invalid_param", "A file cannot belong to a file.")
	}
	return nil
}

// setFile takes what only attachments have.
func (r *request) setFile(p *post) {
	if s, ok := r.raw("caption"); ok {
		p.excerpt = s
	}
	if s, ok := r.raw("description"); ok {
		p.content = s
	}
	if r.given("alt_text") {
		p.file.alt = r.str("alt_text")
	}
	if r.given("post") {
		p.parent = r.integer("post")
	}
}

func (f *file) path() string { return "/wp-content/uploads/" + f.folder + "/" + f.name }

// showFile adds what an attachment has beside a post's fields.
func (r *request) showFile(p *post, o map[string]any) {
	f := p.file
	at := r.home + f.path()
	o["meta"] = []any{}
	o["alt_text"], o["mime_type"], o["source_url"], o["filename"], o["filesize"] = f.alt, f.mime, at, f.name, len(f.data)
	o["caption"] = map[string]any{"raw": p.excerpt, "rendered": contentHTML(p.excerpt)}
	shown := "<p class=\"attachment\"><a href='" + at + "'>" + titleHTML(p) + "</a></p>\n"
	o["description"] = map[string]any{"raw": p.content, "rendered": shown + contentHTML(p.content)}
	if p.excerpt+p.content == "" && f.width == 0 { // core makes one of what its page says
		o["caption"] = map[string]any{"raw": "", "rendered": contentHTML(titleHTML(p))}
	}
	o["post"] = nil
	if p.parent != 0 {
		o["post"] = p.parent
	}
	o["media_type"], o["media_details"] = "file", map[string]any{"filesize": len(f.data), "sizes": map[string]any{}}
	o["missing_image_sizes"] = []any{}
	if f.width > 0 {
		o["media_type"] = "image"
		o["media_details"] = map[string]any{
			"width": f.width, "height": f.height, "file": f.folder + "/" + f.name, "filesize": len(f.data), "sizes": r.sizes(f),
			"image_meta": map[string]any{
				"aperture": "0", "credit": "", "camera": "", "caption": "", "created_timestamp": "0", "copyright": "", "focal_length": "0",
				"iso": "0", "shutter_speed": "0", "title": "", "orientation": "0", "keywords": []any{}, "alt": "",
			},
		}
		o["exif_orientation"], o["image_output_format"], o["image_save_progressive"] = 1, nil, false
		o["image_quality"] = map[string]any{"default": 82, "sizes": []any{}}
	}
}

// sizes lists the picture's sizes. The smaller ones have addresses, and the
// picture itself behind them.
func (r *request) sizes(f *file) map[string]any {
	entry := func(name string, width, height int) map[string]any {
		return map[string]any{
			"file": name, "width": width, "height": height, "mime_type": f.mime,
			"source_url": r.home + "/wp-content/uploads/" + f.folder + "/" + name,
		}
	}
	sizes := map[string]any{}
	small := func(size string, width, height int) {
		ext := path.Ext(f.name)
		name := strings.TrimSuffix(f.name, ext) + "-" + strconv.Itoa(width) + "x" + strconv.Itoa(height) + ext
		e := entry(name, width, height)
		e["filesize"] = len(f.data)
		sizes[size] = e
	}
	if f.width > 300 || f.height > 300 {
		longest := max(f.width, f.height)
		small("medium", (f.width*300+longest/2)/longest, (f.height*300+longest/2)/longest)
	}
	if f.width > 150 || f.height > 150 {
		small("thumbnail", min(150, f.width), min(150, f.height))
		sizes["full"] = entry(f.name, f.width, f.height)
	}
	return sizes
}
