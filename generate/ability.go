package generate

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"toolpress/discover"
	"toolpress/generate/schema"
)

// addAbility makes the operation of an ability.
func (s *Surface) addAbility(a *discover.Ability) {
	id := "ability:" + a.Name
	annotations, _ := a.Meta["annotations"].(map[string]any)
	mcp, _ := a.Meta["mcp"].(map[string]any)
	if kind := mcp["type"]; kind != nil && kind != "" && kind != "tool" {
		word, _ := kind.(string)
		s.withhold(id, "its author publishes it as an MCP "+cmp.Or(schema.CleanText(word, 40), schema.Brief(kind))+", not as a tool")
		return
	}
	o := &Operation{
		ID: id, Ability: a.Name, Category: schema.CleanText(a.Category, schema.MaxText), Method: abilityMethod(annotations),
		Name:        abilityName(id, a.Name),
		Title:       schema.CleanText(a.Label, schema.MaxText),
		Description: schema.CleanText(a.Description, maxToolText),
		Annotations: abilityAnnotations(annotations),
	}
	_, said := annotations["destructive"].(bool)
	o.Unsaid = !o.Annotations.ReadOnly && !said
	if o.Title == "" {
		o.Title = Title(o.Name)
	}
	if o.Description == "" {
		o.Description = o.Title + "."
	}
	if public := mcp["public"]; public != nil && !truthy(public) {
		o.AgentOptOut = true
	}
	var c schema.Compiler
	if err := readInput(&c, o, a); err != nil {
		s.withhold(id, err.Error())
		return
	}
	o.Repairs = c.Repairs
	s.Operations = append(s.Operations, o)
}

// abilityWords is what core's registry takes for a name, and what it took
// before 7.1 (WP_Abilities_Registry::register).
var abilityWords = regexp.MustCompile(`^[a-zA-Z0-9_-]+(?:/[a-zA-Z0-9_-]+)+$`)

// readInput reads the one value an ability takes. An object's properties
// become the arguments; anything else is one argument, "input".
func readInput(c *schema.Compiler, o *Operation, a *discover.Ability) error {
	o.plan = plan{ability: strings.Split(a.Name, "/"), input: noInput}
	if !abilityWords.MatchString(a.Name) {
		return fmt.Errorf("%q is not a name of an ability", a.Name)
	}
	if a.InputSchema == nil {
		return nil
	}
	c.About(a.InputSchema)
	s, err := c.CompileRoot(a.InputSchema, "input")
	if err != nil {
		return err
	}
	o.plan.hasDefault = s.HasDefault
	if !s.Is("object") && (len(s.Types) > 0 || len(s.Properties) == 0) {
		o.plan.input = wholeInput
		o.Args = []Arg{{Name: "input", Wire: "input", In: Whole, Required: !s.HasDefault && !slices.Contains(s.Types, "null"), Schema: s}}
		return nil
	}
	o.plan.input = objectInput
	o.Extra = s.Additional
	if len(s.Properties)+len(s.AnyOf)+len(s.AllOf) == 0 && !s.Closed && o.Extra == nil {
		o.Extra = &schema.Schema{} // it says nothing of what it takes, and takes anything
	}
	if more := strings.TrimSpace(s.Description + " " + alternatives(s)); more != "" {
		o.Description = schema.CleanText(o.Description, maxToolText-len(more)-1) + " " + more
	}
	return abilityArgs(c, o, a.InputSchema)
}

// alternatives says which arguments an input asks for in its variants: those
// are optional one by one, and the site refuses a call without any.
func alternatives(s *schema.Schema) string {
	var forms []string
	for _, v := range s.AnyOf {
		var needed []string
		for _, p := range v.Properties {
			if p.Required {
				needed = append(needed, p.Name)
			}
		}
		if len(needed) == 0 {
			return ""
		}
		if form := strings.Join(needed, " and "); !slices.Contains(forms, form) {
			forms = append(forms, form)
		}
	}
	if len(forms) < 2 {
		return ""
	}
	return schema.CleanText("One of these is needed: "+strings.Join(forms, "; ")+".", schema.MaxText)
}

// abilityArgs turns the properties of an input object into arguments. It reads
// them from the schema as written: their names may need a safe spelling, which
// nested properties cannot have.
func abilityArgs(c *schema.Compiler, o *Operation, written any) error {
	kept := c.Repairs
	*c = schema.Compiler{}
	c.About(written)
	properties, err := c.RootProperties(written, "input")
	if err != nil {
		return err
	}
	for _, p := range properties {
		switch {
		case (schema.IsReadOnly(p.Schema) || isGlobal(p.Name)) && !p.Required || p.Name == "":
			continue
		case p.Refused:
			c.Record("input", "required-dropped", p.Name, schema.Nothing)
			continue
		case !p.Described:
			c.Record(p.Name, "property-added", schema.Nothing, map[string]any{})
		}
		a, err := newArg(c, p.Name, p.Schema, InInput)
		if errors.Is(err, schema.ErrNotSchema) && !p.Required {
			c.Record(p.Name, "argument-dropped", p.Schema, schema.Nothing)
			continue
		}
		if errors.Is(err, schema.ErrNotSchema) {
			c.Record(p.Name, "argument-opened", p.Schema, map[string]any{})
			a, err = newArg(c, p.Name, nil, InInput)
		}
		if err != nil {
			return err
		}
		if o.Method != "POST" {
			withoutNull(c, a.Schema, p.Name)
		}
		a.Required = p.Required
		o.Args = append(o.Args, a)
	}
	apart(o.Args)
	SortArgs(o.Args)
	// What is compiled twice is told once.
	for _, r := range slices.Backward(kept) {
		if r.Path == "input" && !slices.Contains(c.Repairs, r) {
			c.Repairs = append([]schema.Repair{r}, c.Repairs...)
		}
	}
	return nil
}
