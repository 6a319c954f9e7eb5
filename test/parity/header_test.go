package parity

import (
	"regexp"
	"slices"
	"strings"
)

var turned = regexp.MustCompile(`\bpage=\d+`)

var rel = regexp.MustCompile(`rel="?([^";,]+)"?`)

// rels are the relations of the Link header with where they point, as far as
// pages go.
func rels(r reply) string {
	var names []string
	for _, line := range r.header.Values("Link") {
		for one := range strings.SplitSeq(line, ", <") {
			m := rel.FindStringSubmatch(one)
			if m == nil {
				continue
			}
			name := m[1]
			if page := turned.FindString(one); name == "next" || name == "prev" {
				name += " to " + page
			}
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

var trailing = regexp.MustCompile(`\d+$`)

// plain takes the site's address and captured numbers out of an address.
func (t *target) plain(address string) string {
	address = strings.TrimPrefix(address, t.base)
	return trailing.ReplaceAllStringFunc(address, t.named)
}
