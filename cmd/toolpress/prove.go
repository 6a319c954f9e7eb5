package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"toolpress/curate"
	"toolpress/runtime"
)

// proof is what became of canary values that were put into the private fields of
// answers and through the shaping of each tool.
type proof struct {
	// Profiles have the answers tried of each of their tools, by name; 0 where a
	// tool has nothing private.
	Profiles map[string]map[string]int `json:"tried"`
	// Leaks are the private fields that came out, each once for a tool.
	Leaks []leaked `json:"leaks"`
}

type leaked struct {
	Profile string `json:"profile"`
	Tool    string `json:"tool"`
	Field   string `json:"field"`
}

// provePrivate tries every tool of every profile.
func provePrivate(catalog *curate.Catalog) (*proof, error) {
	p := &proof{Profiles: map[string]map[string]int{}, Leaks: []leaked{}}
	for _, name := range catalog.ProfileNames() {
		tried := map[string]int{}
		for _, t := range catalog.Profiles[name].Tools {
			n, leaks, err := runtime.Leaks(t)
			if err != nil {
				return nil, fmt.Errorf("putting canary values through %s: %w", t.Name, err)
			}
			tried[t.Name] = n
			told := map[string]bool{}
			for _, l := range leaks {
				if !told[l.Path] {
					told[l.Path] = true
					p.Leaks = append(p.Leaks, leaked{name, t.Name, l.Path})
				}
			}
		}
		p.Profiles[name] = tried
	}
	return p, nil
}

// findings are the leaks: a fault of toolpress, not of the curation.
func (p *proof) findings(curation string) (found curate.Findings) {
	for _, l := range p.Leaks {
		found = append(found, curate.Finding{
			ID: "private-leaves", Severity: curate.SeverityError, Pos: curate.Pos{File: curation},
			Message: fmt.Sprintf("%s of the profile %s gives %s, which is private", l.Tool, l.Profile, l.Field),
			Hint:    "do not serve it, and report this: toolpress is wrong, not the file",
		})
	}
	return found
}

// print says what was tried; nil prints nothing.
func (p *proof) print(w io.Writer) {
	if p == nil {
		return
	}
	answers, tools := 0, map[string]int{} // of all profiles
	for _, tried := range p.Profiles {
		for tool, n := range tried {
			answers += n
			tools[tool] += n
		}
	}
	var private, public []string
	for _, tool := range slices.Sorted(maps.Keys(tools)) {
		if tools[tool] > 0 {
			private = append(private, tool)
		} else {
			public = append(public, tool)
		}
	}
	if len(private) > 0 {
		verdict := "nothing private leaves"
		if len(p.Leaks) > 0 {
			verdict = count(len(p.Leaks), "private field") + " left"
		}
		fmt.Fprintf(w, "private: %s through %s: %s\n", count(answers, "made-up answer"), strings.Join(private, ", "), verdict)
	}
	if len(public) > 0 {
		fmt.Fprintf(w, "private: no field of %s\n", strings.Join(public, ", "))
	}
}
