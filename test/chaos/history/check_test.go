package history

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// at is a moment of a history made by hand.
const at = time.Second

// written are versions 1 to 3, written at 10, 20 and 30 s; 2 has a tool more.
func written() map[int]Version {
	return map[int]Version{
		1: {10 * at, []string{"always", "only_1"}},
		2: {20 * at, []string{"always", "only_2", "some"}},
		3: {30 * at, []string{"always", "only_3"}},
	}
}

// list is a list as a version has it.
func list(client string, begin, end time.Duration, version int) Event {
	e := Event{Client: client, Kind: List, Begin: begin * at, End: end * at, Tools: map[string]int{}}
	for _, name := range written()[version].Tools {
		e.Tools[name] = version
	}
	return e
}

// with is a list in which one tool is of another version.
func with(e Event, tool string, version int) Event { e.Tools[tool] = version; return e }

// without is a list that lacks a tool.
func without(e Event, tool string) Event { delete(e.Tools, tool); return e }

func call(begin, end time.Duration, tool string, outcome Outcome) Event {
	return Event{Client: "caller", Kind: Call, Begin: begin * at, End: end * at, ID: fmt.Sprint("call-", begin), Tool: tool, Outcome: outcome}
}

// ran is a call's arrival; the call is named by when it began.
func ran(begin, when time.Duration, version int) Event {
	return Event{Kind: Ran, Begin: when * at, End: when * at, ID: fmt.Sprint("call-", begin), Version: version}
}

func moment(client string, kind Kind, when time.Duration) Event {
	return Event{Client: client, Kind: kind, Begin: when * at, End: when * at}
}

// Each history breaks the rules that are named, once each, and no other.
func TestCheck(t *testing.T) {
	for name, c := range map[string]struct {
		events    []Event
		listeners []string
		want      []Rule
	}{
		"nothing": {},
		"all three, one after the other, by two clients": {events: []Event{
			list("a", 11, 12, 1), list("a", 21, 22, 2), list("b", 23, 24, 2), list("a", 31, 32, 3),
		}},
		"while it changes either may be seen, in any order": {events: []Event{
			list("a", 19, 25, 2), list("b", 20, 26, 1), list("c", 21, 27, 2), list("d", 24, 28, 1),
		}},
		"a tool of another version (T44)":      {events: []Event{with(list("a", 31, 32, 3), "always", 2)}, want: []Rule{Torn}},
		"a tool too many":                      {events: []Event{with(list("a", 31, 32, 3), "some", 3)}, want: []Rule{Torn}},
		"half of a file (T43)":                 {events: []Event{without(list("a", 21, 22, 2), "some")}, want: []Rule{Torn}},
		"a tool that says no version":          {events: []Event{with(list("a", 31, 32, 3), "only_3", 0)}, want: []Rule{Torn}},
		"no tools at all (R08)":                {events: []Event{{Client: "a", Kind: List}}, want: []Rule{Torn}},
		"a version that was not to be used":    {events: []Event{{Client: "a", Kind: List, Tools: map[string]int{"always": 7}}}, want: []Rule{Torn}},
		"before it was written":                {events: []Event{list("a", 11, 12, 2)}, want: []Rule{Early}},
		"a client that goes back":              {events: []Event{list("a", 31, 32, 3), list("a", 33, 34, 2)}, want: []Rule{Back}},
		"another client that goes back":        {events: []Event{list("b", 33, 34, 2), list("a", 31, 32, 3)}, want: []Rule{Back}},
		"a call by an older version":           {events: []Event{list("a", 31, 32, 3), call(33, 36, "always", Answered), ran(33, 34, 2)}, want: []Rule{Back}},
		"a call by the one that is served":     {events: []Event{list("a", 31, 32, 3), call(33, 36, "only_3", Answered), ran(33, 34, 3)}},
		"admitted before, and answered after":  {events: []Event{call(25, 40, "only_2", Answered), ran(25, 31, 2), list("a", 32, 33, 3)}},
		"gone before the call began (G54)":     {events: []Event{list("a", 31, 32, 3), call(33, 36, "only_2", Answered), ran(33, 34, 2)}, want: []Rule{Back}},
		"not there when the call arrived":      {events: []Event{call(21, 26, "only_2", Answered), ran(21, 22, 2), list("a", 23, 24, 1)}, want: []Rule{Back}},
		"a version that has no such tool":      {events: []Event{call(31, 36, "some", Answered), ran(31, 32, 3)}, want: []Rule{Absent}},
		"answered and never ran":               {events: []Event{call(31, 36, "always", Answered)}, want: []Rule{Absent}},
		"failed and never ran":                 {events: []Event{call(31, 36, "always", Failed)}},
		"ran and failed":                       {events: []Event{call(31, 36, "only_3", Failed), ran(31, 33, 3)}},
		"ran, by a site that cannot tell what": {events: []Event{call(31, 36, "only_3", Failed), ran(31, 33, 0)}},
		"unknown, and there all the time": {
			events: []Event{list("a", 21, 22, 2), call(23, 24, "always", Unknown), list("a", 31, 32, 3)}, want: []Rule{Refused},
		},
		"unknown, and perhaps not there yet": {events: []Event{list("a", 11, 12, 1), call(23, 24, "only_2", Unknown), list("a", 25, 26, 2)}},
		"unknown, and gone":                  {events: []Event{list("a", 31, 32, 3), call(33, 34, "only_2", Unknown), list("a", 35, 36, 3)}},
		"told, and lists the last": {
			events:    []Event{moment("a", Opened, 5), moment("a", Notice, 31), list("a", 32, 33, 3)},
			listeners: []string{"a"},
		},
		"opened after the last change": {events: []Event{moment("a", Opened, 31), list("a", 32, 33, 3)}, listeners: []string{"a"}},
		"a notice that was lost": {
			events:    []Event{moment("a", Opened, 5), moment("a", Notice, 21), list("a", 22, 23, 2)},
			listeners: []string{"a"}, want: []Rule{Untold},
		},
		"lost, and found out by chance": {
			events:    []Event{moment("a", Opened, 5), moment("a", Notice, 21), list("a", 32, 33, 3)},
			listeners: []string{"a"}, want: []Rule{Untold},
		},
		"told too early": {
			events:    []Event{moment("a", Notice, 31), list("a", 32, 33, 2), list("a", 35, 36, 3)},
			listeners: []string{"a"}, want: []Rule{Untold},
		},
		"told, and has not looked": {events: []Event{list("a", 30, 30, 3), moment("a", Notice, 31)}, listeners: []string{"a"}, want: []Rule{Untold}},
		"another one is told":      {events: []Event{moment("b", Notice, 31), list("b", 32, 33, 3)}, listeners: []string{"a", "b"}, want: []Rule{Untold}},
		"a stream that is cut":     {events: []Event{moment("a", Cut, 31)}, want: []Rule{Severed}},
	} {
		t.Run(name, func(t *testing.T) {
			h := History{Versions: written(), Events: c.events, Last: 3, Listeners: c.listeners}
			var got []Rule
			for _, v := range h.Check() {
				got = append(got, v.Rule)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", h.Check(), c.want)
			}
		})
	}
}
