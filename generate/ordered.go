package generate

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

// Encode writes a value as schemas and values are compared and shown.
func Encode(v any) ([]byte, error) { return wp.EncodeJSON(v) }
