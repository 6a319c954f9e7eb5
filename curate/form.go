package curate

import "toolpress/generate/schema"

// Form is the schema of what a person fills in with the answer (MCP, elicitation:
// an object of single values).
func (c Confirm) Form() *schema.Schema {
	s := &schema.Schema{Types: []string{"object"}}
	for _, f := range c.Fields {
		one := &schema.Schema{Types: []string{f.Type}, Description: f.Describe}
		for _, v := range f.Enum {
			one.Enum = append(one.Enum, v)
		}
		s.Properties = append(s.Properties, schema.Property{Name: f.Name, Required: f.Required, Schema: one})
	}
	return s
}

// Filled says what is wrong with what a person filled in, all at once; nil when
// nothing is.
func (c Confirm) Filled(content map[string]any) Faults {
	form := c.Form()
	check, err := form.Compile()
	if err != nil {
		return Faults{err.Error()}
	}
	if content == nil {
		content = map[string]any{}
	}
	if err := check.Validate(content); err != nil {
		return explain(err, form, content)
	}
	return nil
}
