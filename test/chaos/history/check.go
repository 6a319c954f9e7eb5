package history

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// History is what was written, and what was observed of it.
type History struct {
	Versions map[int]Version
	Events   []Event
	// Last is the version that was written last; Listeners are who has to know of it.
	Last      int
	Listeners []string
}

// Rule is what a history breaks.
type Rule string

// The rules.
const (
	// Torn: a list is one version that was written, whole.
	Torn Rule = "torn list"
	// Early: nothing is seen before it is written.
	Early Rule = "before it was written"
	// Back: what begins after something else ended sees nothing older, whoever
	// looks.
	Back Rule = "back in time"
	// Absent: a call runs by a version that has its tool, and is answered only if it
	// ran.
	Absent Rule = "absent tool"
	// Refused: a tool that is there all the time is not unknown.
	Refused Rule = "refused tool"
	// Untold: after the last change every listener is told, and what it lists then
	// is the last version.
	Untold Rule = "untold listener"
	// Severed: no change ends a stream.
	Severed Rule = "cut stream"
)

// Violation is a rule that was broken, and by what.
type Violation struct {
	Rule Rule
	Text string
}

func (v Violation) String() string { return string(v.Rule) + ": " + v.Text }

// sight is a version that was served in one moment between two.
type sight struct {
	version    int
	begin, end time.Duration
	what       string
}

// Check returns every violation, in the order of the rules.
func (h History) Check() []Violation {
	seen, bad := h.lists()
	ran, more := h.calls()
	bad = append(bad, more...)
	seen = append(seen, ran...)
	for _, s := range seen {
		if v := h.Versions[s.version]; s.end < v.Began {
			bad = append(bad, Violation{Early, fmt.Sprintf("%s, and it was written at %v", s, v.Began)})
		}
	}
	bad = append(bad, backwards(seen)...)
	bad = append(bad, h.refused(seen)...)
	bad = append(bad, h.Untold()...)
	for _, e := range h.Events {
		if e.Kind == Cut {
			bad = append(bad, Violation{Severed, fmt.Sprintf("%s at %v", e.Client, e.End)})
		}
	}
	return bad
}

func (s sight) String() string {
	return fmt.Sprintf("%s saw version %d, %v to %v", s.what, s.version, s.begin, s.end)
}

// versionOf is the version a list is of; why not, where it is none.
func (h History) versionOf(e Event) (version int, why string) {
	names := make([]string, 0, len(e.Tools))
	for name, of := range e.Tools {
		names = append(names, name)
		if version == 0 {
			version = of
		}
		if of != version || of == 0 {
			slices.Sort(names)
			return 0, fmt.Sprintf("its tools are of several versions: %v", e.Tools)
		}
	}
	v, written := h.Versions[version]
	if !written {
		return 0, fmt.Sprintf("version %d was never to be used: %v", version, e.Tools)
	}
	want := slices.Sorted(slices.Values(v.Tools))
	if slices.Sort(names); !slices.Equal(names, want) {
		return 0, fmt.Sprintf("version %d has %v, and here are %v", version, want, names)
	}
	return version, ""
}

// lists are the lists that are whole; the others are torn.
func (h History) lists() (seen []sight, bad []Violation) {
	for _, e := range h.Events {
		if e.Kind != List {
			continue
		}
		version, why := h.versionOf(e)
		if why != "" {
			bad = append(bad, Violation{Torn, fmt.Sprintf("%s, %v to %v: %s", e.Client, e.Begin, e.End, why)})
			continue
		}
		seen = append(seen, sight{version, e.Begin, e.End, "a list of " + e.Client})
	}
	return seen, bad
}

// calls are what calls show of the version they ran by: it was served between
// their request and their arrival at the site.
func (h History) calls() (seen []sight, bad []Violation) {
	by := map[string]Event{}
	for _, e := range h.Events {
		if e.Kind == Call {
			by[e.ID] = e
		}
	}
	ran := map[string]bool{}
	for _, e := range h.Events {
		call, known := by[e.ID]
		switch {
		case e.Kind != Ran:
			continue
		case !known:
			continue // its client has not ended it yet
		}
		ran[e.ID] = true
		if e.Version == 0 {
			continue
		}
		if !slices.Contains(h.Versions[e.Version].Tools, call.Tool) {
			bad = append(bad, Violation{Absent, fmt.Sprintf("the call %s of %s ran by version %d, which has no such tool", e.ID, call.Tool, e.Version)})
			continue
		}
		seen = append(seen, sight{e.Version, call.Begin, e.End, "the call " + e.ID + " of " + call.Tool + ", of " + call.Client})
	}
	for id, call := range by {
		if call.Outcome == Answered && !ran[id] {
			bad = append(bad, Violation{Absent, fmt.Sprintf("the call %s of %s is answered and never ran", id, call.Tool)})
		}
	}
	return seen, bad
}

// backwards finds what sees an older version than something that had ended.
func backwards(seen []sight) (bad []Violation) {
	begun := slices.SortedFunc(slices.Values(seen), func(a, b sight) int { return cmp.Compare(a.begin, b.begin) })
	ended := slices.SortedFunc(slices.Values(seen), func(a, b sight) int { return cmp.Compare(a.end, b.end) })
	var newest sight
	for _, s := range begun {
		for len(ended) > 0 && ended[0].end < s.begin {
			if ended[0].version > newest.version {
				newest = ended[0]
			}
			ended = ended[1:]
		}
		if s.version < newest.version {
			bad = append(bad, Violation{Back, fmt.Sprintf("%s, after %s", s, newest)})
		}
	}
	return bad
}

// refused finds tools that were called unknown, and were there from before the call
// until after it, whatever was served in between.
func (h History) refused(seen []sight) (bad []Violation) {
	begun := slices.SortedFunc(slices.Values(seen), func(a, b sight) int { return cmp.Compare(a.begin, b.begin) })
	for _, e := range h.Events {
		if e.Kind != Call || e.Outcome != Unknown {
			continue
		}
		from, to := 0, 0
		for _, s := range seen {
			if s.end <= e.Begin {
				from = max(from, s.version)
			}
		}
		if i, _ := slices.BinarySearchFunc(begun, e.End, func(s sight, at time.Duration) int { return cmp.Compare(s.begin, at) }); i < len(begun) {
			to = begun[i].version
			for _, s := range begun[i:] {
				to = min(to, s.version)
			}
		}
		if from == 0 || to < from {
			continue
		}
		always := true
		for n := from; n <= to && always; n++ {
			v, written := h.Versions[n]
			always = !written || slices.Contains(v.Tools, e.Tool)
		}
		if always {
			bad = append(bad, Violation{Refused, fmt.Sprintf("%s called %s, %v to %v, and all versions from %d to %d have it", e.Client, e.Tool, e.Begin, e.End, from, to)})
		}
	}
	return bad
}

// told is empty where a listener, of whom these events are, knows of the last
// version, and else why not. What it knows by are the last notice and the last opening
// of its stream, and the first list that it reads after them.
func (h History) told(own []Event) (why string) {
	var at time.Duration
	for _, e := range own {
		if e.Kind == Notice || e.Kind == Opened {
			at = max(at, e.End)
		}
	}
	if written := h.Versions[h.Last].Began; at < written {
		return fmt.Sprintf("was told last at %v, and version %d was written at %v", at, h.Last, written)
	}
	var next *Event
	for i, e := range own {
		if e.Kind == List && e.Begin >= at && (next == nil || e.Begin < next.Begin) {
			next = &own[i]
		}
	}
	if next == nil {
		return fmt.Sprintf("was told at %v and has read no list since", at)
	}
	if version, torn := h.versionOf(*next); torn == "" && version != h.Last {
		return fmt.Sprintf("was told last at %v, and its list then is version %d and not %d", at, version, h.Last)
	}
	return ""
}

// Untold are the listeners who do not know of the last version.
func (h History) Untold() (bad []Violation) {
	own := map[string][]Event{}
	for _, e := range h.Events {
		own[e.Client] = append(own[e.Client], e)
	}
	for _, name := range h.Listeners {
		if why := h.told(own[name]); why != "" {
			bad = append(bad, Violation{Untold, name + " " + why})
		}
	}
	return bad
}

// Summary is violations in a line for each rule, with the first of each.
func Summary(bad []Violation) string {
	var lines []string
	for _, rule := range []Rule{Torn, Early, Back, Absent, Refused, Untold, Severed} {
		of := slices.DeleteFunc(slices.Clone(bad), func(v Violation) bool { return v.Rule != rule })
		if len(of) > 0 {
			lines = append(lines, fmt.Sprintf("%d × %s", len(of), of[0]))
		}
	}
	return strings.Join(lines, "\n")
}
