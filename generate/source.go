package generate

import (
	"slices"

	"github.com/getkin/kin-openapi/openapi3"

	"toolpress/discover/wp"
	"toolpress/generate/schema"
)

// Sources are where an upload may take its file from, besides the call itself, as
// an operator allows it.
type Sources struct {
	// Roots are directories of the machine toolpress runs on, as whole paths. Empty:
	// no file of the machine is sent.
	Roots []string
	// Hosts are names of hosts, with or without a port. Empty: nothing is fetched.
	Hosts []string
}

// From is the surface whose upload takes its file from these sources too: by an
// argument path where there are roots, by an argument address where there are hosts.
// Then none of what gives a file is required by itself, and one of them has to be
// there.
func (s *Surface) From(sources Sources) *Surface {
	at := slices.IndexFunc(s.Operations, func(o *Operation) bool { return isUpload(o.ID) })
	if at < 0 || len(sources.Roots)+len(sources.Hosts) == 0 {
		return s
	}
	from := *s
	from.Operations = slices.Clone(s.Operations)
	from.Operations[at] = s.Operations[at].from(sources)
	return &from
}

func (o *Operation) from(sources Sources) *Operation {
	from := *o
	from.plan.sources = sources
	from.Args = slices.Clone(o.Args)
	for i, a := range from.Args {
		switch a.In {
		case InFilename:
			a.Schema = a.Schema.Clone()
			a.Schema.Description += " Without one the file keeps its own."
			fallthrough
		case InFile:
			a.Required = false
			from.Args[i] = a
		}
	}
	for _, a := range from.SourceArgs() {
		if a.In == InFilePath && len(sources.Roots) > 0 || a.In == InFileAddress && len(sources.Hosts) > 0 {
			from.Args = append(from.Args, a)
		}
	}
	SortArgs(from.Args)
	return &from
}

// SourceArgs are the arguments that an upload has where its curation lists
// sources; nil for what is no upload.
func (o *Operation) SourceArgs() []Arg {
	if !isUpload(o.ID) {
		return nil
	}
	hosts := wp.Source{Hosts: o.plan.sources.Hosts}
	args := []Arg{
		{Name: o.free("path"), In: InFilePath, Schema: &schema.Schema{
			Types: []string{"string"}, Example: "2026/picture.png",
			Description: "Where the file is in the directory that this server takes files from, by its path in it.",
		}},
		{Name: o.free("address"), In: InFileAddress, Schema: &schema.Schema{
			Types: []string{"string"}, Example: hosts.Example(),
			Description: "Where the file is on the web: its address on " + hosts.Alternatives() + ".",
		}},
	}
	for i := range args {
		args[i].Wire = args[i].Name // the site has none of them
	}
	return args
}

// free is a name that no argument of the operation has.
func (o *Operation) free(name string) string {
	for o.Arg(name) != nil { // a plugin's
		name = "upload_" + name
	}
	return name
}

// GivesFile reports an argument of an upload that is the file, or says where it
// is. A call has one of them.
func (o *Operation) GivesFile(a Arg) bool {
	return a.In == InFile || a.In.Sourced() || isUpload(o.ID) && a.In == InQuery && a.Wire == insteadOfFile
}

// Sourced reports the places of what says where toolpress takes a file from.
func (p Place) Sourced() bool { return p == InFilePath || p == InFileAddress }

// GivenFile reports that a value of an argument that [Operation.GivesFile] gives
// one: a text that is empty does not, but for the file itself.
func (a Arg) GivenFile(v any) bool { return v != nil && (a.In == InFile || v != "") }

// source is where a file is, checked as far as that can be told without looking.
func (o *Operation) source(a Arg, v any) (*wp.Source, error) {
	text, isText := v.(string)
	if !isText {
		return nil, wrong(a, "must be text")
	}
	s := &wp.Source{Path: text, Roots: o.plan.sources.Roots}
	check := s.CheckPath
	if a.In == InFileAddress {
		s = &wp.Source{Address: text, Hosts: o.plan.sources.Hosts}
		check = func() error { _, err := s.CheckAddress(); return err }
	}
	if !a.GivenFile(v) {
		return s, nil // nor is it sent
	}
	if err := check(); err != nil {
		return nil, wrong(a, err.Error())
	}
	return s, nil
}

// addFile describes the body of an upload: the file itself, wherever a tool takes
// it from, and its name. It may be left out only where the site fetches a file.
func (o *Operation) addFile(op *openapi3.Operation) error {
	gives, fetches := false, false
	name := Arg{Schema: &schema.Schema{}}
	body := openapi3.NewRequestBody().WithDescription(fileBody).WithContent(openapi3.Content{"application/octet-stream": {}})
	for _, a := range o.Args {
		sent := a.In == InFile || a.In.Sourced()
		gives, body.Required = gives || sent, body.Required || sent && a.Required
		fetches = fetches || !sent && o.GivesFile(a)
		if a.In == InFilename {
			name = a
		}
	}
	if !gives {
		return nil
	}
	body.Required = body.Required || !fetches
	name.Required = name.Required || body.Required
	op.RequestBody = &openapi3.RequestBodyRef{Value: body}
	return addDisposition(op, name)
}
