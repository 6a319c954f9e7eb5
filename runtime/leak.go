package runtime

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"toolpress/curate"
	"toolpress/discover/wp"
)

// Leak is a private value that a tool's shaping lets through.
type Leak struct {
	// Path is where it was in the answer, names joined by dots.
	Path string
	// Answer is what the site would have answered, Result what a client gets.
	Answer, Result json.RawMessage
}

// Leaks puts answers whose private fields hold canary values through the shaping
// of a tool's results, the same that a call goes through, and returns those that
// come out: none, where what is private never leaves. tried is how many answers
// there were; 0 where the tool has nothing private.
func Leaks(t *curate.Tool) (tried int, leaks []Leak, err error) {
	known := slices.Clone(t.Result.Pick)
	for _, r := range t.Result.Rename {
		known = append(known, r.Path)
	}
	return leaksOf(t.Result.Private, known, func(answer json.RawMessage) (json.RawMessage, error) {
		return shape(wp.Request{Method: http.MethodGet}, &wp.Response{JSON: answer}, t.Result, wanted{})
	})
}

// The canaries are one sign and one number that nothing else has: whatever is
// cut or converted, what is left of a value still has the sign.
const (
	canarySign   = "\u2691"
	canaryNumber = "8675309"
)

// canaryValues are a value of each kind.
var canaryValues = []string{
	`"` + canarySign + canarySign + `"`, `"<p>` + canarySign + ` &amp; <b>` + canarySign + `</b></p>"`, canaryNumber,
	`{"` + canarySign + `":{"raw":"` + canarySign + `"}}`, `["` + canarySign + `",{"id":` + canaryNumber + `}]`,
}

// leaksOf tries every value at every place that the patterns choose, among the
// paths that the shaping knows and beside them.
func leaksOf(private curate.Fields, known []string, through func(json.RawMessage) (json.RawMessage, error)) (tried int, leaks []Leak, err error) {
	for _, pattern := range private {
		for _, path := range placesOf(pattern, known) {
			for _, value := range canaryValues {
				for _, answer := range answersWith(path, value) {
					tried++
					result, err := through(answer)
					if errors.Is(err, errTooLarge) {
						continue // nothing leaves
					}
					if err != nil {
						return tried, leaks, err
					}
					if bytes.Contains(result, []byte(canarySign)) || bytes.Contains(result, []byte(canaryNumber)) {
						leaks = append(leaks, Leak{strings.Join(path, "."), answer, result})
					}
				}
			}
		}
	}
	return tried, leaks, nil
}

// answersWith are answers that hold a value at a path: as objects, as a list of
// them, with lists on the way, and with names that are written otherwise.
func answersWith(path []string, value string) []json.RawMessage {
	object, lists, escaped := value, value, value
	for _, name := range slices.Backward(path) {
		quoted, _ := json.Marshal(name)
		object = `{"id":1,` + string(quoted) + `:` + object + `}`
		lists = `{` + string(quoted) + `:[` + lists + `,[` + lists + `]]}`
		escaped = `{"` + otherwise(name) + `":` + escaped + `,"id":1}`
	}
	return []json.RawMessage{[]byte(object), []byte("[" + object + "]"), []byte(lists), []byte(escaped)}
}

// otherwise writes the first letter of a name as JSON may: \u0062illing.
func otherwise(name string) string {
	const hex = "0123456789abcdef"
	if name == "" || name[0] >= 0x80 {
		return name
	}
	return `\u00` + string(hex[name[0]>>4]) + string(hex[name[0]&15]) + name[1:]
}

// mostPlaces bounds the places that are tried of one pattern.
const mostPlaces = 500

// placesOf are places that a pattern chooses. Where it says any name, names that
// the shaping knows and one that it does not are taken; where it says any depth,
// no name, known paths and what is below them, and unknown ones.
func placesOf(pattern []string, known []string) [][]string {
	const unknown = "x"
	// following are what comes after some names in the known paths.
	following := func(before []string) (all [][]string) {
		for _, k := range known {
			if p := strings.Split(k, "."); len(p) > len(before) && slices.Equal(p[:len(before)], before) {
				all = append(all, p[len(before):])
			}
		}
		return all
	}
	var places [][]string
	var expand func(before, rest []string)
	add := func(before, rest []string, names ...string) {
		expand(slices.Concat(before, names), rest)
	}
	expand = func(before, rest []string) {
		if len(places) >= mostPlaces {
			return
		}
		if len(rest) == 0 {
			places = append(places, before)
			return
		}
		part, rest := rest[0], rest[1:]
		switch part {
		case "**":
			add(before, rest)
			add(before, rest, unknown)
			add(before, rest, unknown, unknown)
			for _, below := range following(before) {
				for n := range below {
					add(before, rest, below[:n+1]...)
					add(before, rest, append(slices.Clone(below[:n+1]), unknown)...)
				}
			}
		case "*":
			add(before, rest, unknown)
			for _, below := range following(before) {
				add(before, rest, below[0])
			}
		default:
			add(before, rest, part)
		}
	}
	expand(nil, pattern)
	return places
}
