package lint

import (
	"fmt"
	"slices"
	"strings"

	"toolpress/generate"
	"toolpress/generate/schema"
	"toolpress/generate/words"
)

// arguments looks at what a model is asked to fill in.
func (r *report) arguments(s *subject) {
	if s.op == nil {
		return
	}
	input := s.arguments()
	for _, path := range words.Undescribed(input) {
		if !s.added(path) {
			r.add(s, "undescribed-argument", s.path(path), "no description")
		}
	}
	if n := len(input.Properties); n > words.MostArguments {
		r.add(s, "many-arguments", s.key, fmt.Sprintf("%d arguments", n))
	}
	for _, path := range words.LongEnums(input) {
		r.add(s, "long-enum", s.path(path), fmt.Sprintf("more than %d values", words.LongestEnum))
	}
	for _, p := range input.Properties {
		if s.op.Annotations.ReadOnly && words.Unbounded(p.Name, p.Schema) {
			r.add(s, "unbounded-list", s.path(p.Name), "no maximum")
		}
	}
	for _, repair := range s.op.Repairs {
		if repair.Rule == "default-dropped" || repair.Rule == "default-to-object" {
			r.add(s, "default-mismatch", s.path(repair.Path), "default: "+repair.Before)
		}
	}
}

// added reports that an argument is none that the schema lists, but a name in
// required: that is a fault of its own.
func (s *subject) added(path string) bool {
	return slices.ContainsFunc(s.op.Repairs, func(r schema.Repair) bool { return r.Rule == "property-added" && r.Path == path })
}

// arguments is the schema of the arguments, under the names the site has for them.
func (s *subject) arguments() *schema.Schema {
	args := slices.Clone(s.op.Args)
	for i := range args {
		args[i].Name = args[i].Wire
	}
	return generate.InputSchema(args, s.op.Extra)
}

// path is the path of an argument in a [Finding]. The input of an ability that is
// no object is one argument of that name.
func (s *subject) path(argument string) string {
	if len(s.op.Args) == 1 && s.op.Args[0].In == generate.Whole {
		argument = strings.TrimPrefix(argument, "input")
		return s.key + argument
	}
	if argument == "input" && s.op.Arg("input") == nil { // what is said of the root
		return s.key
	}
	return s.key + "." + argument
}

// mostInText is how long a text in a query may be, in characters.
const mostInText = 2000

// query looks for arguments of an ability that go in a URL and may be too long for
// one: lists of any length, long texts (W19).
func (r *report) query(s *subject) {
	if s.op == nil || s.op.Method == "POST" {
		return
	}
	words.Arguments(s.arguments(), func(path string, arg *schema.Schema) {
		choice := arg.Items != nil && arg.Items.Enum != nil
		switch {
		case arg.Is("array") && arg.MaxItems == nil && !choice:
			r.add(s, "large-query", s.path(path), "a list of any length, asked with "+s.op.Method, "`'maxItems' => 100`")
		case arg.Is("string") && arg.MaxLength != nil && *arg.MaxLength > mostInText:
			r.add(s, "large-query", s.path(path), fmt.Sprintf("up to %d characters, asked with %s", *arg.MaxLength, s.op.Method), fmt.Sprintf("`'maxLength' => %d`", mostInText))
		}
	})
}
