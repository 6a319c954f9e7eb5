package schema

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// Stored is the schema to keep: as [Schema.MarshalJSON] writes it, with properties
// under the names that the site has for them.
func (s *Schema) Stored() ([]byte, error) {
	c := s.Clone()
	c.Visit(func(inner *Schema) {
		for i := range inner.Properties {
			p := &inner.Properties[i]
			p.Name = cmp.Or(p.Wire, p.Name)
		}
	})
	return Encode(c)
}

// Restore reads what [Schema.Stored] wrote. Properties get the names that
// [Compiler.Compile] gives them, and its order, whatever theirs was. The error
// says which keyword cannot be read; a schema of another hand may have some.
func Restore(text []byte) (*Schema, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	return restore(v)
}

func restore(v any) (*Schema, error) {
	node, isObject := v.(map[string]any)
	if !isObject {
		return nil, ErrNotSchema
	}
	s, required := &Schema{}, map[string]bool{}
	for keyword, said := range node {
		ok, err := s.restoreValue(keyword, said)
		if !ok && err == nil {
			ok, err = s.restorePart(keyword, said)
		}
		if keyword == "required" {
			names, isList := textList(said)
			for _, name := range names {
				required[name] = true
			}
			ok = isList
		}
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, fmt.Errorf("%q: %s is not what a schema has there", keyword, Brief(said))
		}
	}
	for i := range s.Properties {
		p := &s.Properties[i]
		p.Required = required[p.Name]
		delete(required, p.Name)
	}
	if len(required) > 0 {
		return nil, errors.New("a property is required that is not there")
	}
	new(Compiler).nameProperties(s, "")
	return s, nil
}

// restoreValue reads a keyword that holds no schema; ok is false where the value
// is not one of its own, and for other keywords.
func (s *Schema) restoreValue(keyword string, v any) (ok bool, err error) {
	switch keyword {
	case "type":
		if name, is := v.(string); is {
			s.Types, ok = []string{name}, true
		} else {
			s.Types, ok = textList(v)
		}
	case "enum":
		s.Enum, ok = v.([]any)
	case "default":
		s.Default, s.HasDefault, ok = v, true, true
	case "uniqueItems":
		s.UniqueItems, ok = v.(bool)
	default:
		if into := s.ScalarText(keyword); into != nil {
			*into, ok = v.(string)
		} else if into := s.boundOf(keyword); into != nil {
			*into, ok = v.(json.Number)
		} else if into := s.countOf(keyword); into != nil {
			number, _ := v.(json.Number)
			n, err := strconv.Atoi(number.String())
			*into, ok = &n, err == nil && n >= 0
		}
	}
	return ok, nil
}

func (s *Schema) ScalarText(keyword string) *string {
	return map[string]*string{
		"title": &s.Title, "description": &s.Description, "format": &s.Format, "pattern": &s.Pattern,
		"contentEncoding": &s.ContentEncoding, "x-mcp-header": &s.Header,
	}[keyword]
}

func (s *Schema) boundOf(keyword string) *json.Number {
	return map[string]*json.Number{
		"minimum": &s.Minimum, "maximum": &s.Maximum, "exclusiveMinimum": &s.ExclusiveMinimum,
		"exclusiveMaximum": &s.ExclusiveMaximum, "multipleOf": &s.MultipleOf,
	}[keyword]
}

func (s *Schema) countOf(keyword string) **int {
	return map[string]**int{
		"minLength": &s.MinLength, "maxLength": &s.MaxLength, "minItems": &s.MinItems,
		"maxItems": &s.MaxItems, "minProperties": &s.MinProperties, "maxProperties": &s.MaxProperties,
	}[keyword]
}

// restorePart reads a keyword that holds schemas.
func (s *Schema) restorePart(keyword string, v any) (ok bool, err error) {
	switch keyword {
	case "items":
		s.Items, err = restore(v)
		return true, err
	case "additionalProperties":
		if v == false {
			s.Closed = true
			return true, nil
		}
		s.Additional, err = restore(v)
		return true, err
	case "properties":
		named, isObject := v.(map[string]any)
		for name, inner := range named {
			part, err := restore(inner)
			if err != nil {
				return false, fmt.Errorf("%s: %w", name, err)
			}
			s.Properties = append(s.Properties, Property{Name: name, Wire: name, Schema: part})
		}
		return isObject, nil
	case "anyOf", "allOf":
		list, isList := v.([]any)
		for _, variant := range list {
			part, err := restore(variant)
			if err != nil {
				return false, err
			}
			if keyword == "anyOf" {
				s.AnyOf = append(s.AnyOf, part)
			} else {
				s.AllOf = append(s.AllOf, part)
			}
		}
		return isList, nil
	}
	return false, nil
}

// textList reads a list of texts.
func textList(v any) ([]string, bool) {
	list, isList := v.([]any)
	texts := make([]string, len(list))
	for i, item := range list {
		text, isText := item.(string)
		if !isText {
			return nil, false
		}
		texts[i] = text
	}
	return texts, isList
}
