package curate

import (
	"cmp"
	"encoding/json"
	"slices"

	"toolpress/curate/change"
	"toolpress/generate"
	"toolpress/generate/schema"
)

// approvedForm is an operation as the site described it when it was approved: all
// that reaches a model of it, and what a call is.
type approvedForm struct {
	Annotations generate.Annotations `json:"annotations"`
	// Date is the day of the approval; Digest is of all the others.
	Date        string `json:"date"`
	Description string `json:"description"`
	Digest      string `json:"digest"`
	// Input is the schema of the arguments by the site's own names: an object's,
	// or that of the one value that an ability takes.
	Input  json.RawMessage `json:"input"`
	Method string          `json:"method"`
	// Name is the one that was proposed for a tool.
	Name  string `json:"name"`
	Title string `json:"title"`
}

// formOf is an operation as the site describes it now; false where its schema
// cannot be written, which none can be that was read.
func formOf(o *generate.Operation) (approvedForm, bool) {
	f := approvedForm{Annotations: o.Annotations, Description: o.Description, Method: o.Method, Name: o.Name, Title: o.Title}
	text, err := inputOf(o).Stored()
	if err != nil {
		return f, false
	}
	f.Input = text
	f.Digest = f.sum()
	return f, true
}

// sum is the digest of the form: of its JSON with all keys sorted, without the
// date and the digest.
func (f approvedForm) sum() string {
	f.Date, f.Digest = "", ""
	sorted, _ := plain(f) // it is of JSON
	return digest(sorted)
}

// inputOf is the schema of all that an operation takes.
func inputOf(o *generate.Operation) *schema.Schema {
	if len(o.Args) == 1 && o.Args[0].In == generate.Whole {
		return o.Args[0].Schema
	}
	s := generate.InputSchema(o.Args, o.Extra)
	for i, a := range o.Args {
		s.Properties[i].Wire = a.Wire
	}
	return s
}

// tool is the form as it is compared.
func (f approvedForm) tool() change.Tool {
	return change.Tool{Title: f.Title, Description: f.Description, InputSchema: f.Input, Annotations: f.Annotations, Method: f.Method}
}

// matches reports that the form is among those that were approved.
func (o approvedOperation) matches(f approvedForm) bool {
	return slices.ContainsFunc(o.Approved, func(a approvedForm) bool { return a.Digest == f.Digest })
}

// nearest is the approved form that differs least from what the site says now.
func (o approvedOperation) nearest(now approvedForm) approvedForm {
	weigh := func(f approvedForm) (gravest, number int) {
		changes, _ := change.Tools(f.tool(), now.tool()) // both were written as schemas
		for i, k := range []change.Kind{change.Text, change.Additive, change.Breaking} {
			if change.Gravest(changes) == k {
				gravest = i + 1
			}
		}
		return gravest, len(changes)
	}
	return slices.MinFunc(o.Approved, func(x, y approvedForm) int {
		gravest, number := weigh(x)
		other, others := weigh(y)
		return cmp.Or(cmp.Compare(gravest, other), cmp.Compare(number, others), cmp.Compare(x.Digest, y.Digest))
	})
}

// restore is an operation as it was approved: its words, its arguments, its method
// and what is said of its effect are those of the form, and how a call reaches the
// site is what the operation says now. What the site has taken away since is there, and a
// call with it would fail: a form is served only where nothing of that shows.
func (f approvedForm) restore(now *generate.Operation) *generate.Operation {
	s, err := schema.Restore(f.Input)
	if err != nil {
		s = &schema.Schema{Types: []string{"object"}, Closed: true} // it was read before: it cannot fail
	}
	o := *now
	o.Name, o.Title, o.Description, o.Annotations, o.Method = f.Name, f.Title, f.Description, f.Annotations, f.Method
	o.Args, o.Extra = nil, nil
	if !s.Is("object") {
		a := generate.Arg{Name: "input", Wire: "input", In: generate.Whole}
		if len(now.Args) == 1 && now.Args[0].In == generate.Whole {
			a = now.Args[0]
		}
		a.Required, a.Schema = !s.HasDefault && !slices.Contains(s.Types, "null"), s
		o.Args = []generate.Arg{a}
		return &o
	}
	o.Extra = s.Additional
	o.Args = restoreArgs(now, s.Properties)
	generate.SortArgs(o.Args)
	return &o
}

// restoreArgs are the approved arguments, each as the site takes it now.
func restoreArgs(now *generate.Operation, approved []schema.Property) []generate.Arg {
	place := func(wire string) int {
		at := slices.IndexFunc(now.Args, func(a generate.Arg) bool { return a.Wire == wire })
		if at < 0 || now.Args[at].In != generate.InPath {
			return len(now.Args)
		}
		return at
	}
	approved = slices.Clone(approved)
	slices.SortFunc(approved, func(x, y schema.Property) int {
		return cmp.Or(cmp.Compare(place(x.Wire), place(y.Wire)), cmp.Compare(x.Wire, y.Wire))
	})
	var args []generate.Arg
	var wires []string
	for _, p := range approved {
		a := generate.Arg{Wire: p.Wire, In: elsewhere(now)}
		if at := slices.IndexFunc(now.Args, func(a generate.Arg) bool { return a.Wire == p.Wire }); at >= 0 {
			a = now.Args[at]
			p.Schema.Example = a.Schema.Example
		}
		a.Required, a.Schema = p.Required, p.Schema
		args, wires = append(args, a), append(wires, p.Wire)
	}
	for i, name := range schema.Names(wires) {
		args[i].Name = name
	}
	return args
}

// elsewhere is where an argument would go that the site has no more.
func elsewhere(o *generate.Operation) generate.Place {
	switch {
	case o.Ability != "":
		return generate.InInput
	case o.Method == "GET" || o.Method == "DELETE":
		return generate.InQuery
	}
	return generate.InBody
}
