package curate

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// sharing is what makes findings one: their place, their kind and what they say.
type sharing struct {
	at       Pos
	id, text string
}

// shared is one finding about several tools.
type shared struct {
	file  *file
	hint  string
	tools []string
}

// share reports something of a tool together with the others of its entry.
func (a *application) share(f *file, at Pos, tool, id, hint, text string) {
	key := sharing{at, id, text}
	if a.together[key] == nil {
		a.together[key] = &shared{file: f, hint: hint}
	}
	if s := a.together[key]; !slices.Contains(s.tools, tool) {
		s.tools = append(s.tools, tool)
	}
}

// told is how many tools one finding names.
const told = 12

// tell turns what was shared into findings, those of one place in a fixed order.
func (a *application) tell() {
	for _, key := range slices.SortedFunc(maps.Keys(a.together), func(x, y sharing) int { return strings.Compare(x.text, y.text) }) {
		s := a.together[key]
		tools := strings.Join(s.tools[:min(len(s.tools), told)], ", ")
		if more := len(s.tools) - told; more > 0 {
			tools += fmt.Sprintf(" and %d more", more)
		}
		a.find(s.file, key.id, SeverityWarning, key.at, s.hint, "%s: %s", tools, key.text)
	}
}
