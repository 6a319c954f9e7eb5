package runtime

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"toolpress/curate"
	"toolpress/discover/wp"
	"toolpress/generate/schema"
)

// warning is what a model has to know of a call that was made, beside its answer.
type warning struct {
	// Argument is what it is about, as the model calls it; empty: the whole call.
	Argument string `json:"argument,omitempty"`
	Text     string `json:"warning"`
}

// maxWarnings bounds those of one result.
const maxWarnings = 10

// comparison is what was sent held against what the site says it has stored: what
// it dropped and what it changed. A site does both with status 200: it knows no
// such meta key, the user may not send a script, the slug was taken, the date is
// past. It speaks of a value only where the route's own schema says that the
// answer has it, and never of what is private.
type comparison struct {
	tool *curate.Tool
	told []warning
}

// compare is made with the whole answer, before anything is picked of it.
func compare(t *curate.Tool, r wp.Request, answer json.RawMessage) []warning {
	values := sentOf(r)
	if len(values) == 0 || reads(r.Method) || r.Method == "DELETE" {
		return nil
	}
	stored, ok := decodedValue(answer).(map[string]any)
	if !ok {
		return nil
	}
	c := &comparison{tool: t}
	// One that lacks most of what every answer has is about something else.
	whole := t.Whole(func(name string) bool { _, there := stored[name]; return there })
	for _, name := range slices.Sorted(maps.Keys(values)) {
		may, always := t.Holds(name)
		held, there := stored[name]
		hidden := t.Result.Private.Below(name)
		switch {
		case !may || hidden.Whole():
		case there:
			c.value([]string{name}, values[name], held, stored, hidden)
		case always && whole && !isEmpty(values[name]):
			c.tell([]string{name}, "It is not in the site's answer.")
		}
	}
	if more := len(c.told) - maxWarnings; more > 0 {
		c.told = append(c.told[:maxWarnings], warning{Text: fmt.Sprintf("and %d more values were stored otherwise than they were sent", more)})
	}
	return c.told
}

// sentOf are the values of a request by their names on the wire: of its body, or
// of the query beside a file.
func sentOf(r wp.Request) map[string]any {
	values := map[string]any{}
	switch body := r.Body.(type) {
	case map[string]any:
		values = body
	case wp.File:
		for _, p := range r.Query {
			values[p.Name] = p.Value
		}
	}
	text, err := schema.Encode(values)
	if err != nil {
		return nil
	}
	values, _ = decodedValue(text).(map[string]any)
	return values
}

// decodedValue reads JSON as values whose numbers keep their digits; nil where it is
// none.
func decodedValue(text json.RawMessage) any {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return nil
	}
	return v
}

// value holds what was sent at a path against what is stored there, in an object
// that holds both. What has another form is another thing: an address that became
// a picture, a list of objects that got ids. An empty value asks for the site's
// own, and is not held against it.
func (c *comparison) value(path []string, sent, stored any, holder map[string]any, hidden curate.Fields) {
	if isEmpty(sent) || curate.LooksSecret(path[len(path)-1]) {
		return
	}
	if object, ok := stored.(map[string]any); ok {
		raw, there := object["raw"]
		if _, both := sent.(map[string]any); there && !both {
			sent, stored = map[string]any{"raw": sent}, map[string]any{"raw": raw}
		}
	}
	if object, ok := sent.(map[string]any); ok {
		raw, there := object["raw"]
		if _, text := stored.(string); there && text {
			sent = raw
		}
	}
	switch sent := sent.(type) {
	case map[string]any:
		c.object(path, sent, stored, hidden)
	case []any:
		c.list(path, sent, stored)
	default:
		c.scalar(path, sent, stored, holder)
	}
}

// commands are members that say what is to be done, and do not stay.
var commands = []string{"src", "rendered"}

func (c *comparison) object(path []string, sent map[string]any, stored any, hidden curate.Fields) {
	held, ok := stored.(map[string]any)
	if !ok && !isEmpty(stored) { // PHP writes an empty object as []
		return
	}
	for _, name := range slices.Sorted(maps.Keys(sent)) {
		at := append(slices.Clone(path), name)
		v, there := held[name]
		below := hidden.Below(name)
		switch {
		case below.Whole() || slices.Contains(commands, name):
		case there:
			c.value(at, sent[name], v, held, below)
		case name == "raw" && held["rendered"] != nil:
			// Who may not edit it is not told how it is stored.
		case !isEmpty(sent[name]):
			c.dropped(at)
		}
	}
}

// list holds lists of texts and numbers against each other, in any order: where
// WordPress keeps ids, it keeps a set.
func (c *comparison) list(path []string, sent []any, stored any) {
	held, ok := stored.([]any)
	switch {
	case isEmpty(stored):
		c.dropped(path)
	case !ok || !allScalars(sent) || !allScalars(held):
	case !sameSet(sent, held):
		c.changed(path, sent, stored)
	}
}

func (c *comparison) scalar(path []string, sent, stored any, holder map[string]any) {
	name := path[len(path)-1]
	_, object := stored.(map[string]any)
	list, listed := stored.([]any)
	switch {
	case object && len(stored.(map[string]any)) > 0 || listed && len(list) > 0:
	case isFalse(sent) && isFalse(stored):
	case isEmpty(stored) && stored != false:
		c.dropped(path)
	case sameDate(name, sent, stored, holder) || sameStatus(name, sent, stored) || same(sent, stored):
	default:
		c.changed(path, sent, stored)
	}
}

// dropped tells of a value that is not there.
func (c *comparison) dropped(path []string) { c.tell(path, "The site did not store it.") }

func (c *comparison) tell(path []string, text string) {
	name, _ := c.tool.SentName(path...)
	c.told = append(c.told, warning{clip(plain(name), maxCode), text})
}

// changed tells of a value that is there as another. What the tool sends by itself,
// and what it drops of its answers, the model does not see.
func (c *comparison) changed(path []string, sent, stored any) {
	_, given := c.tool.SentName(path...)
	dropped := c.tool.Result.Drop
	for _, part := range path {
		dropped = dropped.Below(part)
	}
	text := "The site stored another value than the one sent."
	if !dropped.Whole() {
		is, was, from := apart(sent, stored)
		switch {
		case !given:
			text = "The site stored " + is + ", and not what this tool sends."
		case from > 0:
			text = fmt.Sprintf("The site stored it otherwise from character %d on: %s instead of %s.", from+1, is, was)
		default:
			text = "The site stored " + is + " instead of " + was + "."
		}
	}
	c.tell(path, text)
}

// Bounds of a value in a warning, in characters.
const (
	maxTold = 80
	before  = 20 // of what both have, before they part
)

// apart shows two values that are not the same. Of long texts it shows where they
// part: from is how many characters they have in common before.
func apart(sent, stored any) (is, was string, from int) {
	a, isText := sent.(string)
	b, both := stored.(string)
	if !isText || !both {
		return toldValue(stored), toldValue(sent), 0
	}
	x, y := []rune(a), []rune(b)
	if len(x) <= maxTold && len(y) <= maxTold {
		return toldValue(b), toldValue(a), 0
	}
	for from < len(x) && from < len(y) && x[from] == y[from] {
		from++
	}
	start := max(0, from-before)
	part := func(text []rune) string {
		if start == 0 {
			return toldValue(string(text))
		}
		return toldValue("…" + string(text[start:]))
	}
	return part(y), part(x), from
}

// toldValue is a value as JSON on one line, not too long.
func toldValue(v any) string {
	if text, ok := v.(string); ok {
		v = clip(schema.Legible(text, 4*maxTold), maxTold)
	}
	text, _ := schema.Encode(v) // it was JSON: it cannot fail
	return clip(schema.Legible(string(text), 4*maxTold), 2*maxTold)
}

// warned is an object with what is told of its call, as fitObject adds to one.
func warned(raw json.RawMessage, told []warning) (json.RawMessage, error) {
	if len(told) == 0 {
		return raw, nil
	}
	list, err := members(raw)
	if err != nil {
		return nil, err
	}
	note, err := schema.Encode(told)
	if err != nil {
		return nil, err
	}
	return object(append(list, member{freeName(list, "warnings"), note}))
}

// freeName is a name that no member has yet.
func freeName(list []member, name string) string {
	for slices.ContainsFunc(list, func(m member) bool { return m.name == name }) {
		name = "toolpress_" + name
	}
	return name
}

// spoken are warnings as lines of a text.
func spoken(told []warning) string {
	var b strings.Builder
	for _, w := range told {
		b.WriteString("\n- ")
		if w.Argument != "" {
			b.WriteString(w.Argument + ": ")
		}
		b.WriteString(w.Text)
	}
	return b.String()
}
