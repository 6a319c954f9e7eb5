package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
)

// safeWord is what every client takes as a property's name (package clients).
var safeWord = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_]{0,63}$`)

// SafeName turns what the site calls an argument or a property into a name every
// client takes: filter[meta] is filter_meta.
func SafeName(wire string) string {
	if wire == "__proto__" { // JavaScript would set a prototype
		return "proto"
	}
	if safeWord.MatchString(wire) {
		return wire
	}
	name := strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, strings.TrimSuffix(strings.ReplaceAll(wire, "]", ""), "["))
	if name != "" && name[0] >= '0' && name[0] <= '9' {
		name = "_" + name
	}
	return Fit(wire, name, MaxName)
}

// Names gives what the site calls arguments, or properties of one object, names
// of their own that every client takes, in the same order. One that is taken as it
// is keeps it, whatever the others are.
func Names(wires []string) []string {
	taken := map[string]bool{}
	for _, wire := range wires {
		taken[wire] = true
	}
	names := make([]string, len(wires))
	for i, wire := range wires {
		names[i] = SafeName(wire)
		if names[i] == wire {
			continue
		}
		for id := wire; taken[names[i]]; id += "\x00" {
			names[i] = Hashed(id, SafeName(wire), MaxName)
		}
		taken[names[i]] = true
	}
	return names
}

// Fit keeps a name within a limit of bytes; what is cut is replaced by a hash of
// the identity, so that two long names stay two.
func Fit(id, name string, most int) string {
	if name != "" && len(name) <= most {
		return name
	}
	return Hashed(id, name, most)
}

// Hashed is a name with a hash of the identity at its end, within a limit of
// bytes; the hash alone where the name is empty.
func Hashed(id, name string, most int) string {
	sum := sha256.Sum256([]byte(id))
	tail := hex.EncodeToString(sum[:4])
	head := strings.TrimRight(name[:min(len(name), most-len(tail)-1)], "_")
	if head == "" {
		return tail
	}
	return head + "_" + tail
}
