package generate

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"toolpress/discover"
	"toolpress/discover/wp"
)

// addAbility makes the operation of an ability.
func (s *Surface) addAbility(a *discover.Ability) {
	id := "ability:" + a.Name
	annotations, _ := a.Meta["annotations"].(map[string]any)
	mcp, _ := a.Meta["mcp"].(map[string]any)
	if kind := mcp["type"]; kind != nil && kind != "" && kind != "tool" {
		s.withhold(id, "its author publishes it as an MCP "+cmp.Or(CleanText(str(kind), 40), brief(kind))+", not as a tool")
		return
	}
	o := &Operation{
		ID: id, Ability: a.Name, Category: CleanText(a.Category, maxArgText), Method: abilityMethod(annotations),
		Name:        abilityName(id, a.Name),
		Title:       CleanText(a.Label, maxArgText),
		Description: CleanText(a.Description, maxToolText),
		Annotations: abilityAnnotations(annotations),
	}
	if o.Title == "" {
		o.Title = Title(o.Name)
	}
	if o.Description == "" {
		o.Description = o.Title + "."
	}
	if public := mcp["public"]; public != nil && !truthy(public) {
		o.AgentOptOut = true
	}
	var c compiler
	if err := c.abilityInput(o, a); err != nil {
		s.withhold(id, err.Error())
		return
	}
	o.Repairs = c.repairs
	s.Operations = append(s.Operations, o)
}

// abilityWords is what core's registry takes for a name, and what it took
// before 7.1 (WP_Abilities_Registry::register).
var abilityWords = regexp.MustCompile(`^[a-zA-Z0-9_-]+(?:/[a-zA-Z0-9_-]+)+$`)

// abilityInput reads the one value an ability takes. An object's properties
// become the arguments; anything else is one argument, "input".
func (c *compiler) abilityInput(o *Operation, a *discover.Ability) error {
	o.plan = plan{ability: strings.Split(a.Name, "/"), input: noInput}
	if !abilityWords.MatchString(a.Name) {
		return fmt.Errorf("%q is not a name of an ability", a.Name)
	}
	if a.InputSchema == nil {
		return nil
	}
	c.document = a.InputSchema
	s, err := c.compile(a.InputSchema, "input", 0)
	if err != nil {
		return err
	}
	o.plan.hasDefault = s.HasDefault
	c.mergeRoot(s)
	if !s.Is("object") && (len(s.Types) > 0 || len(s.Properties) == 0) {
		o.plan.input = wholeInput
		o.Args = []Arg{{Name: "input", Wire: "input", In: Whole, Required: !s.HasDefault && !slices.Contains(s.Types, "null"), Schema: s}}
		return nil
	}
	o.plan.input = objectInput
	o.Extra = s.Additional
	return c.abilityArgs(o, a.InputSchema)
}

// abilityArgs turns the properties of an input object into arguments. It reads
// them from the schema as written: their names may need a safe spelling, which
// nested properties cannot have.
func (c *compiler) abilityArgs(o *Operation, written any) error {
	c.repairs, c.nodes = nil, 0
	node, _ := written.(map[string]any)
	named, required, err := c.rootProperties(node)
	if err != nil {
		return err
	}
	for _, wire := range propertyNames(named, required) {
		v, there := named[wire]
		switch {
		case (isReadOnly(v) || isGlobal(wire)) && !required[wire] || wire == "":
			continue
		case !there && closed(node):
			c.repair("input", "required-dropped", wire, nothing)
			continue
		case !there:
			c.repair(wire, "property-added", nothing, map[string]any{})
		}
		a, err := c.arg(wire, v, InInput)
		if errors.Is(err, errNotSchema) && !required[wire] {
			c.repair(wire, "argument-dropped", v, nothing)
			continue
		}
		if errors.Is(err, errNotSchema) {
			c.repair(wire, "argument-opened", v, map[string]any{})
			a, err = c.arg(wire, nil, InInput)
		}
		if err != nil {
			return err
		}
		a.Required = required[wire]
		o.Args = append(o.Args, a)
	}
	apart(o.Args)
	SortArgs(o.Args)
	return nil
}

func closed(node map[string]any) bool { return node["additionalProperties"] == false }

// rootProperties gathers the properties of an object schema, those of its root
// combinators included: no client takes a combinator at the root. What only a
// combinator requires is optional here, and the site still checks it.
func (c *compiler) rootProperties(node map[string]any) (named map[string]any, required map[string]bool, err error) {
	node, done, err := c.inline(node, "input")
	if err != nil {
		return nil, nil, err
	}
	defer done()
	own, isMap := node["properties"].(map[string]any)
	if v, there := node["properties"]; there && !isMap {
		c.repair("input", "properties-to-object", v, map[string]any{})
	}
	named, required = maps.Clone(own), c.required(node, own, "input")
	if named == nil {
		named = map[string]any{}
	}
	variants := map[string][]any{}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		for _, v := range wp.List(node[keyword]) {
			variant, _ := v.(map[string]any)
			inside, _, err := c.rootProperties(variant)
			if err != nil {
				return nil, nil, err
			}
			for name, schema := range inside {
				if !slices.ContainsFunc(variants[name], func(other any) bool { return reflect.DeepEqual(other, schema) }) {
					variants[name] = append(variants[name], schema)
				}
			}
			c.repair("input", "root-combinator-merged", map[string]any{keyword: v}, nothing)
		}
	}
	for name, schemas := range variants {
		switch _, own := named[name]; {
		case own: // holds in every variant
		case len(schemas) == 1:
			named[name] = schemas[0]
		default:
			named[name] = map[string]any{"anyOf": schemas}
		}
	}
	return named, required, nil
}

// mergeRoot tells whether a schema with combinators at its root is an object:
// all of its variants have to be.
func (c *compiler) mergeRoot(s *Schema) {
	if len(s.Types) > 0 {
		return
	}
	variants := slices.Concat(s.AllOf, s.AnyOf)
	for _, v := range variants {
		if !v.Is("object") {
			return
		}
	}
	if len(variants) > 0 {
		s.Types = []string{"object"}
	}
}
