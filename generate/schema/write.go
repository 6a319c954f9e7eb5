package schema

import (
	"bytes"
	"encoding/json"
	"slices"

	"toolpress/discover/wp"
)

// object writes one JSON object in the order its members are put.
type object struct {
	b   bytes.Buffer
	err error
}

func newObject() *object { return &object{} }

func (o *object) fail(err error) {
	if o.err == nil {
		o.err = err
	}
}

func (o *object) put(name string, value any) {
	text, err := Encode(value)
	o.fail(err)
	key, err := Encode(name)
	o.fail(err)
	if o.b.Len() > 0 {
		o.b.WriteByte(',')
	}
	o.b.Write(key)
	o.b.WriteByte(':')
	o.b.Write(text)
}

func (o *object) putText(name, value string) {
	if value != "" {
		o.put(name, value)
	}
}

func (o *object) putNumber(name string, value json.Number) {
	if value != "" {
		o.put(name, value)
	}
}

func (o *object) putInt(name string, value *int) {
	if value != nil {
		o.put(name, *value)
	}
}

func (o *object) done() ([]byte, error) {
	if o.err != nil {
		return nil, o.err
	}
	return slices.Concat([]byte("{"), o.b.Bytes(), []byte("}")), nil
}

// MarshalJSON writes the keywords in one fixed order and properties as they
// stand. An object always has "properties": clients refuse one without.
func (s *Schema) MarshalJSON() ([]byte, error) {
	w := newObject()
	switch len(s.Types) {
	case 0:
	case 1:
		w.put("type", s.Types[0])
	default:
		w.put("type", s.Types)
	}
	w.putText("title", s.Title)
	w.putText("description", s.Description)
	w.putText("format", s.Format)
	w.putText("pattern", s.Pattern)
	w.putText("contentEncoding", s.ContentEncoding)
	if s.Enum != nil {
		w.put("enum", s.Enum)
	}
	if s.HasDefault {
		w.put("default", s.Default)
	}
	w.putNumber("minimum", s.Minimum)
	w.putNumber("maximum", s.Maximum)
	w.putNumber("exclusiveMinimum", s.ExclusiveMinimum)
	w.putNumber("exclusiveMaximum", s.ExclusiveMaximum)
	w.putNumber("multipleOf", s.MultipleOf)
	w.putInt("minLength", s.MinLength)
	w.putInt("maxLength", s.MaxLength)
	w.putInt("minItems", s.MinItems)
	w.putInt("maxItems", s.MaxItems)
	w.putInt("minProperties", s.MinProperties)
	w.putInt("maxProperties", s.MaxProperties)
	if s.UniqueItems {
		w.put("uniqueItems", true)
	}
	if s.Items != nil {
		w.put("items", s.Items)
	} else if slices.Contains(s.Types, "array") {
		w.put("items", &Schema{})
	}
	s.putObject(w)
	for _, c := range []struct {
		keyword string
		list    []*Schema
	}{{"anyOf", s.AnyOf}, {"allOf", s.AllOf}} {
		if len(c.list) > 0 {
			w.put(c.keyword, c.list)
		}
	}
	w.putText("x-mcp-header", s.Header)
	return w.done()
}

func (s *Schema) putObject(w *object) {
	if len(s.Properties) > 0 || slices.Contains(s.Types, "object") {
		props := newObject()
		var required []string
		for _, p := range s.Properties {
			props.put(p.Name, p.Schema)
			if p.Required {
				required = append(required, p.Name)
			}
		}
		text, err := props.done()
		w.fail(err)
		w.put("properties", json.RawMessage(text))
		if len(required) > 0 {
			w.put("required", required)
		}
	}
	switch {
	case s.Closed:
		w.put("additionalProperties", false)
	case s.Additional != nil:
		w.put("additionalProperties", s.Additional)
	}
}

// Encode writes a value as schemas and values are compared and shown.
func Encode(v any) ([]byte, error) { return wp.EncodeJSON(v) }
