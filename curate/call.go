package curate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"toolpress/discover/wp"
	"toolpress/generate"
	"toolpress/generate/schema"
)

// Faults are everything wrong with a call's arguments, one sentence each, in
// the model's own argument names. It is an error a model can mend.
type Faults []string

// Error joins the faults.
func (f Faults) Error() string { return strings.Join(f, "; ") }

// compile fixes the tool's input schema and what checks arguments against it.
func (t *Tool) compile(args []generate.Arg, extra *schema.Schema) error {
	generate.SortArgs(args)
	t.schema = generate.InputSchema(args, extra)
	text, err := schema.Encode(t.schema.In(t.dialect))
	if err != nil {
		return fmt.Errorf("encoding its input schema: %w", err)
	}
	t.InputSchema = text
	if t.check, err = t.schema.Compile(); err != nil {
		return err
	}
	return t.describeOutput()
}

// Request checks the arguments a model sent (a JSON object, or nothing) and
// builds what is asked of the site. The error is [Faults] when the model can
// mend it.
func (t *Tool) Request(arguments json.RawMessage) (wp.Request, error) {
	given, err := object(arguments)
	if err != nil {
		return wp.Request{}, Faults{err.Error()}
	}
	if faults := excess(given); len(faults) > 0 {
		return wp.Request{}, faults
	}
	faults := t.refuse(given)
	// What is checked is what is sent.
	read, err := t.check.Coerce(given)
	if err != nil {
		return wp.Request{}, Faults{err.Error()}
	}
	given = read.(map[string]any)
	if err := t.check.Validate(given); err != nil {
		faults = append(faults, explain(err, t.schema, given)...)
	}
	faults = append(faults, t.unsendable(given, faults)...)
	faults = append(faults, t.oneFile(given)...)
	if len(faults) > 0 {
		slices.Sort(faults)
		return wp.Request{}, slices.Compact(faults)
	}
	for _, name := range t.own {
		delete(given, name)
	}
	r, err := t.sent().Request(t.object(given))
	var wrong *generate.ArgumentError
	if errors.As(err, &wrong) {
		return wp.Request{}, Faults{t.modelName(wrong.Name) + " " + wrong.Err.Error()}
	}
	if err == nil {
		t.ask(&r)
	}
	return r, err
}

// ask adds what asks the site for no more than the result keeps. Where the address
// would then be longer than web servers take, the whole answer comes.
func (t *Tool) ask(r *wp.Request) {
	whole := r.Query
	r.Query = append(slices.Clone(whole), t.trim...)
	if size, err := r.Size(); err != nil || size > wp.MaxTarget {
		r.Query = whole
	}
}

// sent is the operation as a call is sent.
func (t *Tool) sent() *generate.Operation {
	if t.method == t.op.Method {
		return t.op
	}
	o := *t.op
	o.Method = t.method
	return &o
}

// excess finds values that no site takes, and whose check would cost too much.
func excess(given map[string]any) Faults {
	var faults Faults
	for name, v := range given {
		if what := schema.Excess(v); what != "" {
			faults = append(faults, place([]string{name})+" holds "+what)
		}
	}
	slices.Sort(faults)
	return faults
}

// refuse finds names the model was not given, which an open schema would let
// through.
func (t *Tool) refuse(given map[string]any) Faults {
	var faults Faults
	for name := range given {
		if slices.Contains(t.reserved, name) && t.schema.Property(name) == nil {
			faults = append(faults, unknown([]string{name}, t.schema))
		}
	}
	return faults
}

// unsendable finds what the schema takes and the way to the site does not: of
// arguments that nothing else is wrong with.
func (t *Tool) unsendable(given map[string]any, found Faults) Faults {
	var faults Faults
	for _, pair := range t.renamed {
		v, there := given[pair[0]]
		a := t.op.Arg(pair[1])
		if !there || a == nil || slices.ContainsFunc(found, func(f string) bool {
			rest, is := strings.CutPrefix(f, pair[0])
			return is && rest != "" && strings.ContainsRune(" .[", rune(rest[0]))
		}) {
			continue
		}
		if err := t.sent().Sendable(*a, v); err != nil {
			faults = append(faults, pair[0]+" "+err.Error())
		}
	}
	return faults
}

// modelName is what the model calls an operation's argument.
func (t *Tool) modelName(arg string) string {
	for _, pair := range t.renamed {
		if pair[1] == arg {
			return pair[0]
		}
	}
	return arg
}

// ArgumentName is what the model calls an argument that the site calls wire;
// wire itself where the model does not see it.
func (t *Tool) ArgumentName(wire string) string {
	for _, a := range t.op.Args {
		if a.Wire == wire {
			return t.modelName(a.Name)
		}
	}
	return wire
}

// object reads arguments as values whose numbers keep their digits.
func object(arguments json.RawMessage) (map[string]any, error) {
	given := map[string]any{}
	if len(bytes.TrimSpace(arguments)) == 0 {
		return given, nil
	}
	dec := json.NewDecoder(bytes.NewReader(arguments))
	dec.UseNumber()
	if err := dec.Decode(&given); err != nil {
		return nil, errors.New("the arguments must be a JSON object")
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("the arguments must be one JSON object")
	}
	if given == nil { // null
		given = map[string]any{}
	}
	return given, nil
}

// ArgumentSchema is the schema of an argument by the model's name of it; nil
// when there is none.
func (t *Tool) ArgumentSchema(name string) *schema.Schema {
	if p := t.schema.Property(name); p != nil {
		return p.Schema
	}
	return nil
}

// Arguments are what the model gives, in the order it sees them; open reports that
// the tool takes other names too.
func (t *Tool) Arguments() (args []schema.Property, open bool) {
	return t.schema.Properties, t.schema.Additional != nil
}

// Adds reports that the tool sends values that the model did not give.
func (t *Tool) Adds() bool { return t.made() || len(t.defaults) > 0 }
