package clients

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// LongestName is how many characters a tool's name and the server's may have
// together, of all clients that count both: Cursor's.
const LongestName = 59

const (
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits  = "0123456789"
)

// only reports a name of 1 to most of the given characters.
func only(name, of string, most int) bool {
	return name != "" && len(name) <= most && strings.Trim(name, of) == ""
}

// begins reports a name that begins with a letter or an underscore.
func begins(name string) bool { return name != "" && strings.ContainsRune(letters+"_", rune(name[0])) }

func (t *Tool) name(report reporter, fine func(string) bool) {
	if !fine(t.Name) {
		report(name, t.Name)
	}
}

func (t *Tool) fullName(most int, report reporter) {
	if n := len(t.Server) + len(t.Name); n > most {
		report(name, fmt.Sprintf("%s and %s have %d characters", t.Server, t.Name, n))
	}
}

func (t *Tool) root() schema {
	s, _ := t.Input.(map[string]any)
	return s
}

func (t *Tool) rootObject(report reporter) {
	if t.root()["type"] != "object" {
		report(input.of("type"), t.root().says("type"))
	}
}

func (t *Tool) rootKeywords(report reporter, keywords ...string) {
	for _, k := range keywords {
		if v, there := t.root()[k]; there {
			report(input.of(k), k+": "+brief(v))
		}
	}
}

// names reports properties with names that are not fine, at any depth.
func (t *Tool) names(report reporter, fine func(string) bool) {
	t.each(func(at spot, s schema) {
		named, _ := s["properties"].(map[string]any)
		for _, name := range sorted(named) {
			if !fine(name) {
				report(at.of("properties", name), name)
			}
		}
	})
}

// plainSchemas reports what is no object where a schema has to be. Only of what is
// not named an object may say true or false.
func (t *Tool) plainSchemas(report reporter) {
	t.each(func(at spot, s schema) {
		below(s, func(in place, v any) {
			_, isBool := v.(bool)
			_, isSchema := v.(map[string]any)
			if !isSchema && (in.keyword == "properties" || isBool && in.keyword != "additionalProperties" && in.keyword != "unevaluatedProperties") {
				report(at.below(in), brief(v))
			}
		})
	})
}

// onlyFields reports keywords that are none of these.
func (t *Tool) onlyFields(report reporter, fields ...string) {
	t.each(func(at spot, s schema) {
		for _, k := range sorted(s) {
			if !slices.Contains(fields, k) {
				report(at.of(k), k+": "+brief(s[k]))
			}
		}
	})
}

// onlyFormats reports formats that are none of these.
func (t *Tool) onlyFormats(report reporter, formats ...string) {
	t.each(func(at spot, s schema) {
		if f, _ := s["format"].(string); f != "" && !slices.Contains(formats, f) {
			report(at, "format: "+f)
		}
	})
}

// anyOfAlone reports anyOf beside anything else.
func (t *Tool) anyOfAlone(report reporter) {
	t.each(func(at spot, s schema) {
		if _, there := s["anyOf"]; there && len(s) > 1 {
			report(at, "anyOf beside "+strings.Join(slices.DeleteFunc(sorted(s), func(k string) bool { return k == "anyOf" }), ", "))
		}
	})
}

func (t *Tool) propertiesThere(report reporter) {
	t.each(func(at spot, s schema) {
		if _, isMap := s["properties"].(map[string]any); !isMap && slices.Contains(s.types(), "object") {
			report(at, s.says("properties"))
		}
	})
}

func (t *Tool) itemsThere(report reporter) {
	t.each(func(at spot, s schema) {
		if _, isSchema := s["items"].(map[string]any); !isSchema && slices.Contains(s.types(), "array") {
			report(at, s.says("items"))
		}
	})
}

func (t *Tool) typesThere(report reporter) {
	t.each(func(at spot, s schema) {
		if _, either := s["anyOf"]; len(s.types()) == 0 && !either {
			report(at, "no type")
		}
	})
}

func (t *Tool) nullBesideAnother(report reporter) {
	t.each(func(at spot, s schema) {
		if list := s.types(); len(list) > 1 && slices.Contains(list, "null") {
			report(at, "type: "+brief(s["type"]))
		}
	})
}

func (t *Tool) oneType(report reporter) {
	t.each(func(at spot, s schema) {
		if _, isList := s["type"].([]any); isList {
			report(at, "type: "+brief(s["type"]))
		}
	})
}

func (t *Tool) openObjects(report reporter) {
	t.each(func(at spot, s schema) {
		if v, there := s["additionalProperties"]; there && v != false {
			report(at, "additionalProperties: "+brief(v))
		}
	})
}

func (t *Tool) enumOfTexts(report reporter) {
	t.each(func(at spot, s schema) {
		v, there := s["enum"]
		list, _ := v.([]any)
		other := slices.ContainsFunc(list, func(v any) bool { _, isText := v.(string); return !isText })
		if there && (other || len(list) == 0 || !slices.Equal(s.types(), []string{"string"})) {
			report(at, "enum: "+brief(v))
		}
	})
}

func (t *Tool) emptyInEnum(report reporter) {
	t.each(func(at spot, s schema) {
		if list, _ := s["enum"].([]any); slices.Contains(list, any("")) {
			report(at, "enum: "+brief(list))
		}
	})
}

func (t *Tool) requiredThere(report reporter) {
	t.each(func(at spot, s schema) {
		list, _ := s["required"].([]any)
		named, _ := s["properties"].(map[string]any)
		for _, v := range list {
			name, _ := v.(string)
			if _, there := named[name]; !there {
				report(at, "required: "+brief(v))
			}
		}
	})
}

func (t *Tool) depth(report reporter) {
	if n := depth(t.Input); n > MaxDepth {
		report(input, fmt.Sprintf("%d objects in one another", n))
	}
}

// depth is how many objects with properties stand in one another.
func depth(v any) int {
	node, isSchema := v.(map[string]any)
	if !isSchema {
		return 0
	}
	deepest := 0
	below(node, func(in place, v any) {
		n := depth(v)
		if in.keyword == "properties" {
			n++
		}
		deepest = max(deepest, n)
	})
	return deepest
}

func sorted(named map[string]any) []string { return slices.Sorted(maps.Keys(named)) }

// brief is a value as a refusal shows it.
func brief(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return "?"
	}
	text := strings.TrimSpace(b.String())
	if len(text) > 60 {
		text = strings.ToValidUTF8(text[:57], "") + "…"
	}
	return text
}
