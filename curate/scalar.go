package curate

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// text reads a text as it was written, whatever YAML takes it for.
func (r *reader) text(n *yaml.Node, what string) (Text, bool) {
	n = r.resolve(n)
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		r.fail(n, "", "%s must be text, not %s", what, kind(n))
		return Text{}, false
	}
	return Text{Value: n.Value, Pos: r.pos(n)}, true
}

// texts reads a list of texts, or one.
func (r *reader) texts(n *yaml.Node, what string) []Text {
	var list []Text
	for _, item := range r.items(n) {
		if t, ok := r.text(item, what); ok {
			list = append(list, t)
		}
	}
	return list
}

// choice reads one of a few words.
func (r *reader) choice(n *yaml.Node, what string, words ...string) (Text, bool) {
	t, ok := r.text(n, what)
	if ok && !slices.Contains(words, t.Value) {
		r.fail(n, didYouMean(t.Value, words), "%s must be one of %s, not %q", what, strings.Join(words, ", "), short(t.Value))
		return Text{}, false
	}
	return t, ok
}

// boolean reads true or false; YAML 1.1's yes and no are not guessed at.
func (r *reader) boolean(n *yaml.Node, what string) (bool, bool) {
	n = r.resolve(n)
	if n.Kind == yaml.ScalarNode && n.Tag == "!!bool" && (n.Value == "true" || n.Value == "false") {
		return n.Value == "true", true
	}
	r.fail(n, "", "%s must be true or false, not %s", what, kind(n))
	return false, false
}

// count reads a whole number of at least least.
func (r *reader) count(n *yaml.Node, what string, least int) (int, bool) {
	n = r.resolve(n)
	i, err := strconv.Atoi(strings.ReplaceAll(n.Value, "_", ""))
	if n.Kind != yaml.ScalarNode || n.Tag == "!!str" || err != nil || i < least {
		r.fail(n, "", "%s must be a whole number of %d or more, not %s", what, least, kind(n))
		return 0, false
	}
	return i, true
}

// within reads a whole number from 1 to most; zero where it is none.
func (r *reader) within(n *yaml.Node, what string, most int) int {
	i, ok := r.count(n, what, 1)
	if ok && i > most {
		r.fail(n, "", "%s must be at most %d, not %d", what, most, i)
	}
	return i
}

var sizes = regexp.MustCompile(`^(\d{1,9})\s*(B|KiB|MiB)?$`)

// size reads bytes: 24KiB, 2MiB, or a number.
func (r *reader) size(n *yaml.Node, what string) (int, bool) {
	n = r.resolve(n)
	m := sizes.FindStringSubmatch(strings.ReplaceAll(n.Value, "_", ""))
	if n.Kind != yaml.ScalarNode || m == nil {
		r.fail(n, "write it like 24KiB", "%s must be a size, not %s", what, kind(n))
		return 0, false
	}
	bytes, _ := strconv.Atoi(m[1])
	return bytes * map[string]int{"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20}[m[2]], true
}

// duration reads 20s, 5m, 1h.
func (r *reader) duration(n *yaml.Node, what string) (time.Duration, bool) {
	n = r.resolve(n)
	d, err := time.ParseDuration(n.Value)
	if n.Kind != yaml.ScalarNode || err != nil || d <= 0 {
		r.fail(n, "write it like 20s or 5m", "%s must be a duration, not %s", what, kind(n))
		return 0, false
	}
	return d, true
}

// kind says what a node is, for messages.
func kind(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode && len(n.Content) == 0:
		return "an empty list"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Tag == "!!null":
		return "nothing"
	}
	return strconv.Quote(short(n.Value))
}

// short is a text of the file as a message shows it.
func short(text string) string {
	if r := []rune(text); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return text
}
