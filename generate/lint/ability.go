package lint

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"toolpress/discover"
	"toolpress/generate/clients"
	"toolpress/generate/words"
)

// toolName is an ability's name as a tool's, as the MCP adapter of WordPress makes
// it: a slash becomes a dash. toolpress writes _ for both.
func toolName(ability string) string { return strings.ReplaceAll(ability, "/", "-") }

// abilityNames are the abilities by the names of their tools.
func abilityNames(abilities []discover.Ability) map[string][]string {
	names := map[string][]string{}
	for _, a := range abilities {
		names[toolName(a.Name)] = append(names[toolName(a.Name)], a.Name)
	}
	return names
}

// name holds the name of an ability's tool against the table of clients, and
// against the other names.
func (r *report) name(s *subject, names map[string][]string) {
	name := toolName(s.ability.Name)
	if len(name) > words.LongestName {
		rule := r.rules["long-name"]
		f := Finding{ID: rule.ID, Severity: Warning, Path: "name", Message: fmt.Sprintf("%d characters", len(name)), Remedy: rule.mend("name")}
		r.put(f, s)
	}
	empty := map[string]any{"type": "object", "properties": map[string]any{}}
	for _, refusal := range clients.Check(clients.Tool{Name: name, Input: empty}) {
		id := "tool-name"
		if len(name) > words.LongestName {
			refusal.What, id = fmt.Sprintf("%d characters", len(name)), "long-name"
		}
		r.refused(s, id, place{root: "name"}, refusal)
	}
	if same := others(names[name], s.ability.Name); len(same) > 0 {
		r.add(s, "name-collision", "name", strings.Join(same, ", ")+" is "+name+" too")
	}
}

// visibility looks at who the ability is for (WordPress 7.1: meta.public seeds
// show_in_rest; the MCP adapter reads meta.mcp.public).
func (r *report) visibility(s *subject) {
	public, _ := s.ability.Meta["public"].(bool)
	mcp, _ := s.ability.Meta["mcp"].(map[string]any)
	said, isSaid := mcp["public"].(bool)
	switch {
	case public && isSaid && !said:
		r.add(s, "visibility-conflict", "meta.mcp.public", "public: true, mcp.public: false")
	case !public && mcp["public"] == nil && s.ability.Meta["show_in_rest"] == true:
		r.add(s, "mcp-unsaid", "meta", "show_in_rest alone")
	}
}

// The first words of names that say what an ability does.
var (
	reads    = strings.Fields("get list find search count read show view fetch")
	destroys = strings.Fields("delete remove trash purge erase destroy drop wipe")
	writes   = strings.Fields("create add update set insert save publish send upload import restore install activate deactivate enable disable cancel refund edit change replace reset clear")
)

// annotations looks at what an ability says of its effect.
func (r *report) annotations(s *subject) {
	const at = "meta.annotations"
	said, _ := s.ability.Meta["annotations"].(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(said)) {
		if _, isBool := said[key].(bool); !isBool && said[key] != nil && slices.Contains(annotations, key) {
			r.add(s, "annotation-type", at+"."+key, fmt.Sprintf("%s: %v", key, said[key]))
		}
	}
	if said["readonly"] == true {
		if said["destructive"] == true {
			r.add(s, "annotation-conflict", at, "readonly: true, destructive: true")
		}
	} else if missing := slices.DeleteFunc(slices.Clone(annotations), func(key string) bool { return said[key] != nil }); len(missing) > 0 {
		list := "`" + strings.Join(missing, "`, `") + "`"
		r.add(s, "missing-annotations", at, "nothing says "+strings.Join(missing, ", "), list)
	}
	r.named(s, said)
}

// annotations are those that core knows (WP_Ability).
var annotations = []string{"readonly", "destructive", "idempotent"}

// named looks for annotations that the ability's name denies.
func (r *report) named(s *subject, said map[string]any) {
	name := s.ability.Name[strings.LastIndexByte(s.ability.Name, '/')+1:]
	verb, _, _ := strings.Cut(strings.ReplaceAll(name, "_", "-"), "-")
	isRead, isWrite, isDestroy := slices.Contains(reads, verb), slices.Contains(writes, verb), slices.Contains(destroys, verb)
	for _, wrong := range []struct {
		key string
		is  bool
		not bool
	}{
		{"readonly", true, isWrite || isDestroy},
		{"readonly", false, isRead},
		{"destructive", true, isRead},
		{"destructive", false, isDestroy && said["readonly"] != true},
	} {
		if wrong.not && said[wrong.key] == wrong.is {
			r.add(s, "annotation-name", "meta.annotations."+wrong.key, fmt.Sprintf("%s: %t, and it is called %s", wrong.key, wrong.is, name))
		}
	}
}
