package generate

import (
	"encoding/base64"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/getkin/kin-openapi/openapi3"

	"toolpress/discover/wp"
	"toolpress/generate/schema"
)

// isUpload reports the one operation that sends a file. Core takes it as the body
// and has no argument for it; everything else it then reads from the query
// (WP_REST_Attachments_Controller::create_item and upload_from_data, in
// wp-includes/rest-api/endpoints/class-wp-rest-attachments-controller.php). What
// a plugin's own routes take for an upload nothing tells.
func isUpload(id string) bool { return id == "POST /wp/v2/media" }

// fileArgs are the arguments that the file of an upload gets, beside those the
// site names. Since WordPress 7.1 there may be one, url, that is instead of it.
func fileArgs(own []Arg) []Arg {
	named := func(wire string) bool { return slices.ContainsFunc(own, func(a Arg) bool { return a.Wire == wire }) }
	free := func(wire string) string {
		for named(wire) { // by a plugin
			wire = "upload_" + wire
		}
		return wire
	}
	file, name := free("file"), free("filename")
	about := "The file's content in base64, without a data: prefix."
	if named(insteadOfFile) {
		about += " Leave it out where " + insteadOfFile + " is given."
	}
	return []Arg{
		{Wire: file, In: InFile, Required: !named(insteadOfFile), Schema: &schema.Schema{
			Types: []string{"string"}, ContentEncoding: "base64", Description: about, Example: "iVBORw0KGgo=",
		}},
		{Wire: name, In: InFilename, Required: !named(insteadOfFile), Schema: &schema.Schema{
			Types: []string{"string"}, Description: "The file's name with its extension, which tells the site what it is.", Example: "picture.png",
		}},
	}
}

const insteadOfFile = "url"

// file is the body of an upload; nil where the site fetches the file itself.
func (o *Operation) file(values map[string]any) (any, error) {
	var f wp.File
	var of *Arg // what gives the file
	for i := range o.Args {
		a := &o.Args[i]
		if !o.GivesFile(*a) || !a.GivenFile(values[a.Name]) {
			continue
		}
		if of != nil {
			return nil, wrong(*a, "cannot go with another file: a call sends one")
		}
		of = a
	}
	file, name := o.in(InFile), o.in(InFilename)
	if of == nil {
		return nil, wrong(file, "is required")
	}
	if of.In == InQuery {
		return nil, nil
	}
	given := values[name.Name]
	var err error
	switch v := values[of.Name]; {
	case of.In == InFile && given == nil:
		return nil, wrong(name, "is required")
	case of.In == InFile:
		f.Data, err = content(*of, v)
	default:
		f.From, err = o.source(*of, v)
	}
	if err == nil && given != nil {
		f.Name, err = filename(name, given)
	} else if err == nil && of.In == InFilePath {
		f.Name, err = filename(*of, f.From.Name())
	}
	if err != nil {
		return nil, err
	}
	if of.In != InFileAddress { // else what is there tells
		f.Type = wp.TypeByName(f.Name)
	}
	return f, nil
}

// in is the upload's argument of a place that one has; zero where it has none.
func (o *Operation) in(place Place) Arg {
	for _, a := range o.Args {
		if a.In == place {
			return a
		}
	}
	return Arg{In: place}
}

// content are the bytes of a file. Padding is insisted on: without it, what a
// client has cut off would mostly go unnoticed (W81).
func content(a Arg, v any) ([]byte, error) {
	text, isText := v.(string)
	if !isText {
		return nil, wrong(a, "must be text")
	}
	data, err := base64.StdEncoding.DecodeString(text)
	switch {
	case err != nil:
		return nil, wrong(a, "must be the whole content of a file in base64, without a data: prefix: "+err.Error())
	case len(data) == 0:
		return nil, wrong(a, "must not be empty")
	case len(data) > maxUpload:
		return nil, wrong(a, fmt.Sprintf("is too large: it has %d bytes decoded, and at most %d (%d MiB) are sent", len(data), maxUpload, maxUpload>>20))
	}
	return data, nil
}

// filename checks the name of a file. Which extensions may be is for the site.
func filename(a Arg, v any) (string, error) {
	name, isText := v.(string)
	ext := path.Ext(name)
	switch {
	case !isText:
		return "", wrong(a, "must be text")
	case len(name) > maxFilename:
		return "", wrong(a, fmt.Sprintf("must not be longer than %d bytes", maxFilename))
	case strings.ContainsAny(name, `/\`):
		return "", wrong(a, "must be the name alone, without a path")
	case strings.ContainsFunc(name, unicode.IsControl):
		return "", wrong(a, "must not hold control characters")
	case strings.Trim(ext, ` .;"`) == "" || strings.Trim(strings.TrimSuffix(name, ext), ` .;"`) == "":
		return "", wrong(a, "must have a name and an extension, such as picture.png")
	}
	return name, nil
}

// fileBody describes the body of an upload in an OpenAPI document.
const fileBody = "The file's bytes. Its own media type is taken as well, if that is neither JSON nor a form."

// addDisposition describes the header that names the file of an upload.
func addDisposition(op *openapi3.Operation, a Arg) error {
	s := &schema.Schema{Types: []string{"string"}}
	for _, name := range a.Schema.Enum {
		text, _ := name.(string)
		s.Enum = append(s.Enum, wp.File{Name: text}.Disposition())
	}
	p, err := newParameter("Content-Disposition", "header", a.Required, s)
	if err != nil {
		return err
	}
	p.Description = `attachment; filename="picture.png": the file's name in UTF-8, without quotes and semicolons, and with its extension, which tells the site what it is.`
	op.Parameters = append(op.Parameters, &openapi3.ParameterRef{Value: p})
	return nil
}
